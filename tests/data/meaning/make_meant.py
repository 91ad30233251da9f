"""Makes meant_*: files that say which array is meant, and keep signs and scales where they are easily skipped, and meant.json:
how xarray, nexusformat and ngff-zarr read them.

    python tests/data/meaning/make_meant.py
"""

import json
import os
import shutil
import tempfile

import h5py
import hyperspy.api as hs
import nexusformat.nexus as nx
import ngff_zarr
import numpy as np
import tifffile
import xarray as xr
import zarr
from ome_zarr.writer import write_image, write_plate_metadata, write_well_metadata

HERE = os.path.dirname(os.path.abspath(__file__))
said = {}


def note(file, array, axes, **others):
    said.setdefault(file, {})[array] = {"axes": [[name, [float(one) for one in at]] for name, at in axes], **others}


# CF: coordinates of bytes without a sign, and with a number for missing places.
whole = xr.Dataset(
    {"image": (("level", "band"), np.arange(12.0).reshape(3, 4), {"grid_mapping": "map", "ancillary_variables": "quality"})},
    coords={
        "level": ("level", [100.0, 180.0, 254.0], {"units": "m"}),
        "band": ("band", [0.0, 70.0, 140.0, 210.0], {"units": "nm"}),
    },
)
encoding = {
    "level": {"dtype": "i1", "_Unsigned": "true", "_FillValue": np.int8(-1)},
    "band": {"dtype": "i1", "_Unsigned": "true", "_FillValue": np.int8(-1)},
}
with tempfile.TemporaryDirectory() as folder:
    whole.to_netcdf(f"{HERE}/meant_cf.nc", engine="netcdf4", encoding=encoding)
    whole.to_zarr(f"{folder}/3", zarr_format=3, consolidated=False, encoding=encoding)
    shutil.make_archive(f"{HERE}/meant_cf.zarr", "zip", f"{folder}/3")
    for file, opened, slash in (("meant_cf.nc", xr.open_dataset(f"{HERE}/meant_cf.nc"), "/"),
                                ("meant_cf.zarr.zip", xr.open_zarr(f"{folder}/3", consolidated=False), "")):
        array = opened["image"]
        note(file, f"{slash}image", [(d, opened[d].values) for d in array.dims])

# xarray: a tree, whose groups have the coordinates of those above, and truth values.
top = xr.Dataset({"mask": ("x", np.array([True, False, True]))}, coords={"x": ("x", [1.0, 3.0, 7.0], {"units": "mm"})})
tree = xr.DataTree.from_dict({"/": top, "/inside": xr.Dataset({"image": (("y", "x"), np.ones((2, 3)))})})
tree.to_netcdf(f"{HERE}/meant_tree.nc")
with tempfile.TemporaryDirectory() as folder:
    tree.to_zarr(f"{folder}/tree", zarr_format=3)
    shutil.make_archive(f"{HERE}/meant_tree.zarr", "zip", f"{folder}/tree")
    for file, opened, slash in (("meant_tree.nc", xr.open_datatree(f"{HERE}/meant_tree.nc"), "/"),
                                ("meant_tree.zarr.zip", xr.open_datatree(f"{folder}/tree", engine="zarr"), "")):
        array = opened["inside/image"]
        note(file, f"{slash}inside/image", [("y", range(2)), ("x", array["x"].values)])

# NeXus: the attribute `default`, and scales in arrays that are stored in chunks.
counts = np.arange(12, dtype="i4").reshape(3, 4)
with h5py.File(f"{HERE}/meant_nexus.nxs", "w", libver="latest") as out:
    for entry in ("first", "second"):
        out.create_group(entry).attrs["NX_class"] = "NXentry"
        for name, size in (("large", 3), ("small", 1)):
            group = out.create_group(f"{entry}/{name}")
            group.attrs.update({"NX_class": "NXdata", "signal": "counts", "axes": ["y", "x"]})
            group.create_dataset("counts", data=np.tile(counts, (size, 1)))
            group.create_dataset("y", data=np.arange(3 * size) * 2.0).attrs["units"] = "mm"
            group.create_dataset("x", data=np.arange(4) * 0.5)
    scaled = out["second/small"]
    scaled.create_dataset("counts_scaling_factor", data=[0.5], maxshape=(None,))
    scaled.create_dataset("counts_offset", data=[3.0], chunks=(1,), compression="gzip", shuffle=True)
    out["second/large"].create_dataset("counts_scaling_factor", data=[0.5, 2.0, 1.0, 1.0])
root = nx.nxload(f"{HERE}/meant_nexus.nxs", "rw")
root["second/small"].set_default()
root["second"].set_default()
data = root.get_default()
factor, offset = float(data["counts_scaling_factor"].nxvalue), float(data["counts_offset"].nxvalue)
note("meant_nexus.nxs", data.nxsignal.nxpath, [(axis.nxname, axis.nxvalue) for axis in data.nxaxes],
     amounts=((data.nxsignal.nxvalue + offset) * factor).ravel().tolist())

# NeXus: which dimensions one sees at a time.
with h5py.File(f"{HERE}/meant_seen.nxs", "w") as out:
    out.create_group("entry").attrs["NX_class"] = "NXentry"
    for name, shape, axes, units in (("spectrum", (3, 4, 8), "yxn", ["um", "um", "channel"]), ("image", (2, 4, 8), "tyE", ["s", "mm", "keV"])):
        group = out.create_group(f"entry/{name}")
        group.attrs.update({"NX_class": "NXdata", "signal": "data", "axes": list(axes)})
        group.create_dataset("data", data=np.zeros(shape, "u2")).attrs["interpretation"] = name  # as NeXus has it
        group.attrs["interpretation"] = name  # as RosettaSciIO has it
        for axis, n, unit in zip(axes, shape, units):
            group.create_dataset(axis, data=np.arange(n) * 0.5).attrs["units"] = unit
for one in hs.load(f"{HERE}/meant_seen.nxs"):
    axes, name = one.axes_manager._axes, one.metadata.General.title
    if name in ("spectrum", "image"):
        note("meant_seen.nxs", f"/entry/{name}/data", [(axis.name, axis.axis) for axis in axes],
             nav=sum(axis.navigate for axis in axes))

# NeXus: a detector by its class, whatever it is called, as NXmx has it.
with h5py.File(f"{HERE}/meant_detector.nxs", "w") as out:
    for path, kind in (("entry", "NXentry"), ("entry/data", "NXdata"), ("entry/instrument", "NXinstrument"), ("entry/instrument/ELE_D0", "NXdetector")):
        out.create_group(path).attrs["NX_class"] = kind
    out.create_dataset("entry/data/data", data=np.zeros((2, 4, 6), "u2"))  # which no signal names
    out.create_dataset("entry/larger", data=np.zeros((3, 4, 6), "u2"))
    out.attrs["default"], out["entry"].attrs["default"] = "entry", "data"
    detector = out["entry/instrument/ELE_D0"]
    detector.create_dataset("pixel_mask", data=np.zeros((4, 6), "u4"))
    detector.create_dataset("saturation_value", data=[1000], chunks=(1,), maxshape=(None,))
    detector.create_dataset("description", data=[b"Eiger"], chunks=(1,), compression="gzip")
    for name in ("x_pixel_size", "y_pixel_size"):
        detector.create_dataset(name, data=75e-6).attrs["units"] = "m"

# OME-Zarr 0.6: coordinate systems with names, of which one is that of the levels.
with tempfile.TemporaryDirectory() as folder:
    image = ngff_zarr.to_ngff_image(np.zeros((2, 4, 6), "u2"), ["z", "y", "x"], {"z": 2.0, "y": 0.5, "x": 0.25},
                                    {"z": 10.0, "y": -3.0, "x": 7.0}, "image", {d: "micrometer" for d in "zyx"})
    store = f"{folder}/store"
    ngff_zarr.to_ngff_zarr(store, ngff_zarr.to_multiscales(image, [2], chunks=4), version="0.6")
    path = f"{store}/zarr.json"
    with open(path) as file:
        text = json.load(file)
    multiscales = text["attributes"]["ome"]["multiscales"][0]
    own, = multiscales["coordinateSystems"]
    atlas = {"name": "atlas", "axes": [{"name": name, "type": "space", "unit": "millimeter"} for name in "abc"]}
    multiscales["coordinateSystems"] = [own, atlas]
    multiscales["coordinateTransformations"] = [
        {"type": "scale", "scale": [100, 100, 100], "input": {"name": own["name"]}, "output": {"name": "atlas"}}]
    with open(path, "w") as file:
        json.dump(text, file)
    for level, one in enumerate(ngff_zarr.from_ngff_zarr(store, version="0.6").images):
        name = multiscales["datasets"][level]["path"]
        places = [one.translation[d] + one.scale[d] * np.arange(n) for d, n in zip(one.dims, one.data.shape)]
        note("meant_06.ome.zarr.zip", name, zip(one.dims, places))
    shutil.make_archive(f"{HERE}/meant_06.ome.zarr", "zip", store)

# Velox: frames of a scan, and units as TeX has them in HyperSpy.
with h5py.File(f"{HERE}/meant_velox.emd", "w") as out:
    out.create_dataset("Version", data=[b'{"format": "Velox", "version": "1.9"}'])
    group = out.create_group("Data/Image/1")
    group.create_dataset("Data", data=np.zeros((4, 6, 3), "u2"))
    text = json.dumps({
        "Core": {"MetadataDefinitionVersion": "7.9"}, "Instrument": {"InstrumentModel": "T"}, "Sample": {}, "CustomProperties": {},
        "Acquisition": {"AcquisitionStartDatetime": {"DateTime": "1600000000"}}, "Optics": {}, "Stage": {}, "Detectors": {"Detector-0": {"DetectorName": "HAADF", "DetectorType": "ScanningDetector"}},
        "Scan": {"FrameTime": "2.5", "DwellTime": "1e-6"},
        "BinaryResult": {"PixelSize": {"width": "2e-9", "height": "3e-9"}, "Offset": {"x": "0", "y": "0"}, "PixelUnitX": "m",
                         "PixelUnitY": "m", "Detector": "HAADF", "DetectorIndex": "0"}})
    column = np.zeros((2000, 3), "u1")
    column[: len(text)] = np.frombuffer(text.encode(), "u1")[:, None]
    group.create_dataset("Metadata", data=column)
axes = hs.load(f"{HERE}/meant_velox.emd", reader="EMD").axes_manager._axes
steps = [axis.convert_to_units(units, inplace=False)[0] for axis, units in zip(axes, ("s", "m", "m"))]
note("meant_velox.emd", "/Data/Image/1/Data", [(d, step * np.arange(axis.size)) for d, step, axis in zip("tyx", steps, axes)])
hs.signals.Signal2D(np.zeros((4, 6)), axes=[
    {"name": name, "size": n, "scale": 0.5, "units": "$A^{-1}$", "navigate": False} for name, n in (("ky", 4), ("kx", 6))
]).save(f"{HERE}/meant_tex.hspy", overwrite=True)

# TIFF: places of ImageJ begin at an origin, counted in samples; a stack of HyperSpy has tags of DigitalMicrograph as well.
images = np.zeros((3, 4, 6), "u2")
origins = {"z": 1.0, "y": -2.0, "x": 4.5}
tifffile.imwrite(f"{HERE}/meant_imagej.tif", images, imagej=True, resolution=(4.0, 2.0), metadata={
    "axes": "ZYX", "unit": "um", "zunit": "nm", "spacing": 3.0, "inverty": "true", **{f"{d}origin": at for d, at in origins.items()}})
steps = {"z": 3.0, "y": 0.5, "x": 0.25}
note("meant_imagej.tif", "series0", [(d, steps[d] * (np.arange(n) - origins[d])) for d, n in zip("zyx", images.shape)])
axes = [{"name": name, "size": n, "scale": scale, "offset": offset, "units": units, "navigate": name == "z"}
        for (name, scale, offset, units), n in zip((("z", 2.0, 100.0, "eV"), ("y", 0.5, -3.0, ""), ("x", 0.25, 7.0, "nm")), images.shape)]
signal = hs.signals.Signal2D(images, axes=axes)
signal.metadata.Signal.quantity = "Intensity (e-)"
signal.save(f"{HERE}/meant_hyperspy.tif", overwrite=True)
loaded = hs.load(f"{HERE}/meant_hyperspy.tif").axes_manager._axes
note("meant_hyperspy.tif", "series0", [("energy", axis.axis) if axis.navigate else (d, axis.axis) for d, axis in zip("zyx", loaded)])

# GDAL: bands of different scales.
items = "".join(f'<Item name="SCALE" sample="{n}" role="scale">{scale}</Item>' for n, scale in enumerate((0.5, 2.0)))
tifffile.imwrite(f"{HERE}/meant_bands.tif", np.zeros((4, 6, 2), "u2"), photometric="minisblack", planarconfig="contig",
                 extratags=[(42112, "s", 0, f"<GDALMetadata>{items}</GDALMetadata>", True)], metadata=None)

# OME-Zarr: a field of a plate knows in which acquisition it was taken.
with tempfile.TemporaryDirectory() as folder:
    plate = zarr.open_group(f"{folder}/plate", mode="w", zarr_format=3)
    write_plate_metadata(plate, ["A"], ["1"], ["A/1"], acquisitions=[{"id": 7, "name": "first"}, {"id": 8}], name="trial")
    well = plate.require_group("A").require_group("1")
    write_well_metadata(well, [{"path": "0", "acquisition": 7}, {"path": "1", "acquisition": 8}])
    for field in "01":
        write_image(np.zeros((4, 6), "u1"), well.require_group(field), axes="yx", scaler=None)
    shutil.make_archive(f"{HERE}/meant_plate.ome.zarr", "zip", f"{folder}/plate")

with open(f"{HERE}/meant.json", "w") as out:
    json.dump(said, out, indent=2)
    out.write("\n")
