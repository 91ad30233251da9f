"""Writes filters.json: stored bytes of chunks and what they are, by libraries that have nothing to do with Tilewise.

Needs numpy, imagecodecs, numcodecs, tifffile, pillow, zarr from PyPI. Run it in this folder.
"""

import base64
import io
import json

import imagecodecs
import numcodecs
import numpy as np
import tifffile
from PIL import Image

RNG = np.random.default_rng(12)
CASES = []


def add(name, filter_, values, stored, plain):
    CASES.append({
        "name": name,
        "filter": filter_,
        "values": [v.item() if hasattr(v, "item") else v for v in values],
        "stored": base64.b64encode(bytes(stored)).decode(),
        "plain": base64.b64encode(bytes(plain)).decode(),
    })


def little(array):
    return np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<")).tobytes()


def picture(dtype, *shape):
    """Smooth, with some noise, over much of the range of its type."""
    rows = np.linspace(0, 3, int(np.prod(shape))).reshape(shape)
    values = np.sin(rows * 5) + RNG.normal(0, 0.02, shape)
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        return (values * 1e3).astype(dtype)
    info = np.iinfo(dtype)
    return ((values + 1.2) / 2.5 * (float(info.max) - info.min) * 0.9 + info.min).astype(dtype)


def pillow_segment(array, compression, **options):
    """The only strip of a TIFF file that libtiff writes."""
    file = io.BytesIO()
    Image.fromarray(array).save(file, "TIFF", compression=compression, strip_size=2**30, **options)
    file.seek(0)
    with tifffile.TiffFile(file) as tiff:
        page = tiff.pages[0]
        assert len(page.dataoffsets) == 1
        file.seek(page.dataoffsets[0])
        return file.read(page.databytecounts[0])


def runs():
    noise = RNG.integers(0, 256, 6000, dtype=np.uint8)
    kinds = {"noise": noise, "runs": np.repeat(noise[:90], noise[:90]), "counts": RNG.poisson(3, 6000).astype("<u2"), "one": noise[:1]}
    for name, array in kinds.items():
        data = array.tobytes()
        add(f"lzw {name}", "lzw", [], imagecodecs.lzw_encode(data), data)
        data = data[:600]
        add(f"packbits {name}", "packbits", [], imagecodecs.packbits_encode(data), data)
        add(f"bit-reverse {name}", "bit-reverse", [], imagecodecs.bitorder_encode(data), data)
        add(f"deflate {name}", "deflate", [], imagecodecs.zlib_encode(data), data)
        add(f"raw deflate {name}", "deflate", [], imagecodecs.deflate_encode(data, raw=True), data)
        add(f"deflate without a checksum {name}", "deflate", [], imagecodecs.zlib_encode(data)[:-4], data)
        add(f"zstd without size {name}", "Zstandard", [], imagecodecs.zstd_encode(data), data)
    gray = RNG.poisson(3, (60, 80)).astype(np.uint8)
    add("lzw of libtiff", "lzw", [], pillow_segment(gray, "tiff_lzw"), gray.tobytes())


def predictors():
    for samples in (1, 2, 3, 4, 5):
        for dtype in ("u1", "i2", "u4", "u8"):
            for order in "<>":
                array = picture(dtype, 5, 37, samples).astype(np.dtype(dtype).newbyteorder(order))
                stored = imagecodecs.delta_encode(array.astype(array.dtype.newbyteorder("=")), axis=1).astype(array.dtype)
                values = [array.dtype.itemsize, int(order == ">"), 37, samples]
                add(f"predictor 2 of {order}{dtype} × {samples}", "predictor-2", values, stored.tobytes(), little(array))
        for dtype in ("f2", "f4", "f8"):
            array = picture(dtype, 5, 37, samples)
            stored = imagecodecs.floatpred_encode(array, axis=-2)
            values = [array.dtype.itemsize, 1, 37, samples]
            add(f"predictor 3 of {dtype} × {samples}", "predictor-3", values, stored.tobytes(), little(array))


def samples():
    for size in (2, 3, 4, 8, 16):
        array = RNG.integers(0, 256, (51, size), dtype=np.uint8)
        add(f"swap {size}", "swap", [size], array.tobytes(), array[:, ::-1].tobytes())
    for bits in range(1, 32):
        dtype = np.dtype("<u1" if bits <= 8 else "<u2" if bits <= 16 else "<u4")
        for width in (1, 24, 37):
            array = RNG.integers(0, 2**bits, (4, width)).astype(dtype)
            if bits % 8 == 0:
                stored = array[..., None].view("u1")[..., : bits // 8][..., ::-1].tobytes()
            else:
                stored = b"".join(imagecodecs.packints_encode(row, bits) for row in array)
            add(f"{bits} bits × {width}", "unpack-bits", [bits, dtype.itemsize, width, 1], stored, array.tobytes())
    array = RNG.integers(0, 2**24, (4, 9)).astype("<u4")
    stored = array.view("u1").reshape(-1, 4)[:, :3].tobytes()
    add("24 bits, little-endian", "unpack-bits", [24, 4, 9, 0], stored, array.tobytes())
    halves = np.concatenate([picture("<f2", 40), np.array([0, -0.0, np.inf, -np.inf, 6e-8, 65504], "<f2")])
    add("float16", "widen-float", [2], halves.tobytes(), halves.astype("<f4").tobytes())
    wide = np.concatenate([picture("<f4", 40), np.array([0, -0.0, np.inf, -np.inf, 1e-19], "<f4")])
    stored = imagecodecs.float24_encode(wide, byteorder="<")
    add("float24", "widen-float", [3], stored, little(imagecodecs.float24_decode(stored, byteorder="<")))


def zarr_filters():
    kinds = {"u": 0, "i": 1, "f": 2, "b": 3}
    code = lambda dtype: [np.dtype(dtype).itemsize, kinds[np.dtype(dtype).kind]]
    for dtype in ("<u1", "<i2", "<u4", "<i8", "<f4", "<f8"):
        array = picture(dtype, 99)
        add(f"delta {dtype}", "delta", code(dtype), numcodecs.Delta(dtype).encode(array), numcodecs.Delta(dtype).decode(numcodecs.Delta(dtype).encode(array)))
        add(f"astype {dtype}", "astype", code("<i2") + code(dtype), array.astype("<i2").tobytes(), array.astype("<i2").astype(dtype).tobytes())
    for dtype, astype in (("<f8", "<i2"), ("<f4", "u1"), ("<f8", "<f4"), ("<i4", "u1")):
        codec = numcodecs.FixedScaleOffset(offset=1000, scale=10, dtype=dtype, astype=astype)
        stored = codec.encode((1000 + np.arange(25) * 0.7).astype(dtype))
        add(f"fixed-scale-offset {dtype}", "fixed-scale-offset", [1000, 10] + code(astype) + code(dtype), stored.tobytes(), codec.decode(stored).tobytes())
    codec = numcodecs.Quantize(3, "<f8", "<f4")
    stored = codec.encode(picture("<f8", 50))
    add("quantize", "quantize", code("<f4") + code("<f8"), stored.tobytes(), codec.decode(stored).tobytes())
    for n in (0, 1, 8, 77):
        array = RNG.integers(0, 2, n).astype(bool)
        add(f"packbits-bool {n}", "packbits-bool", [], numcodecs.PackBits().encode(array).tobytes(), array.tobytes())
    data = RNG.poisson(2, 700).astype("<u2").tobytes()
    for name, codec in (("crc32", numcodecs.CRC32()), ("adler32", numcodecs.Adler32())):
        add(f"{name} in front", name, [], codec.encode(data), data)
    add("crc32 behind", "crc32", [1], numcodecs.CRC32(location="end").encode(data), data)
    add("crc32c in front", "crc32c", [0], numcodecs.checksum32.CRC32C(location="start").encode(data), data)
    add("crc32c behind", "crc32c", [1], numcodecs.checksum32.CRC32C(location="end").encode(data), data)
    add("fletcher32", "Fletcher32", [], numcodecs.Fletcher32().encode(data), data)
    add("shuffle", "shuffle", [2], numcodecs.Shuffle(2).encode(data), data)
    add("gzip", "gzip", [], numcodecs.GZip().encode(data), data)
    add("gzip of two members", "gzip", [], numcodecs.GZip().encode(data[:1000]) + numcodecs.GZip(9).encode(data[1000:]), data)
    add("zlib", "deflate", [], numcodecs.Zlib().encode(data), data)
    add("lz4", "LZ4", [], numcodecs.LZ4().encode(data), data)
    add("bz2", "bzip2", [], numcodecs.BZ2().encode(data), data)
    add("blosc", "Blosc", [], numcodecs.Blosc().encode(data), data)
    add("zstd", "Zstandard", [], numcodecs.Zstd().encode(data), data)
    for size in (1, 2, 3, 4, 8, 16):
        for shape, order in (((5, 7), (1, 0)), ((3, 4, 5), (2, 0, 1)), ((3, 4, 5), (0, 2, 1)), ((2, 20, 3, 18), (3, 2, 1, 0)), ((4, 6), (0, 1)), ((6,), (0,)), ((2, 3, 4), (1, 0, 2))):
            array = RNG.integers(0, 256, shape + (size,), dtype=np.uint8)
            stored = array.transpose(order + (len(shape),))
            values = [size, len(shape), *stored.shape[:-1], *order]
            add(f"transpose {shape} {order} × {size}", "transpose", values, stored.tobytes(), array.tobytes())


runs()
predictors()
samples()
zarr_filters()
with open("filters.json", "w") as f:
    json.dump(CASES, f, indent=0)
