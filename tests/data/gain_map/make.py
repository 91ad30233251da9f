"""Gain maps of 8 x 5 pixels in every form that is read: value of row y, column x is 1 + (5 y + x) / 64.

Run with scipy 1.17 and h5py 3.16: `python tests/data/gain_map/make.py`.
"""

from pathlib import Path

import h5py
import numpy as np
import scipy.io

HERE = Path(__file__).parent
GAIN = 1 + np.arange(40).reshape(8, 5) / 64

scipy.io.savemat(HERE / "plain.mat", {"other": np.arange(3.0), "GainMap": GAIN})
scipy.io.savemat(
    HERE / "packed.mat", {"a": "text", "GainMap": GAIN.astype("f4")}, do_compression=True
)
scipy.io.savemat(HERE / "complex.mat", {"GainMap": GAIN + 1j})
scipy.io.savemat(HERE / "version4.mat", {"GainMap": GAIN}, format="4")
with h5py.File(HERE / "version73.mat", "w", userblock_size=512) as file:
    file.create_dataset("GainMap", data=np.ascontiguousarray(GAIN.T), chunks=(3, 4), compression=3)
np.savetxt(HERE / "table.csv", GAIN.T, delimiter=";", fmt="%.6f")
