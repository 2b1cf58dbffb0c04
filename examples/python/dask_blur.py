"""Blurs a picture in a .npy file that is larger than memory, chunk by chunk.

    python dask_blur.py large.npy blurred.npy
"""

import sys

import dask.array
import numpy

import frost


class Stored:
    """An array in a file. Dask copies a whole numpy.memmap into memory; arrays of Zarr and HDF5 need no such class."""

    def __init__(self, array):
        self.array, self.shape, self.dtype, self.ndim = array, array.shape, array.dtype, array.ndim

    def __getitem__(self, index):
        return self.array[index]


source, target = sys.argv[1:]
large = numpy.load(source, mmap_mode="r")
result = numpy.lib.format.open_memmap(target, "w+", large.dtype, large.shape)
chunks = dask.array.from_array(Stored(large), chunks=(4096, 4096, -1)[:large.ndim])
dask.array.store(frost.dask.blur(chunks, sigma=8), result, lock=False)
