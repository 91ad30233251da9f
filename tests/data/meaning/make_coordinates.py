"""Makes coordinates.nc, coordinates.zarr.zip and labels.h5: arrays with coordinates as xarray, netCDF4 and h5py write them.

    python tests/data/meaning/make_coordinates.py
"""

import os
import shutil
import tempfile

import h5py
import numpy as np
import xarray as xr

HERE = os.path.dirname(os.path.abspath(__file__))
coords = {
    "time": ("time", [0.0, 1.5], {"units": "s"}),
    "y": ("y", [10.0, 20.0, 30.0], {"units": "nm"}),
    "x": ("x", [1.0, 2.0, 4.0, 8.0], {"units": "nm"}),
}
samples = np.arange(24, dtype="f4").reshape(2, 3, 4)
image = xr.DataArray(samples, dims=("time", "y", "x"), attrs={"units": "counts"})
bands = xr.DataArray(samples, dims=("band", "y", "x"))  # a dimension without coordinates
packed = image.astype("f8")
packed.encoding = {"dtype": "int16", "scale_factor": 0.01, "add_offset": 5.0, "_FillValue": -9}
whole = xr.Dataset({"image": image, "bands": bands, "packed": packed}, coords=coords)
whole.to_netcdf(f"{HERE}/coordinates.nc", engine="netcdf4")

with tempfile.TemporaryDirectory() as folder:
    whole.to_zarr(f"{folder}/store", zarr_format=2, consolidated=False)
    shutil.make_archive(f"{HERE}/coordinates.zarr", "zip", f"{folder}/store")

with h5py.File(f"{HERE}/labels.h5", "w") as out:
    data = out.create_dataset("data", data=samples)
    for d, name in enumerate(["t", "", "x"]):
        data.dims[d].label = name
    scale = out.create_dataset("places", data=np.array([0.0, 0.5, 1.0, 1.5]))
    scale.attrs["units"] = "um"
    scale.make_scale("places of columns")
    data.dims[2].attach_scale(scale)
