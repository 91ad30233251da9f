"""Largest errors of cosines and sines that `bench/rime/sincos.ts --write FOLDER` has written, in units in the last place.

    python bench/rime/sincos_ulp.py FOLDER

Expected values are those of the C library in 80 bits, which reduces arguments of any size. Needs numpy, on x86-64.
"""

import sys

import numpy as np

TWO_PI = np.longdouble("6.283185307179586476925286766559005768")


def expected(angles, turns):
    x = angles.astype(np.longdouble)
    if not turns:
        return np.cos(x), np.sin(x)
    x -= np.rint(x)
    quarter = np.rint(4 * x)
    y = TWO_PI * (x - quarter / 4)
    c, s, q = np.cos(y), np.sin(y), quarter.astype(int) % 4
    cos = np.choose(q, [c, -s, -c, s])
    sin = np.choose(q, [s, c, -s, -c])
    return cos, sin


def ulps(found, wanted):
    low = np.finfo(found.dtype).smallest_normal
    unit = np.spacing(np.maximum(np.abs(wanted.astype(found.dtype)), low))
    error = np.abs(found.astype(np.longdouble) - wanted) / unit
    assert np.isfinite(error).all()
    return error


for name, a, b in [
    ("sincos_turns_f64", "f8", "f8"),
    ("sincos_turns_f32", "f8", "f4"),
    ("sincos_f64", "f8", "f8"),
    ("sincos_f32", "f4", "f4"),
]:
    angles = np.fromfile(f"{sys.argv[1]}/{name}.from", a)
    fine = np.isfinite(angles)
    angles = angles[fine]
    worst = []
    for part, wanted in zip(("cos", "sin"), expected(angles, "turns" in name)):
        error = ulps(np.fromfile(f"{sys.argv[1]}/{name}.{part}", b)[fine], wanted)
        at = int(error.argmax())
        worst.append(f"{part} {float(error[at]):.3f} at {float(angles[at])!r}")
    print(f"{name}: {len(angles)} arguments, ulp: {', '.join(worst)}")
