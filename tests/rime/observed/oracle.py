"""Compares `tilewise predict` with pyuvdata, and what it writes with the schema of xradio. Run it from the top of the checkout:

    python tests/rime/observed/oracle.py

Needs pyuvdata, xradio, xarray, zarr, astropy and numpy. pyuvdata never computes a model: visibilities of 1 in one phase centre are
those of a source of 1 Jy there, and stay so when they are phased to another centre. What is predicted for a source in the
first centre must be what pyuvdata has after that.
"""

import subprocess
import sys
import tempfile
import warnings

import astropy.units as u
import numpy as np
import xarray as xr
from astropy.coordinates import EarthLocation
from pyuvdata import Telescope, UVData
from xradio.measurement_set import schema
from xradio.schema.check import check_dataset

warnings.filterwarnings("ignore")
SOURCE, CENTRE = (1.4, -0.52), (1.4005, -0.5203)


def observation(folder):
    positions = {3: [0, 0, 0], 5: [1000, 0, 0], 8: [0, 2500, 30], 9: [-3000, 1200, 0]}
    uv = UVData.new(
        freq_array=np.linspace(1e9, 1.2e9, 5), channel_width=5e7, polarization_array=[-5, -6, -7, -8],
        times=np.array([2459000.1, 2459000.2]), integration_time=10.0, do_blt_outer=True, empty=True,
        antpairs=[(3, 5), (3, 8), (5, 8), (8, 9), (3, 9), (5, 9)],
        telescope=Telescope.new(
            name="test", instrument="test", x_orientation="east", feeds=["x", "y"], mount_type="fixed",
            location=EarthLocation.from_geodetic(21.4 * u.deg, -30.7 * u.deg, 1000 * u.m),
            antenna_positions={k: np.array(v, float) for k, v in positions.items()}, antenna_names=list("ABCD"),
        ),
    )
    uv.phase(ra=SOURCE[0], dec=SOURCE[1], cat_name="source", epoch="J2000")
    uv.data_array[:] = 1
    uv.phase(ra=CENTRE[0], dec=CENTRE[1], cat_name="centre", epoch="J2000")
    uv.write_uvh5(f"{folder}/day.uvh5", clobber=True)
    return uv


def main():
    with tempfile.TemporaryDirectory() as folder:
        uv = observation(folder)
        degrees = [np.rad2deg(angle) for angle in SOURCE]
        with open(f"{folder}/sky.csv", "w") as sky:
            sky.write("Name,Ra,Dec,I\nsource,%.15g,%.15g,1\n" % tuple(degrees))
        for out in ("model.zarr", "model.npy"):
            command = ["deno", "run", "-A", "src/cli/main.ts", "predict", "-q", f"{folder}/sky.csv", f"{folder}/day.uvh5"]
            subprocess.run([*command, "-o", f"{folder}/{out}"], check=True, stdout=subprocess.DEVNULL)
        rows = np.load(f"{folder}/model.npy")  # XX, YY, XY, YX, as in the file
        expected = uv.data_array * np.array([1, 1, 0, 0])
        tree = xr.open_datatree(f"{folder}/model.zarr", engine="zarr")
        found = tree["VISIBILITY_MODEL"].values
        pairs = list(zip(tree["baseline_antenna1_name"].values, tree["baseline_antenna2_name"].values))
        names = dict(zip(uv.telescope.antenna_numbers, uv.telescope.antenna_names))
        times = sorted(set(uv.time_array))
        on_grid = np.array([
            found[times.index(t), pairs.index((names[p], names[q]))]
            for t, p, q in zip(uv.time_array, uv.ant_1_array, uv.ant_2_array)
        ])
        errors = [abs(one - expected).max() for one in (rows, on_grid)]
        print("largest differences from pyuvdata:", errors)
        issues = [
            check_dataset(tree[path].to_dataset(inherit=False), form)
            for path, form in (
                ("/", schema.VisibilityXds), ("antenna_xds", schema.AntennaXds),
                ("field_and_source_base_xds", schema.FieldSourceXds),
            )
        ]
        for one in issues:
            print(one)
        ok = max(errors) < 2e-3 and not any(len(one) for one in issues)  # pyuvdata has the aberration between the two centres
        sys.exit(0 if ok else 1)


main()
