"""Makes streams of bzip2 with Python's bz2, an HDF5 file with the filter 307, and expected.json with what is in them.

Run with h5py 3.16 and hdf5plugin 7.1: `python make.py`.
"""

import bz2
import hashlib
import json
import os

import h5py
import hdf5plugin
import numpy as np

os.chdir(os.path.dirname(os.path.abspath(__file__)))
RANDOM = np.random.default_rng(12)


def kinds():
    counts = RANDOM.poisson(0.3, 30_000).astype("u2").tobytes()
    yield "empty", b"", 9
    yield "one", b"7", 1
    yield "same", bytes(3_000_000), 9  # four blocks of next to nothing
    yield "runs", b"".join(bytes([k & 3]) * (k % 270) for k in range(900)), 9  # every length, also beyond 259
    yield "counts", counts, 5
    yield "noise", RANDOM.bytes(3000), 9
    yield "periods", b"".join(bytes(range(k)) * 40 for k in range(2, 60)), 1
    yield "text", b"".join(b"%d %x\n" % (k, k * k) for k in range(9000)), 1  # several blocks
    yield "uneven", bytes(int(-np.log2(1 - x) * 6) for x in RANDOM.random(20_000)), 9  # words of very different length
    yield "all_bytes", bytes(range(256)) * 40 + bytes(reversed(range(256))) * 3, 9


def main():
    found = {}
    for name, plain, level in kinds():
        packed = bz2.compress(plain, level)
        if name == "text":
            packed += bz2.compress(b"another stream", 9) + bz2.compress(b"", 1) + bz2.compress(bytes(500), 2)
            plain += b"another stream" + bytes(500)
        assert bz2.decompress(packed) == plain
        with open(f"{name}.bz2", "wb") as out:
            out.write(packed)
        found[name] = [len(plain), hashlib.sha256(plain).hexdigest()]
    large = bytearray(bz2.compress(bytes(k * k % 251 for k in range(150_000)), 2))
    large[3] = ord("1")  # its block has more symbols than it may have then
    with open("large_level_1.bz2", "wb") as out:
        out.write(large)
    arrays = {}
    data = RANDOM.poisson(2, (5, 40, 50))
    with h5py.File("filter_307.h5", "w") as f:
        for name, kind, chunks, more in [
            ("u2", "<u2", (1, 40, 50), {}),
            ("big_shuffled", ">u4", (2, 25, 50), {"shuffle": True}),
            ("checked", "<f4", (5, 40, 50), {"fletcher32": True}),
            ("sums_of_nothing", "u1", (1, 1, 1), {}),
        ]:
            part = data[:, :4, :3] if chunks == (1, 1, 1) else data
            f.create_dataset(name, data=part.astype(kind), chunks=chunks, **more, **hdf5plugin.BZip2(blocksize=1 + len(name) % 9))
            plain = f[name][...].astype(np.dtype(kind).newbyteorder("<")).tobytes()
            arrays["/" + name] = [list(part.shape), hashlib.sha256(plain).hexdigest()]
    with open("expected.json", "w") as out:
        json.dump({"streams": found, "arrays": arrays}, out, indent=1)
        out.write("\n")


if __name__ == "__main__":
    main()
