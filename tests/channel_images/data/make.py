"""Writes small images beside this script, and the digests of the pixels that libpng, libjpeg and tifffile read from them.

Needs numpy, pillow, imagecodecs, opencv-python-headless, pyvips-binary and tifffile from PyPI.
    python make.py
"""

import hashlib
import json
import pathlib

import cv2
import imagecodecs
import numpy as np
import pyvips
import tifffile
from PIL import Image

HERE = pathlib.Path(__file__).parent
rng = np.random.default_rng(72)
expected = {}


def smooth(height, width, samples, top=255):
    """Waves and some noise: every filter of PNG is the best one for a part of it."""
    y, x, s = np.ogrid[:height, :width, :samples]
    waves = np.sin(x / 5 + s) * np.cos(y / 4 - s) + rng.random((height, width, samples)) * (y > height // 2) * 0.5
    return np.clip((waves + 1) / 2.5 * top, 0, top)


def note(name, native, rgba):
    native = np.ascontiguousarray(native)
    samples = 1 if native.ndim == 2 else native.shape[2]
    expected[name] = {
        "height": native.shape[0],
        "width": native.shape[1],
        "samples": samples,
        "dtype": str(native.dtype),
        "native": hashlib.sha256(native.tobytes()).hexdigest(),
        "rgba": None if rgba is None else hashlib.sha256(np.ascontiguousarray(rgba).tobytes()).hexdigest(),
    }


def to_rgba(native):
    """RGBA of gray, gray with alpha, RGB or RGBA; of 16 bits the upper 8."""
    pixels = native if native.ndim == 3 else native[:, :, None]
    if pixels.dtype == np.uint16:
        pixels = (pixels >> 8).astype(np.uint8)
    samples = pixels.shape[2]
    alpha = pixels[:, :, -1:] if samples in (2, 4) else np.full_like(pixels[:, :, :1], 255)
    colours = pixels[:, :, :3] if samples > 2 else np.repeat(pixels[:, :, :1], 3, axis=2)
    return np.concatenate([colours, alpha], axis=2)


def png(name):
    """What libpng reads: samples as they are; PIL looks up palettes and transparent colours."""
    path = HERE / name
    native = imagecodecs.png_decode(path.read_bytes())
    rgba = to_rgba(native)
    with Image.open(path) as image:
        if native.dtype == np.uint8:
            assert np.array_equal(np.asarray(image.convert("RGBA")), rgba), name
        elif native.ndim == 3 and native.shape[2] == 3:
            assert np.array_equal(cv2.imread(str(path), cv2.IMREAD_UNCHANGED)[:, :, ::-1], native), name
    note(name, native, rgba)


def vips(name, samples, dtype, **options):
    top = np.iinfo(dtype).max
    pixels = smooth(23, 37, samples, top).astype(dtype)
    image = pyvips.Image.new_from_array(pixels if samples > 1 else pixels[:, :, 0])
    meaning = {1: "b-w", 2: "b-w", 3: "srgb", 4: "srgb"}[samples]
    if dtype == np.uint16:
        meaning = {1: "grey16", 2: "grey16", 3: "rgb16", 4: "rgb16"}[samples]
    image.copy(interpretation=meaning).pngsave(str(HERE / name), **options)
    png(name)


for samples, kind in ((1, "gray"), (2, "gray_alpha"), (3, "rgb"), (4, "rgba")):
    vips(f"{kind}8.png", samples, np.uint8)
    vips(f"{kind}16.png", samples, np.uint16)
    vips(f"{kind}8_interlaced.png", samples, np.uint8, interlace=True)
vips("rgb16_interlaced.png", 3, np.uint16, interlace=True)
for bits in (1, 2, 4):
    vips(f"gray{bits}.png", 1, np.uint8, bitdepth=bits)
    vips(f"gray{bits}_interlaced.png", 1, np.uint8, bitdepth=bits, interlace=True)

gray = Image.fromarray(smooth(9, 14, 1).astype(np.uint8)[:, :, 0])
rgb = Image.fromarray(smooth(9, 14, 3).astype(np.uint8))
for colours in (2, 4, 16, 200):
    rgb.quantize(colours).save(HERE / f"palette{colours}.png")
    png(f"palette{colours}.png")
rgb.quantize(7).save(HERE / "palette_alpha.png", transparency=bytes([0, 100, 255]))
png("palette_alpha.png")
gray.save(HERE / "gray_key.png", transparency=int(np.asarray(gray)[3, 4]))
png("gray_key.png")
rgb.save(HERE / "rgb_key.png", transparency=tuple(int(v) for v in np.asarray(rgb)[3, 4]))
png("rgb_key.png")
Image.new("RGB", (1, 1), (1, 2, 3)).save(HERE / "one_pixel.png")
png("one_pixel.png")


def jpg(name, image, **options):
    image.save(HERE / name, "jpeg", **options)
    native = imagecodecs.jpeg8_decode((HERE / name).read_bytes())
    note(name, native, to_rgba(native) if native.ndim == 2 or native.shape[2] == 3 else None)


photo = Image.fromarray(smooth(45, 61, 3).astype(np.uint8))
jpg("gray.jpg", photo.convert("L"))
jpg("rgb444.jpg", photo, subsampling=0, quality=90)
jpg("rgb422.jpg", photo, subsampling=1)
jpg("rgb420.jpg", photo, subsampling=2)
jpg("progressive.jpg", photo, progressive=True)
jpg("rgb_stored.jpg", photo, keep_rgb=True)


def tif(name, pixels, rgba, **options):
    tifffile.imwrite(HERE / name, pixels, **options)
    note(name, tifffile.imread(HERE / name).astype(pixels.dtype), rgba)


gray8 = smooth(20, 33, 1).astype(np.uint8)[:, :, 0]
rgb8 = smooth(20, 33, 3).astype(np.uint8)
tif("gray8.tif", gray8, to_rgba(gray8))
tif("white_is_zero.tif", gray8, to_rgba(255 - gray8), photometric="miniswhite")
tif("rgb8_deflate.tif", rgb8, to_rgba(rgb8), photometric="rgb", compression="deflate", tile=(16, 16))
tif("rgb8_planar.tif", np.moveaxis(rgb8, 2, 0).copy(), None, photometric="rgb", planarconfig="separate")
gray16 = smooth(20, 33, 1, 65535).astype(np.uint16)[:, :, 0]
tif("gray16_big.tif", gray16, to_rgba(gray16), byteorder=">", compression="lzw", predictor=True)
tif("float32.tif", gray16.astype(np.float32) / 3, None)
tif("two_pages.tif", np.stack([gray8, 255 - gray8]), None, photometric="minisblack")
expected["two_pages.tif"] = {**expected["gray8.tif"]}
note("rgb8_planar.tif", rgb8, to_rgba(rgb8))

(HERE / "expected.json").write_text(json.dumps(expected, indent=2) + "\n")
