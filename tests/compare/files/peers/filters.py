"""Random arrays in files, and what scipy.ndimage gives for a filter of them."""

import os

import numpy as np
from scipy import ndimage

from values import told
from views import MODES, stored

NAMES = {"edge": "nearest", "wrap": "wrap", "symmetric": "reflect", "reflect": "mirror", "constant": "constant"}
DTYPES = ["u1", "i1", "u2", "i2", "u4", "i4", "f4", "f8"]


def sizes(radius):
    return [2 * r + 1 for r in radius]


def radii(rng, rank, most):
    return [rng.randint(0, most) for _ in range(rank)]


def window(rng, data, mode, fill):
    """A filter that gives samples, or means of them, of a window."""
    name = rng.choice(["localMinimum", "localMaximum", "median", "percentile", "morphologicalGradient", "opening", "closing"])
    radius = radii(rng, data.ndim, 3 if name in ("localMinimum", "localMaximum") else 2)
    how = {"mode": NAMES[mode], "cval": fill}
    if name == "percentile":
        percent = rng.choice([0, 20, 50, 75, 99, 100])
        footprint = np.array([rng.randrange(2) for _ in range(int(np.prod(sizes(radius))))]).reshape(sizes(radius))
        footprint[tuple(radius)] = 1
        # SciPy 1.17 has a program of its own for ranks in one dimension, which is wrong for int32 of both signs
        result = ndimage.percentile_filter(data[None], percent, footprint=footprint[None], **how)[0]
        return name, {"percent": percent, "footprint": footprint.tolist()}, result, True
    run = {"localMinimum": ndimage.minimum_filter, "localMaximum": ndimage.maximum_filter, "median": ndimage.median_filter,
           "morphologicalGradient": ndimage.morphological_gradient, "opening": ndimage.grey_opening, "closing": ndimage.grey_closing}[name]
    return name, {"radius": radius}, run(data[None], size=[1, *sizes(radius)], **how)[0], True


def weighted(rng, data, mode, fill):
    """A filter that adds up samples with weights; in float64 on this side. SciPy continues each of its passes with the
    constant, ours continues the array: they agree where the constant is 0, or where weights add up to 1."""
    wide, how = data.astype("f8"), {"mode": NAMES[mode], "cval": fill}
    name = rng.choice(["gaussian", "gaussian", "boxMean", "sobel", "prewitt", "laplacian", "correlate", "convolve", "laplacianOfGaussian", "gaussianGradient"])
    if name == "boxMean":
        radius = [0] * max(0, data.ndim - 2) + radii(rng, min(2, data.ndim), 5)
        return name, {"radius": radius}, ndimage.uniform_filter(wide, sizes(radius), **how), False
    if name in ("sobel", "prewitt"):
        axis = rng.randrange(data.ndim)
        return name, {"axis": axis}, getattr(ndimage, name)(wide, axis, **how), True
    if name == "laplacian":
        return name, {}, ndimage.laplace(wide, **how), True
    if name in ("correlate", "convolve"):
        size = [rng.choice([1, 3, 5]) for _ in range(data.ndim)]
        weights = np.array([rng.randint(-4, 4) for _ in range(int(np.prod(size)))]).reshape(size)
        return name, {"weights": weights.tolist()}, getattr(ndimage, name)(wide, weights, **how), True
    sigma = [rng.choice([0, 0.5, 0.8, 1.3, 2]) for _ in range(data.ndim)]
    if name == "gaussian":
        order = [rng.choice([0, 0, 0, 1, 2]) if s > 0 else 0 for s in sigma] if rng.random() < 0.3 else 0
        return name, {"sigma": sigma, "order": order}, ndimage.gaussian_filter(wide, sigma, order, **how), False
    one = rng.choice([0.6, 1, 1.7])
    run = {"laplacianOfGaussian": ndimage.gaussian_laplace, "gaussianGradient": ndimage.gaussian_gradient_magnitude}[name]
    return name, {"sigma": one}, run(wide, one, **how), False


def labels(rng, data):
    """Connected components of what is greater than a sample of the array."""
    threshold = float(rng.choice(data.ravel().tolist()))
    connectivity = rng.randint(1, data.ndim)
    result = ndimage.label(data.astype("f8") > threshold, ndimage.generate_binary_structure(data.ndim, connectivity))[0]
    return "labels", {"threshold": threshold, "connectivity": connectivity}, result.astype("u4"), True


def make(rng, folder, index):
    rank = rng.choice([1, 2, 2, 2, 3])
    most = {1: 200, 2: 50, 3: 12}[rank]
    shape = [rng.randint(1, most) for _ in range(rank)]
    dtype = rng.choice(DTYPES)
    path = os.path.join(folder, str(index))
    while True:
        data, file = stored(rng, path, shape, dtype)
        if np.dtype(dtype).kind != "f" or (np.isfinite(data).all() and np.abs(data[data != 0]).min(initial=1) > 1e-30):
            break
    mode = rng.choice(MODES)
    fill = rng.choice([0, 7])
    kind = rng.choice([window, weighted, weighted, labels])
    fill = 0 if kind is weighted else fill
    name, params, result, exact = labels(rng, data) if kind is labels else kind(rng, data, mode, fill)
    tile = [rng.randint(1, n + 1) for n in shape]
    tile = [max(t, -(-n // 12)) for t, n in zip(tile, shape)]  # not thousands of tiles
    np.save(path + ".expected.npy", result)
    return {"writer": name, "file": file, "arrays": [], "tile": tile, "border": mode, "fill": fill, "params": params, "exact": bool(exact),
            "expected": path + ".expected.npy", "spec": {"dtype": dtype, "shape": shape}}
