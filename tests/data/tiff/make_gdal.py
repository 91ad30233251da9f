"""Makes gdal.json: small files that GDAL, libtiff's tools and GraphicsMagick write, and what GDAL reads from them.

They hold what tifffile does not write: LERC in big-endian files, with NaN, as transparency and with bits in reverse; integers
of 24 bits; integers that are complex; colour differences without compression; fax images in planes.

Needs from PyPI: rasterio, pillow, tifffile; from Debian: libtiff-tools, graphicsmagick. Run it in this folder: python make_gdal.py
"""
import base64
import hashlib
import io
import json
import struct
import subprocess
import tempfile
import warnings
from pathlib import Path

import numpy as np
import rasterio
import tifffile
from PIL import Image

warnings.simplefilter("ignore")
random = np.random.default_rng(27)
folder = Path(tempfile.mkdtemp())
found = []


def add(name, path, expected=None):
    """A file, and what GDAL reads, or what was written where GDAL cannot know it."""
    if expected is None:
        with rasterio.open(path) as file:
            expected = file.read()
    expected = np.ascontiguousarray(np.moveaxis(expected, 0, 2) if len(expected) > 1 else expected[0])
    found.append({"name": name, "file": base64.b64encode(path.read_bytes()).decode(), "shape": expected.shape,
                  "dtype": expected.dtype.name, "sha256": hashlib.sha256(expected.tobytes()).hexdigest()})


def write(name, array, **options):
    path = folder / "a.tif"
    bands, height, width = array.shape
    with rasterio.open(path, "w", driver="GTiff", width=width, height=height, count=bands, dtype=options.pop("dtype", array.dtype.name),
                       photometric=options.pop("photometric", "MINISBLACK"), **options) as file:
        file.write(array)
    return path


def lerc():
    for order in ("LITTLE", "BIG"):
        for packing in ("LERC", "LERC_DEFLATE", "LERC_ZSTD"):
            array = random.integers(-30000, 30000, (1, 7, 9)).astype("i2")
            add(f"{packing} {order} int16", write("", array, compress=packing, endianness=order))
        array = random.integers(0, 2 ** 32, (3, 5, 6)).astype("u4")
        add(f"LERC {order} uint32 pixel", write("", array, compress="LERC", endianness=order, interleave="pixel"))
    for dtype in ("f4", "f8"):
        for kind in ("all bands", "some bands", "one band", "first band"):
            array = (random.integers(-99, 99, (3, 6, 7)) / 8).astype(dtype)
            which = random.random((6, 7)) < 0.4
            if kind == "all bands":
                array[:, which] = np.nan
            elif kind == "some bands":
                array[random.random(array.shape) < 0.3] = np.nan
            elif kind == "one band":
                array[2][which] = np.nan
            else:
                array[0] = np.nan
                array[1][which] = np.nan
                array[2][which] = np.nan
            add(f"LERC {dtype} NaN in {kind}", write("", array, compress="LERC", interleave="pixel"))
    for levels in ([0, 255], [0, 7, 255]):
        array = random.integers(0, 256, (4, 6, 5)).astype("u1")
        array[3] = random.choice(levels, (6, 5))
        add(f"LERC alpha {len(levels)}", write("", array, compress="LERC", interleave="pixel", photometric="RGB", alpha="NON-PREMULTIPLIED"))
    path = write("", random.integers(0, 60000, (1, 8, 8)).astype("u2"), compress="LERC", endianness="BIG")
    subprocess.run(["tiffcp", "-f", "lsb2msb", path, folder / "b.tif"], check=True, capture_output=True)
    add("LERC bits in reverse", folder / "b.tif")


def integers():
    for order in ("LITTLE", "BIG"):
        for bits in (24, 17, 31):
            array = random.integers(0, 2 ** bits, (1, 3, 5)).astype("u4")
            add(f"NBITS={bits} {order}", write("", array, nbits=bits, endianness=order))
        for name, part, whole in (("complex_int16", "i2", "c8"),):
            parts = random.integers(-30000, 30000, (1, 4, 5, 2)).astype(part)
            array = (parts[..., 0] + 1j * parts[..., 1]).astype(whole)
            for options in ({}, {"compress": "LZW", "predictor": 2}):
                add(f"{name} {order} {options}", write("", array, dtype=name, endianness=order, **options), array)
    for endian in ("LSB", "MSB"):  # GDAL reads these with their bytes in another order: what was written counts
        values = random.integers(0, 256, (1, 4, 6)).astype("u1")
        Image.fromarray(values[0]).save(folder / "grey.png")
        subprocess.run(["gm", "convert", folder / "grey.png", "-depth", "24", "-define", "tiff:bits-per-sample=24", "-define", "tiff:rows-per-strip=4",
                        "-compress", "none", "-endian", endian,
                        folder / "m.tif"], check=True)
        data = bytearray((folder / "m.tif").read_bytes())
        with tifffile.TiffFile(folder / "m.tif") as file:
            page = file.pages[0]
            assert page.bitspersample == 24 and page.compression == 1 and len(page.dataoffsets) == 1
            at = page.dataoffsets[0]
        numbers = random.integers(0, 2 ** 24, 24).astype("u4")
        for i, number in enumerate(numbers):  # its pictures of 8 bits have three equal bytes
            data[at + 3 * i:at + 3 * i + 3] = int(number).to_bytes(3, "little" if endian == "LSB" else "big")
        (folder / "m.tif").write_bytes(data)
        add(f"GraphicsMagick 24 bits {endian}", folder / "m.tif", numbers.reshape(1, 4, 6))


def tiff(tags, strips):
    """A little-endian file of one image with `strips`; the tags of offsets and counts are added."""
    at, places = 8, []
    for strip in strips:
        places.append(at)
        at += len(strip)
    tags = sorted([*tags, (273, 4, places), (279, 4, [len(strip) for strip in strips])])
    start = at + at % 2
    extra, entries = b"", b""
    for tag, kind, values in tags:
        raw = struct.pack(f"<{len(values)}{'H' if kind == 3 else 'I'}", *values)
        if len(raw) > 4:
            place = start + 2 + 12 * len(tags) + 4 + len(extra)
            extra += raw
            raw = struct.pack("<I", place)
        entries += struct.pack("<HHI", tag, kind, len(values)) + raw.ljust(4, b"\0")
    head = struct.pack("<2sHI", b"II", 42, start) + b"".join(strips)
    return head.ljust(start, b"\0") + struct.pack("<H", len(tags)) + entries + bytes(4) + extra


def chroma():
    for across, down in ((1, 1), (2, 1), (1, 2), (2, 2), (4, 1), (4, 2), (4, 4)):
        width, height, rows = 13, 11, 8
        units = [-(-width // across) * -(-min(rows, height - y) // down) for y in range(0, height, rows)]
        strips = [random.integers(16, 235, n * (across * down + 2)).astype("u1").tobytes() for n in units]
        tags = [(256, 3, [width]), (257, 3, [height]), (258, 3, [8, 8, 8]), (259, 3, [1]), (262, 3, [6]), (277, 3, [3]), (278, 3, [rows]),
                (284, 3, [1]), (530, 3, [across, down])]
        path = folder / "y.tif"
        path.write_bytes(tiff(tags, strips))
        add(f"YCbCr {across} × {down}", path)


def faxes():
    planes = random.integers(0, 2, (3, 10, 17)).astype("u1")
    strips = []
    for plane in planes:
        file = io.BytesIO()
        Image.fromarray(plane.astype(bool)).save(file, "TIFF", compression="group4", strip_size=2 ** 20)
        file.seek(0)
        with tifffile.TiffFile(file) as one:
            page = one.pages[0]
            strips.append(file.getvalue()[page.dataoffsets[0]:page.dataoffsets[0] + page.databytecounts[0]])
    tags = [(256, 3, [17]), (257, 3, [10]), (258, 3, [1, 1, 1]), (259, 3, [4]), (262, 3, [2]), (277, 3, [3]), (278, 3, [10]), (284, 3, [2])]
    path = folder / "f.tif"
    path.write_bytes(tiff(tags, strips))
    add("CCITT G4 in planes", path)


lerc()
integers()
chroma()
faxes()
Path("gdal.json").write_text(json.dumps({"gdal": rasterio.__gdal_version__, "files": found}, indent=1) + "\n")
