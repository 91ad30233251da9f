"""Times one filter of SciPy, OpenCV, libvips or dask-image over a tiled TIFF, from the file to a result in memory or on
disk, after comparing its result with one that was computed before.

python filters_bench.py '{"peer": "SciPy", "filter": "median 5 × 5", "to": "npy", "image": "image.tif",
                          "result": "out", "expected": "ours.npy", "repeats": 3, "patience": 5}'

`to` is one of: memory, npy, npy synced, tiff. Packages: numpy and tifffile, and of scipy, opencv-python-headless,
pyvips-binary with pyvips, dask-image what shall be measured. Prints JSON: seconds per run, the largest memory of the
process in MiB, the version, how results differ. Runs that take longer than `patience` are not repeated.
"""

import importlib.metadata
import json
import os
import re
import sys
import time

import numpy as np
import tifffile

SIGMA, RADIUS = 2.0, 2
U16, F32, MEDIAN, SOBEL = ("gaussian σ 2 to uint16", "gaussian σ 2 to float32", "median 5 × 5",
                           "sobel magnitude to float32")
PACKAGES = {"SciPy": "scipy", "OpenCV": "opencv-python-headless", "libvips": "pyvips-binary", "dask-image": "dask-image"}


def wide(image):
    return image.astype(np.float32)


def scipy_filters():
    from scipy import ndimage

    return {
        U16: lambda image: ndimage.gaussian_filter(image, SIGMA),
        F32: lambda image: ndimage.gaussian_filter(wide(image), SIGMA),
        MEDIAN: lambda image: ndimage.median_filter(image, size=2 * RADIUS + 1),
        SOBEL: lambda image: np.hypot(ndimage.sobel(wide(image), 0), ndimage.sobel(wide(image), 1)),
    }, tifffile.imread


def opencv_filters():
    import cv2

    border, side = cv2.BORDER_REFLECT, 2 * int(4 * SIGMA + 0.5) + 1

    def sobel(image):
        return cv2.magnitude(*(cv2.Sobel(image, cv2.CV_32F, *d, borderType=border) for d in ((0, 1), (1, 0))))

    return {
        U16: lambda image: cv2.GaussianBlur(image, (side, side), SIGMA, borderType=border),
        F32: lambda image: cv2.GaussianBlur(wide(image), (side, side), SIGMA, borderType=border),
        MEDIAN: lambda image: cv2.medianBlur(image, 2 * RADIUS + 1),
        SOBEL: sobel,
    }, lambda path: cv2.imread(path, cv2.IMREAD_UNCHANGED)


def vips_filters():
    import pyvips

    return {
        U16: lambda image: image.gaussblur(SIGMA, min_ampl=0.0005, precision="integer"),
        F32: lambda image: image.cast("float").gaussblur(SIGMA, min_ampl=0.0005, precision="float"),
        MEDIAN: lambda image: image.median(2 * RADIUS + 1),
        SOBEL: lambda image: image.cast("float").sobel(),
    }, lambda path: pyvips.Image.new_from_file(path, access="sequential")


def dask_filters():
    import dask.array as da
    from dask_image import ndfilters

    def sobel(image):
        return da.sqrt(ndfilters.sobel(wide(image), 0) ** 2 + ndfilters.sobel(wide(image), 1) ** 2)

    return {
        U16: lambda image: ndfilters.gaussian_filter(image, SIGMA),
        F32: lambda image: ndfilters.gaussian_filter(wide(image), SIGMA),
        MEDIAN: lambda image: ndfilters.median_filter(image, size=2 * RADIUS + 1),
        SOBEL: sobel,
    }, lambda path: da.from_array(tifffile.imread(path), chunks=(1024, 1024))


PEERS = {"SciPy": scipy_filters, "OpenCV": opencv_filters, "libvips": vips_filters, "dask-image": dask_filters}


def in_memory(found):
    """The samples of what a peer returns."""
    if hasattr(found, "compute"):
        return found.compute()
    return found.numpy() if hasattr(found, "tiffsave") else found


def put(found, to, path):
    """Keeps or writes a result."""
    if to == "tiff" and hasattr(found, "tiffsave"):
        return found.tiffsave(path + ".tif", tile=True, tile_width=256, tile_height=256)
    found = in_memory(found)
    if to == "tiff":
        tifffile.imwrite(path + ".tif", found, tile=(256, 256))
    elif to != "memory":
        with open(path + ".npy", "wb") as file:
            np.save(file, found)
            if to == "npy synced":
                file.flush()
                os.fsync(file.fileno())
    return found


def remove(path):
    """Removes the results at `path`: ext4 writes files at once that take the place of others."""
    for ending in (".npy", ".tif"):
        if os.path.exists(path + ending):
            os.remove(path + ending)


def compared(peer, filter, found, expected):
    """How results differ away from the border, and whether that is as it should be."""
    inner = (slice(16, -16),) * 2
    most, greatest = 0.0, max(float(np.abs(expected[inner]).max()), 1e-300)
    for rows in range(16, found.shape[0] - 16, 512):  # in strips, as memory is measured
        part = (slice(rows, min(rows + 512, found.shape[0] - 16)), inner[1])
        most = max(most, float(np.abs(found[part].astype(np.float64) - expected[part].astype(np.float64)).max()))
    if filter == MEDIAN:
        return ("equal" if most == 0 else f"differ by {most:g}"), most == 0
    if filter == U16:  # libvips has another mask; SciPy cuts digits off after each dimension
        return f"differ by up to {most:g} of {greatest:g}", most <= {"libvips": 20, "OpenCV": 1}.get(peer, 2)
    if peer == "libvips":  # another mask; its sobel is scaled and cut
        return f"another definition: {most / greatest:.1e}", True
    return f"{most / greatest:.1e}", most / greatest < 1e-5


def peak():
    with open("/proc/self/status") as file:
        return int(re.search(r"VmHWM:\s+(\d+)", file.read())[1]) / 1024


def main():
    told = json.loads(sys.argv[1])
    peer, name, to, path = told["peer"], told["filter"], told["to"], told["result"]
    filters, read = PEERS[peer]()
    run = lambda to: put(filters[name](read(told["image"])), to, path)
    start = time.perf_counter()
    first = run(to)
    seconds, memory = [time.perf_counter() - start], peak()
    samples = run("memory") if first is None else first
    results, right = compared(peer, name, samples, np.load(told["expected"], mmap_mode="r"))
    del first, samples
    if seconds[0] <= told["patience"]:
        seconds = []
        for _ in range(told["repeats"]):
            remove(path)
            start = time.perf_counter()
            run(to)
            seconds.append(time.perf_counter() - start)
    version = importlib.metadata.version(PACKAGES[peer])
    print(json.dumps({"seconds": seconds, "peakMiB": memory, "version": version, "results": results, "isRight": right}))


main()
