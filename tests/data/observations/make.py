"""Makes the observations in this folder, and expected.json with what they hold.

Needs python-casacore, pyuvdata, xradio (with arcae, toolviper, dask, zarr), astropy and numpy. Run it in this folder: python make.py
"""

import hashlib
import json
import os
import shutil
import warnings

import astropy.units as u
import casacore.tables as ct
import numpy as np
from astropy.coordinates import EarthLocation
from pyuvdata import Telescope, UVData
from xradio.measurement_set import convert_msv2_to_processing_set

warnings.filterwarnings("ignore")
rng = np.random.default_rng(31)
ARRAYS = {
    "VISIBILITY", "VISIBILITY_MODEL", "FLAG", "WEIGHT", "UVW", "time", "frequency", "polarization", "field_name",
    "baseline_antenna1_name", "baseline_antenna2_name", "antenna_name", "ANTENNA_POSITION", "FIELD_PHASE_CENTER_DIRECTION",
    "ANTENNA_RECEPTOR_ANGLE", "polarization_type",
}
KEPT = {"ANTENNA", "SPECTRAL_WINDOW", "POLARIZATION", "FIELD", "FEED", "DATA_DESCRIPTION"}


def digest(data):
    data = np.ascontiguousarray(data)
    return hashlib.sha256(data.astype(data.dtype.newbyteorder("<")).tobytes()).hexdigest()


def normal(*shape):
    return (rng.normal(size=shape) + 1j * rng.normal(size=shape)).astype(np.complex64)


def uvh5(name):
    positions = {3: [0, 0, 0], 5: [100, 0, 0], 8: [0, 250, 30], 9: [-300, 120, 0]}
    uv = UVData.new(
        freq_array=np.linspace(1e8, 1.2e8, 5), channel_width=5e6, polarization_array=[-5, -7, -8, -6],
        times=np.array([2459000.1, 2459000.2]), integration_time=10.0, do_blt_outer=True, empty=True,
        antpairs=[(3, 5), (3, 8), (5, 8), (8, 9), (3, 9), (5, 9)],
        telescope=Telescope.new(
            name="test", instrument="test", x_orientation="east", feeds=["x", "y"], mount_type="fixed",
            location=EarthLocation.from_geodetic(21.4 * u.deg, -30.7 * u.deg, 1000 * u.m),
            antenna_positions={k: np.array(v, float) for k, v in positions.items()},
            antenna_names=["A", "B", "Cee", "Dee with a name"],
        ),
    )
    uv.phase(ra=1.4, dec=-0.52, cat_name="source", epoch="J2000")
    uv.data_array = normal(*uv.data_array.shape)
    uv.flag_array = rng.random(uv.flag_array.shape) < 0.2
    uv.nsample_array = rng.random(uv.nsample_array.shape).astype(np.float32)
    uv.history = "made for tests"
    uv.write_uvh5(name, clobber=True, data_compression="gzip", flags_compression="lzf", chunks=(5, 5, 4))
    numbers = list(uv.telescope.antenna_numbers)
    centre = np.array([c.value for c in uv.telescope.location.geocentric])
    return {
        "antennas": list(uv.telescope.antenna_names),
        "positions": (uv.telescope.antenna_positions + centre).tolist(),
        "times": sorted({(t - 2400000.5) * 86400 for t in uv.time_array}),
        "frequencies": uv.freq_array.tolist(), "channelWidths": uv.channel_width.tolist(),
        "correlations": ["XX", "XY", "YX", "YY"], "phaseCentre": [1.4, -0.52], "field": "source",
        "rows": uv.Nblts, "antenna1": [numbers.index(a) for a in uv.ant_1_array],
        "antenna2": [numbers.index(a) for a in uv.ant_2_array],
        "uvw": digest(uv.uvw_array), "visibility": digest(uv.data_array), "flag": digest(uv.flag_array),
        "weight": digest(uv.nsample_array), "interval": uv.integration_time.tolist(),
        "sign": "antenna2 - antenna1",
    }


def data_column(name, kind, group):
    return ct.makearrcoldesc(name, 0j if kind == "complex" else False if kind == "boolean" else 0.0, valuetype=kind,
                             ndim=2, datamanagertype="TiledShapeStMan", datamanagergroup=group)


def measurement_set(name):
    """Three antennas, two fields, two spectral windows of 4 and 6 channels, rows of both mixed."""
    shutil.rmtree(name, ignore_errors=True)
    desc = ct.required_ms_desc("MAIN")
    desc.update(ct.maketabdesc([data_column("DATA", "complex", "TiledData"), data_column("MODEL_DATA", "complex", "TiledModel")]))
    desc["FLAG"].update(dataManagerType="TiledShapeStMan", dataManagerGroup="TiledFlag")
    desc["UVW"].update(dataManagerType="TiledColumnStMan", dataManagerGroup="TiledUVW", option=5, shape=[3], ndim=1)
    for column in ("TIME", "DATA_DESC_ID", "FIELD_ID", "INTERVAL", "SCAN_NUMBER", "EXPOSURE"):
        desc[column].update(dataManagerType="IncrementalStMan", dataManagerGroup="ism")
    info = {
        "*1": {"TYPE": "TiledShapeStMan", "NAME": "TiledData", "SPEC": {"DEFAULTTILESHAPE": [4, 3, 5]}, "COLUMNS": ["DATA"]},
        "*2": {"TYPE": "TiledShapeStMan", "NAME": "TiledModel", "SPEC": {"DEFAULTTILESHAPE": [2, 4, 4]}, "COLUMNS": ["MODEL_DATA"]},
        "*3": {"TYPE": "TiledShapeStMan", "NAME": "TiledFlag", "SPEC": {"DEFAULTTILESHAPE": [4, 3, 5]}, "COLUMNS": ["FLAG"]},
        "*4": {"TYPE": "TiledColumnStMan", "NAME": "TiledUVW", "SPEC": {"DEFAULTTILESHAPE": [3, 10]}, "COLUMNS": ["UVW"]},
        "*5": {"TYPE": "IncrementalStMan", "NAME": "ism", "SPEC": {"BUCKETSIZE": 1024},
               "COLUMNS": ["TIME", "DATA_DESC_ID", "FIELD_ID", "INTERVAL", "SCAN_NUMBER", "EXPOSURE"]},
    }
    ms = ct.default_ms(name, desc, info)
    at = EarthLocation.from_geodetic([21.4, 21.402, 21.403] * u.deg, [-30.7, -30.701, -30.705] * u.deg, 1000 * u.m)
    positions = np.stack([x.value for x in at.geocentric], -1)
    pairs = [(0, 1), (0, 2), (1, 2)]
    times = 5.1e9 + np.arange(4) * 8.0
    rows = [(t, d, f, p, q) for f, own in ((0, times[:2]), (1, times[2:])) for t in own for d in (0, 1) for p, q in pairs]
    ms.addrows(len(rows))
    centres = [(1.25, -0.5), (1.27, -0.52)]
    shapes = {0: (4, 4), 1: (6, 2)}
    data, model, flags, uvw, weight = [], [], [], [], []
    for i, (t, d, f, p, q) in enumerate(rows):
        ra, dec = centres[f]
        mjd = t / 86400
        angle = np.deg2rad((280.46061837 + 360.98564736629 * (mjd - 51544.5)) % 360) - ra
        b = positions[q] - positions[p]
        s, c = np.sin(angle), np.cos(angle)
        uvw.append([s * b[0] + c * b[1],
                    -np.sin(dec) * c * b[0] + np.sin(dec) * s * b[1] + np.cos(dec) * b[2],
                    np.cos(dec) * c * b[0] - np.cos(dec) * s * b[1] + np.sin(dec) * b[2]])
        data.append(normal(*shapes[d]))
        model.append(normal(*shapes[d]))
        flags.append(rng.random(shapes[d]) < 0.3)
        weight.append(rng.random(shapes[d][1]).astype(np.float32) + 0.5)
        for column, value in (("TIME", t), ("DATA_DESC_ID", d), ("FIELD_ID", f), ("INTERVAL", 8.0), ("ANTENNA1", p), ("ANTENNA2", q)):
            ms.putcell(column, i, value)
        for column, value in (("UVW", np.array(uvw[-1])), ("DATA", data[-1]), ("MODEL_DATA", model[-1]), ("FLAG", flags[-1]),
                              ("WEIGHT", weight[-1]), ("SIGMA", 1 / np.sqrt(weight[-1]))):
            ms.putcell(column, i, value)

    def sub(table, count, **columns):
        t = ct.table(f"{name}/{table}", readonly=False, ack=False)
        t.addrows(count)
        for column, values in columns.items():
            for i, value in enumerate(values):
                t.putcell(column, i, value)
        t.close()

    sub("ANTENNA", 3, NAME=["m000", "m001", "a station"], POSITION=positions, DISH_DIAMETER=[13.5] * 3)
    frequencies = [np.linspace(1.3e9, 1.36e9, 4), np.linspace(1.4e9, 1.45e9, 6)]
    sub("SPECTRAL_WINDOW", 2, CHAN_FREQ=frequencies, CHAN_WIDTH=[np.full(4, 2e7), np.full(6, 1e7)], NUM_CHAN=[4, 6], NAME=["low", "high"])
    sub("POLARIZATION", 2, CORR_TYPE=[np.array([9, 10, 11, 12], np.int32), np.array([5, 8], np.int32)], NUM_CORR=[4, 2])
    sub("DATA_DESCRIPTION", 2, SPECTRAL_WINDOW_ID=[0, 1], POLARIZATION_ID=[0, 1])
    directions = [np.array([c]) for c in centres]
    sub("FIELD", 2, NAME=["calibrator", "target"], PHASE_DIR=directions, DELAY_DIR=directions, REFERENCE_DIR=directions,
        NUM_POLY=[0, 0], SOURCE_ID=[-1, -1])
    sub("FEED", 6, ANTENNA_ID=[0, 1, 2] * 2, SPECTRAL_WINDOW_ID=[0] * 3 + [1] * 3, NUM_RECEPTORS=[2] * 6, INTERVAL=[1e30] * 6,
        RECEPTOR_ANGLE=[np.array([0.0, np.pi / 2])] * 6, POLARIZATION_TYPE=[["X", "Y"]] * 3 + [["R", "L"]] * 3)
    sub("OBSERVATION", 1, TELESCOPE_NAME=["MeerKAT"], OBSERVER=["nobody"], PROJECT=["test"])
    sub("STATE", 1, OBS_MODE=["OBSERVE_TARGET#ON_SOURCE"])
    ms.close()
    msv4(name, "small.ps.zarr")
    for entry in os.listdir(name):
        path = f"{name}/{entry}"
        if os.path.isdir(path) and entry not in KEPT:
            shutil.rmtree(path)
    for folder, _, files in os.walk(name):
        for file in files:
            if file == "table.info":
                os.remove(f"{folder}/{file}")

    def part(field, window):
        own = [i for i, (t, d, f, p, q) in enumerate(rows) if d == window and f == field]
        pick = lambda values: np.stack([values[i] for i in own])
        return {
            "antennas": ["m000", "m001", "a station"], "positions": positions.tolist(),
            "times": sorted({rows[i][0] for i in own}), "frequencies": frequencies[window].tolist(),
            "channelWidths": [2e7] * 4 if window == 0 else [1e7] * 6,
            "correlations": ["XX", "XY", "YX", "YY"] if window == 0 else ["RR", "LL"],
            "phaseCentre": list(centres[field]), "field": ["calibrator", "target"][field], "rows": len(own),
            "antenna1": [rows[i][3] for i in own], "antenna2": [rows[i][4] for i in own],
            "uvw": digest(pick(uvw)), "visibility": digest(pick(data)), "model": digest(pick(model)),
            "flag": digest(pick(flags)), "weight": digest(pick(weight)), "interval": [8.0] * len(own),
            "sign": "antenna2 - antenna1",
        }

    return [{"field": f, "window": w, **{"expected": part(f, w)}} for f in (0, 1) for w in (0, 1)]


def msv4(source, name):
    """The same in version 4, without arrays that are not read, and without consolidated metadata."""
    shutil.rmtree(name, ignore_errors=True)
    convert_msv2_to_processing_set(source, name, with_pointing=False, compressor=None)
    for folder, inner, files in list(os.walk(name)):
        for one in inner:
            path = f"{folder}/{one}/zarr.json"
            if os.path.exists(path) and json.load(open(path))["node_type"] == "array" and one not in ARRAYS:
                shutil.rmtree(f"{folder}/{one}")
        path = f"{folder}/zarr.json"
        if os.path.exists(path):
            document = json.load(open(path))
            document.pop("consolidated_metadata", None)
            with open(path, "w") as file:
                json.dump(document, file)


expected = {"small.uvh5": uvh5("small.uvh5"), "small.ms": measurement_set("small.ms")}
with open("expected.json", "w") as file:
    json.dump(expected, file, indent=1)
    file.write("\n")
