# Makes the files of this folder: python3 make.py, with numpy and scipy.
import numpy as np
import scipy.io
import scipy.sparse

grid = np.arange(6.0).reshape(2, 3) / 4 - 0.5
arrays = {
    "double": grid,
    "small": np.array([[1.0, 2.0, 200.0]]),
    "single": grid.astype("f4"),
    "int8": np.array([[-128, 127]], "i1"),
    "uint8": np.arange(24, dtype="u1").reshape(2, 3, 4),
    "int16": np.array([[-300], [300]], "i2"),
    "uint16": np.array([[65535]], "u2"),
    "int32": np.array([[-70000, 70000]], "i4"),
    "uint32": np.array([[4294967295]], "u4"),
    "int64": np.array([[-(2**40)]], "i8"),
    "uint64": np.array([[2**40]], "u8"),
    "logical": np.array([[True, False]]),
    "empty": np.zeros((0, 3)),
}
others = {
    "complex": np.array([[1 + 2j]]),
    "text": "hello",
    "struct": {"field": 1.0},
    "cell": np.array([1, "two"], object),
    "sparse": scipy.sparse.csc_matrix(np.eye(3)),
}
scipy.io.savemat("plain.mat", arrays | others)
scipy.io.savemat("compressed.mat", arrays | others, do_compression=True)
more = {"big": grid.astype(">f8"), "fortran": np.asfortranarray(grid), "vector": grid[0], "number": np.array(2.5)}
np.savez("plain.npz", **arrays, **more)
np.savez_compressed("compressed.npz", **arrays, **more)
np.save("complex.npy", others["complex"])
