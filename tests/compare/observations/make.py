"""Makes random UVH5 files, and says what pyuvdata reads from them, as one line of JSON per file.

Needs pyuvdata, astropy and numpy. Usage: python make.py FOLDER COUNT SEED
"""

import hashlib
import json
import os
import sys
import warnings

import astropy.units as u
import numpy as np
from astropy.coordinates import EarthLocation
from pyuvdata import Telescope, UVData

warnings.filterwarnings("ignore")


def digest(data):
    data = np.ascontiguousarray(data)
    return hashlib.sha256(data.astype(data.dtype.newbyteorder("<")).tobytes()).hexdigest()


def make(rng, path):
    count = int(rng.integers(2, 7))
    numbers = sorted(rng.choice(50, count, replace=False).tolist())
    positions = {n: rng.normal(size=3) * 300 for n in numbers}
    pairs = [(p, q) for i, p in enumerate(numbers) for q in numbers[i:] if rng.random() < 0.7] or [(numbers[0], numbers[1])]
    circular = rng.random() < 0.3
    pols = [-1, -2, -3, -4] if circular else [-5, -6, -7, -8]
    pols = [int(p) for p in rng.permutation(pols)][: int(rng.choice([1, 2, 4]))]
    channels, times = int(rng.integers(1, 9)), int(rng.integers(1, 5))
    uv = UVData.new(
        freq_array=np.cumsum(rng.random(channels) + 0.5) * 1e6 + 1e8, channel_width=rng.random(channels) * 1e5 + 1e5,
        polarization_array=pols, times=2459000.1 + np.cumsum(rng.random(times)) * 1e-3, integration_time=10.0,
        do_blt_outer=True, empty=True, antpairs=pairs,
        telescope=Telescope.new(
            name="test", instrument="test", feeds=["r", "l"] if circular else ["x", "y"], mount_type="fixed",
            feed_angle=np.tile(rng.random(2), (count, 1)) if circular else np.tile([np.pi / 2, 0.0], (count, 1)),
            location=EarthLocation.from_geodetic(rng.random() * 360 * u.deg, (rng.random() * 160 - 80) * u.deg, rng.random() * 3000 * u.m),
            antenna_positions=positions, antenna_names=[f"ant {n}" for n in numbers],
        ),
    )
    uv.phase(ra=rng.random() * 6, dec=rng.random() * 3 - 1.5, cat_name="source", epoch="J2000")
    order = rng.permutation(uv.Nblts) if rng.random() < 0.3 else np.arange(uv.Nblts)
    uv.reorder_blts(order=order)
    shape = uv.data_array.shape
    uv.data_array = (rng.normal(size=shape) + 1j * rng.normal(size=shape)).astype(rng.choice([np.complex64, np.complex128]))
    uv.flag_array = rng.random(shape) < 0.3
    uv.nsample_array = rng.random(shape).astype(np.float32)
    uv.history = "random"
    packing = {"data_compression": rng.choice(["gzip", "lzf", "none"]), "flags_compression": rng.choice(["gzip", "lzf", "none"])}
    packing = {key: None if value == "none" else str(value) for key, value in packing.items()}
    chunks = tuple(int(rng.integers(1, n + 1)) for n in shape) if rng.random() < 0.5 else True
    uv.write_uvh5(path, clobber=True, run_check=False, chunks=chunks, nsample_compression=packing["flags_compression"], **packing)
    del uv
    uv = UVData.from_file(path, run_check=False)
    centre = np.array([c.value for c in uv.telescope.location.geocentric])
    places = {n: i for i, n in enumerate(uv.telescope.antenna_numbers)}
    seconds = (uv.time_array - 2400000.5) * 86400
    names = {-1: "RR", -2: "LL", -3: "RL", -4: "LR", -5: "XX", -6: "YY", -7: "XY", -8: "YX"}
    catalog = next(iter(uv.phase_center_catalog.values()))
    return {
        "antennas": list(uv.telescope.antenna_names), "positions": (uv.telescope.antenna_positions + centre).tolist(),
        "times": sorted(set(seconds.tolist())), "frequencies": uv.freq_array.tolist(),
        "channelWidths": np.broadcast_to(uv.channel_width, uv.freq_array.shape).tolist(),
        "correlations": [names[p] for p in uv.polarization_array], "phaseCentre": [catalog["cat_lon"], catalog["cat_lat"]],
        "field": catalog["cat_name"], "rows": int(uv.Nblts),
        "antenna1": [places[n] for n in uv.ant_1_array], "antenna2": [places[n] for n in uv.ant_2_array],
        "uvw": digest(uv.uvw_array), "visibility": digest(uv.data_array), "flag": digest(uv.flag_array),
        "weight": digest(uv.nsample_array), "interval": uv.integration_time.tolist(), "sign": "antenna2 - antenna1",
    }


folder, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
for i in range(count):
    path = os.path.join(folder, f"{seed + i}.uvh5")
    print(json.dumps({"path": path, "seed": seed + i, "expected": make(np.random.default_rng(seed + i), path)}), flush=True)
