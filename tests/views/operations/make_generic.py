"""Writes generic.json: what functions of windows are by scipy.ndimage.generic_filter. Needs numpy and scipy."""

import json
from pathlib import Path

import numpy as np
from scipy import ndimage

MODES = {"edge": "nearest", "reflect": "mirror", "symmetric": "reflect", "wrap": "wrap", "constant": "constant"}
SHAPES = [(7, 9), (3, 5, 6), (11,)]


def samples(shape, dtype):
    low = 0 if dtype == "uint8" else 120
    return ((np.arange(np.prod(shape)) * 7919 % 251) - low).reshape(shape).astype(dtype)


def text(values):
    return " ".join(f"{v:.17g}" for v in values.ravel())


rows = []
for shape in SHAPES:
    for dtype in ["uint8", "int16", "float32"]:
        for border, mode in MODES.items():
            window = tuple([1] * (len(shape) - 2) + [3] * min(2, len(shape)))
            more = {"mode": mode, "cval": 7}
            array = samples(shape, dtype).astype(float)
            if len(shape) > 1:
                values = ndimage.generic_filter(array, lambda w: w.max() - w.min(), window, **more)
                rows.append(dict(name="range", shape=shape, dtype=dtype, border=border, values=text(values)))
            cube = tuple([3] * len(shape))
            values = ndimage.generic_filter(array, lambda w: w.max() - w[0], cube, **more)
            rows.append(dict(name="spread", shape=shape, dtype=dtype, border=border, values=text(values)))

for dtypes in [("uint16", "uint16"), ("uint8", "float32"), ("int16", "uint8")]:
    for border, mode in MODES.items():
        shape = (7, 9)
        a, b = [(np.arange(63) * step % 97 + 1).reshape(shape).astype(d) for step, d in zip([7919, 104729], dtypes)]
        a, b = a.astype(float), b.astype(float)
        mean = lambda x, c: ndimage.uniform_filter(x, 3, mode=mode, cval=c)
        row = dict(shape=shape, dtypes=dtypes, border=border)
        rows.append(dict(name="index", values=text((a - b) / (a + b)), **row))
        rows.append(dict(name="covariance", values=text(mean(a * b, 49) - mean(a, 7) * mean(b, 7)), **row))

lines = ",\n".join("  " + json.dumps(row) for row in rows)
Path(__file__).with_name("generic.json").write_text(f"[\n{lines}\n]\n")
