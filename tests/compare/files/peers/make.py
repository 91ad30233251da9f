"""Writes random files, and says what reading them must give: one JSON object per line.

python make.py KIND SEED FIRST STOP FOLDER      KIND is tiff, zarr, views or filters
"""

import contextlib
import importlib
import json
import os
import random
import sys


def main(kind, seed, first, stop, folder):
    lines = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what libraries print is not a line
    make = importlib.import_module({"zarr": "zarr_stores"}.get(kind, kind)).make
    for index in range(int(first), int(stop)):
        rng = random.Random(f"{kind} {seed} {index}")
        line = make(rng, folder, index)
        with contextlib.suppress(BrokenPipeError):
            print(json.dumps({"index": index, **line}), file=lines, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
