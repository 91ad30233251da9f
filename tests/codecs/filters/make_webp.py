"""Writes webp.json: WebP pictures with losses and what they are, by libwebp.

Needs numpy, imagecodecs, webp from PyPI. Run it in this folder.
"""

import base64
import json

import imagecodecs
import numpy as np
import webp

RNG = np.random.default_rng(6386)
CASES = []
# Integers of the configuration of libwebp, by their place in it.
FIELDS = {
    "method": 2, "segments": 6, "sns_strength": 7, "filter_strength": 8, "filter_sharpness": 9, "filter_type": 10,
    "alpha_compression": 12, "alpha_filtering": 13, "alpha_quality": 14, "partitions": 18, "exact": 24,
}


def add(name, stored):
    plain = imagecodecs.webp_decode(stored)
    CASES.append({
        "name": f"lossy webp, {name}",
        "filter": "webp",
        "values": [plain.shape[2]],
        "stored": base64.b64encode(stored).decode(),
        "plain": base64.b64encode(np.ascontiguousarray(plain)).decode(),
    })


def picture(height, width, samples=3, noise=9):
    """Waves, an edge, and noise in one half."""
    y, x = np.mgrid[:height, :width]
    waves = np.stack([127 + 120 * np.sin(x / (5 + 2 * c)) * np.cos(y / (7 + c)) for c in range(samples)], -1)
    waves[(x > y) & (x - y < 9)] = RNG.integers(0, 256, samples)
    waves += RNG.normal(0, noise, waves.shape) * (x < width / 2)[..., None]
    return np.clip(waves, 0, 255).astype(np.uint8)


def encode(image, quality=75, **options):
    config = webp.WebPConfig.new(quality=quality, lossless=False)
    numbers = webp.ffi.cast("int *", config.ptr)
    for name, value in options.items():
        numbers[FIELDS[name]] = value
    return bytes(webp.WebPPicture.from_numpy(image).encode(config).buffer())


def qualities():
    for height, width in ((1, 1), (3, 5), (16, 16), (17, 33), (64, 64), (2, 40), (35, 3)):
        for quality in (1, 30, 75, 100):
            if (height, quality) != (64, 30):
                add(f"{width} × {height}, quality {quality}", encode(picture(height, width), quality))


def methods():
    image = picture(25, 36)
    for method in range(7):
        add(f"method {method}", encode(image, 60, method=method, segments=1 + method % 4))


def filters():
    image = picture(32, 33, noise=30)
    for kind in (0, 1):
        for strength, sharpness in ((0, 0), (20, 0), (60, 3), (100, 7)):
            options = {"filter_type": kind, "filter_strength": strength, "filter_sharpness": sharpness}
            add(f"{options}", encode(image, 20, **options))


def parts():
    for partitions in (1, 2, 3):
        add(f"{2**partitions} partitions", encode(picture(70, 20), 50, partitions=partitions))
    for segments in (1, 2, 4):
        image = np.concatenate([picture(32, 24, noise=n) for n in (0, 10, 60)], 1)
        add(f"{segments} segments", encode(image, 30, segments=segments, sns_strength=100))
    add("noise", encode(RNG.integers(0, 256, (33, 31, 3), dtype=np.uint8), 100))
    add("black and white", encode(np.where(RNG.random((32, 48, 1)) < 0.5, 0, 255).repeat(3, -1).astype(np.uint8), 90))
    add("one colour", encode(np.full((20, 30, 3), (200, 30, 90), np.uint8), 50))


def alphas():
    for height, width in ((1, 1), (17, 33), (30, 30)):
        image = picture(height, width, 4, 3)
        for compression in (0, 1):
            for filtering in (0, 1, 2):
                options = {"alpha_compression": compression, "alpha_filtering": filtering, "alpha_quality": 100, "exact": 1}
                add(f"{width} × {height} with alpha, {compression} {filtering}", encode(image, 40, **options))
    image[..., 3] = np.where(image[..., 3] > 127, 255, 0)
    add("with alpha of two values", encode(image, 40))
    image[..., 3] = np.arange(30)[:, None] * 8
    add("with alpha in rows", encode(image, 40, alpha_filtering=2))
    image[..., 3] = np.arange(30) * 5 + np.arange(30)[:, None] * 3
    add("with alpha in a plane, of fewer values", encode(image, 40, alpha_filtering=2, alpha_quality=30))


def filtered_alphas():
    """Each filter on plain alpha, by the bits in front of it."""
    image = picture(13, 11, 4, 0)
    stored = encode(image, 60, alpha_compression=0, alpha_filtering=0)
    at = stored.index(b"ALPH") + 8
    for filter_ in range(4):
        add(f"alpha filter {filter_}", stored[:at] + bytes([filter_ << 2]) + stored[at + 1:])


qualities()
methods()
filters()
parts()
alphas()
filtered_alphas()
with open("webp.json", "w") as f:
    json.dump(CASES, f, indent=0, ensure_ascii=False)
