"""Reads sources with the packages that people use, so that what is written is compared with what others read, and not with our reader.

A package may show an array in another shape, or several arrays: one of them has the samples that were read, in their order.
"""

import os
from itertools import permutations

import numpy as np


def tiff(path, _):
    import tifffile

    with tifffile.TiffFile(path) as file:
        for series in file.series:
            for level in series.levels:
                yield level.asarray()
        for page in file.pages:
            for one in [page, *(page.pages or [])]:
                yield one.asarray()


def zarr_array(path, asked):
    import zarr

    store = zarr.storage.ZipStore(path, mode="r") if os.path.isfile(path) else path
    yield np.asarray(zarr.open_array(store, path=asked["array"].strip("/"), mode="r")[...])


def hdf5(path, asked):
    import h5py
    import hdf5plugin  # noqa: F401

    with h5py.File(path) as file:
        data = file[asked["array"]][...]
    yield data if data.dtype.names is None else np.stack([data[name] for name in data.dtype.names], axis=-1)


def npy(path, _):
    yield np.load(path)


def fits(path, _):
    from astropy.io import fits as f

    with f.open(path) as file:
        for part in file:
            if part.is_image and part.data is not None:
                yield np.asarray(part.data)


def raw(path, asked):
    options = asked["options"]
    order = ">" if options.get("byteOrder") == "big" else "<"
    yield np.fromfile(path, np.dtype(options["dtype"]).newbyteorder(order), offset=options.get("headerBytes", 0))


def casacore(path, asked):
    from casacore.tables import table

    with table(os.path.dirname(path) if path.endswith("table.dat") else path, ack=False) as found:
        yield np.asarray(found.getcol(asked["array"]))


def rosetta(name):
    def read(path, _):
        from importlib import import_module

        for one in import_module(f"rsciio.{name}").file_reader(path):
            data = np.asarray(one["data"])
            yield data if data.dtype.names is None else np.stack([data[part] for part in data.dtype.names], axis=-1)
            if data.ndim > 1:
                yield data[..., ::-1, :]  # images of MIB are shown upside down

    return read


def libertem(kind, **options):
    def read(path, asked):
        from libertem.api import Context
        from libertem.udf.raw import PickUDF

        context = Context.make_with("inline")
        nav = tuple(asked["shape"][: asked["nav"]]) or (1,)
        frames = context.load(kind, path=path, **({} if kind == "raw_csr" else {"nav_shape": nav}), **options)
        picked = context.run_udf(frames, PickUDF(), roi=np.ones(tuple(frames.shape.nav), dtype=bool))
        yield np.asarray(picked["intensity"].raw_data)

    return read


def first_of(*readers):
    """By the first package that reads it at all."""

    def read(path, asked):
        for reader in readers[:-1]:
            try:
                yield from reader(path, asked)
                return
            except Exception:
                pass
        yield from readers[-1](path, asked)

    return read


READERS = {
    "tiff": tiff,
    "zarr": zarr_array,
    "hdf5": hdf5,
    "npy": npy,
    "fits": fits,
    "raw": raw,
    "casacore": casacore,
    "dm": rosetta("digitalmicrograph"),
    "blo": rosetta("blockfile"),
    "mib": first_of(rosetta("quantumdetector"), libertem("mib")),
    "seq": libertem("seq"),
    "frms6": libertem("frms6", enable_offset_correction=False),
    "raw_csr": libertem("raw_csr"),
    "mrc": rosetta("mrc"),
    "ripple": rosetta("ripple"),
    "ser": rosetta("tia"),
    "tvips": rosetta("tvips"),
    "empad": first_of(rosetta("empad"), libertem("empad")),
}


# What packages show otherwise, and why: these are not judges of such files.
OTHERWISE = {
    "blo/test1.blo": "RosettaSciIO shows the patterns alone, not the bright field that lies in front of them",
    "frms6_bin1.hdr": "LiberTEM shows the frames alone, not the dark frame",
    "mrc/mode0_int8_negative.mrc": "RosettaSciIO has mode 0 without signs; MRC2014 has it with signs",
    "lerc_nan_pixel.tif": "tifffile leaves out the mask of LERC, which says that a pixel has no number",
    "nodata_float32_-3.40282347e+38.tif": "tifffile does not read this GDAL_NODATA, and fills tiles that are not there with zeros",
    "nodata_int16_1.5.tif": "tifffile does not read this GDAL_NODATA, and fills tiles that are not there with zeros",
}


def as_type(data, dtype):
    """The samples in the type of our reader, where it holds them all: bits as bytes, floats of 16 bits of TIFF in 32."""
    if data.dtype.newbyteorder("=") == dtype:
        return data
    same = data.astype(dtype) if data.dtype.kind in "buif" and dtype.kind in "buif" else None
    return same if same is not None and np.array_equal(same, data, equal_nan=dtype.kind == "f") else None


def orders(data, shape):
    """As it is, and with other orders of axes: colours in planes, frames last, the signal first."""
    yield data
    if data.ndim < 5:
        for order in permutations(range(data.ndim)):
            turned = data.transpose(order)
            if turned.shape == tuple(shape) and order != tuple(range(data.ndim)):
                yield turned


def judged(asked, digest):
    """Whether a package reads these samples: {"is_same"}, and what it reads instead, or {"error"} where none does."""
    if asked["format"] not in READERS:
        return {"error": f"no package is known for {asked['format']}"}
    seen = []
    try:
        for data in READERS[asked["format"]](asked["path"], asked):
            same = as_type(data, np.dtype(asked["dtype"]))
            if same is not None and any(digest(one) == asked["sha256"] for one in orders(same, asked["shape"])):
                return {"is_same": True}
            seen.append(f"{'x'.join(map(str, data.shape))} {data.dtype.newbyteorder('=').name}")
    except Exception as error:
        if not seen:
            return {"error": f"{type(error).__name__}: {error}"[:300]}
    reason = next((why for end, why in OTHERWISE.items() if asked["path"].endswith(end)), None)
    return {"is_same": False, "seen": seen[:6]} if reason is None else {"error": reason}
