"""Writes singles.json: what NumPy makes of integers of 64 bits as float32: all kinds of ties, what lies beside them, random ones."""

import json
import pathlib
import random

import numpy

rng = random.Random(29)


def near_ties(bits):
    """Halfway between two neighbours of float32 below 2^bits, and beside that, above an even and an odd one."""
    step = 1 << (bits - 24)
    for mantissa in (1 << 23, (1 << 24) - 1, rng.randrange(1 << 23, 1 << 24)):
        middle = mantissa * step + step // 2
        yield from (middle + off for off in (-1, 0, 1, 1 << 11, -(1 << 11)))


sizes = [value for bits in range(50, 65) for value in near_ties(bits)]
sizes += [rng.getrandbits(rng.randrange(1, 65)) for _ in range(100)] + [0, 2**53, 2**53 + 1, 2**63 - 1, 2**64 - 1]
signed = [sign * value for value in sizes for sign in (1, -1) if value < 2**63] + [-(2**63)]
unsigned = [value for value in sizes if value < 2**64]


def row(values, dtype):
    values = sorted(set(values))
    singles = numpy.array(values, dtype).astype("float32")
    return {"integers": " ".join(map(str, values)), "bits": " ".join(map(str, singles.view("uint32")))}


table = {"numpy": numpy.__version__, "int64": row(signed, "int64"), "uint64": row(unsigned, "uint64")}
pathlib.Path(__file__).with_name("singles.json").write_text(json.dumps(table, indent=1) + "\n")
