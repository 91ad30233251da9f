"""Random places of baselines, and how NumPy counts them: python make_coverage.py > coverage.json"""

import json

import numpy as np

rng = np.random.default_rng(11)
uvw = np.round(rng.normal(0, [300, 500, 20], (200, 3)), 3)
wavelengths = np.where(np.arange(200) % 2 == 0, 0.21, 0.18)
u, v = uvw[:, 0] / wavelengths / 1000, uvw[:, 1] / wavelengths / 1000
cells = 65
extent = max(np.abs(u).max(), np.abs(v).max()) * cells / (cells - 1)
both = np.concatenate([v, -v]), np.concatenate([u, -u])
counts, _, _ = np.histogram2d(*both, bins=cells, range=[[-extent, extent]] * 2)
cells_with = [[int(i), int(counts.flat[i])] for i in np.flatnonzero(counts)]
print(json.dumps({"uvw": uvw.ravel().tolist(), "wavelengths": wavelengths[:2].tolist(), "cells": cells,
                  "extent": extent, "counts": cells_with}))
