"""Random samples, and what is said about arrays to the other side."""

import hashlib

import numpy as np


def integers(rng, shape, low, high, dtype):
    """Noise, slopes, areas of one value, or extremes."""
    count = int(np.prod(shape))
    noise = np.random.default_rng(rng.randrange(2 ** 32))
    kind = rng.choice(["noise", "slope", "areas", "extremes", "runs"])
    span = high - low
    if kind == "noise":
        values = noise.integers(0, span, count, endpoint=True, dtype="u8")
    elif kind == "slope":
        values = (np.arange(count, dtype="u8") * np.uint64(rng.randrange(1, 9)) + np.uint64(rng.randrange(1000))) % np.uint64(min(span + 1, 2 ** 63))
    elif kind == "areas":
        values = np.full(count, noise.integers(0, span, endpoint=True, dtype="u8"), "u8")
    elif kind == "extremes":
        values = noise.choice(np.array([0, span, span // 2, min(1, span)], "u8"), count)
    else:
        values = np.repeat(noise.integers(0, span, count // 7 + 1, endpoint=True, dtype="u8"), 7)[:count]
    wide = values.astype("u8")
    return (wide + np.array([low % 2 ** 64], "u8")).astype("u8").astype(dtype).reshape(shape)


def floats(rng, shape, dtype):
    noise = np.random.default_rng(rng.randrange(2 ** 32))
    values = noise.normal(0, 10.0 ** rng.randrange(-3, 4), shape)
    if rng.random() < 0.3:
        odd = np.array([np.nan, np.inf, -np.inf, -0.0, 0.0, 1e-40, 6e-8])
        values = np.where(noise.random(shape) < 0.2, noise.choice(odd, shape), values)
    with np.errstate(over="ignore"):
        return values.astype(dtype)


def samples(rng, shape, dtype):
    """Samples of any type of NumPy."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return integers(rng, shape, 0, 1, "u1").astype("?")
    if dtype.kind in "ui":
        info = np.iinfo(dtype)
        return integers(rng, shape, int(info.min), int(info.max), dtype)
    if dtype.kind == "f":
        return floats(rng, shape, dtype)
    part = "f4" if dtype.itemsize == 8 else "f8"
    both = np.empty(tuple(shape) + (2,), part)
    both[..., 0], both[..., 1] = floats(rng, shape, part), floats(rng, shape, part)
    return both.view(dtype.newbyteorder("="))[..., 0].astype(dtype)


def native(array):
    """Little-endian and in C order."""
    return np.ascontiguousarray(array, np.asarray(array).dtype.newbyteorder("<"))


def digest(array):
    return hashlib.sha256(native(array).tobytes()).hexdigest()


def told(name, array, **others):
    """What an array must be like."""
    array = np.asarray(array)
    return {"name": name, "shape": list(array.shape), "dtype": array.dtype.name, "sha256": digest(array), **others}
