"""Values of scikit-image and scikit-learn for the tests of clustering.

Run: python tests/oracles/clustering.py
Writes tests/udf/cluster/golden.json, with the versions in it.
"""

import json
from pathlib import Path

import numpy as np
import skimage
import sklearn
from skimage.feature import peak_local_max
from sklearn.cluster import AgglomerativeClustering
from sklearn.feature_extraction.image import grid_to_graph


def noise(n, modulus):
    """The integers of the tests: (7 k^2 + 3 k) mod a prime."""
    k = np.arange(n, dtype=np.int64)
    return (7 * k * k + 3 * k) % modulus


def in_order(labels):
    """Labels from 1, numbered as they first appear."""
    seen = {}
    return [seen.setdefault(label, len(seen) + 1) for label in np.ravel(labels).tolist()]


def ward(features, shape, n):
    model = AgglomerativeClustering(n_clusters=n, linkage="ward", connectivity=grid_to_graph(*shape))
    return in_order(model.fit(features.reshape(-1, features.shape[-1])).labels_)


def maxima():
    cases = [
        dict(shape=(7, 9), modulus=31, options={}),
        dict(shape=(12, 10), modulus=11, options=dict(min_distance=2)),
        dict(shape=(12, 10), modulus=11, options=dict(min_distance=2, exclude_border=False)),
        dict(shape=(20, 20), modulus=997, options=dict(min_distance=3, num_peaks=5, exclude_border=1)),
        dict(shape=(20, 20), modulus=7, options=dict(min_distance=2, threshold_abs=5)),
        dict(shape=(6, 7, 8), modulus=101, options=dict(min_distance=1, num_peaks=9)),
    ]
    for case in cases:
        image = noise(np.prod(case["shape"]), case["modulus"]).reshape(case["shape"])
        case["peaks"] = peak_local_max(image, **case["options"]).tolist()
    return cases


def wards():
    cases = [
        dict(shape=(5, 6), width=1, modulus=31, n=4),
        dict(shape=(5, 6), width=3, modulus=3, n=5),
        dict(shape=(8, 8), width=2, modulus=97, n=1),
        dict(shape=(8, 8), width=2, modulus=97, n=64),
        dict(shape=(1, 20), width=2, modulus=13, n=6),
        dict(shape=(13, 11), width=4, modulus=5, n=7),
    ]
    for case in cases:
        shape, width = case["shape"], case["width"]
        features = noise(np.prod(shape) * width, case["modulus"]).astype(float).reshape(*shape, width)
        case["labels"] = ward(features, shape, case["n"])
    return cases


NAV, SIG = (9, 11), (16, 18)
SPOTS = [[(4, 5), (10, 12)], [(5, 11), (11, 4)], [(3, 9), (12, 9)]]


def scan():
    """Three grains with two bright spots each on noise."""
    frames = 20 + noise(np.prod(NAV) * np.prod(SIG), 31).reshape(*NAV, *SIG)
    for y in range(NAV[0]):
        for x in range(NAV[1]):
            grain = 0 if y + x < 7 else 1 if x > y else 2
            for spot in SPOTS[grain]:
                frames[(y, x, *spot)] += 60 + 5 * grain
    return frames


def pipeline(roi, ring, count, distance, n):
    data = scan().astype(float)
    deviation = data[roi].std(axis=0)
    cy, cx, ri, ro = ring
    y, x = np.ogrid[: SIG[0], : SIG[1]]
    radius = (y - cy) ** 2 + (x - cx) ** 2
    masked = deviation * ((radius > ri**2) & (radius <= ro**2))
    peaks = peak_local_max(masked, num_peaks=count, min_distance=distance)
    values = data[:, :, peaks[:, 0], peaks[:, 1]]
    scale = np.abs(values).mean(axis=(0, 1))
    labels = ward(values / scale, NAV, n)
    return dict(pixels=peaks.tolist(), scale=scale.tolist(), labels=labels)


def main():
    left = np.zeros(NAV, bool)
    left[:, :8] = True
    golden = dict(
        versions=dict(skimage=skimage.__version__, sklearn=sklearn.__version__),
        maxima=maxima(),
        ward=wards(),
        whole=pipeline(np.ones(NAV, bool), (8, 9, 2, 8), 6, 2, 3),
        left=pipeline(left, (8, 9, 0, 6), 4, 1, 5),
    )
    target = Path(__file__).parent.parent / "udf" / "cluster" / "golden.json"
    target.write_text(json.dumps(golden) + "\n")


main()
