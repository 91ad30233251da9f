"""Prints golden.json: masks, their weights row by row, as LiberTEM makes them, for frames of 5 x 6 around (1.6, 2.3).

python golden.py > golden.json
"""

import json

import numpy as np
from libertem import masks as m

SIDES = (6, 5)  # width, height
CENTRE = (2.3, 1.6)  # x, y


def flat(mask):
    dense = mask.todense() if hasattr(mask, "todense") else mask
    return " ".join(f"{value:.9g}" for value in np.asarray(dense, dtype=float).ravel())


def made(function, *args, **more):
    return flat(function(*CENTRE, *SIDES, *args, **more))


stretched = m.polar_map(*CENTRE, *SIDES, stretchY=1.3, angle=0.4)[0]
template = np.arange(1, 5).reshape(2, 2)

print(json.dumps({
    "circular": made(m.circular, 2.1),
    "circular, antialiased": made(m.circular, 2.1, antialiased=True),
    "ring": made(m.ring, 2.6, 1.2),
    "ring, antialiased": made(m.ring, 2.6, 1.2, antialiased=True),
    "radialGradient": made(m.radial_gradient, 2.1),
    "radialGradient, antialiased": made(m.radial_gradient, 2.1, antialiased=True),
    "radialGradientBackgroundSubtraction": flat(
        m.radial_gradient_background_subtraction(stretched, 1.5, 2.8, delta=0.8)
    ),
    "backgroundSubtraction": made(m.background_subtraction, 2.6, 1.2),
    "backgroundSubtraction, antialiased": made(m.background_subtraction, 2.6, 1.2, antialiased=True),
    "rectangular, negative": flat(m.rectangular(4, 3, -2, -1.5, *SIDES)),
    "rectangular, cut": flat(m.rectangular(-1, 1, 3, 2, *SIDES)),
    "radius, ellipse": flat(stretched),
    "angle": flat(m.polar_map(*CENTRE, *SIDES)[1]),
    "radialBins": made(m.radial_bins, radius=3.4, radius_inner=0.3, n_bins=3),
    "radialBins, normalized": made(m.radial_bins, radius=3.4, radius_inner=1.0, n_bins=2, normalize=True),
    "radialBins, default": flat(m.radial_bins(2.5, 2.5, *SIDES)),
    "stampTemplates": flat(m.sparse_template_multi_stack([0, 1, 1], [-1, 2, 4], [0, 1, 3], template, *SIDES)),
    "stampDisks": flat(m.sparse_circular_multi_stack([0, 1], [1.7, 5], [2.2, 4], *SIDES, 1.5)),
    "gradientX": flat(m.gradient_x(*SIDES)),
    "gradientY": flat(m.gradient_y(*SIDES)),
}, indent=2))
