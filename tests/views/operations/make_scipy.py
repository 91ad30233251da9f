"""Makes scipy.json: what scipy.ndimage 1.17 and scikit-image 0.26 give for operations over views.

Run it (with numpy, scipy and scikit-image), and then `deno fmt`.
"""

import json
import pathlib

import numpy as np
from scipy import ndimage
from skimage import filters

MODES = {"edge": "nearest", "wrap": "wrap", "symmetric": "reflect", "reflect": "mirror", "constant": "constant"}
IMAGE, LINE, STACK = [6, 9], [11], [3, 5, 4]
CROSS = [[0, 1, 0], [1, 1, 1], [0, 1, 1]]
SLOPE = [[1, 0, -2], [0, 0, 0], [3, 5, 0]]
PRODUCT = [[1, 2, 3], [2, 4, 6], [-1, -2, -3]]


def samples(shape, dtype):
    numbers = np.arange(np.prod(shape), dtype=np.int64) * 7919 % 251
    return (numbers - (0 if dtype == "uint8" else 120)).reshape(shape).astype(dtype)


def sizes(radius):
    return [2 * r + 1 for r in radius]


def variance(data, radius, mode, cval):
    run = {"size": sizes(radius), "mode": mode, "cval": cval}
    return ndimage.generic_filter(data, np.var, **run)


def threshold(data, params, mode, cval):
    if "sigma" in params:
        level = filters.threshold_local(data, 3, "gaussian", params["offset"], mode, params["sigma"], cval)
    else:
        size = sizes(params["radius"])
        level = filters.threshold_local(data, size, "mean", params["offset"], mode, cval=cval)
    return data > level


def magnitude(data, mode, cval):
    return ndimage.generic_gradient_magnitude(data, ndimage.sobel, mode=mode, cval=cval)


# By operation: its function of data (f64 unless samples are exact), parameters, mode and constant; whether results are
# exact; cases of shape, parameters and dtypes.
def run_on(function, *names):
    """A function of scipy with parameters of the operation in their order."""
    return lambda data, p, mode, cval: function(data, *[p[name] for name in names], mode=mode, cval=cval)


GAUSSIAN = lambda data, p, mode, cval: ndimage.gaussian_filter(
    data, p["sigma"], p.get("order", 0), mode=mode, cval=cval, truncate=p.get("truncate", 4.0))
BOX = lambda function: lambda data, p, mode, cval: function(data, size=sizes(p["radius"]), mode=mode, cval=cval)
DERIVED = {"fill": 0}
RADII = [(IMAGE, {"radius": [1, 2]}, ["uint8"]), (IMAGE, {"radius": [2, 0]}, ["float64"]),
         (STACK, {"radius": [0, 1, 1]}, ["int16"]), (STACK, {"radius": [1, 2, 1]}, ["float32"]),
         (LINE, {"radius": [3]}, ["int32"])]
FLAT = [case for case in RADII if not any(case[1]["radius"][:-2])]

OPERATIONS = {
    "localMinimum": (BOX(ndimage.minimum_filter), True, {}, RADII),
    "localMaximum": (BOX(ndimage.maximum_filter), True, {}, RADII),
    "morphologicalGradient": (BOX(ndimage.morphological_gradient), True, {}, RADII[:1] + RADII[3:4]),
    "boxMean": (BOX(ndimage.uniform_filter), False, {}, FLAT),
    "gaussian": (GAUSSIAN, False, {}, [(IMAGE, {"sigma": [1, 0.7]}, ["uint8"]),
                                       (STACK, {"sigma": 0.6, "truncate": 3}, ["float32"])]),
    "gaussian ": (GAUSSIAN, False, DERIVED, [(IMAGE, {"sigma": 0.8, "order": [1, 2]}, ["int16"])]),
    "laplacianOfGaussian": (run_on(ndimage.gaussian_laplace, "sigma"), False, DERIVED,
                            [(IMAGE, {"sigma": 0.8}, ["uint8"])]),
    "gaussianGradient": (run_on(ndimage.gaussian_gradient_magnitude, "sigma"), False, DERIVED,
                         [(IMAGE, {"sigma": 0.8}, ["int32"])]),
    "sobel": (run_on(ndimage.sobel, "axis"), True, DERIVED, [(IMAGE, {"axis": 0}, ["uint8"]),
                                                             (STACK, {"axis": -1}, ["int16"])]),
    "sobel ": (lambda data, _, mode, cval: magnitude(data, mode, cval), False, DERIVED, [(IMAGE, {}, ["float64"])]),
    "prewitt": (run_on(ndimage.prewitt, "axis"), True, DERIVED, [(IMAGE, {"axis": 1}, ["int32"])]),
    "scharr": (lambda data, _, mode, cval: filters.scharr(data, mode=mode, cval=cval) * 16 * 2 ** 0.5, False, DERIVED,
               [(IMAGE, {}, ["uint8"])]),
    "laplacian": (lambda data, _, mode, cval: ndimage.laplace(data, mode=mode, cval=cval), True, DERIVED,
                  [(IMAGE, {}, ["uint8"])]),
    "unsharp": (lambda data, p, mode, cval: data + p["amount"] * (data - GAUSSIAN(data, p, mode, cval)), False, {},
                [(IMAGE, {"sigma": 1, "amount": 1.5}, ["uint8"])]),
    "median": (BOX(ndimage.median_filter), True, {},
               [(IMAGE, {"radius": [1, 1]}, ["uint8"]), (IMAGE, {"radius": [2, 2]}, ["int16", "float32"]),
                (STACK, {"radius": [1, 1, 1]}, ["float64"]), (STACK, {"radius": [0, 2, 2]}, ["int32"])]),
    "percentile": (lambda data, p, mode, cval: ndimage.percentile_filter(
        data, p["percent"], footprint=np.array(p["footprint"]), mode=mode, cval=cval), True, {},
                   [(IMAGE, {"percent": 30, "footprint": CROSS}, ["uint8"]),
                    (IMAGE, {"percent": 100, "footprint": CROSS}, ["float32"])]),
    "localVariance": (lambda data, p, mode, cval: variance(data, p["radius"], mode, cval), False, {},
                      [(IMAGE, {"radius": [1, 2]}, ["uint8"])]),
    "localDeviation": (lambda data, p, mode, cval: variance(data, p["radius"], mode, cval) ** 0.5, False, {},
                       [(IMAGE, {"radius": [1, 1]}, ["float32"])]),
    "localThreshold": (threshold, True, {}, [(IMAGE, {"radius": [1, 2], "offset": 10.3}, ["uint8"]),
                                             (IMAGE, {"sigma": 1.2, "offset": -3.3}, ["float32"])]),
    "correlate": (lambda data, p, mode, cval: ndimage.correlate(data, np.array(p["weights"]), mode=mode, cval=cval), True,
                  {}, [(IMAGE, {"weights": SLOPE}, ["uint8"]), (IMAGE, {"weights": PRODUCT}, ["int16"])]),
    "convolve": (lambda data, p, mode, cval: ndimage.convolve(data, np.array(p["weights"]), mode=mode, cval=cval), True,
                 {}, [(IMAGE, {"weights": SLOPE}, ["int32"])]),
}
SAME_TYPE = ["localMinimum", "localMaximum", "morphologicalGradient", "median", "percentile"]


def row(name, border, shape, params, dtype, fill):
    run, exact, _, _ = OPERATIONS[name]
    data = samples(shape, dtype)
    data = data if name.strip() in SAME_TYPE else data.astype("float64")
    result = run(data, params, MODES[border], fill)
    values = " ".join(f"{value + 0.0:.9g}" for value in result.ravel().astype("float64"))
    return {"operation": name.strip(), "exact": exact, "params": json.dumps(params), "shape": " × ".join(map(str, shape)),
            "dtype": dtype, "border": border, "fill": fill, "values": values}


def main():
    rows = [row(name, border, shape, params, dtype, options.get("fill", 7))
            for name, (_, _, options, cases) in OPERATIONS.items() for shape, params, dtypes in cases
            for dtype in dtypes for border in MODES]
    pathlib.Path(__file__).with_name("scipy.json").write_text(json.dumps(rows, indent=2) + "\n")


main()
