"""Dirty images and degridding by ducc0, a peer of `bench/rime/image.ts`.

    python bench/rime/image_peers.py FOLDER

FOLDER has the problem as `bench/rime/image.ts` writes it. For each work, precision and epsilon it prints one JSON object per line
(work, precision, epsilon, seconds: the best of a few) and writes the result as float64 or complex128 to FOLDER/WORK.exact.bin: that
with epsilon 1e-13. Needs numpy and ducc0 from PyPI.
"""

import json
import os
import sys
import time

import ducc0
import numpy as np

folder = sys.argv[1]
problem = json.load(open(os.path.join(folder, "problem.json")))
n, cell, threads = problem["pixels"], problem["cell"], problem["threads"]


def read(name, *shape):
    return np.fromfile(os.path.join(folder, name), "f8").reshape(shape)


uvw, frequency = read("uvw", -1, 3), read("frequency", -1)
vis = read("visibilities", len(uvw), len(frequency), 2).view("c16")[..., 0]
image = np.ascontiguousarray(read("image", n, n).T)
how = dict(uvw=uvw, freq=frequency, pixsize_x=cell, pixsize_y=cell, divide_by_n=False, flip_w=True, nthreads=threads)


def measured(run):
    times = []
    for _ in range(problem["repeats"]):
        start = time.perf_counter()
        found = run()
        times.append(time.perf_counter() - start)
    return min(times), found


def dirty(epsilon, wide, real, cplx):
    v = vis.astype(cplx)
    return lambda: ducc0.wgridder.vis2dirty(vis=v, npix_x=n, npix_y=n, epsilon=epsilon, do_wgridding=wide, **how).T


def degrid(epsilon, wide, real, cplx):
    x = image.astype(real)
    return lambda: ducc0.wgridder.dirty2vis(dirty=x, epsilon=epsilon, do_wgridding=wide, **how)


for name, make, wide in [("dirty", dirty, True), ("flat", dirty, False), ("degrid", degrid, True)]:
    kind = "c16" if name == "degrid" else "f8"
    make(1e-13, wide, "f8", "c16")().astype(kind).tofile(os.path.join(folder, f"{name}.exact.bin"))
    for precision, epsilon in problem["cases"]:
        real, cplx = ("f8", "c16") if precision == "f64" else ("f4", "c8")
        seconds, _ = measured(make(epsilon, wide, real, cplx))
        print(json.dumps(dict(work=name, precision=precision, epsilon=epsilon, seconds=seconds)), flush=True)
