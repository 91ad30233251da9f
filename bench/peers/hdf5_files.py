"""Writes samples of a raw file as HDF5, and reads HDF5 as fast as h5py does.

python hdf5_files.py RAW ny,nx,height,width VARIANT OUT.h5    writes
python hdf5_files.py FILE.h5 REPEATS                           reads: one JSON line with seconds, and two sums
"""

import json
import sys
import time

import h5py
import numpy as np


def options(variant, sig):
    if variant == "contiguous":
        return {}
    half = tuple(n // 2 for n in sig)
    chunks = (4, 4, *half) if variant.endswith("4x4") or variant == "chunks" else (1, 1, *sig)
    kind = variant.split("-")[0]
    if kind == "bslz4":
        import hdf5plugin

        return {"chunks": chunks, **hdf5plugin.Bitshuffle()}
    filters = {"chunks": {}, "deflate": {"compression": "gzip", "shuffle": True}, "lzf": {"compression": "lzf", "shuffle": True}}
    return {"chunks": chunks, **filters[kind]}


def write(raw, shape, variant, out):
    data = np.memmap(raw, dtype="<u2", mode="r", shape=shape)
    with h5py.File(out, "w") as f:
        f.create_dataset("data", data=data, **options(variant, shape[2:]))


def read(path, repeats):
    import hdf5plugin  # noqa: F401  registers the filters

    seconds = []
    with h5py.File(path) as f:
        found = np.empty(f["data"].shape, f["data"].dtype)
        f["data"].read_direct(found)
        for _ in range(repeats):
            f.flush()
            begin = time.perf_counter()
            f["data"].read_direct(found)
            seconds.append(time.perf_counter() - begin)
    print(json.dumps(dict(seconds=seconds, sum=int(found.sum(dtype="u8")))))


if __name__ == "__main__":
    if len(sys.argv) == 3:
        read(sys.argv[1], int(sys.argv[2]))
    else:
        write(sys.argv[1], tuple(map(int, sys.argv[2].split(","))), *sys.argv[3:5])
