"""Times labels, histograms and thresholds of an image by SciPy, OpenCV, NumPy and scikit-image.

Needs numpy, scipy, opencv-python-headless and scikit-image from PyPI.
    python label_bench.py image.npy threshold repeats
prints one JSON object: per work its runs in seconds, and the number of components.
"""

import json
import sys
import time

import cv2
import numpy as np
from scipy import ndimage
from skimage import filters


def runs(work, repeats):
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        result = work()
        seconds.append(time.perf_counter() - start)
    return seconds, result


def main():
    path, above, repeats = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    image = np.load(path)
    works = {
        "label, SciPy": lambda: ndimage.label(image > above)[1],
        "label, SciPy, with reading": lambda: ndimage.label(np.load(path) > above)[1],
        "label, OpenCV": lambda: cv2.connectedComponents((image > above).astype(np.uint8), connectivity=4)[0] - 1,
        "histogram, NumPy": lambda: int(np.bincount(image.ravel(), minlength=65536).argmax()),
        "otsu, scikit-image": lambda: int(filters.threshold_otsu(image)),
    }
    found = {}
    for name, work in works.items():
        seconds, result = runs(work, repeats)
        found[name] = {"seconds": seconds, "result": result}
    print(json.dumps(found))


main()
