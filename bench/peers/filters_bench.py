"""Times filters of SciPy, OpenCV, libvips and dask-image over one tiled TIFF, reading included, and compares each result
with one that was computed before.

python filters_bench.py --image image.tif --results FOLDER --filters gaussian,median,sobel --repeats 3

FOLDER has a .npy for each filter. Packages, each skipped with a note where it is missing: tifffile and numpy, and of
scipy, opencv-python-headless, pyvips-binary with pyvips, dask-image what shall be measured.
"""

import argparse
import json
import time

import numpy as np
import tifffile

SIGMA, RADIUS = 2.0, 2


def scipy_filters():
    from scipy import ndimage

    def sobel(image):
        wide = image.astype(np.float32)
        return np.hypot(ndimage.sobel(wide, 0), ndimage.sobel(wide, 1))

    return {
        "gaussian": lambda image: ndimage.gaussian_filter(image.astype(np.float32), SIGMA),
        "median": lambda image: ndimage.median_filter(image, size=2 * RADIUS + 1),
        "sobel": sobel,
    }, tifffile.imread


def opencv_filters():
    import cv2

    border, side = cv2.BORDER_REFLECT, 2 * int(4 * SIGMA + 0.5) + 1

    def sobel(image):
        wide = image.astype(np.float32)
        return cv2.magnitude(*(cv2.Sobel(wide, cv2.CV_32F, *d, borderType=border) for d in ((0, 1), (1, 0))))

    return {
        "gaussian": lambda image: cv2.GaussianBlur(image.astype(np.float32), (side, side), SIGMA, borderType=border),
        "median": lambda image: cv2.medianBlur(image, 2 * RADIUS + 1),
        "sobel": sobel,
    }, lambda path: cv2.imread(path, cv2.IMREAD_UNCHANGED)


def vips_filters():
    import pyvips

    return {
        "gaussian": lambda image: image.cast("float").gaussblur(SIGMA, min_ampl=0.0005, precision="float").numpy(),
        "median": lambda image: image.median(2 * RADIUS + 1).numpy(),
        "sobel": lambda image: image.cast("float").sobel().numpy(),
    }, lambda path: pyvips.Image.new_from_file(path, access="sequential")


def dask_filters():
    import dask.array as da
    from dask_image import ndfilters

    def sobel(image):
        wide = image.astype(np.float32)
        return da.sqrt(ndfilters.sobel(wide, 0) ** 2 + ndfilters.sobel(wide, 1) ** 2).compute()

    return {
        "gaussian": lambda image: ndfilters.gaussian_filter(image.astype(np.float32), SIGMA).compute(),
        "median": lambda image: ndfilters.median_filter(image, size=2 * RADIUS + 1).compute(),
        "sobel": sobel,
    }, lambda path: da.from_array(tifffile.imread(path), chunks=(1024, 1024))


PEERS = {"SciPy": scipy_filters, "OpenCV": opencv_filters, "libvips": vips_filters, "dask-image": dask_filters}


def difference(found, expected):
    """The greatest difference away from the border, less one constant factor, per greatest value."""
    inner = (slice(16, -16),) * 2
    a, b = found[inner].astype(np.float64), expected[inner].astype(np.float64)
    factor = float((a * b).sum() / max((a * a).sum(), 1e-300))
    return float(np.abs(a * factor - b).max() / max(np.abs(b).max(), 1e-300)), factor


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--image", required=True)
    parser.add_argument("--results", required=True)
    parser.add_argument("--filters", default="gaussian,median,sobel")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    for peer, make in PEERS.items():
        try:
            filters, read = make()
        except ImportError as error:
            print(json.dumps({"peer": peer, "note": f"skipped: {error}"}), flush=True)
            continue
        for name in options.filters.split(","):
            row = {"peer": peer, "filter": name}
            try:
                result = filters[name](read(options.image))
                row["difference"], row["factor"] = difference(np.asarray(result), np.load(f"{options.results}/{name}.npy"))
                times = []
                for _ in range(options.repeats):
                    start = time.perf_counter()
                    filters[name](read(options.image))
                    times.append(time.perf_counter() - start)
                row["seconds"] = min(times)
            except Exception as error:  # a peer without this filter for these samples
                row["note"] = f"skipped: {error}".splitlines()[0]
            print(json.dumps(row), flush=True)


main()
