"""Makes weights.json: dirty images and beams with weights of all kinds, for `tests/rime/image/weights_test.ts`.

    python tests/data/imaging/make_weights.py

Needs numpy and scipy. Images are sums over all samples in numpy.longdouble. Weights follow WSClean (imageweights.cpp) and CASA:
cells of 1 / (pixels * cell) wavelengths, the nearest counts, a baseline and its mirror image share one; uniform: w / W;
Briggs: w / (1 + W f^2), f^2 = (5 * 10^-R)^2 / (sum W^2 / sum W). Beams: a Gaussian of height 1 in the middle, by
scipy.optimize.least_squares, over the samples from 0.35 on that hang together with the middle (as CASA does).
"""

import json
import os

import numpy as np
from scipy import ndimage
from scipy.optimize import least_squares

C = 299792458.0
rng = np.random.default_rng(20261128)
nx, ny, nrow = 40, 36, 60
frequency = np.array([1.0e9, 1.05e9])
cell = [-0.0011, 0.0009]
# an ellipse of baselines, dense in the middle, turned by 30 degrees
r = rng.random(nrow) ** 2 * 40 + 4
a = rng.random(nrow) * 2 * np.pi
x, y = 1.4 * r * np.cos(a), 0.7 * r * np.sin(a)
t = np.pi / 6
uvw = np.round(np.stack([x * np.cos(t) - y * np.sin(t), x * np.sin(t) + y * np.cos(t), rng.standard_normal(nrow) * 5], 1), 3)
weights = np.round(rng.random((nrow, 2)) * 2, 3)
weights[rng.random((nrow, 2)) < 0.1] = 0
visibilities = np.round(rng.standard_normal((nrow, 2, 2)), 3)


def density(pixels):
    cells = {}
    keys = []
    for row in range(nrow):
        for channel in range(2):
            u, v = uvw[row, :2] * frequency[channel] / C
            i, j = round(u * cell[0] * pixels[0]), round(v * cell[1] * pixels[1])
            if j < 0 or (j == 0 and i < 0):
                i, j = -i, -j
            keys.append((i % pixels[0], j % pixels[1]))
            cells[keys[-1]] = cells.get(keys[-1], 0) + weights[row, channel]
    per_cell = np.array(list(cells.values()))
    return np.array([cells[key] for key in keys]).reshape(nrow, 2), per_cell


def weighed(weighting):
    if weighting == "natural":
        return weights
    W, per_cell = density([nx, ny])
    if weighting == "uniform":
        return np.where(weights > 0, weights / np.where(W > 0, W, 1), 0)
    f2 = (5 * 10 ** -weighting["briggs"]) ** 2 / ((per_cell**2).sum() / per_cell.sum())
    return weights / (1 + W * f2)


def image(values, w, pixels):
    l = (np.arange(pixels[0]) - pixels[0] // 2).astype(np.longdouble) * cell[0]
    m = (np.arange(pixels[1]) - pixels[1] // 2).astype(np.longdouble) * cell[1]
    n1 = np.sqrt(1 - l[None, :] ** 2 - m[:, None] ** 2) - 1
    out = np.zeros((pixels[1], pixels[0]), np.longdouble)
    for row in range(nrow):
        u, v, z = uvw[row].astype(np.longdouble)
        turns = u * l[None, :] + v * m[:, None] + z * n1
        for channel in range(2):
            phase = 2 * np.pi * turns * (frequency[channel] / np.longdouble(C))
            value = values[row, channel]
            out += w[row, channel] * (value.real * np.cos(phase) - value.imag * np.sin(phase))
    return out / w.sum()


def beam(psf, pixels):
    middle = (pixels[1] // 2, pixels[0] // 2)
    lobes, _ = ndimage.label(psf >= 0.35)
    rows, columns = np.nonzero(lobes == lobes[middle])
    l, m = (columns - middle[1]) * cell[0], (rows - middle[0]) * cell[1]
    values = psf[rows, columns].astype(float)

    def model(p):
        along, across = l * np.sin(p[2]) + m * np.cos(p[2]), l * np.cos(p[2]) - m * np.sin(p[2])
        return np.exp(-4 * np.log(2) * ((along / p[0]) ** 2 + (across / p[1]) ** 2)) - values

    best = min(
        (least_squares(model, [0.006, 0.004, start], xtol=1e-15, ftol=1e-15, gtol=1e-15, x_scale=[1e-3, 1e-3, 1]) for start in (-1, 0, 1)),
        key=lambda fit: fit.cost,
    )
    major, minor, angle = best.x
    if major < minor:
        major, minor, angle = minor, major, angle + np.pi / 2
    angle = (angle + np.pi / 2) % np.pi - np.pi / 2
    return [float(major), float(minor), float(angle)]


cases = []
for weighting in ["natural", "uniform", *({"briggs": r} for r in (-2, -0.5, 0, 0.7, 2))]:
    w = weighed(weighting)
    values = visibilities[..., 0] + 1j * visibilities[..., 1]
    dirty = image(values, w, [nx, ny])
    psf = image(np.ones((nrow, 2)), w, [64, 64])
    cases.append(
        {
            "weighting": weighting,
            "sumOfWeights": float(w.sum()),
            "row": [float(x) for x in dirty[11]],
            "column": [float(x) for x in dirty[:, 7]],
            "beam": beam(psf, [64, 64]),
        }
    )
expected = {
    "grid": {"pixels": [nx, ny], "cell": cell},
    "uvw": uvw.ravel().tolist(),
    "frequency": frequency.tolist(),
    "visibilities": visibilities.ravel().tolist(),
    "weights": weights.ravel().tolist(),
    "cases": cases,
}
path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "weights.json")
with open(path, "w") as file:
    json.dump(expected, file, indent=None, separators=(",", ":"))
    file.write("\n")
