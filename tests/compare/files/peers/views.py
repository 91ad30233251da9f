"""Random arrays in files, and views of them as numpy.pad makes them."""

import os
import warnings

import numpy as np
import tifffile
import zarr

from values import digest, samples

MODES = ["constant", "edge", "wrap", "symmetric", "reflect"]
DTYPES = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"]


def stored(rng, path, shape, dtype):
    """Writes an array of a random shape: as TIFF (rank 2), Zarr or npy. Returns it with the name of its file."""
    data = samples(rng, shape, dtype)
    kind = rng.choice(["npy", "zarr", "zarr"] + (["tiff", "tiff"] if len(shape) == 2 and dtype != "?" else []))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if kind == "npy":
            name = path + ".npy"
            np.save(name, np.asfortranarray(data) if rng.random() < 0.2 and len(shape) == 2 else data.astype(data.dtype.newbyteorder(rng.choice("<>"))))
        elif kind == "tiff":
            name = path + ".tif"
            how = {"tile": (16 * rng.randint(1, 3), 16 * rng.randint(1, 3))} if rng.random() < 0.6 else {"rowsperstrip": rng.randint(1, shape[0])}
            tifffile.imwrite(name, data, compression=rng.choice([None, "zlib", "lzw"]), byteorder=rng.choice("<>"), metadata=None,
                             photometric="minisblack", **how)
        else:
            name = path + ".zarr"
            chunks = [rng.randint(1, n) for n in shape]
            array = zarr.create_array(name, shape=shape, chunks=chunks, dtype=dtype, zarr_format=rng.choice([2, 3]), overwrite=True)
            array[...] = data
    return data, os.path.basename(name)


def padded(data, before, after, modes, fill):
    """numpy.pad one dimension after another; any width."""
    for d in range(data.ndim):
        width = [(0, 0)] * data.ndim
        width[d] = (before[d], after[d])
        mode = {"mode": modes[d]} | ({"constant_values": np.array(fill, data.dtype)} if modes[d] == "constant" else {})
        data = np.pad(data, width, **mode)
    return data


def make(rng, folder, index):
    rank = rng.randint(1, 4)
    most = {1: 60, 2: 40, 3: 12, 4: 7}[rank]
    shape = [rng.randint(1, most) for _ in range(rank)]
    dtype = rng.choice(DTYPES)
    data, file = stored(rng, os.path.join(folder, str(index)), shape, dtype)
    tile = [rng.randint(1, n + 2) for n in shape]
    reach = rng.choice([0, 1, 3, 9, 30])
    reach = min(reach, {1: 99, 2: 30, 3: 9, 4: 4}[rank])
    front, back = [[rng.randint(0, reach) for _ in shape] for _ in range(2)]
    if rng.random() < 0.3:
        back = front
    modes = [rng.choice(MODES) for _ in shape]
    if rng.random() < 0.4:
        modes = modes[:1] * rank
    fill = rng.choice([0, 1]) if dtype == "?" else rng.choice([0, 7, 100]) if np.dtype(dtype).kind in "ui" else rng.choice([0, 1.5, float("-2")])
    grid = [-(-n // t) for n, t in zip(shape, tile)]
    whole = padded(data, front, [g * t - n + b for g, t, n, b in zip(grid, tile, shape, back)], modes, fill)
    views = []
    for _ in range(4):
        at = [rng.randrange(g) for g in grid]
        box = tuple(slice(i * t, i * t + f + t + b) for i, t, f, b in zip(at, tile, front, back))
        views.append({"index": at, "shape": [s.stop - s.start for s in box], "sha256": digest(whole[box])})
    # the constant of an outer dimension is not padded again by the inner ones: what is outside in any dimension of constants is the constant
    return {"writer": "views", "file": file, "tile": tile, "front": front, "back": back, "modes": modes, "fill": fill, "views": views,
            "arrays": [], "spec": {"dtype": dtype, "shape": shape}}
