"""Makes said_*: files whose attributes say how numbers are meant, and said.json: how xarray, nexusformat, HyperSpy,
emdfile and ome-types read them.

    python tests/data/meaning/make_said.py
"""

import json
import os
import shutil
import tempfile

import emdfile
import h5py
import hyperspy.api as hs
import nexusformat.nexus as nx
import numpy as np
import tifffile
import xarray as xr
from astropy.io import fits
from ome_types import from_tiff

HERE = os.path.dirname(os.path.abspath(__file__))
said = {}


def note(file, array, axes, **others):
    """`axes`: pairs of name and places; `others`: amounts (flat, None where missing), dtype, kind."""
    places = [[name, None if at is None else [float(one) for one in at]] for name, at in axes]
    said.setdefault(file, {})[array] = {"axes": places, **others}


# CF: what xarray decodes. Times are not decoded, as places along an axis are numbers.
samples = np.arange(12, dtype="f8").reshape(3, 4)
samples[1, 2] = np.nan
whole = xr.Dataset(
    {
        "packed": (("time", "lat"), samples, {"units": "K", "coordinates": "area"}),
        "far": (("time", "lat"), samples.astype("f4")),
        "flags": (("time", "lat"), np.arange(12, dtype="i1").reshape(3, 4) % 3, {"flag_values": [0, 1, 2], "flag_meanings": "a b c"}),
        "valid": (("time", "lat"), np.arange(12, dtype="i2").reshape(3, 4), {"valid_range": [2, 9]}),
        "unsigned": (("time", "lat"), np.arange(250, 262, dtype="f4").reshape(3, 4).clip(max=255)),
        "area": (("time", "lat"), np.ones((3, 4), "f4")),
    },
    coords={
        "lat": ("lat", np.array([9.0, 8.5, 8.0, 7.5]), {"units": "degrees_north"}),
        "time": ("time", [0.0, 6.0, 12.0], {"units": "hours since 2020-01-01 00:00:00", "calendar": "noleap"}),
    },
)
encoding = {
    "packed": {"dtype": "i2", "scale_factor": 0.25, "add_offset": 2.0, "_FillValue": -9},
    "far": {"_FillValue": np.float32(1e20)},
    "unsigned": {"dtype": "i1", "_Unsigned": "true", "_FillValue": np.int8(-1)},
    "lat": {"dtype": "i2", "scale_factor": 0.5, "add_offset": 4.0, "_FillValue": -9},
}
with tempfile.TemporaryDirectory() as folder:
    whole.to_netcdf(f"{HERE}/said_cf.nc", engine="netcdf4", encoding=encoding)
    for version in (2, 3):
        whole.to_zarr(f"{folder}/{version}", zarr_format=version, consolidated=False, encoding=encoding)
        shutil.make_archive(f"{HERE}/said_cf{version}.zarr", "zip", f"{folder}/{version}")
    for file, opened, slash in (
        ("said_cf.nc", xr.open_dataset(f"{HERE}/said_cf.nc", decode_times=False), "/"),
        ("said_cf2.zarr.zip", xr.open_zarr(f"{folder}/2", consolidated=False, decode_times=False), ""),
        ("said_cf3.zarr.zip", xr.open_zarr(f"{folder}/3", consolidated=False, decode_times=False), ""),
    ):
        for name in ("packed", "far", "flags", "valid", "unsigned"):
            array = opened[name]
            amounts = [None if np.isnan(one) else float(one) for one in array.values.astype("f8").ravel()]
            note(file, slash + name, [(d, opened[d].values) for d in array.dims], amounts=amounts)

# NeXus: signals and axes of today, and as before 2014.
counts = np.arange(12, dtype="i4").reshape(3, 4)
with h5py.File(f"{HERE}/said_nexus.nxs", "w", libver="latest") as out:
    entry = out.create_group("entry")
    entry.attrs["NX_class"] = "NXentry"

    def group(name, **attributes):
        one = entry.create_group(name)
        one.attrs["NX_class"] = "NXdata"
        one.attrs.update(attributes)
        return one

    new = group("new", signal="counts", axes=["y", "x"])
    new.create_dataset("counts", data=counts).attrs["units"] = "e-"
    new.create_dataset("counts_scaling_factor", data=0.5)
    new.create_dataset("counts_offset", data=3.0)
    new.create_dataset("y", data=np.arange(3)).attrs["units"] = "mm"
    new.create_dataset("y_scaling_factor", data=0.25)
    new.create_dataset("y_offset", data=2.0)
    new.create_dataset("x", data=np.arange(4) * 0.5)
    old = group("old")
    signal = old.create_dataset("counts", data=counts)
    signal.attrs.update({"signal": 1, "axes": "time:polar"})
    old.create_dataset("polar", data=np.arange(4) * 2.0).attrs["units"] = "degrees"
    old.create_dataset("time", data=np.arange(3) * 0.5).attrs["units"] = "s"
    oldest = group("oldest")
    oldest.create_dataset("counts", data=counts).attrs["signal"] = 1
    oldest.create_dataset("errors", data=np.sqrt(counts))  # larger than the counts
    for number, (name, size) in enumerate((("other", 3), ("angle", 3), ("x", 4))):
        axis = oldest.create_dataset(name, data=np.arange(size) * (number + 1.0))
        axis.attrs.update({"axis": max(number, 1), "primary": 2 if name == "other" else 1})
    detector = entry.create_group("instrument/detector")
    entry.create_dataset("data/data", data=np.arange(24, dtype="u2").reshape(2, 3, 4))
    for name, value in (("saturation_value", 20), ("depends_on", "/entry/instrument/detector/stage")):
        detector.create_dataset(name, data=value)
    for name, value, units in (("x_pixel_size", 75.0, "microns"), ("y_pixel_size", 0.075, "millimeter"),
                               ("detector_distance", 12.0, "furlong"), ("count_time", 20.0, "milliseconds")):
        detector.create_dataset(name, data=value).attrs["units"] = units
root = nx.nxload(f"{HERE}/said_nexus.nxs")
for name in ("new", "old"):
    data = root[f"entry/{name}"]

    def amounts(field):
        factor, offset = (data.get(f"{field.nxname}_{word}") for word in ("scaling_factor", "offset"))
        return (field.nxvalue + (0 if offset is None else float(offset))) * (1 if factor is None else float(factor))

    note("said_nexus.nxs", f"/entry/{name}/counts", [(axis.nxname, amounts(axis)) for axis in data.nxaxes],
         amounts=amounts(data.nxsignal).astype("f8").ravel().tolist())
# nexusformat fails for axes by number (it puts them in an empty list), so these are as the standard has them
note("said_nexus.nxs", "/entry/oldest/counts", [("angle", np.arange(3) * 2.0), ("x", np.arange(4) * 3.0)])

# HyperSpy: functional axes.
axes = [
    {"name": "y", "size": 3, "scale": 2.0, "units": "nm", "navigate": True},
    {"name": "E", "units": "eV", "navigate": False, "expression": "sqrt(a * x**2 + b) - 1.5e-1", "a": 2.0, "b": 1.0,
     "x": {"size": 4, "scale": 0.5, "offset": 1.0}},
]
hs.signals.Signal1D(samples, axes=axes).save(f"{HERE}/said_function.hspy", overwrite=True)
loaded = hs.load(f"{HERE}/said_function.hspy").axes_manager._axes
note("said_function.hspy", "/Experiments/__unnamed__/data", [(axis.name, axis.axis) for axis in loaded])

# emdfile: a stack, whose labels are those of its first dimension.
stack = emdfile.Array(np.arange(24.0).reshape(2, 3, 4), name="stack", slicelabels=["first", "second"],
                      dims=[0.5, 0.25], dim_names=["Qx", "Qy"], dim_units=["A^-1", "A^-1"])
emdfile.save(f"{HERE}/said_stack.emd", stack, mode="o")
loaded = emdfile.read(f"{HERE}/said_stack.emd")
places = [np.array(dim[0] + (dim[1] - dim[0]) * np.arange(n)) for dim, n in zip(loaded.dims, loaded.shape)]
note("said_stack.emd", "/stack_root/stack/data", [("image", None), *zip(loaded.dim_names, places)],
     labels=[str(one) for one in loaded.slicelabels])

# OME-TIFF: places of planes where the image says no step, as ome-types reads them.
PLANES = {
    "times": ("TYX", {}, [{"DeltaT": at, "DeltaTUnit": "ms"} for at in (0.0, 1.0, 2.5, 4.0, 9.0)]),
    "steps": ("TYX", {}, [{"DeltaT": at} for at in (3.0, 5.0, 7.0)]),
    "other": ("TYX", {"TimeIncrement": 1.0}, [{"DeltaT": at} for at in (0.0, 1.0, 9.0)]),
    "down": ("ZYX", {"SignificantBits": 12}, [{"PositionZ": at, "PositionZUnit": "µm"} for at in (12.0, 11.5, 11.0)]),
}
MODULO = (
    '<StructuredAnnotations><XMLAnnotation ID="Annotation:0" Namespace="openmicroscopy.org/omero/dimension/modulo"><Value>'
    '<Modulo><ModuloAlongT Type="lifetime" Unit="ps" Start="0" Step="50" End="200"/></Modulo></Value></XMLAnnotation>'
    "</StructuredAnnotations>"
)
for name, (letters, pixels, planes) in PLANES.items():
    file = f"said_{name}.ome.tif"
    tifffile.imwrite(f"{HERE}/{file}", np.zeros((len(planes), 2, 3), "u2"), ome=True, photometric="minisblack",
                     metadata={"axes": letters, **pixels})
    with tifffile.TiffFile(f"{HERE}/{file}") as opened:
        xml = opened.ome_metadata
    said_of = "".join(
        "<Plane TheC=\"0\" " + " ".join(f'{key}="{value}"' for key, value in
        ({"TheT": n if letters[0] == "T" else 0, "TheZ": n if letters[0] == "Z" else 0} | plane).items()) + "/>"
        for n, plane in enumerate(planes)
    )
    xml = xml.replace("</Pixels>", said_of + "</Pixels>").replace("</Image>", "</Image>" + (MODULO if name == "times" else ""))
    tifffile.tiffcomment(f"{HERE}/{file}", xml.encode())
    found = from_tiff(f"{HERE}/{file}").images[0].pixels
    step, places = found.time_increment, [one.delta_t if letters[0] == "T" else one.position_z for one in found.planes]
    first = places if step is None else step * np.arange(len(places))
    note(file, "series0", [("t" if letters[0] == "T" else "z", first), ("y", None), ("x", None)])

# FITS: an image that is compressed, and one beside it.
fits.HDUList([fits.PrimaryHDU(), fits.CompImageHDU(counts.astype("i2"), name="SCI")]).writeto(
    f"{HERE}/said_packed.fits", overwrite=True)

with open(f"{HERE}/said.json", "w") as out:
    json.dump(said, out, indent=1)
    out.write("\n")
