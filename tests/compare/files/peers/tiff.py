"""Random TIFF files: by tifffile, GDAL, libtiff (through Pillow), and by a writer of our own for what these cannot write."""

import logging
import os
import shutil
import subprocess
import warnings

import numpy as np
import tifffile
from PIL import Image

import own_tiff
from values import digest, samples, integers, told

logging.getLogger("tifffile").setLevel(logging.CRITICAL)  # of files that are odd on purpose

WHOLE = ["u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8"]
REAL = ["f4", "f8"]


def sides(rng):
    most = rng.choice([1, 4, 9, 20, 40, 70, 150])
    return [rng.randint(1, most), rng.randint(1, most)]


def read_by_tifffile(path, key, expected):
    """What tifffile makes of it: nothing where it agrees, else what it does."""
    try:
        with tifffile.TiffFile(path) as file:
            found = file.pages[key].asarray() if isinstance(key, int) else key(file)
    except Exception as error:
        return f"refuses: {type(error).__name__}: {error}"[:200]
    if found.dtype.kind == "b":
        found = found.astype("u1")
    if found.dtype.name != expected.dtype.name:
        return f"dtype {found.dtype.name}"
    if found.size != expected.size:
        return f"shape {found.shape}"
    return None if digest(found.reshape(expected.shape)) == digest(expected) else "other samples"


LERC_TYPES = ["u1", "i1", "u2", "i2", "u4", "i4", "f4", "f8"]


def own_image(rng):
    bits, kind = rng.choice([
        *[(rng.randint(1, 63), kind) for kind in (1, 1, 1, 2) for _ in range(3)], (24, 1), (24, 2),
        *[(bits, kind) for bits in (8, 16, 32, 64) for kind in (1, 1, 2)],
        (16, 3), (24, 3), (32, 3), (32, 3), (64, 3), (64, 6), (128, 6), (32, 6), (16, 5), (32, 5), (64, 5),
    ])
    count = rng.choice([1, 1, 1, 2, 3, 4, 5])
    height, width = sides(rng)
    shape = (height, width, count)
    image = {"bits": bits, "kind": kind, "planar": rng.choice([1, 2]) if count > 1 else 1}
    if kind == 3:
        wide = samples(rng, shape, {16: "f2", 24: "f4", 32: "f4", 64: "f8"}[bits])
        if bits == 24:
            image["array"], image["expected"] = floats24(wide)
        else:
            image["array"] = wide
            image["expected"] = wide.astype("f4") if bits == 16 else wide
    elif kind == 5 or (kind == 6 and bits == 32):
        image["array"], image["expected"] = pairs(rng, shape, bits, kind)
    elif kind == 6:
        image["array"] = image["expected"] = samples(rng, shape, "c8" if bits == 64 else "c16")
    else:
        size = next(size for size in (8, 16, 32, 64) if size >= bits)
        low = -(2 ** (bits - 1)) if kind == 2 else 0
        dtype = f"{'i' if kind == 2 else 'u'}{size // 8}"
        image["array"] = image["expected"] = integers(rng, shape, low, low + 2 ** bits - 1, dtype)
        if bits == 24 and rng.random() < 0.5:
            image["magick"] = True
    packing(rng, image)
    if rng.random() < 0.2:
        image["fill_order"] = 2
    if rng.random() < 0.5:
        image["tile"] = (16 * rng.randint(1, 5), 16 * rng.randint(1, 5))
        if rng.random() < 0.2:
            image["tile"] = (rng.randint(1, 40), rng.randint(1, 40))  # some writers do not care for the 16
    else:
        image["rows"] = rng.choice([1, rng.randint(1, height), height, height + 3])
        image["rows"] = min(image["rows"], height)
    if "tile" in image and rng.random() < 0.1 and image["compression"] != 34887:
        image["short"] = True
    if rng.random() < 0.15:
        missing(rng, image)
    elif "rows" in image and rng.random() < 0.15:
        image["counts"] = rng.choice(["zero", "short"])
        if image["compression"] == 32773:
            image["rows"] = height  # PackBits does not say where it ends
    return image


def packing(rng, image):
    """Compression and predictor, of those that fit the samples."""
    bits, kind, array = image["bits"], image["kind"], image["array"]
    image["compression"] = rng.choice([1, 1, 5, "old", 8, 32946, 32773, 34925, 50000, 34926, 34887])
    if image["compression"] == 34887:
        odd = kind == 3 and not np.isfinite(array).all()
        if f"{array.dtype.kind}{array.dtype.itemsize}" not in LERC_TYPES or bits not in (8, 16, 32, 64) or kind > 3 or odd:
            image["compression"] = 8
        else:
            image["lerc"] = rng.choice([0, 1, 2])
            image["array"] = image["expected"] = tame(array) if kind == 3 else array
    packs = image["compression"] not in (1, 32773, 34887)
    if packs and bits in (8, 16, 32, 64) and kind not in (5, 6) and rng.random() < 0.5:
        image["predictor"] = rng.choice([2, 3]) if kind == 3 else 2
    if packs and kind == 5 and bits == 32 and rng.random() < 0.3:
        image["predictor"] = 2


def tame(array):
    """Floats of few bits: their swapped bytes are no NaN, which LERC would take for missing ones."""
    return (np.clip(np.round(array), -1000, 1000) + 0.0).astype(array.dtype)  # and no -0.0, which areas of LERC lose


def pairs(rng, shape, bits, kind):
    """Complex numbers that NumPy has not, as integers that hold both parts; and as they are read."""
    part = f"f{bits // 16}" if kind == 6 else f"i{bits // 16}"
    both = samples(rng, (*shape, 2), part)
    whole = np.ascontiguousarray(both).view(f"u{bits // 8}")[..., 0]
    wide = "f8" if bits == 64 else "f4"
    return whole, np.ascontiguousarray(both.astype(wide)).view("c16" if bits == 64 else "c8")[..., 0]


def floats24(wide):
    """Floats of 24 bits: those of 32 without their last byte; their bits, and what they are."""
    bits = wide.view("u4") & np.uint32(0xFFFFFF00)
    sign, exponent, mantissa = bits >> 31, (bits >> 23) & 255, (bits & 0x7FFFFF) >> 7
    small = np.clip(exponent.astype("i8") - 127 + 63, 0, 127)
    zero = (exponent.astype("i8") - 127 + 63) <= 0
    mantissa = np.where(zero | (small == 127), 0, mantissa)
    small = np.where(zero, 0, small)
    raw = (sign << 23) | (small.astype("u4") << 16) | mantissa.astype("u4")
    value = np.where(small == 127, np.inf, (1 + mantissa / 65536.0) * 2.0 ** (small - 63.0))
    value = np.where(small == 0, 0.0, value) * np.where(sign == 1, -1.0, 1.0)
    return raw.astype("u4"), value.astype("f4")


def missing(rng, image):
    """Leaves out some tiles or strips: their samples are zero, or what GDAL's text says."""
    height, width, count = image["array"].shape
    rows, columns = image.get("tile") or (image["rows"], width)
    places = [(plane, y, x) for plane in range(count if image["planar"] == 2 else 1)
              for y in range(0, height, rows) for x in range(0, width, columns)]
    gone = [n for n in range(len(places)) if rng.random() < 0.3]
    if len(gone) == len(places):
        gone = gone[1:]
    expected = image["expected"].copy()
    fill = no_data(rng, image, expected.dtype)
    for n in gone:
        plane, y, x = places[n]
        which = slice(plane, plane + 1) if image["planar"] == 2 else slice(None)
        expected[y:y + rows, x:x + columns, which] = fill
    image["missing"], image["expected"] = gone, expected


def no_data(rng, image, dtype):
    """A value for tiles that are not written; 0 without a text."""
    if rng.random() < 0.4:
        return 0
    if dtype.kind in "ui":
        info = np.iinfo(dtype)
        value = rng.choice([info.min, info.max, rng.randint(int(info.min), int(info.max))])
        image["nodata"] = str(value)
        return value
    text = rng.choice(["nan", "-inf", "inf", "-9999", "1.5", "0.25"])
    image["nodata"] = text
    return float(text)


def words(image):
    facts = {key: value for key, value in image.items() if key not in ("array", "expected", "below", "extra")}
    return {"shape": list(image["array"].shape), **facts}


def named(number, image):
    expected = image["expected"]
    return told(f"ifd{number}", expected[..., 0] if expected.shape[2] == 1 else expected)


def own(rng, path):
    order, big = rng.choice("<>"), rng.random() < 0.4
    images = [own_image(rng) for _ in range(rng.choice([1, 1, 1, 2, 3]))]
    if rng.random() < 0.1:
        images[0]["below"] = [own_image(rng) for _ in range(rng.choice([1, 2]))]
    own_tiff.write(path, images, order, big, rng)
    flat = [one for image in images for one in [image, *image.get("below", [])]]
    names = [f"ifd{next(n for n, one in enumerate(flat) if one is image)}" for image in images]
    peers = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for page, image in enumerate(images):
            expected = image["expected"]
            if image["bits"] == 16 and image["kind"] == 3:
                with np.errstate(over="ignore"):
                    expected = expected.astype("f2")
            if image.get("planar") == 2:
                expected = np.moveaxis(expected, 2, 0)
            note = read_by_tifffile(path, page, expected)
            if note:
                peers[names[page]] = f"{image['bits']} bits, {note}"
    spec = {"order": order, "big": big, "images": [words(image) for image in flat]}
    pages = {name: page for page, name in enumerate(names)}
    arrays = [named(n, image) | {"page": pages.get(f"ifd{n}")} for n, image in enumerate(flat)]
    return {"arrays": arrays, "spec": spec, "peers": peers}


GDAL = {
    "uint8": [2, 3], "int8": [2], "uint16": [2], "int16": [2], "uint32": [2], "int32": [2], "float32": [2, 3], "float64": [2, 3],
    "int64": [2], "uint64": [2], "complex_int16": [2], "complex64": [2], "complex128": [],
}


def by_gdal(rng, path):
    """An image as GDAL writes it, which GDAL reads; bits are put in reverse by libtiff's tools where they are at hand."""
    try:
        import rasterio
    except ImportError:
        return {"skipped": "there is no rasterio"}
    name = rng.choice(list(GDAL))
    dtype = np.dtype({"complex_int16": "c8"}.get(name, name))
    bands, (height, width) = rng.choice([1, 1, 2, 3, 4]), sides(rng)
    packing = rng.choice(["NONE", "LZW", "DEFLATE", "ZSTD", "PACKBITS", "LERC", "LERC_DEFLATE", "LERC_ZSTD", "LERC", "LZMA"])
    is_lerc = packing.startswith("LERC")
    if is_lerc and (dtype.kind == "c" or name in ("int64", "uint64")):
        packing, is_lerc = "NONE", False
    data = integers(rng, (bands, height, width), -32768, 32767, "i2").astype(dtype) if name == "complex_int16" \
        else samples(rng, (bands, height, width), dtype)
    options = {"compress": packing, "interleave": rng.choice(["band", "pixel"]), "endianness": rng.choice(["LITTLE", "BIG"]),
               "photometric": "MINISBLACK", "bigtiff": rng.choice(["YES", "NO"])}
    if is_lerc and dtype.kind == "f":
        data = floats_for_lerc(rng, data, options["endianness"])
    if rng.random() < 0.5:
        options |= {"tiled": True, "blockxsize": 16 * rng.randint(1, 4), "blockysize": 16 * rng.randint(1, 4)}
    else:
        options["blockysize"] = rng.randint(1, height)
    if packing in ("LZW", "DEFLATE", "ZSTD") and GDAL[name] and rng.random() < 0.5:
        options["predictor"] = rng.choice([n for n in GDAL[name] if n == 2 or dtype.kind == "f"] or [1])
    if name in ("uint8", "uint16", "uint32") and not is_lerc and "predictor" not in options and rng.random() < 0.5:
        size = 8 * dtype.itemsize
        options["nbits"] = rng.randint(1 if size == 8 else size // 2 + 1, size - 1)
        data &= dtype.type(2 ** options["nbits"] - 1)
    if name == "uint8" and bands in (2, 4) and rng.random() < 0.6:
        options["alpha"] = "NON-PREMULTIPLIED"
        if rng.random() < 0.7:
            data[-1] = np.where(data[-1] < 128, 0, 255)
    try:
        with rasterio.open(path, "w", driver="GTiff", height=height, width=width, count=bands, dtype=name, **options) as file:
            file.write(data)
        if shutil.which("tiffcp") and rng.random() < 0.3:
            options["tiffcp"] = True
            done = subprocess.run(["tiffcp", "-f", "lsb2msb", path, path + ".copy"], capture_output=True).returncode == 0
            if done:
                os.replace(path + ".copy", path)
        with rasterio.open(path) as file:
            read = file.read()
    except Exception as error:
        return {"skipped": f"GDAL, {packing}: {type(error).__name__}: {error}"[:120]}
    read = np.moveaxis(read, 0, 2) if bands > 1 else read[0]
    spec = {"dtype": name, "shape": [bands, height, width], **options, "order": "<" if options["endianness"] == "LITTLE" else ">"}
    note = read_by_tifffile(path, 0, read if options["interleave"] == "pixel" or bands == 1 else np.moveaxis(read, 2, 0))
    return {"arrays": [told("ifd0", read)], "spec": spec, "peers": {"ifd0": f"GDAL: {note}"} if note else {}}


def floats_for_lerc(rng, data, endianness):
    """Floats with NaN in some places; of few bits where bytes are swapped, as LERC takes what is NaN then for missing."""
    data = np.nan_to_num(data, nan=1, posinf=2, neginf=-2)
    if endianness == "BIG":
        return tame(data)
    which = np.array([rng.random() < 0.3 for _ in range(data[0].size)]).reshape(data[0].shape)
    kind = rng.choice(["none", "all", "one", "first", "some"])
    if kind == "all":
        data[:, which] = np.nan
    elif kind == "one":
        data[-1][which] = np.nan
    elif kind == "first":
        data[0] = np.nan
        data[1:, which] = np.nan
    elif kind == "some":
        noise = np.random.default_rng(rng.randrange(2 ** 32))
        data[noise.random(data.shape) < 0.3] = np.nan
    return data


def shaped(rng, path):
    """An array with a description of tifffile's own; what is opened must have its dimensions."""
    order = rng.choice(["TCZYX", "TZCYX", "ZYX", "QYX", "CTYX", "ZYXS", "TSYX", "YX", "PTZYX"])
    size = {letter: rng.randint(1, 3) for letter in "TCZQPS"} | {"Y": rng.randint(2, 40), "X": rng.randint(2, 40), "S": 3}
    shape = [size[letter] for letter in order]
    data = samples(rng, shape, rng.choice(WHOLE + REAL))
    options = {"byteorder": rng.choice("<>"), "bigtiff": rng.random() < 0.3, "metadata": {"axes": order} if rng.random() < 0.7 else {},
               "photometric": "rgb" if "S" in order else "minisblack", "compression": rng.choice([None, "lzw", "zlib", "zstd"])}
    if "S" in order:
        options["planarconfig"] = "contig" if order[-1] == "S" else "separate"
    if rng.random() < 0.4:
        options["tile"] = (16 * rng.randint(1, 3), 16 * rng.randint(1, 3))
    tifffile.imwrite(path, data, **options)
    own = tifffile.imread(path)
    note = {} if digest(own.reshape(-1)) == digest(data.reshape(-1)) else {"level 0": "other samples"}
    expected = np.moveaxis(data, order.index("S"), -1) if "S" in order else data
    return {"arrays": [{**told("level 0", expected), "squeezed": True}], "opened": True, "peers": note,
            "spec": {"order": order, "shape": shape, **{k: str(v) for k, v in options.items()}}}


LOSSLESS = [None, "lzw", "zlib", "adobe_deflate", "packbits", "lzma", "zstd", "lerc"]


def by_tifffile(rng, path):
    """An array as tifffile writes it, without metadata of its own."""
    dtype = rng.choice(WHOLE + REAL + ["f2", "c8", "c16"])
    color = rng.random() < 0.4
    depth = rng.random() < 0.1
    shape = sides(rng)
    options = {"byteorder": rng.choice("<>"), "bigtiff": rng.random() < 0.4, "metadata": None}
    compression = rng.choice(LOSSLESS)
    if np.dtype(dtype).kind == "c" and compression == "lerc":
        compression = None
    if compression == "lerc" and dtype in ("i8", "u8", "f2"):
        dtype = "f4"
    if color:
        options |= {"photometric": "rgb", "planarconfig": rng.choice(["contig", "separate"])}
        shape = [3, *shape] if options["planarconfig"] == "separate" else [*shape, 3]
    else:
        options["photometric"] = rng.choice(["minisblack", "miniswhite"])
        if rng.random() < 0.3 and not depth:
            shape = [rng.randint(1, 4), *shape]
    if rng.random() < 0.5 or depth:
        options["tile"] = (16 * rng.randint(1, 4), 16 * rng.randint(1, 4))
    elif rng.random() < 0.7:
        options["rowsperstrip"] = rng.randint(1, 40)
    volume = depth and not color and compression != "lerc"
    if volume:
        options |= {"volumetric": True, "tile": (rng.choice([1, 2, 16]), *options["tile"])}
        shape = [rng.randint(2, 20), *shape[-2:]]
    data = samples(rng, shape, dtype)
    if compression == "lerc" and np.dtype(dtype).kind == "f":
        data = np.nan_to_num(data, nan=1, posinf=2, neginf=-2)
    if compression:
        options["compression"] = compression
        if compression in ("lzw", "zlib", "adobe_deflate", "zstd", "lzma") and np.dtype(dtype).kind != "c" and rng.random() < 0.5:
            options["predictor"] = rng.choice([2, 3]) if dtype in ("f4", "f8", "f2") else 2
            if dtype == "f2":
                options["predictor"] = 3
    tifffile.imwrite(path, data, **options)
    arrays = []
    if color:
        arrays = [told("ifd0", np.moveaxis(data, 0, 2) if options["planarconfig"] == "separate" else data)]
    elif volume or data.ndim == 2:
        arrays = [told("ifd0", data[0] if volume and len(data) == 1 else data)]
    else:
        arrays = [told(f"ifd{n}", plane) for n, plane in enumerate(data)]
    arrays = [as_read(one, dtype, array) for one, array in zip(arrays, unwrapped(arrays, data, color, options, volume))]
    return {"arrays": arrays, "spec": {"dtype": dtype, "shape": shape, **{k: str(v) for k, v in options.items()}}}


def unwrapped(arrays, data, color, options, volume):
    if color:
        return [np.moveaxis(data, 0, 2) if options["planarconfig"] == "separate" else data]
    return [data] if volume or data.ndim == 2 else list(data)


def as_read(one, dtype, array):
    """Floats of 16 bits come out with 32."""
    return told(one["name"], array.astype("f4")) if dtype == "f2" else one


def series(rng, path):
    """OME-TIFF or ImageJ, with pyramids; the first series is compared, and its levels."""
    ome = rng.random() < 0.6
    order = rng.choice(["TCZYX", "TZCYX", "ZYX", "CYX", "TYX", "CTZYX", "ZCTYX", "YX", "YXS", "ZYXS"])
    if not ome:
        order = rng.choice(["TZCYX", "ZYX", "CYX", "TYX", "ZCYX", "YX", "YXS", "TZYX"])
    dtype = rng.choice(["u1", "u2", "f4"] if not ome else ["u1", "i1", "u2", "i2", "u4", "i4", "f4", "f8"])
    if "S" in order and not ome:
        dtype = "u1"
    height, width = rng.randint(20, 90), rng.randint(20, 90)
    size = {"T": rng.randint(1, 3), "C": rng.randint(1, 3), "Z": rng.randint(1, 4), "Y": height, "X": width, "S": 3}
    shape = [size[letter] for letter in order]
    data = samples(rng, shape, dtype)
    options = {"byteorder": rng.choice("<>"), "metadata": {"axes": order}}
    if "S" in order:
        options["photometric"] = "rgb"
    else:
        options["photometric"] = "minisblack"
    levels = []
    if ome:
        options |= {"ome": True, "bigtiff": rng.random() < 0.4}
        if rng.random() < 0.6:
            options["compression"] = rng.choice(["lzw", "zlib", "zstd", "packbits"])
        if rng.random() < 0.6:
            options["tile"] = (16 * rng.randint(1, 3), 16 * rng.randint(1, 3))
        if rng.random() < 0.5:
            axis = order.index("Y")
            step = tuple(slice(None, None, 2) if d in (axis, axis + 1) else slice(None) for d in range(len(shape)))
            levels = [data[step]]
            if rng.random() < 0.5:
                levels.append(levels[0][step])
    else:
        options["imagej"] = True
        options["byteorder"] = rng.choice("<>")
    with tifffile.TiffWriter(path, byteorder=options.pop("byteorder"), **{k: options.pop(k) for k in ("ome", "bigtiff", "imagej") if k in options}) as file:
        file.write(data, **({"subifds": len(levels)} if levels else {}), **options)
        for level in levels:
            file.write(level, subfiletype=1, **{k: v for k, v in options.items() if k != "metadata"}, metadata=None)
    with tifffile.TiffFile(path) as file:
        first = file.series[0]
        own = [level.asarray() for level in first.levels]
    arrays = [{**told(f"level {n}", level), "level": n, "squeezed": True} for n, level in enumerate(own)]
    wanted = [data, *levels]
    same = all(digest(a.reshape(-1)) == digest(b.reshape(-1)) for a, b in zip(own, wanted))
    spec = {"order": order, "dtype": dtype, "shape": shape, "levels": len(levels), **{k: str(v) for k, v in options.items()}}
    return {"arrays": arrays, "spec": spec, "peers": {} if same and len(own) == len(wanted) else {"level 0": "other samples"}, "opened": True}


def several_files(rng, path):
    """An OME-TIFF set of several files; the first is opened."""
    count, channels, compression, order = rng.randint(2, 4), rng.randint(1, 2), rng.choice([None, "zlib", "lzw"]), rng.choice("<>")
    height, width = sides(rng)
    dtype = rng.choice(["u1", "u2", "i2", "f4"])
    data = samples(rng, [count, channels, height, width], dtype)
    stem = os.path.basename(path)[:-4]
    names = [f"{stem}-{n}.ome.tif" for n in range(count)]
    kinds = {"u1": "uint8", "u2": "uint16", "i2": "int16", "f4": "float"}
    uuids = [f"urn:uuid:00000000-0000-0000-0000-{rng.randrange(10 ** 12):012d}" for _ in names]
    parts = "".join(
        f'<TiffData FirstZ="{z}" FirstC="{c}" FirstT="0" IFD="{c}" PlaneCount="1"><UUID FileName="{names[z]}">{uuids[z]}</UUID></TiffData>'
        for z in range(count) for c in range(channels))
    folder = os.path.dirname(path)
    for z, name in enumerate(names):
        text = (f'<?xml version="1.0" encoding="UTF-8"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06" UUID="{uuids[z]}">'
                f'<Image ID="Image:0"><Pixels ID="Pixels:0" DimensionOrder="XYCZT" Type="{kinds[dtype]}" SizeX="{width}" SizeY="{height}" '
                f'SizeC="{channels}" SizeZ="{count}" SizeT="1" BigEndian="false">'
                + "".join(f'<Channel ID="Channel:0:{c}" SamplesPerPixel="1"/>' for c in range(channels)) + parts + "</Pixels></Image></OME>")
        with tifffile.TiffWriter(os.path.join(folder, name), byteorder=order) as file:
            for c in range(channels):
                file.write(data[z, c], description=text.encode() if c == 0 else None, metadata=None, photometric="minisblack",
                           compression=compression, contiguous=False)
    own = tifffile.imread(os.path.join(folder, names[0]), series=0)
    note = {} if own.size == data.size and digest(own.reshape(-1)) == digest(data.reshape(-1)) else {"level 0": "other samples"}
    return {"file": names[0], "files": names, "arrays": [{**told("level 0", data), "squeezed": True}], "opened": True, "peers": note,
            "spec": {"several files": count, "channels": channels, "dtype": dtype, "shape": [height, width]}}


def lossy(rng, path):
    """JPEG and WebP, as libtiff and tifffile write them; and pictures of one bit with codes of fax machines."""
    height, width = rng.randint(1, 120), rng.randint(1, 120)
    y, x = np.mgrid[:height, :width]
    kind = rng.choice(["jpeg", "jpeg", "ycbcr", "fax", "fax", "lossless", "jpeg12", "webp", "lossy webp"])
    if kind == "fax":
        data = (np.sin(x / rng.randint(1, 9)) * np.cos(y / rng.randint(1, 9)) > rng.random() - 0.5)
        how = rng.choice(["group3", "group4", "tiff_ccitt"])
        Image.fromarray(data).save(path, compression=how)
        own = tifffile.imread(path)
        note = {} if digest(own.astype("u1")) == digest(data.astype("u1")) else {"ifd0": "other samples"}
        return {"arrays": [told("ifd0", Image_bits(path))], "spec": {"kind": how, "shape": [height, width]}, "peers": note}
    base = np.stack([127 + 90 * np.sin(x / 19), 127 + 90 * np.cos(y / 37), 127 + 60 * np.sin((x + y) / 51)], -1)
    gray = rng.random() < 0.4 or kind == "jpeg12"
    if kind in ("webp", "lossy webp"):
        gray = False
    data = (base[..., 0] if gray else base).astype("u1")
    options = {"photometric": "minisblack" if gray else "rgb"}
    if rng.random() < 0.6:
        options["tile"] = (16 * rng.randint(1, 4), 16 * rng.randint(1, 4))
    elif rng.random() < 0.5:
        options["rowsperstrip"] = 16 * rng.randint(1, 4)
    if kind == "lossless":
        data = samples(rng, data.shape, rng.choice(["u1", "u2"]))
        options |= {"compression": "jpeg", "compressionargs": {"lossless": True, "predictor": rng.randint(1, 7)}}
    elif kind == "jpeg12":
        data = (data.astype("u2") * 16)
        options |= {"compression": "jpeg", "compressionargs": {"level": 90, "bitspersample": 12}}
    elif kind == "webp":
        data = samples(rng, data.shape, "u1")
        options |= {"compression": "webp", "compressionargs": {"lossless": True}}
    elif kind == "lossy webp":
        options |= {"compression": "webp", "compressionargs": {"lossless": False, "level": rng.randint(1, 100)}}
    elif kind == "ycbcr":
        if gray:
            data = base.astype("u1")
        options |= {"photometric": "ycbcr", "compression": "jpeg", "subsampling": rng.choice([(1, 1), (2, 1), (2, 2), (1, 2)]),
                    "compressionargs": {"level": rng.randint(60, 95), "outcolorspace": "ycbcr"}}
        if "tile" not in options:
            options["tile"] = (32, 32)
    else:
        options |= {"compression": "jpeg", "compressionargs": {"level": rng.randint(30, 100)}}
    options |= {"byteorder": rng.choice("<>"), "metadata": None}
    try:
        tifffile.imwrite(path, data, **options)
    except Exception as error:
        return {"skipped": f"{kind}: {type(error).__name__}: {error}"[:120]}
    own = tifffile.imread(path)
    spec = {"kind": kind, "shape": list(data.shape), **{k: str(v) for k, v in options.items()}}
    exact = kind in ("lossless", "webp", "lossy webp")
    if exact and kind != "lossy webp" and digest(own) != digest(data):
        return {"arrays": [told("ifd0", own)], "spec": spec, "peers": {"ifd0": f"{kind}, other samples"}}  # the writer was wrong
    if exact:
        return {"arrays": [told("ifd0", own)], "spec": spec}
    subsampled = kind == "ycbcr" and options["subsampling"] != (1, 1)
    np.save(path + ".npy", own)
    return {"arrays": [{**told("ifd0", own), "near": path + ".npy", "within": 12 if subsampled else 2 if kind != "jpeg12" else 4, "mean": 1.0 if subsampled else 0.6}], "spec": spec}


def Image_bits(path):
    """The bits as they are stored: libtiff says which colour zero is, which is left alone."""
    with tifffile.TiffFile(path) as file:
        page = file.pages[0]
        return page.asarray().astype("u1")


def pillow_jpeg(rng, path):
    """JPEG by libtiff, with tables outside of the strips."""
    height, width = rng.randint(1, 150), rng.randint(1, 150)
    y, x = np.mgrid[:height, :width]
    base = np.stack([127 + 90 * np.sin(x / 19), 127 + 90 * np.cos(y / 37), 127 + 60 * np.sin((x + y) / 51)], -1).astype("u1")
    gray = rng.random() < 0.5
    strip = rng.choice([2 ** 12, 2 ** 16])
    Image.fromarray(base[..., 0].copy() if gray else base).save(path, compression="jpeg", quality=rng.randint(40, 100), strip_size=strip)
    own = tifffile.imread(path)
    np.save(path + ".npy", own)
    return {"arrays": [{**told("ifd0", own), "near": path + ".npy", "within": 2 if gray else 12, "mean": 0.6}],
            "spec": {"how": "jpeg", "gray": gray, "shape": list(own.shape), "strip": strip}}


def by_pillow(rng, path):
    """Written by libtiff."""
    height, width = sides(rng)
    if rng.random() < 0.3:
        return pillow_jpeg(rng, path)
    mode, dtype, last = rng.choice([("L", "u1", []), ("RGB", "u1", [3]), ("RGBA", "u1", [4]), ("I;16", "u2", []), ("F", "f4", []), ("I", "i4", []),
                                    ("P", "u1", []), ("CMYK", "u1", [4]), ("LAB", "u1", [3])])
    data = samples(rng, [height, width, *last], dtype)
    how = rng.choice(["raw", "tiff_lzw", "tiff_adobe_deflate", "packbits", "tiff_deflate", "lzma", "zstd"])
    picture = Image.fromarray(data)
    if mode in ("P", "CMYK", "LAB"):
        picture = Image.frombytes(mode, (width, height), data.tobytes())
        if mode == "P":
            picture.putpalette([n * 7 % 256 for n in range(768)])
    predictor = rng.choice([1, 1, 2]) if how in ("tiff_lzw", "tiff_adobe_deflate", "tiff_deflate") else 1
    try:
        picture.save(path, compression=how, tiffinfo={317: predictor} if predictor > 1 else {})
    except Exception as error:
        return {"skipped": f"{mode} {how}: {error}"[:120]}
    note = read_by_tifffile(path, 0, data)
    return {"arrays": [told("ifd0", data)], "spec": {"mode": mode, "how": how, "predictor": predictor, "shape": list(data.shape)},
            "peers": {"ifd0": note} if note else {}}


KINDS = [own] * 14 + [by_tifffile] * 8 + [by_gdal] * 8 + [shaped] * 3 + [series] * 4 + [several_files] + [lossy] * 3 + [by_pillow] * 2


def make(rng, folder, index):
    path = os.path.join(folder, f"{index}.tif")
    kind = rng.choice(KINDS)
    if kind is series:
        path = os.path.join(folder, f"{index}.ome.tif")
    try:
        line = kind(rng, path)
    except (ValueError, RuntimeError, TypeError, KeyError, OSError) as error:  # what the writer cannot write
        line = {"skipped": f"{type(error).__name__}: {error}"[:100]}
    return {"writer": kind.__name__, "file": os.path.basename(path), **line}
