// Package prefetch asks the processor to bring memory nearer that is read or written soon, so that nothing waits for it then.
// It changes how long that takes and nothing else.
//
// On amd64 it is a loop of the processor's instruction for it, which the program in gen generates, because Go has none; elsewhere,
// and under the build tag noasm, it does nothing.
package prefetch
