"""Makes expected.json: images and visibilities by ducc0, for `tests/rime/image/expected_test.ts`.

    python tests/data/imaging/make.py

Needs numpy and ducc0 from PyPI. ducc0's phase is exp(-2 pi i (u l + v m - w (n - 1))) from image to visibilities, so w changes
its sign; images are not divided by n. The script checks ducc0 against sums over all pixels, and refuses to write otherwise.
"""

import json
import os

import ducc0
import numpy as np

C = 299792458.0
rng = np.random.default_rng(20261123)
nx, ny, nrow, nchan = 16, 12, 24, 3
cell = [0.011, 0.007]
frequency = np.array([1.0e9, 1.07e9, 1.2e9])
uvw = np.round((rng.random((nrow, 3)) * 2 - 1) * [10, 14, 40], 3)
visibilities = np.round(rng.standard_normal((nrow, nchan, 2)), 3)
weights = np.round(rng.random((nrow, nchan)) + 0.5, 3)
image = np.round(rng.standard_normal((ny, nx)), 3)
values = visibilities[..., 0] + 1j * visibilities[..., 1]

how = dict(pixsize_x=cell[0], pixsize_y=cell[1], epsilon=1e-13, do_wgridding=True, divide_by_n=False, flip_w=True)
dirty = ducc0.wgridder.vis2dirty(uvw=uvw, freq=frequency, vis=values, wgt=weights, npix_x=nx, npix_y=ny, **how).T
seen = ducc0.wgridder.dirty2vis(uvw=uvw, freq=frequency, dirty=np.ascontiguousarray(image.T), **how)

l = (np.arange(nx) - nx // 2) * cell[0]
m = (np.arange(ny) - ny // 2) * cell[1]
n1 = np.sqrt(1 - l[None, :] ** 2 - m[:, None] ** 2) - 1
perMetre = frequency / C
turns = (
    uvw[:, 0, None, None] * l[None, None, :] + uvw[:, 1, None, None] * m[None, :, None] + uvw[:, 2, None, None] * n1[None]
)[:, None] * perMetre[None, :, None, None]
phase = np.exp(-2j * np.pi * turns)
assert np.allclose((phase * image).sum((2, 3)), seen, atol=1e-11)
assert np.allclose((phase.conj() * (values * weights)[:, :, None, None]).sum((0, 1)).real, dirty, atol=1e-10)


def flat(a):
    return [float(x) for x in np.ascontiguousarray(a).ravel()]


expected = {
    "grid": {"pixels": [nx, ny], "cell": cell},
    "uvw": flat(uvw),
    "frequency": flat(frequency),
    "visibilities": flat(visibilities),
    "weights": flat(weights),
    "image": flat(image),
    "dirty": flat(np.round(dirty, 12)),
    "seen": flat(np.round(seen.view("f8"), 12)),
}
path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "expected.json")
with open(path, "w") as file:
    json.dump(expected, file, indent=None, separators=(",", ":"))
    file.write("\n")
