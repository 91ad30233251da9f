"""Makes a 4D-STEM scan of counts as HDF5 in several layouts and filters, and measures h5py.

python bench/peers/hdf5_bench.py FOLDER [SIDE]    needs h5py and hdf5plugin
"""

import os
import sys
import time

import h5py
import hdf5plugin
import numpy as np

SIG = (128, 128)


def scan(side):
    y, x = np.mgrid[: SIG[0], : SIG[1]]
    mean = 300 * np.exp(-((y - 64) ** 2 + (x - 64) ** 2) / 800.0) + 2
    rng = np.random.default_rng(1)
    frames = rng.poisson(np.broadcast_to(mean, (side * side, *SIG)))
    return frames.astype("u2").reshape(side, side, *SIG)


VARIANTS = {
    "contiguous": {},
    "chunks_4x4": {"chunks": (4, 4, 64, 64)},
    "deflate": {"chunks": (1, 1, *SIG), "compression": "gzip", "shuffle": True},
    "deflate_4x4": {"chunks": (4, 4, 64, 64), "compression": "gzip", "shuffle": True},
    "bslz4": {"chunks": (1, 1, *SIG), **hdf5plugin.Bitshuffle()},
    "bslz4_1x16": {"chunks": (1, 16, *SIG), **hdf5plugin.Bitshuffle()},
    "bslz4_4x4": {"chunks": (4, 4, 64, 64), **hdf5plugin.Bitshuffle()},
    "lzf": {"chunks": (1, 1, *SIG), "compression": "lzf", "shuffle": True},
    "lz4": {"chunks": (1, 1, *SIG), **hdf5plugin.LZ4()},
}


def main(folder, side=64):
    os.makedirs(folder, exist_ok=True)
    data = None
    for name, options in VARIANTS.items():
        path = os.path.join(folder, f"{name}.h5")
        if not os.path.exists(path):
            data = scan(side) if data is None else data
            with h5py.File(path, "w") as f:
                f.create_dataset("data", data=data, **options)
        best = float("inf")
        for _ in range(3):
            with h5py.File(path) as f:
                found = np.empty(f["data"].shape, f["data"].dtype)
                start = time.perf_counter()
                f["data"].read_direct(found)
                best = min(best, time.perf_counter() - start)
        print(f"h5py {name:14} {found.nbytes / best / 1e9:6.2f} GB/s  sum {found.sum(dtype='u8')}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
