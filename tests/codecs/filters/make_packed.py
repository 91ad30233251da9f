"""Writes packed.json: chunks in Zstandard and Blosc and what they are, by the libraries that define both.

Needs numpy, numcodecs, zstandard from PyPI. Run it in this folder.
"""

import base64
import json

import numcodecs
import numpy as np
import zstandard

RNG = np.random.default_rng(49)
CASES = []


def add(name, filter_, stored, plain):
    stored, plain = (base64.b64encode(bytes(part)).decode() for part in (stored, plain))
    CASES.append({"name": name, "filter": filter_, "values": [], "stored": stored, "plain": plain})


def kinds():
    counts = RNG.poisson(3, 900).astype("<u2")
    words = [RNG.integers(97, 123, n, dtype=np.uint8).tobytes() + b" " for n in RNG.integers(2, 9, 60)]
    return {
        "noise": RNG.integers(0, 256, 700, dtype=np.uint8).tobytes(),
        "runs": np.repeat(RNG.integers(0, 9, 90, dtype=np.uint8), RNG.integers(0, 60, 90)).tobytes(),
        "counts": counts.tobytes(),
        "text": b"".join(words[i] for i in (RNG.random(250) ** 2 * 60).astype(int)),
        "floats": np.sin(np.arange(400) / 9).astype("<f4").tobytes(),
        "one": b"\x07",
        "none": b"",
    }


def zstd():
    for name, data in kinds().items():
        for level in (-7, 3, 12, 22):
            add(f"zstd {level} {name}", "Zstandard", zstandard.ZstdCompressor(level=level).compress(data), data)
        sized = zstandard.ZstdCompressor(level=3, write_checksum=True, write_content_size=False)
        add(f"zstd with checksum, without size, {name}", "Zstandard", sized.compress(data), data)
        stream = zstandard.ZstdCompressor(level=5).compressobj()
        parts = [stream.compress(data[: len(data) // 3]), stream.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)]
        parts += [stream.compress(data[len(data) // 3 :]), stream.flush()]
        add(f"zstd in blocks, {name}", "Zstandard", b"".join(parts), data)
        frames = [zstandard.ZstdCompressor(level=n).compress(data[n::4][:300]) for n in range(4)]
        add(f"zstd in frames, {name}", "Zstandard", b"".join(frames), b"".join(data[n::4][:300] for n in range(4)))
    data = kinds()["text"]
    far = zstandard.ZstdCompressionParameters.from_level(9, enable_ldm=True, window_log=27)
    add("zstd, long distances", "Zstandard", zstandard.ZstdCompressor(compression_params=far).compress(data * 3), data * 3)


def blosc():
    data = kinds()
    for cname in ("blosclz", "lz4", "lz4hc", "zlib", "zstd"):
        for shuffle in (0, 1, 2):
            for size, name in ((2, "counts"), (4, "floats"), (3, "text")):
                array = np.frombuffer(data[name][: len(data[name]) // size * size], f"V{size}")
                for block in (0, 600):
                    codec = numcodecs.Blosc(cname=cname, clevel=5, shuffle=shuffle, blocksize=block)
                    add(f"blosc {cname} {shuffle} {name} {block}", "Blosc", codec.encode(array), array.tobytes())
    add("blosc of noise", "Blosc", numcodecs.Blosc().encode(data["noise"]), data["noise"])
    far = data["noise"] + bytes(range(256)) * 33 + data["counts"] + data["noise"]
    codec = numcodecs.Blosc(cname="blosclz", clevel=9, shuffle=0, blocksize=32768)
    add("blosclz, far back", "Blosc", codec.encode(far), far)


zstd()
blosc()
with open("packed.json", "w") as f:
    json.dump(CASES, f, indent=0)
