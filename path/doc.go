// Package path estimates normalising constants along a path of densities p_β = f_β / Z_β, from a base at β = 0
// whose draws and log Z are exact to the target at β = 1.
//
// A [Family] says what the path is: its density, its base, a transition that leaves p_β invariant. Whatever walks it
// gives a [Result]: log Z, a standard error on the log scale, a 95 % interval, and warnings.
//
//   - [AIS] anneals independent runs (Neal 2001); [Reverse] and [Sandwich] also walk back; [SMC] resamples on the way.
//   - [Tempered] moves chains over a ladder of temperatures (simulated tempering): RTS, TS and MBAR of the same draws.
//   - [SAMS] and [SAMC] learn log Z on the way, over temperatures or over several models.
//   - [Integrate] stays at each temperature of a ladder: thermodynamic integration, stepping stones, bridges.
//
// Everything is cut by run or chain, each with a random stream of its own, so the same seed gives the same
// numbers with any number of threads.
package path
