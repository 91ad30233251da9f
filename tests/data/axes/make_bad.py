"""Makes bad.h5: arrays of 3 x 4 whose axes say what cannot be, in every convention of HDF5 that says axes, one group per fault.

    python make_bad.py
"""

import json

import h5py
import numpy as np

SHAPE = (3, 4)
DATA = np.arange(12, dtype="uint16").reshape(SHAPE)
UNIT = "furlongs per (fortnight"


def hyperspy(group, sizes=SHAPE, **last):
    group["data"] = DATA
    for d, size in enumerate(sizes):
        axis = group.create_group(f"axis-{d}")
        told = {"name": "yxz"[d], "scale": 0.5, "offset": 1.0, "units": "nm", "size": size, "navigate": False}
        axis.attrs.update({**told, **(last if d == 1 else {})})


def nexus(group, names="yx", length=4, values=None, units="nm"):
    group.attrs.update({"signal": "counts", "axes": list(names)})
    group["counts"] = DATA
    group["y"] = np.arange(3) * 0.5
    group["x"] = np.arange(length) * 0.5 if values is None else values
    for name in "yx":
        group[name].attrs["units"] = units


def emd(group, dims=2, length=4, values=None, units="[n_m]"):
    group["data"] = DATA
    for d in range(dims):
        default = np.arange(length if d == 1 else 3) * 0.5
        dim = group.create_dataset(f"dim{d + 1}", data=default if values is None or d != 1 else values)
        dim.attrs.update({"name": "yxz"[d], "units": units})


def nion(group, steps):
    group["data"] = DATA
    calibrations = [{"offset": 0.0, "scale": scale, "units": unit} for scale, unit in steps]
    group["data"].attrs["properties"] = json.dumps({"dimensional_calibrations": calibrations})


def dm5(file, number, dims=2, scale=0.5, unit="nm"):
    image = file.create_group(f"ImageList/[{number}]/ImageData")
    image["Data"] = DATA
    for d in range(dims):
        image.create_group(f"Calibrations/Dimension/[{d}]").attrs.update(
            {"Scale": 0.5 if d else scale, "Origin": 0.0, "Units": "nm" if d else unit}
        )


def velox(file, name, scale, unit="m"):
    group = file.create_group(f"Data/Image/{name}")
    group["Data"] = DATA[..., None]
    told = {"PixelSize": {"width": scale, "height": "5e-10"}, "PixelUnitX": unit, "PixelUnitY": "m"}
    text = json.dumps({"BinaryResult": told}).encode()
    group["Metadata"] = np.frombuffer(text, "uint8")[:, None]


def py4dstem(file, name, scale, unit="nm"):
    group = file.create_group(name)
    group["datacube/data"] = np.zeros((1, 2, 3, 4), "uint16")
    told = group.create_group("metadatabundle/calibration")
    told.attrs.update({"R_pixel_size": scale, "R_pixel_units": unit, "Q_pixel_size": 0.5, "Q_pixel_units": "A^-1"})


with h5py.File("bad.h5", "w", libver="latest") as file:
    for name, given in {
        "zero": {"scale": 0.0},
        "nan": {"scale": np.nan},
        "negative": {"scale": -0.5},
        "unit": {"units": UNIT},
        "size": {"size": 5},
        "count": {"sizes": (3, 4, 5)},
    }.items():
        hyperspy(file.create_group(f"hyperspy/{name}"), **given)
    for name, given in {
        "zero": {"values": np.zeros(4)},
        "nan": {"values": np.array([0.0, 0.5, np.nan, 1.5])},
        "negative": {"values": np.arange(4) * -0.5},
        "unit": {"units": UNIT},
        "size": {"length": 7},
    }.items():
        nexus(file.create_group(f"nexus/{name}"), **given)
        emd(file.create_group(f"emd/{name}"), **given)
    nexus(file.create_group("nexus/edges"), length=5)
    nexus(file.create_group("nexus/count"), names="yxy")
    emd(file.create_group("emd/count"), dims=3)
    for number, (name, step) in enumerate(
        {"zero": (0.0, "nm"), "nan": (float("nan"), "nm"), "negative": (-0.5, "nm"), "unit": (0.5, UNIT)}.items()
    ):
        nion(file.create_group(f"nion/{name}"), [(0.5, "nm"), step])
        dm5(file, number, scale=step[0], unit=step[1])
        velox(file, name, str(step[0]), step[1])
        py4dstem(file, f"py4dstem_{name}", *step)
    nion(file.create_group("nion/count"), [(0.5, "nm")] * 3)
    dm5(file, 4, dims=3)
