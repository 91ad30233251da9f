"""Writes tiled TIFF files and Zarr arrays in several compressions, and times others who read them, on one core.

python bench/peers/decode_bench.py FOLDER REPEATS [SIDE]

Prints one JSON object per line: name, file, tiles (offset, bytes), filters as Tilewise calls them, and seconds by peer. Peers:
libtiff (C, by way of imagecodecs), tifffile with imagecodecs' codecs, zarr-python. Needs numpy, imagecodecs, tifffile, zarr.
"""

import json
import os
import sys
import time

os.environ["OMP_NUM_THREADS"] = "1"

import imagecodecs  # noqa: E402
import numpy as np  # noqa: E402
import tifffile  # noqa: E402

SIDE, TILE = int(sys.argv[3]) if len(sys.argv) > 3 else 2048, 256


def counts(dtype):
    """A smooth picture with noise, as cameras see it."""
    rng = np.random.default_rng(1)
    y, x = np.mgrid[:SIDE, :SIDE]
    picture = 2000 + 1500 * np.sin(x / 90) * np.cos(y / 70) + rng.normal(0, 20, (SIDE, SIDE))
    return picture.astype(dtype)


def labels():
    """Regions of the same value."""
    y, x = np.mgrid[:SIDE, :SIDE]
    return ((np.sin(x / 31) * np.cos(y / 23) > 0) * 7 + (x // 97 + y // 61) % 5).astype("u1")


def colours():
    y, x = np.mgrid[:SIDE, :SIDE]
    rng = np.random.default_rng(2)
    rgb = np.stack([127 + 90 * np.sin(x / 19), 127 + 90 * np.cos(y / 37), 127 + 60 * np.sin((x + y) / 51)], -1)
    return np.clip(rgb + rng.normal(0, 4, rgb.shape), 0, 255).astype("u1")


def timed(work, repeats):
    work()
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return seconds


def tiff(folder, repeats, name, array, filters, **options):
    path = os.path.join(folder, name.replace(" ", "_") + ".tif")
    tifffile.imwrite(path, array, tile=(TILE, TILE), **options)
    with open(path, "rb") as file:
        stored = file.read()
    with tifffile.TiffFile(path) as file:
        page = file.pages[0]
        tiles = [[int(a), int(b)] for a, b in zip(page.dataoffsets, page.databytecounts)]
        tables = list(page.tags[347].value) if 347 in page.tags else []
        plain = page.asarray(maxworkers=1)
    with open(path + ".plain", "wb") as file:
        file.write(plain.tobytes())
    peers = {}
    try:
        if not np.array_equal(imagecodecs.tiff_decode(stored), plain):
            raise ValueError("libtiff gives other samples")
        peers["libtiff"] = timed(lambda: imagecodecs.tiff_decode(stored), repeats)
    except Exception as error:
        peers["libtiff"] = str(error)
    peers["tifffile"] = timed(lambda: tifffile.imread(path, maxworkers=1), repeats)
    samples = array.shape[2] if array.ndim > 2 else 1
    print(json.dumps({
        "name": name, "path": path, "tiles": tiles, "filters": filters + ([["jpeg", [TILE, TILE, 3, 1, *tables]]] if name == "jpeg" else []),
        "itemSize": array.dtype.itemsize * samples,
        "side": SIDE, "tile": TILE, "peers": peers,
    }), flush=True)


def zarrs(folder, repeats, name, array, filters, codec):
    import zarr

    zarr.config.set({"threading.max_workers": 1, "async.concurrency": 1})
    path = os.path.join(folder, name.replace(" ", "_") + ".zarr")
    made = zarr.create_array(path, shape=array.shape, dtype=array.dtype, chunks=(TILE, TILE), compressors=codec, zarr_format=3)
    made[:] = array
    count = SIDE // TILE
    with open(path + ".plain", "wb") as file:
        file.write(array.tobytes())
    offset, tiles = 0, []
    with open(path + ".chunks", "wb") as file:
        for i in range(count * count):
            with open(os.path.join(path, "c", str(i // count), str(i % count)), "rb") as chunk:
                stored = chunk.read()
            file.write(stored)
            tiles.append([offset, len(stored)])
            offset += len(stored)
    opened = zarr.open_array(path, mode="r")
    print(json.dumps({
        "name": name, "path": path + ".chunks", "plain": path + ".plain", "zarr": path, "tiles": tiles, "filters": filters,
        "itemSize": array.dtype.itemsize, "side": SIDE, "tile": TILE,
        "peers": {"zarr-python": timed(lambda: opened[:], repeats)},
    }), flush=True)


def main(folder, repeats, _side=None):
    repeats = int(repeats)
    u16, f32 = counts("<u2"), counts("<f4")
    row2, row4 = [2, 0, TILE, 1], [4, 0, TILE, 1]
    tiff(folder, repeats, "none", u16, [])
    tiff(folder, repeats, "lzw", u16, [["lzw", []]], compression="lzw")
    tiff(folder, repeats, "lzw predictor 2", u16, [["predictor-2", row2], ["lzw", []]], compression="lzw", predictor=2)
    tiff(folder, repeats, "lzw labels", labels(), [["lzw", []]], compression="lzw")
    tiff(folder, repeats, "packbits labels", labels(), [["packbits", []]], compression="packbits")
    tiff(folder, repeats, "deflate", u16, [["deflate", []]], compression="zlib")
    tiff(folder, repeats, "deflate predictor 2", u16, [["predictor-2", row2], ["deflate", []]], compression="zlib", predictor=2)
    tiff(folder, repeats, "deflate predictor 3", f32, [["predictor-3", row4], ["deflate", []]], compression="zlib", predictor=3)
    tiff(folder, repeats, "zstd", u16, [["Zstandard", []]], compression="zstd")
    tiff(folder, repeats, "zstd predictor 2", u16, [["predictor-2", row2], ["Zstandard", []]], compression="zstd", predictor=2)
    tiff(folder, repeats, "jpeg", colours(), [], compression="jpeg", photometric="rgb")
    try:
        from zarr.codecs import BloscCodec, GzipCodec, ZstdCodec
    except ImportError:
        return
    zarrs(folder, repeats, "zarr zstd", u16, [["Zstandard", []]], ZstdCodec(level=3))
    zarrs(folder, repeats, "zarr gzip", u16, [["gzip", []]], GzipCodec(level=5))
    zarrs(folder, repeats, "zarr blosc", u16, [["Blosc", []]], BloscCodec(cname="lz4", shuffle="shuffle", typesize=2))


if __name__ == "__main__":
    main(*sys.argv[1:])
