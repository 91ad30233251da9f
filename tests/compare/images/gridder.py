"""Images and visibilities by ducc0, for problems that come as lines of JSON: each line is answered by one.

Needs ducc0 and numpy. Its images have an even number of pixels, 32 at least, so that others are part of a larger one.
"""

import json
import sys

import ducc0
import numpy as np

EPSILON = 1e-12


def answer(problem):
    nx, ny = problem["pixels"]
    wide = [max(32, n + n % 2) for n in (nx, ny)]
    first = [n // 2 - own // 2 for n, own in zip(wide, (nx, ny))]
    l, m = (c + (np.arange(n) - n // 2) * cell for c, n, cell in zip(problem["centre"], wide, problem["cell"]))
    if (np.abs(l).max() ** 2 + np.abs(m).max() ** 2) > 0.98:
        return None
    order = np.argsort(problem["frequency"])  # it takes ascending channels
    shape = (-1, len(order))
    # it has the opposite sign of w; other signs of phases and of cells are turned baselines
    uvw = np.reshape(problem["uvw"], (-1, 3)) * (-1 if problem["convention"] == "casa" else 1)
    options = dict(
        uvw=uvw, freq=np.array(problem["frequency"])[order], epsilon=EPSILON,
        pixsize_x=abs(problem["cell"][0]), pixsize_y=abs(problem["cell"][1]),
        center_x=problem["centre"][0], center_y=problem["centre"][1],
        flip_u=problem["cell"][0] < 0, flip_v=problem["cell"][1] < 0, flip_w=True,
        do_wgridding=problem["wTerm"], divide_by_n=False,
    )
    own = (slice(first[0], first[0] + nx), slice(first[1], first[1] + ny))
    vis = np.array(problem["visibilities"]).view(np.complex128).reshape(shape)[:, order]
    dirty = ducc0.wgridder.vis2dirty(
        vis=np.ascontiguousarray(vis), wgt=np.ascontiguousarray(np.reshape(problem["weights"], shape)[:, order]),
        npix_x=wide[0], npix_y=wide[1], double_precision_accumulation=True, **options)
    model = np.zeros(wide)
    model[own] = np.reshape(problem["model"], (ny, nx)).T
    seen = ducc0.wgridder.dirty2vis(dirty=model, **options)[:, np.argsort(order)]
    return {"image": dirty[own].T.ravel().tolist(), "seen": np.ascontiguousarray(seen).view(float).ravel().tolist()}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
