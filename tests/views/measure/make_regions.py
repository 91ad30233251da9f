"""Makes regions.json: counts and digests of the labels of many arrays by SciPy, whose samples tests make anew.

Needs numpy and scipy from PyPI. Run it, and then `deno fmt`.
"""

import hashlib
import json
import pathlib

import numpy as np
from scipy import ndimage

SHAPES = [[200], [1, 130], [130, 1], [64, 64], [7, 129], [40, 70], [3, 5, 66], [65, 2, 3], [2, 3, 4, 65],
          [3, 3, 3, 3], [5, 1, 1, 9], [0, 5], [4, 0]]
# Images and volumes of several tiles and chunks.
TILED = [[300, 300], [130, 517], [520, 90], [7, 96, 130], [40, 33, 48], [3, 5, 64, 70], [700]]
KINDS = ["noise", "sparse", "blocks", "lines", "board", "full", "empty"]
DTYPES = ["uint8", "int8", "uint16", "int16", "uint32", "int32", "float32", "float64", "int64", "uint64", "float16"]


def hashed(values, seed):
    """Numbers from 0 to 99."""
    found = (values.astype("uint64") * 0x9E3779B1 + seed) & 0xFFFFFFFF
    found ^= found >> 15
    found = (found * 0x2C1B3C6D) & 0xFFFFFFFF
    return ((found ^ (found >> 12)) % 100).astype("int64")


def level(kind, shape, seed):
    """From 0 to 99: those above 50 are inside."""
    flat = np.arange(int(np.prod(shape))).reshape(shape)
    places = np.indices(shape)
    if kind == "noise":
        return hashed(flat, seed)
    if kind == "sparse":
        return np.where(hashed(flat, seed) > 90, 99, 0)
    if kind == "blocks":
        return hashed(sum(p // 5 * 31 ** d for d, p in enumerate(places)), seed)
    if kind == "lines":
        line = hashed(flat // max(1, shape[-1]), seed)
        return np.where(line < 30, 0, np.where(line < 60, 99, hashed(flat, seed)))
    if kind == "squares":
        return np.where(np.all([p % 20 < 11 for p in places], axis=0), 99, 0)
    if kind == "board":
        return sum(places) % 2 * 99
    return np.full(shape, 99 if kind == "full" else 0)


def main():
    rows = []
    for n, shape in enumerate(SHAPES):
        for connectivity in range(1, len(shape) + 1):
            structure = ndimage.generate_binary_structure(len(shape), connectivity)
            for k in range(1 + n % 2):
                seed = 7 * n + 3 * connectivity + k
                kind = KINDS[len(rows) % len(KINDS)]
                found, count = ndimage.label(level(kind, shape, seed) > 50, structure=structure)
                digest = hashlib.sha256(found.astype("<u4").tobytes()).hexdigest()
                rows.append({"shape": shape, "connectivity": connectivity, "kind": kind, "seed": seed,
                             "dtype": DTYPES[len(rows) % len(DTYPES)], "count": count, "sha256": digest})
    tiled = []
    for n, shape in enumerate(TILED):
        for k, kind in enumerate(["squares", "blocks", "noise", "lines"]):
            connectivity, seed = 1 + (n + k) % len(shape), 11 * n + k
            structure = ndimage.generate_binary_structure(len(shape), connectivity)
            found, count = ndimage.label(level(kind, shape, seed) > 50, structure=structure)
            digest = hashlib.sha256(found.astype("<u4").tobytes()).hexdigest()
            tiled.append({"shape": shape, "connectivity": connectivity, "kind": kind, "seed": seed,
                          "count": count, "sha256": digest})
    nan = np.array([0, np.nan, -0.0, 1, np.nan, 0, np.inf, 0], dtype="float32")
    made = {"labels": rows, "tiled": tiled, "nan": [int(label) for label in ndimage.label(nan)[0]]}
    pathlib.Path(__file__).with_name("regions.json").write_text(json.dumps(made, indent=2) + "\n")


main()
