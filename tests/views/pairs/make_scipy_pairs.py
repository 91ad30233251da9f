"""Makes scipy_pairs.json: what SciPy and scikit-image give for two operations over views, one after the other.

Run it (with numpy, scipy and scikit-image), and then `deno fmt`.
"""

import base64
import json
import pathlib

import numpy as np
from scipy import ndimage
from skimage import filters

MODES = {"edge": "nearest", "wrap": "wrap", "symmetric": "reflect", "reflect": "mirror", "constant": "constant"}
SHAPE = (6, 8)
CROSS = [[0, 1, 0], [1, 1, 1], [0, 1, 1]]
SLOPE = [[1, 0, -2], [0, 0, 0], [3, 5, 0]]


def sizes(radius):
    return [2 * r + 1 for r in radius]


def box(function):
    return lambda data, p, mode: function(data, size=sizes(p["radius"]), mode=mode)


def down(data, p, mode):
    factors = p["factor"]
    starts = [np.arange(0, n, f) for n, f in zip(data.shape, factors)]
    sums, counts = data.astype("float64"), np.ones(data.shape)
    for axis, at in enumerate(starts):
        sums, counts = np.add.reduceat(sums, at, axis), np.add.reduceat(counts, at, axis)
    return sums / counts


def gaussian(data, p, mode):
    return ndimage.gaussian_filter(data, p["sigma"], mode=mode)


# By operation: parameters, its function, and whether its result has the type of the samples.
OPERATIONS = {
    "localMinimum": ({"radius": [1, 2]}, box(ndimage.minimum_filter), True),
    "localMaximum": ({"radius": [2, 0]}, box(ndimage.maximum_filter), True),
    "morphologicalGradient": ({"radius": [1, 1]}, box(ndimage.morphological_gradient), True),
    "opening": ({"radius": [1, 1]}, box(ndimage.grey_opening), True),
    "closing": ({"radius": [0, 1]}, box(ndimage.grey_closing), True),
    "whiteTopHat": ({"radius": [1, 0]}, box(ndimage.white_tophat), True),
    "blackTopHat": ({"radius": [1, 1]}, box(ndimage.black_tophat), True),
    "median": ({"radius": [1, 1]}, box(ndimage.median_filter), True),
    "percentile": ({"percent": 30, "footprint": CROSS}, lambda data, p, mode: ndimage.percentile_filter(
        data, 30, footprint=np.array(CROSS), mode=mode), True),
    "boxMean": ({"radius": [1, 2]}, box(ndimage.uniform_filter), False),
    "gaussian": ({"sigma": [0.7, 1]}, gaussian, False),
    "laplacianOfGaussian": ({"sigma": 0.8}, lambda data, p, mode: ndimage.gaussian_laplace(data, 0.8, mode=mode), False),
    "gaussianGradient": ({"sigma": 0.8}, lambda data, p, mode: ndimage.gaussian_gradient_magnitude(
        data, 0.8, mode=mode), False),
    "sobel": ({}, lambda data, p, mode: ndimage.generic_gradient_magnitude(data, ndimage.sobel, mode=mode), False),
    "prewitt": ({"axis": 1}, lambda data, p, mode: ndimage.prewitt(data, 1, mode=mode), False),
    "scharr": ({}, lambda data, p, mode: filters.scharr(data, mode=mode) * 16 * 2 ** 0.5, False),
    "laplacian": ({}, lambda data, p, mode: ndimage.laplace(data, mode=mode), False),
    "unsharp": ({"sigma": 1, "amount": 1.5}, lambda data, p, mode: data + 1.5 * (
        data - ndimage.gaussian_filter(data, 1, mode=mode)), False),
    "localVariance": ({"radius": [1, 2]}, lambda data, p, mode: ndimage.generic_filter(
        data, np.var, size=(3, 5), mode=mode), False),
    "localDeviation": ({"radius": [1, 1]}, lambda data, p, mode: ndimage.generic_filter(
        data, np.std, size=(3, 3), mode=mode), False),
    "correlate": ({"weights": SLOPE}, lambda data, p, mode: ndimage.correlate(data, np.array(SLOPE), mode=mode), False),
    "convolve": ({"weights": SLOPE}, lambda data, p, mode: ndimage.convolve(data, np.array(SLOPE), mode=mode), False),
    "downSample": ({"factor": [2, 3]}, down, False),
}


def step(name, data, mode):
    params, function, same = OPERATIONS[name]
    return function(data if same else data.astype("float64"), params, mode)


def row(first, second, n):
    dtype, border = ["uint8", "int16", "float64", "uint16"][n % 4], list(MODES)[n % 5]
    if border == "wrap" and first == "downSample":
        border = "symmetric"  # chains cannot wrap around fewer samples
    numbers = (np.arange(np.prod(SHAPE), dtype=np.int64) * 7919 + 13) % 251
    data = numbers.reshape(SHAPE).astype(dtype)
    made = step(second, step(first, data, MODES[border]), MODES[border])
    values = base64.b64encode(made.astype("<f4").tobytes()).decode()
    return f"{first} {second} {dtype} {border} {values}"


def main():
    names = list(OPERATIONS)
    pairs = [row(a, b, i * 31 + j * 7 + (i + j) // 2) for i, a in enumerate(names) for j, b in enumerate(names)]
    rows = [json.dumps(one) for one in pairs]
    params = {name: params for name, (params, _, _) in OPERATIONS.items()}
    text = json.dumps({"shape": SHAPE, "params": params})[:-1] + ', "pairs": [' + ",\n".join(rows) + "]}\n"
    pathlib.Path(__file__).with_name("scipy_pairs.json").write_text(text)


main()
