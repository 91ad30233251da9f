"""Packs FILE with Python's bz2 into FILE.bz2 and prints how many seconds unpacking takes, as JSON.

python bench/peers/bzip2_bench.py FILE LEVEL REPEATS
"""

import bz2
import json
import sys
import time


def main(path, level, repeats):
    with open(path, "rb") as f:
        plain = f.read()
    packed = bz2.compress(plain, int(level))
    with open(path + ".bz2", "wb") as f:
        f.write(packed)
    samples = []
    for _ in range(int(repeats)):
        start = time.perf_counter()
        bz2.decompress(packed)
        samples.append(time.perf_counter() - start)
    print(json.dumps(samples))


if __name__ == "__main__":
    main(*sys.argv[1:])
