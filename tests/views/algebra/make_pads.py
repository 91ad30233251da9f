"""Writes pads.json: random views as NumPy makes them, `pad(array)[box]`.

Needs numpy from PyPI. Run it, and then `deno fmt`.
"""

import json
import pathlib

import numpy as np

BORDERS = ["constant", "edge", "wrap", "symmetric", "reflect"]
CASES = 120
MOST = 400  # samples per view


def view(array, index, tile, front, back, borders, fill):
    """The view of one tile: every dimension is padded by itself, then the box is cut out."""
    for d, border in enumerate(borders):
        missing = -array.shape[d] % tile[d]
        widths = [(0, 0)] * array.ndim
        widths[d] = (front[d], missing + back[d])
        how = {"constant_values": fill} if border == "constant" else {}
        array = np.pad(array, widths, mode=border, **how)
    box = tuple(
        slice(i * t, i * t + f + t + b)
        for i, t, f, b in zip(index, tile, front, back)
    )
    return array[box]


def case(random, rank):
    """One view of one array, whose samples count from 1."""
    shape, tile, front, back = (
        [int(n) for n in random.integers(least, most, rank)]
        for least, most in [(1, 9 - rank), (1, 5), (0, 6 - rank), (0, 6 - rank)]
    )
    if random.integers(4) == 0:
        front[0] = 11  # more than the array, so that it is seen several times
    counts = [-(-n // t) for n, t in zip(shape, tile)]
    index = [int(random.integers(n)) for n in counts]
    borders = [BORDERS[b] for b in random.integers(len(BORDERS), size=rank)]
    fill = int(random.integers(200))
    array = np.arange(1, np.prod(shape) + 1).reshape(shape)
    seen = view(array, index, tile, front, back, borders, fill)
    facts = {"shape": shape, "tile": tile, "front": front, "back": back, "index": index}
    return {**facts, "borders": borders, "fill": fill, "data": " ".join(map(str, seen.ravel()))}


def main():
    random = np.random.default_rng(20261122)
    cases = []
    while len(cases) < CASES:
        one = case(random, 1 + len(cases) % 4)
        if len(one["data"].split()) <= MOST:
            cases.append(one)
    path = pathlib.Path(__file__).with_name("pads.json")
    path.write_text(json.dumps(cases, indent=2) + "\n")


main()
