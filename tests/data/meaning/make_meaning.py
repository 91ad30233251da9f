"""Makes axes.json and units.h5: what HyperSpy, xarray and NumPy say of axes, and files that say the unit of their samples.

    python tests/data/meaning/make_meaning.py
"""

import json
import os

import h5py
import hyperspy.api as hs
import numpy as np
import xarray as xr

HERE = os.path.dirname(os.path.abspath(__file__))
rng = np.random.default_rng(118)
cases = []
for _ in range(60):
    factor = int(rng.integers(1, 6))
    blocks = int(rng.integers(1, 9))
    size = factor * blocks
    scale = float(rng.choice([0.25, 0.1, -0.3, 2.5, 1e-3]))
    offset = float(rng.choice([0.0, -4.5, 12.125, 1e-2]))
    start = int(rng.integers(0, size))
    count = int(rng.integers(1, size - start + 1))
    signal = hs.signals.Signal1D(np.zeros(size))
    axis = signal.axes_manager[0]
    axis.scale, axis.offset = scale, offset
    smaller = signal.rebin(scale=[factor]).axes_manager[0]
    part = signal.isig[start : start + count].axes_manager[0]
    array = xr.DataArray(np.zeros(size), dims=["x"], coords={"x": offset + scale * np.arange(size)})
    cases.append({
        "size": size, "factor": factor, "scale": scale, "offset": offset, "start": start, "count": count,
        "hyperspy": {
            "rebin": [smaller.scale, smaller.offset, smaller.size],
            "crop": [part.scale, part.offset, part.size],
        },
        "xarray": {
            "coarsen": array.coarsen(x=factor).mean().x.values.tolist(),
            "every": array.isel(x=slice(None, None, factor)).x.values.tolist(),
            "crop": array.isel(x=slice(start, start + count)).x.values.tolist(),
        },
        "numpy": np.fft.fftshift(np.fft.fftfreq(size, abs(scale))).tolist(),
    })
with open(os.path.join(HERE, "axes.json"), "w") as out:
    json.dump(cases, out)
    out.write("\n")

with h5py.File(os.path.join(HERE, "units.h5"), "w") as out:
    data = np.arange(12, dtype="u2").reshape(3, 4)
    nexus = out.create_dataset("entry/data", data=data)
    nexus.attrs["units"] = "counts"
    nexus.attrs["_FillValue"] = 65535
    signal = out.create_group("Experiments/one")
    signal.create_dataset("data", data=data)
    for d, name in enumerate("yx"):
        axis = signal.create_group(f"axis-{d}")
        axis.attrs.update({"name": name, "scale": 0.5, "offset": 1.0, "units": "nm", "navigate": False, "size": data.shape[d]})
    signal.create_group("metadata/Signal").attrs["quantity"] = "Intensity (e-)"
    nion = out.create_dataset("nion/data", data=data)
    steps = [{"offset": 0.0, "scale": 2.0, "units": "nm"}] * 2
    for name, scale in [("nion", 1.0), ("scaled", 0.5)]:
        nion = out["nion/data"] if name == "nion" else out.create_dataset("scaled/data", data=data)
        nion.attrs["properties"] = json.dumps({
            "dimensional_calibrations": steps,
            "intensity_calibration": {"offset": 0.0, "scale": scale, "units": "electrons"},
        })
