// Package ndarray reads and writes numeric arrays in the files of MATLAB
// (version 5 .mat), numpy (.npy, .npz) and MNIST (IDX). What a file claims of
// its size is never believed: memory grows as bytes arrive.
package ndarray
