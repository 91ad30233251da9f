"""Writes TIFF files with tifffile, and the digests of their pages; needs tifffile, imagecodecs and numpy from PyPI.

Each file is a container (byte order, classic or BigTIFF) with a page for each combination of sample type, compression,
predictor, tiles or strips, and order of samples that tifffile writes. The samples are those that went in, except for those of
16 bits that are floats: they are widened, as Tilewise reads them.

    python make_tiff.py
"""

import hashlib
import itertools
import json
import pathlib

import numpy
import tifffile

HERE = pathlib.Path(__file__).parent
SHAPE = (13, 18)
TYPES = ["u1", "i2", "u2", "u4", "i8", "f2", "f4", "f8", "c8"]
CODECS = ["none", "lzw", "deflate", "zstd", "packbits", "lzma"]
TILES = [None, (16, 16)]
ORDERS = ["grey", "contig", "separate"]


def predictors(dtype, codec):
    """The predictors that fit."""
    if codec in ("none", "packbits") or dtype.kind == "c":
        return [1]
    return [1, 3] if dtype.kind == "f" else [1, 2]


def samples(dtype, order, seed):
    """A smooth image with noise, of the whole range of its type."""
    shape = {"grey": SHAPE, "contig": SHAPE + (3,), "separate": (3,) + SHAPE}[order]
    random = numpy.random.default_rng(seed)
    values = numpy.cumsum(random.integers(-3, 9, shape), axis=-1) * 37
    values = values + numpy.arange(values.size).reshape(shape) % 5
    if dtype.kind in "fc":
        values = values / 7 - 100
    else:
        values[..., 0, 0] = numpy.iinfo(dtype).max % 2**62
    if dtype.kind == "c":
        values = values + 1j * values[..., ::-1]
    return values.astype(dtype)


def digest(image, order):
    """The digest of what Tilewise reads: samples of a pixel together, little-endian, floats of 16 bits widened."""
    if order == "separate":
        image = numpy.moveaxis(image, 0, -1)
    if image.dtype == numpy.float16:
        image = image.astype("f4")
    little = numpy.ascontiguousarray(image.astype(image.dtype.newbyteorder("<")))
    return hashlib.sha256(little.tobytes()).hexdigest()


def write(name, byteorder, bigtiff, first):
    """Writes a file, with every ninth combination from `first` on; its pages."""
    combinations = [
        (dtype, codec, predictor, tile, order)
        for dtype, codec, tile, order in itertools.product(TYPES, CODECS, TILES, ORDERS)
        for predictor in predictors(numpy.dtype(dtype), codec)
    ]
    pages = []
    with tifffile.TiffWriter(HERE / name, byteorder=byteorder, bigtiff=bigtiff) as writer:
        for seed, (kind, codec, predictor, tile, order) in enumerate(combinations):
            if seed % 9 != first:
                continue
            dtype = numpy.dtype(kind)
            image = samples(dtype, order, seed)
            writer.write(
                image.astype(dtype.newbyteorder(byteorder)),
                photometric="minisblack" if order == "grey" else "rgb",
                planarconfig=None if order == "grey" else order,
                compression=None if codec == "none" else codec,
                predictor=predictor if predictor > 1 else None,
                tile=tile,
                rowsperstrip=None if tile else 8,
                metadata=None,
                contiguous=False,
            )
            where = "tiles" if tile else "strips"
            pages.append([f"{kind} {codec} {predictor} {where} {order}", digest(image, order)])
    return pages


if __name__ == "__main__":
    expected = {
        name: write(name, byteorder, bigtiff, first)
        for name, byteorder, bigtiff, first in [
            ("little.tif", "<", False, 0),
            ("big.tif", ">", False, 2),
            ("little_big.tif", "<", True, 4),
            ("big_big.tif", ">", True, 7),
        ]
    }
    (HERE / "pages.json").write_text(json.dumps(expected, indent=0) + "\n")
