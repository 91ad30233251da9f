"""Times labels, measurements, histograms and thresholds of tiled TIFF images by SciPy, OpenCV, dask-image, NumPy and
scikit-image, reading included unless a name says otherwise, and compares them with results that were computed before.

Needs numpy, tifffile, scipy, opencv-python-headless, dask-image and scikit-image from PyPI; those that are missing are
left out with a note.
    python label_bench.py FOLDER REPEATS blobs=16000 texture=32767
FOLDER has, for each image, NAME.tif and NAME.npy, its labels; after `=` stands the threshold. It prints one JSON object
per line: work, peer, seconds of its runs, and what is wrong with its result, or null.
"""

import json
import multiprocessing
import sys
import time

import numpy as np
import tifffile

FORK = multiprocessing.get_context("fork")
"""Seconds that a peer may take for one work."""
PATIENCE = 60


def scipy_label(path, above):
    from scipy import ndimage

    labels, count = ndimage.label(tifffile.imread(path) > above)
    return labels, count


def opencv_label(path, above):
    import cv2

    mask = (cv2.imread(path, cv2.IMREAD_UNCHANGED) > above).astype(np.uint8)
    count, labels = cv2.connectedComponents(mask, connectivity=4)
    return labels, count - 1


def dask_label(path, above):
    import dask
    import dask.array as da
    from dask_image import ndmeasure

    mask = da.from_array(tifffile.imread(path) > above, chunks=(1024, 1024))
    labels, count = dask.compute(*ndmeasure.label(mask))
    return labels, int(count)


def scipy_measure(path, labels):
    from scipy import ndimage

    image, found = tifffile.imread(path), np.load(labels)
    index = np.arange(1, found.max() + 1)
    ones = np.ones(found.shape, np.uint8)
    ndimage.find_objects(found)
    ndimage.center_of_mass(ones, found, index)
    return ndimage.sum_labels(ones, found, index), ndimage.mean(image, found, index)


def skimage_measure(path, labels):
    from skimage import measure

    names = ("area", "centroid", "bbox", "intensity_mean")
    table = measure.regionprops_table(np.load(labels), tifffile.imread(path), properties=names)
    return table["area"], table["intensity_mean"]


def numpy_histogram(path):
    return np.bincount(tifffile.imread(path).ravel(), minlength=65536)


def skimage_otsu(path):
    from skimage import filters

    return int(filters.threshold_otsu(tifffile.imread(path)))


LABEL = {"SciPy": scipy_label, "OpenCV": opencv_label, "dask-image": dask_label}
MEASURE = {"SciPy": scipy_measure, "scikit-image": skimage_measure}


def saved(folder, labels, count):
    np.save(f"{folder}/peer.npy", labels)
    return labels, count


def other_labels(found, count, expected):
    """What is wrong, if the labels differ by more than their numbers."""
    if count != int(expected.max()):
        return f"{count} components, not {expected.max()}"
    names = np.zeros(count + 1, expected.dtype)
    names[np.ravel(found)] = np.ravel(expected)
    return None if np.array_equal(names[found], expected) else "other components"


def other_measures(found, expected):
    for name, a, b in zip(("area", "mean"), found, expected):
        if not np.allclose(a, b, rtol=1e-9):
            return f"another {name}"
    return None


def timed(what, peer, repeats, work, wrong):
    """Prints the row of a peer. A process of its own does the work, and is ended where it takes longer than a minute:
    some peers need many minutes for many labels."""
    rows, end = multiprocessing.Pipe(duplex=False)
    process = FORK.Process(target=lambda: end.send(seconds_of(repeats, work, wrong)))
    process.start()
    end.close()
    row = {"note": f"{what} takes longer than {PATIENCE} s"}
    if rows.poll(PATIENCE):
        row = rows.recv()
    else:
        process.kill()
    process.join()
    print(json.dumps({"work": what, "peer": peer, **row}), flush=True)


def seconds_of(repeats, work, wrong):
    """The seconds of all runs; the run that is checked is the only one where it takes longer than 5 s."""
    try:
        start = time.perf_counter()
        found = work()
        first = time.perf_counter() - start
        row = {"wrong": wrong(found), "seconds": [first]}
        if first < 5:
            row["seconds"] = [elapsed(work) for _ in range(repeats)]
        return row
    except ImportError as error:
        return {"note": str(error)}


def elapsed(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main():
    folder, repeats = sys.argv[1], int(sys.argv[2])
    for word in sys.argv[3:]:
        name, above = word.split("=")
        path, stored = f"{folder}/{name}.tif", f"{folder}/{name}.npy"
        labels = np.load(stored)
        wrong = lambda found: other_labels(*found, labels)
        for peer, work in LABEL.items():
            timed(f"label {name}, to memory", peer, repeats, lambda: work(path, float(above)), wrong)
            timed(f"label {name}, to .npy", peer, repeats, lambda: saved(folder, *work(path, float(above))), wrong)
        if name != "blobs":
            continue
        expected = [np.load(f"{folder}/{name}.{column}.npy") for column in ("area", "mean")]
        for peer, work in MEASURE.items():
            timed(f"measure {name}", peer, 1, lambda: work(path, stored), lambda found: other_measures(found, expected))
        counts = np.load(f"{folder}/{name}.counts.npy")
        equal = lambda found: None if np.array_equal(found, counts) else "other counts"
        timed("histogram", "NumPy", repeats, lambda: numpy_histogram(path), equal)
        level = np.load(f"{folder}/{name}.otsu.npy")[0]
        same = lambda found: None if found == level else f"{found}, not {level}"
        timed("otsu", "scikit-image", repeats, lambda: skimage_otsu(path), same)


main()
