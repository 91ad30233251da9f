"""Reads what sinks have written with zarr and tifffile, and compares it with an array.

    python read_written.py EXPECTED.npy FILE...

Needs the packages numpy, zarr (3), tifffile and imagecodecs of PyPI. Says nothing if all samples agree.
"""

import sys

import numpy
import tifffile
import zarr


def halved(array):
    """The next level: means over 2 x 2 samples of the last two dimensions, ties to the even number."""
    height, width = array.shape[-2:]
    padded = numpy.full((*array.shape[:-2], height + height % 2, width + width % 2), numpy.nan)
    padded[..., :height, :width] = array
    blocks = padded.reshape(*array.shape[:-2], padded.shape[-2] // 2, 2, padded.shape[-1] // 2, 2)
    mean = numpy.nanmean(blocks, axis=(-3, -1))
    return (numpy.rint(mean) if array.dtype.kind in "iu" else mean).astype(array.dtype)


def levels_of(path):
    if ".zarr" not in path:
        with tifffile.TiffFile(path) as file:
            assert len(file.series) == 1, f"{len(file.series)} series"
            return [level.asarray() for level in file.series[0].levels]
    node = zarr.open(path, mode="r")
    if isinstance(node, zarr.Array):
        return [node[:]]
    return [node[name][:] for name in sorted(node.array_keys(), key=int)]


def main(expected, *paths):
    for path in paths:
        array = numpy.load(expected)
        for level, found in enumerate(levels_of(path)):
            assert found.dtype == array.dtype, f"{path}: level {level} is {found.dtype}"
            assert numpy.array_equal(found, array), f"{path}: level {level} differs"
            array = halved(array)


if __name__ == "__main__":
    main(*sys.argv[1:])
