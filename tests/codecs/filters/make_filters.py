"""Writes filters.json: stored bytes of chunks and what they are, by libraries that have nothing to do with Tilewise.

Needs numpy, imagecodecs, numcodecs, tifffile, pillow, zarr from PyPI. Run it in this folder.
"""

import base64
import io
import json
import lzma
import struct
import tempfile

import imagecodecs
import numcodecs
import numpy as np
import tifffile
from PIL import Image, TiffImagePlugin

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
    noise = RNG.integers(0, 256, 5000, dtype=np.uint8)
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


def jpegs():
    y, x = np.mgrid[:29, :45]
    rgb = np.stack([127 + 90 * np.sin(x / 9), 127 + 90 * np.cos(y / 7), 127 + 60 * np.sin((x + y) / 11)], -1)
    rgb = np.clip(rgb + RNG.normal(0, 6, rgb.shape), 0, 255).astype(np.uint8)
    gray = rgb[..., 0].copy()

    def pillow(image, **options):
        file = io.BytesIO()
        Image.fromarray(image).save(file, "JPEG", **options)
        file.seek(0)
        return file.getvalue(), np.asarray(Image.open(file)).tobytes()

    for progressive in (False, True):
        for subsampling in (0, 1, 2):
            stored, plain = pillow(rgb, quality=85, subsampling=subsampling, progressive=progressive)
            add(f"jpeg, subsampling {subsampling}, progressive {progressive}", "jpeg", [45, 29, 3, 1], stored, plain)
        stored, plain = pillow(gray, quality=85, progressive=progressive)
        add(f"jpeg of bytes, progressive {progressive}", "jpeg", [45, 29, 1, 0], stored, plain)
    stored, plain = pillow(rgb, quality=85, restart_marker_blocks=3)
    add("jpeg with restarts", "jpeg", [45, 29, 3, 1], stored, plain)
    stored = imagecodecs.jpeg8_encode(rgb, colorspace="RGB", outcolorspace="RGB")
    add("jpeg of RGB", "jpeg", [45, 29, 3, 0], stored, imagecodecs.jpeg8_decode(stored).tobytes())
    deep = (gray.astype("<u2") * 16 + RNG.integers(0, 16, gray.shape)).astype("<u2")
    stored = imagecodecs.jpeg8_encode(deep, level=90, bitspersample=12)
    add("jpeg of 12 bits", "jpeg", [45, 29, 1, 0], stored, imagecodecs.jpeg8_decode(stored).tobytes())
    for predictor in range(1, 8):
        stored = imagecodecs.jpeg8_encode(deep, lossless=True, predictor=predictor, bitspersample=12)
        add(f"lossless jpeg of 12 bits, predictor {predictor}", "jpeg", [45, 29, 1, 0], stored, deep.tobytes())
        stored = imagecodecs.jpeg8_encode(rgb, lossless=True, predictor=predictor, colorspace="RGB", outcolorspace="RGB")
        add(f"lossless jpeg of RGB, predictor {predictor}", "jpeg", [45, 29, 3, 0], stored, rgb.tobytes())
    wide = (deep.astype("<u4") * 16 + RNG.integers(0, 16, deep.shape)).astype("<u2")
    add("lossless jpeg of 16 bits", "jpeg", [45, 29, 1, 0], imagecodecs.ljpeg_encode(wide), wide.tobytes())
    file = io.BytesIO()
    tifffile.imwrite(file, rgb[:16, :32], tile=(16, 32), compression="jpeg", photometric="rgb")
    file.seek(0)
    with tifffile.TiffFile(file) as tiff:
        page = tiff.pages[0]
        file.seek(page.dataoffsets[0])
        stored = file.read(page.databytecounts[0])
        tables = page.tags[347].value if 347 in page.tags else b""
        add("jpeg of tifffile", "jpeg", [32, 16, 3, int(page.photometric == 6), *tables], stored, page.asarray().tobytes())
    whole, plain = pillow(gray, quality=70)
    tables, rest = apart(whole)
    add("jpeg with tables elsewhere", "jpeg", [45, 29, 1, 0, *tables], rest, plain)


def more_jpegs():
    """Sizes and samplings at which readers differ: rows of one unit, units of one row, noise at the ends of the range."""

    def noisy(height, width, samples):
        y, x = np.mgrid[:height, :width]
        waves = [127 + 120 * np.sin(x / (5 + c)) * np.cos(y / (4 + c)) for c in range(samples)]
        return np.clip(np.stack(waves, -1) + RNG.normal(0, 25, (height, width, samples)), 0, 255).astype(np.uint8)

    def stored(name, image, colour, **options):
        data = imagecodecs.jpeg8_encode(image, **options)
        height, width, samples = image.shape
        add(name, "jpeg", [width, height, samples, colour], data, imagecodecs.jpeg8_decode(data, outcolorspace=options.get("colorspace")).tobytes())

    for subsampling in ("444", "422", "420", "440", "411"):
        for height, width in ((1, 1), (2, 3), (5, 6), (16, 16), (17, 33), (33, 17), (9, 530)):
            name = f"jpeg {subsampling} of {width} × {height}"
            stored(name, noisy(height, width, 3), 1, level=90, colorspace="RGB", outcolorspace="YCBCR", subsampling=subsampling)
    for level in (1, 100):
        stored(f"jpeg of quality {level}", noisy(24, 40, 3), 1, level=level, colorspace="RGB", outcolorspace="YCBCR", subsampling="420")
    stored("jpeg of four inks", noisy(20, 37, 4), 0, level=90, colorspace="CMYK", outcolorspace="CMYK")
    for level in (20, 95):
        deep = noisy(19, 41, 3).astype("<u2") * 16 + RNG.integers(0, 16, (19, 41, 3)).astype("<u2")
        for subsampling in ("444", "422", "420", "440"):
            name = f"jpeg {subsampling} of 12 bits, quality {level}"
            options = {"colorspace": "RGB", "outcolorspace": "YCBCR", "subsampling": subsampling}
            stored(name, deep.astype("<u2"), 1, level=level, bitspersample=12, **options)

    def pillow(image, **options):
        file = io.BytesIO()
        Image.fromarray(image).save(file, "JPEG", **options)
        file.seek(0)
        return file.getvalue(), np.asarray(Image.open(file)).tobytes()

    for progressive in (False, True):
        for restart in ({"restart_marker_blocks": 5}, {"restart_marker_rows": 1}):
            data, plain = pillow(noisy(37, 290, 3), quality=80, subsampling=2, progressive=progressive, **restart)
            add(f"jpeg with {restart}, progressive {progressive}", "jpeg", [290, 37, 3, 1], data, plain)
    data = scans_apart(*(pillow(noisy(21, 300, 1)[..., 0], quality=80)[0] for _ in range(3)))
    add("jpeg with a scan for each component", "jpeg", [300, 21, 3, 1], data, np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).tobytes())


def scans_apart(*grays):
    """An image of three components from three of one, each with its own scan."""
    first = grays[0]
    frame, scan = first.index(b"\xff\xc0"), first.index(b"\xff\xda")
    size = first[frame + 5:frame + 9]
    parts = b"".join(bytes([c + 1, 0x11, 0]) for c in range(3))
    data = first[:frame] + b"\xff\xc0\x00\x11\x08" + size + b"\x03" + parts + first[frame + 13:scan]
    for c, gray in enumerate(grays):
        data += b"\xff\xda\x00\x08\x01" + bytes([c + 1]) + b"\x00\x00\x3f\x00" + gray[gray.index(b"\xff\xda") + 10:-2]
    return data + b"\xff\xd9"


def apart(image):
    """Tables of a JPEG image, and the image without them."""
    at, tables, rest = 2, b"", b""
    while image[at + 1] != 0xDA:
        size = 2 + int.from_bytes(image[at + 2:at + 4], "big")
        if image[at + 1] in (0xDB, 0xC4):
            tables += image[at:at + size]
        else:
            rest += image[at:at + size]
        at += size
    return b"\xff\xd8" + tables + b"\xff\xd9", b"\xff\xd8" + rest + image[at:]


def faxes():
    for width, height in ((77, 20), (2600, 6), (6000, 8), (1, 5)):
        image = np.zeros((height, width), bool)
        for row in image:
            at, colour = 0, False
            while at < width:
                run = int(RNG.integers(0, 3000 if RNG.integers(0, 10) == 0 else 70))
                row[at:at + run] = colour
                at, colour = at + run, not colour
        image[1:] |= image[:-1]
        plain = np.packbits(image, axis=1).tobytes()
        for name, scheme, options in (("group3", 3, 0), ("group3", 3, 1), ("group4", 4, 0), ("tiff_ccitt", 2, 0)):
            info = {"tiffinfo": {292: options}} if scheme == 3 else {}
            stored = pillow_segment(image, name, **info)
            add(f"{name} {options}, {width} pixels", "ccitt", [scheme, width, height, options, 1], stored, plain)
            if width == 77:
                turned = imagecodecs.bitorder_encode(stored)
                add(f"{name} {options}, reversed bits", "ccitt", [scheme, width, height, options, 2], turned, plain)


def webps():
    y, x = np.mgrid[:29, :45]
    rgb = np.stack([127 + 90 * np.sin(x / 9), 127 + 90 * np.cos(y / 7), 127 + 60 * np.sin((x + y) / 11)], -1).astype("u1")
    pictures = {"smooth": rgb, "alpha": np.concatenate([rgb, 200 + rgb[..., :1] // 8], -1), "noise": RNG.integers(0, 256, (20, 30, 3), dtype=np.uint8)}
    for colours in (1, 2, 4, 13, 60):
        palette = RNG.integers(0, 256, (colours, 3), dtype=np.uint8)
        pictures[f"{colours} colours"] = palette[((np.sin(x / 13) * np.cos(y / 7) + 1) * colours / 2.01).astype(int)]
    for name, array in pictures.items():
        for level in (0, 9):
            stored = imagecodecs.webp_encode(np.ascontiguousarray(array), level=level, lossless=True)
            plain = imagecodecs.webp_decode(stored)
            add(f"webp, {name}, level {level}", "webp", [plain.shape[2]], stored, plain.tobytes())


def chroma():
    """What libtiff makes of uncompressed YCbCr samples."""
    for across, down, width, height in ((2, 2, 23, 11), (4, 2, 16, 8), (1, 1, 9, 5), (2, 1, 7, 3), (4, 4, 32, 8)):
        units = -(-width // across) * -(-height // down)
        stored = RNG.integers(0, 256, units * (across * down + 2), dtype=np.uint8).tobytes()
        tags = [
            (256, 3, [width]), (257, 3, [height]), (258, 3, [8, 8, 8]), (259, 3, [1]), (262, 3, [6]), (273, 4, [0]),
            (277, 3, [3]), (278, 3, [height]), (279, 4, [len(stored)]), (530, 3, [across, down]),
        ]
        data = 8 + 2 + 12 * len(tags) + 4
        entries, extra = b"", b""
        for tag, kind, values in tags:
            if tag == 273:
                values = [data + 6]
            packed = struct.pack("<" + "HI"[kind - 3] * len(values), *values)
            if len(packed) > 4:
                extra, packed = packed, struct.pack("<I", data)
            entries += struct.pack("<HHI", tag, kind, len(values)) + packed.ljust(4, b"\0")
        file = struct.pack("<2sHIH", b"II", 42, 8, len(tags)) + entries + bytes(4) + extra + stored
        with tempfile.NamedTemporaryFile(suffix=".tif") as temporary:
            temporary.write(file)
            temporary.flush()
            TiffImagePlugin.READ_LIBTIFF = True
            image = np.asarray(Image.open(temporary.name).convert("RGB"))
        add(f"ycbcr {across} × {down}", "ycbcr", [across, down, width, height], stored, image.tobytes())


def rare():
    data = RNG.poisson(3, 4000).astype("<u2").tobytes() + b"abc" * 100
    add("xz", "lzma", [], lzma.compress(data), data)
    add("xz of two streams", "lzma", [], lzma.compress(data[:500]) + lzma.compress(data[500:], check=lzma.CHECK_CRC32), data)
    filters = [{"id": lzma.FILTER_DELTA, "dist": 2}, {"id": lzma.FILTER_LZMA2, "preset": 9}]
    add("xz with differences", "lzma", [], lzma.compress(data, filters=filters), data)
    add("old lzma", "lzma", [], lzma.compress(data, format=lzma.FORMAT_ALONE), data)
    noise = RNG.integers(0, 256, 3000, dtype=np.uint8).tobytes()
    add("xz of noise", "lzma", [], lzma.compress(noise), noise)
    for dtype in ("u1", "i2", "u4", "f4", "f8"):
        for shape in ((9, 31), (9, 11, 3)):
            array = picture("<" + dtype, *shape)
            for packing, pack in ((0, bytes), (1, imagecodecs.zlib_encode), (2, imagecodecs.zstd_encode)):
                stored = pack(imagecodecs.lerc_encode(array, version=4))
                add(f"lerc {dtype} {shape} {packing}", "lerc", [packing, *shape[2:]], stored, array.tobytes())
    areas = np.repeat(np.arange(12, dtype="<u4").reshape(3, 4) * 300_000_007, 8, 0).repeat(8, 1)  # blocks of one value
    areas[5, 3] = 9
    add("lerc u4 areas", "lerc", [0], imagecodecs.lerc_encode(areas, version=4), areas.tobytes())


runs()
predictors()
samples()
zarr_filters()
jpegs()
faxes()
webps()
chroma()
rare()
more_jpegs()
with open("filters.json", "w") as f:
    json.dump(CASES, f, indent=0)
