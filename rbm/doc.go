// Package rbm holds restricted Boltzmann machines of binary units: their
// files, energies, conditional draws, normalising constants and training.
//
// A machine with V visible units v, H hidden units h, weights W (V×H) and
// biases b (visible) and a (hidden) has the energy
//
//	E(v, h) = −vᵀWh − bᵀv − aᵀh
//
// and the distribution p(v, h) = exp(−E(v, h))/Z (Smolensky, 1986; Hinton,
// 2002). Summed over the hidden layer,
//
//	log p*(v) = bᵀv + Σⱼ log(1 + exp(aⱼ + Σᵢ vᵢWᵢⱼ)),
//
// and log Z = log Σᵥ p*(v) is computed by [Model.Exact], approximated by
// [Model.TAP], and estimated along a [Family] by package path.
package rbm
