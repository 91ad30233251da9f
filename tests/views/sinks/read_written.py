"""Reads what sinks have written with zarr, tensorstore, zarrs and tifffile, and compares it with an array.

    python read_written.py [--labels] EXPECTED.npy FILE...

Needs the packages numpy, zarr (3), tifffile and imagecodecs of PyPI; tensorstore and zarrs read Zarr where they are
installed. Says nothing if all samples agree.
"""

import importlib.util
import os
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


def by_zarr(path):
    return zarr.open_array(path, mode="r")[...]


def by_zarrs(path):
    """The crate zarrs, which must read all of it: it may not hand over to zarr."""
    with zarr.config.set({"codec_pipeline.path": "zarrs.ZarrsCodecPipeline", "codec_pipeline.strict": True}):
        return zarr.open_array(path, mode="r")[...]


def by_tensorstore(path):
    import tensorstore

    driver = "zarr3" if os.path.exists(f"{path}/zarr.json") else "zarr"
    spec = {"driver": driver, "kvstore": {"driver": "file", "path": f"{path}/"}}
    return tensorstore.open(spec, open=True, read=True).result().read().result()


READERS = [by_zarr] + [read for read, package in ((by_tensorstore, "tensorstore"), (by_zarrs, "zarrs")) if importlib.util.find_spec(package)]


def levels_of(path):
    """Per level the samples, by the name of who has read them."""
    if ".zarr" not in path:
        with tifffile.TiffFile(path) as file:
            assert len(file.series) == 1, f"{len(file.series)} series"
            return [{"tifffile": level.asarray()} for level in file.series[0].levels]
    node = zarr.open(path, mode="r")
    paths = [path] if isinstance(node, zarr.Array) else [f"{path}/{name}" for name in sorted(node.array_keys(), key=int)]
    return [{read.__name__: read(one) for read in READERS} for one in paths]


def must_show_labels(path):
    """Of OME-Zarr, by ome-zarr-models where it is installed."""
    if not path.endswith(".ome.zarr") or not importlib.util.find_spec("ome_zarr_models"):
        return
    from ome_zarr_models import v04, v05

    group = zarr.open_group(path, mode="r")
    (v05 if "ome" in group.attrs else v04).ImageLabel.from_zarr(group)


def main(expected, *paths):
    labels = expected == "--labels"
    if labels:
        expected, *paths = paths
    for path in paths:
        if labels:
            must_show_labels(path)
        array = numpy.load(expected)
        for level, found in enumerate(levels_of(path)):
            for who, samples in found.items():
                assert samples.dtype == array.dtype, f"{path}: level {level} is {samples.dtype} {who}"
                assert samples.shape == array.shape and samples.tobytes() == array.tobytes(), f"{path}: level {level} differs {who}"
            if array.ndim > 0:
                array = array[..., ::2, ::2] if labels else halved(array)


if __name__ == "__main__":
    main(*sys.argv[1:])
