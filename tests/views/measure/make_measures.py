"""Makes measures.json: labels, measurements, histograms and thresholds of random arrays by other libraries.

Needs numpy, scipy and scikit-image from PyPI. Run it, and then `deno fmt`.
"""

import json
import pathlib

import numpy as np
from scipy import ndimage
from skimage import filters

SHAPES = [[40], [1, 9], [9, 1], [13, 17], [20, 8], [5, 6, 7], [1, 8, 9], [3, 4, 3, 4]]
DTYPES = ["uint8", "int16", "float32", "uint16", "float64", "int32"]


def image(random, shape, dtype):
    """Whole numbers from 0 to 99, of floats with a half."""
    numbers = random.integers(0, 100, shape)
    return (numbers + 0.5 if dtype.startswith("float") else numbers).astype(dtype)


def text(values):
    return " ".join(f"{value:.9g}" for value in np.ravel(values).astype("float64"))


def labels(random):
    rows = []
    for n, shape in enumerate(SHAPES):
        for connectivity in range(1, len(shape) + 1):
            for above in (30, 55, 80):
                dtype = DTYPES[(n + connectivity + above) % len(DTYPES)]
                data = image(random, shape, dtype)
                structure = ndimage.generate_binary_structure(len(shape), connectivity)
                found, count = ndimage.label(data > above, structure=structure)
                rows.append({"shape": shape, "dtype": dtype, "connectivity": connectivity, "above": above,
                             "samples": text(data), "count": count, "labels": text(found)})
    return rows


def measures(random):
    rows = []
    for shape in ([11, 13], [4, 5, 6], [30]):
        data = random.integers(-50, 200, shape)
        found, count = ndimage.label(random.integers(0, 100, shape) > 40)
        index = np.arange(1, count + 1)
        boxes = ndimage.find_objects(found)
        rows.append({
            "shape": shape, "labels": text(found), "samples": text(data),
            "area": text(ndimage.sum_labels(np.ones(shape), found, index)),
            "centroid": text(ndimage.center_of_mass(np.ones(shape), found, index)),
            "origin": text([[part.start for part in box] for box in boxes]),
            "size": text([[part.stop - part.start for part in box] for box in boxes]),
            "mean": text(ndimage.mean(data, found, index)),
            "min": text(ndimage.minimum(data, found, index)),
            "max": text(ndimage.maximum(data, found, index)),
        })
    return rows


def histograms(random):
    rows = []
    for dtype in DTYPES:
        data = random.normal(100, 20, [12, 15])
        data[:4] += 80
        data = np.round(data, 3 if dtype.startswith("float") else 0).astype(dtype)
        stored = text(data)
        data = data.astype("float64") if dtype == "float32" else data  # or edges would be float32
        counts, edges = np.histogram(data, bins=16)
        inner, _ = np.histogram(data, bins=7, range=(90, 160))
        method = "inverted_cdf" if dtype.startswith("float") else "linear"
        quantiles = np.percentile(data, [0, 1, 25, 50, 90, 99.5, 100], method=method)
        rows.append({"dtype": dtype, "shape": [12, 15], "samples": stored, "counts": text(counts),
                     "edges": text(edges), "inner": text(inner), "otsu": float(filters.threshold_otsu(data)),
                     "percentiles": text(quantiles)})
    return rows


def wide(random):
    """Whole numbers too far apart to be counted one by one."""
    data = random.normal(100, 20, [12, 15])
    data[:4] += 80
    data = (data * 1e6).astype("int32")
    counts, edges = np.histogram(data.astype("float64"), bins=256)
    otsu = filters.threshold_otsu(data.astype("float64"))
    return {"shape": [12, 15], "samples": " ".join(map(str, data.ravel())), "counts": text(counts),
            "edges": text(edges), "otsu": float(otsu)}


def main():
    random = np.random.default_rng(20261122)
    made = {"labels": labels(random), "measures": measures(random), "histograms": histograms(random),
            "wide": wide(random)}
    pathlib.Path(__file__).with_name("measures.json").write_text(json.dumps(made, indent=2) + "\n")


main()
