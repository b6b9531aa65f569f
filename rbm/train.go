package rbm

// Method is a way to draw the particles of the negative phase of training.
type Method string

// The methods of training.
const (
	CD       Method = "cd"   // contrastive divergence (Hinton, 2002)
	PCD      Method = "pcd"  // persistent chains (Younes, 1989; Tieleman, 2008)
	FastPCD  Method = "fpcd" // persistent chains with fast weights (Tieleman and Hinton, 2009)
	Tempered Method = "pt"   // persistent chains under parallel tempering (Desjardins et al., 2010; Cho, Raiko and Ilin, 2010)
)
