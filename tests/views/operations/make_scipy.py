"""Makes scipy.json: what scipy.ndimage 1.17 gives for operations over views. Run it, and then `deno fmt`."""

import json
import pathlib

import numpy as np
from scipy import ndimage

MODES = {"edge": "nearest", "wrap": "wrap", "symmetric": "reflect", "reflect": "mirror", "constant": "constant"}
FILTERS = {
    "localMinimum": ndimage.minimum_filter,
    "localMaximum": ndimage.maximum_filter,
    "boxMean": ndimage.uniform_filter,
}
CASES = [([6, 9], [1, 2], "uint8"), ([6, 9], [2, 0], "float64"), ([3, 5, 4], [0, 1, 1], "int16"),
         ([3, 5, 4], [1, 2, 1], "float32"), ([11], [3], "int32")]


def samples(shape, dtype):
    numbers = np.arange(np.prod(shape), dtype=np.int64) * 7919 % 251
    return (numbers - (0 if dtype == "uint8" else 120)).reshape(shape).astype(dtype)


def main():
    rows = []
    for shape, radius, dtype in CASES:
        for border, mode in MODES.items():
            for name, run in FILTERS.items():
                if name == "boxMean" and any(radius[:-2]):
                    continue
                data = samples(shape, dtype)
                data = data.astype("float64") if name == "boxMean" else data
                result = run(data, size=[2 * r + 1 for r in radius], mode=mode, cval=7)
                values = " ".join(f"{value:.9g}" for value in result.ravel().astype("float64"))
                rows.append({"operation": name, "shape": shape, "radius": radius, "dtype": dtype, "border": border,
                             "values": values})
    pathlib.Path(__file__).with_name("scipy.json").write_text(json.dumps(rows, indent=2) + "\n")


main()
