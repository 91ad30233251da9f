"""Golden values of blob finding: what libertem-blobfinder finds in a frame that `tests/udf/blobfinder/frames.ts` makes, too.

    python tests/oracles/blobfinder.py > tests/udf/blobfinder/golden.json
"""

import json

import numpy as np
from libertem_blobfinder.base import correlation
from libertem_blobfinder.common import patterns
from libertem_blobfinder.common.gridmatching import Matcher

SIZE = (72, 80)
RADIUS = 5.3
DISKS = [(20.3, 18.7), (21.9, 44.1), (45.2, 17.4), (46.6, 42.85), (1.4, 70.2), (70.9, 3.1)]
PEAKS = [(20, 19), (23, 43), (44, 20), (46, 43), (3, 71), (68, 2)]


def frame():
    y, x = np.mgrid[: SIZE[0], : SIZE[1]].astype(np.float64)
    state, noise = 12345, []
    for _ in range(SIZE[0] * SIZE[1]):
        state = (state * 1664525 + 1013904223) % 2**32
        noise.append(state >> 28)
    out = np.array(noise, dtype=np.float64).reshape(SIZE)
    for cy, cx in DISKS:
        out += np.floor(200 * np.clip(RADIUS + 0.5 - np.sqrt((y - cy) ** 2 + (x - cx) ** 2), 0, 1))
    return out.astype(np.float32)


def results(count):
    return (
        np.zeros((count, 2), dtype=np.int32),
        np.zeros((count, 2), dtype=np.float32),
        np.zeros(count, dtype=np.float32),
        np.zeros(count, dtype=np.float32),
    )


def find(pattern, full=False):
    out = results(len(PEAKS))
    crop = pattern.get_crop_size()
    names = dict(zip(("out_centers", "out_refineds", "out_heights", "out_elevations"), out))
    common = dict(frame=frame(), peaks=np.array(PEAKS), crop_size=crop, **names)
    if full:
        buffer = np.zeros(SIZE, dtype=np.float32)
        count = correlation.get_buf_count(crop, len(PEAKS), np.float32)
        template = pattern.get_template(sig_shape=SIZE)
        correlation.process_frame_full(template=template, frame_buf=buffer, buf_count=count, **common)
    else:
        bufs = correlation.allocate_crop_bufs(crop, len(PEAKS), np.float32)
        template = pattern.get_template(sig_shape=(2 * crop, 2 * crop))
        correlation.process_frame_fast(template=template, crop_bufs=bufs, **common)
    return {name: np.round(values.astype(float), 5).ravel().tolist()
            for name, values in zip(("centers", "refineds", "peak_values", "peak_elevations"), out)}


def lattice():
    state, numbers = 99, []
    for _ in range(3 * 49):
        state = (state * 1664525 + 1013904223) % 2**32
        numbers.append(state / 2**32)
    wobble = np.array(numbers).reshape(49, 3)
    index = np.array([(i, j) for i in range(-3, 4) for j in range(-3, 4)])
    points = np.array((128.25, 127.5)) + index @ np.array([(33.1, 2.2), (-1.7, 31.9)]) + 2 * wobble[:, :2] - 1
    points[5] += 9
    points[11] = (40, 200)
    weights = 5 * wobble[:, 2]
    given = dict(centers=np.round(points).astype(int), refineds=points, peak_values=weights, peak_elevations=weights)
    fast = Matcher().fastmatch(zero=np.array((129.0, 128.0)), a=np.array((33.4, 2.0)), b=np.array((-2.0, 31.7)), **given)
    affine = Matcher().affinematch(indices=index, **given)
    return {name: {"zero": m.zero.tolist(), "a": m.a.tolist(), "b": m.b.tolist(), "error": float(m.error),
                   "out": np.flatnonzero(~m.selector).tolist()} for name, m in (("fast", fast), ("affine", affine))}


print(json.dumps({
    "circular": find(patterns.Circular(RADIUS)),
    "radialGradient": find(patterns.RadialGradient(RADIUS, search=9.2)),
    "backgroundSubtraction": find(patterns.BackgroundSubtraction(RADIUS)),
    "full": find(patterns.BackgroundSubtraction(RADIUS), full=True),
    "lattice": lattice(),
}, indent=1))
