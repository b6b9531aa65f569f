package remote

// description answers the first request.
type description struct {
	Words   []string `json:"words"`
	Begin   int32    `json:"begin"`
	End     int32    `json:"end"`
	Unknown *int32   `json:"unknown"`
	Order   int      `json:"order"`
}

// Query asks for the log probabilities of the words of Text from number From on, each given all before it.
type Query struct {
	Text []int32 `json:"text"`
	From int     `json:"from"`
}

// terms is how many numbers are asked for.
func (q *Query) terms() int { return len(q.Text) - q.From }

type questions struct {
	Queries []Query `json:"queries"`
}

type answers struct {
	LogProbs [][]*float64 `json:"log_probs"`
}

const (
	modelPath    = "/model"
	logProbsPath = "/log-probs"
)
