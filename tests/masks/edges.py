"""Prints edges.json: disks and rings whose edge just reaches a frame, or just does not, and how many weights of LiberTEM are more
than rounding leaves.

python edges.py > edges.json
"""

import json

import numpy as np
from libertem import masks as m

NEAR = (0, 2**-20, -(2**-20), 0.1, -0.1, 0.5, -0.5)


def count(mask):
    dense = mask.todense() if hasattr(mask, "todense") else mask
    return int(np.count_nonzero(dense > 1e-12))


def outer():
    """Disks and rings beside the frame, of which the nearest pixel is in a row or a corner."""
    for near in NEAR:
        yield dict(shape=[17, 11], cy=7, cx=-1.5, ri=0, ro=1 + near)
        yield dict(shape=[4, 5], cy=-3, cx=8, ri=1, ro=4.5 + near)


def inner():
    """Rings around the whole frame; the pixel that is farthest from the centre is 5 away."""
    for near in NEAR:
        yield dict(shape=[4, 5], cy=0, cx=0, ri=5.5 + near, ro=9)


cases = []
for one in [*outer(), *inner()]:
    (height, width), ro, ri = one["shape"], one["ro"], one["ri"]
    place = one["cx"], one["cy"], width, height
    bins = {n: count(m.radial_bins(*place, radius=ro, radius_inner=ri, n_bins=n)) for n in (1, 2, 3, 5, 7)}
    cases.append({
        **one,
        "circular": count(m.circular(*place, ro)),
        "ring": count(m.ring(*place, ro, ri)),
        "circular, antialiased": count(m.circular(*place, ro, antialiased=True)),
        "ring, antialiased": count(m.ring(*place, ro, ri, antialiased=True)),
        "radialBins": bins,
    })
print("[\n" + ",\n".join(json.dumps(one) for one in cases) + "\n]")
