"""Opens what targets write with the packages that people use: a line of JSON per line of JSON on stdin.

Asked: {"path", "ending", "dtype", "shape"}; told: {"shape", "dtype", "sha256", "axes", "nav", "unit", "missing"} as far as a package has a word for
it, or {"error"}. Asked with a "format", it is a source, and sources.py tells. Needs numpy, hyperspy (with rosettasciio), emdfile, nexusformat, h5py, tifffile, ome-types, zarr, ome-zarr-models, astropy, pandas, pillow,
imagecodecs; python-casacore, libertem and hdf5plugin for sources.
"""

import hashlib
import json
import logging
import math
import os
import sys
import warnings

import numpy as np
from sources import judged

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)


def digest(data):
    little = np.ascontiguousarray(data).astype(data.dtype.newbyteorder("<"), copy=False)
    return hashlib.sha256(little.tobytes()).hexdigest()


def known(**facts):
    return {key: value for key, value in facts.items() if value is not None and value == value}


def text(value):
    if value is None:
        return None
    found = value.decode() if isinstance(value, bytes) else str(value)
    return None if found in ("", "<undefined>", "pixels") else found


def vector(values):
    values = [float(v) for v in values]
    step = np.diff(values)
    if len(values) > 1 and step[0] != 0 and np.allclose(step, step[0], rtol=1e-7, atol=1e-12 * max(map(abs, values))):
        return {"scale": (values[-1] - values[0]) / (len(values) - 1), "offset": values[0]}
    return {"offset": values[0]} if len(values) == 1 else {"positions": values}


def hyperspy(path, _):
    import hyperspy.api as hs

    signal = hs.load(path)
    axes = [
        {
            **known(name=text(a.name), unit=text(a.units)),
            **(dict(scale=a.scale, offset=a.offset) if a.is_uniform else {"positions": list(map(float, a.axis))}),
        }
        for a in signal.axes_manager._axes
    ]
    navigate = [bool(a.navigate) for a in signal.axes_manager._axes]
    quantity = signal.metadata.get_item("Signal.quantity", "")
    unit = quantity[quantity.find("(") + 1 : -1] if quantity.endswith(")") else None
    return signal.data, axes, {"nav": sum(navigate), "unit": unit}


def emd(path, _):
    import emdfile

    array = emdfile.read(path)
    axes = [known(name=text(n), unit=text(u), **vector(v)) for n, v, u in zip(array.dim_names, array.dims, array.dim_units)]
    return array.data, axes, {"unit": text(array.units)}


def nexus(path, _):
    from nexusformat.nexus import nxload

    data = nxload(path).entry.data
    axes = [known(name=text(a.nxname), unit=text(a.attrs.get("units")), **vector(a.nxdata)) for a in data.nxaxes]
    return data.nxsignal.nxdata, axes, {"unit": text(data.nxsignal.attrs.get("units"))}


def npy(path, _):
    return np.load(path), None, {}


def npz(path, _):
    with np.load(path) as file:
        (name,) = file.files
        return file[name], None, {}


def written(path, asked):
    return np.fromfile(path + ".samples", np.dtype(asked["dtype"]).newbyteorder("<")).reshape(asked["shape"])


def csv(path, asked):
    import pandas

    dtype, samples = np.dtype(asked["dtype"]), written(path, asked)
    number = {"f": np.float64, "c": np.float64, "i": np.int64}.get(dtype.kind, np.uint64)
    if samples.size == 0:
        return samples, None, {}  # nothing but a heading
    if samples.ndim == 2 and dtype.kind != "c":
        found = pandas.read_csv(path, header=None, float_precision="round_trip", dtype=number, skip_blank_lines=False).to_numpy()
    else:
        places = {f"i{d}": np.int64 for d in range(samples.ndim)}
        names = ["re", "im"] if dtype.kind == "c" else ["value"]
        table = pandas.read_csv(path, float_precision="round_trip", dtype={**places, **{name: number for name in names}})
        if list(table.columns) != [*places, *names]:
            raise ValueError(f"the columns are {list(table.columns)}")
        index = table[list(places)].to_numpy()
        shape = tuple(index.max(axis=0) + 1)
        if not np.array_equal(index.T, np.indices(shape).reshape(len(shape), -1)):
            raise ValueError("lines are not in the order of samples")
        found = np.ascontiguousarray(table[names].to_numpy()).view(np.complex128 if len(names) == 2 else number).reshape(shape)
    found = found.astype(dtype)
    parts = [(found.real, samples.real), (found.imag, samples.imag)] if dtype.kind == "c" else [(found, samples)]
    is_same = all(np.array_equal(a, b, equal_nan=dtype.kind in "fc") and same_signs(a, b) for a, b in parts)
    return samples if is_same else found, None, {}  # a text has no bits of NaN


def same_signs(found, samples):
    return samples.dtype.kind != "f" or np.array_equal(np.signbit(found) | np.isnan(found), np.signbit(samples) | np.isnan(samples))


def png(path, asked):
    """Samples, if each pixel is the sample there: as it is where integers are shown from 0 to 65535, else between the least and greatest."""
    from PIL import Image
    import imagecodecs

    with open(path, "rb") as file:
        pixels = imagecodecs.png_decode(file.read())  # Pillow has no gray of 16 bits with transparency
    with Image.open(path) as picture:
        picture.load()
        if picture.size != pixels.shape[1::-1] or (picture.mode.startswith("I") and not np.array_equal(picture, pixels)):
            raise ValueError("Pillow sees other pixels than libpng")
    samples = written(path, asked)
    values = np.abs(samples.astype(np.complex128)) if samples.dtype.kind == "c" else samples.astype(np.float64)
    images = values.reshape(-1, *(samples.shape[-2:] if samples.ndim > 1 else (1, samples.size)))
    count, height, width = images.shape
    gray, alpha = (pixels, None) if pixels.ndim == 2 else (pixels[..., 0], pixels[..., 1])
    columns = (gray.shape[1] + 1) // (width + 1)
    found = np.empty(images.shape)
    for n in range(count):
        row, column = n // columns * (height + 1), n % columns * (width + 1)
        found[n] = gray[row : row + height, column : column + width]
    is_there = ~np.isnan(images)
    if (alpha is None and not is_there.all()) or (alpha is not None and np.count_nonzero(alpha) != np.count_nonzero(is_there)):
        raise ValueError("other pixels are transparent than those of no number")
    if samples.dtype.kind in "uib":
        expected, most = np.clip(images, 0, 65535), 0
    else:
        ends = images[np.isfinite(images)]
        low, high = (ends.min(), ends.max()) if ends.size else (0, 1)
        with np.errstate(all="ignore"):
            share = (images - low) / (high - low) if high > low else images > high
        expected, most = 65535 * np.clip(share, 0, 1), 1
    distance = np.abs(found - expected)[is_there]
    if distance.size and not distance.max() <= most:
        raise ValueError(f"pixels are {distance.max()} of 65535 from where samples are")
    return samples, None, {}


def raw(path, asked):
    data = np.fromfile(path, np.dtype(asked["dtype"]).newbyteorder("<")).reshape(asked["shape"])
    description = os.path.splitext(path)[0] + ".rpl"
    if asked["ending"] == ".raw" and os.path.exists(description):
        from rsciio.ripple import file_reader

        if data.size == 1:
            # RosettaSciIO leaves out sides of one sample, and fails where no side is left: on what it writes itself too.
            return data, None, {}
        again = file_reader(description)[0]["data"]
        if digest(again) != digest(data):
            raise ValueError("RosettaSciIO reads other samples by the .rpl")
    return data, None, {}


def mib(path, asked):
    from rsciio.quantumdetector import file_reader, load_mib_data

    if 1 in asked["shape"][-2:]:
        # RosettaSciIO leaves out sides of one sample before it turns images upside down: the rows are no longer where it looks for
        # them. What it turns is right.
        return np.asarray(load_mib_data(path)).reshape(asked["shape"]), None, {}
    return np.asarray(file_reader(path)[0]["data"]).reshape(asked["shape"])[..., ::-1, :], None, {}


def empad(path, asked):
    from rsciio.empad import file_reader

    return np.asarray(file_reader(path)[0]["data"]).reshape(asked["shape"]), None, {}


def tiff(path, asked):
    import tifffile

    with tifffile.TiffFile(path) as file:
        series = file.series[0]
        return series.asarray().reshape(asked["shape"]), None, {}


TIMES = {"s", "ms", "µs", "min"}


def ome_tiff(path, asked):
    import ome_types
    import tifffile

    with tifffile.TiffFile(path) as file:
        series = file.series[0]
        data, letters, sizes = series.asarray(), series.axes, series.shape
        pixels = ome_types.from_xml(file.ome_metadata).images[0].pixels
    physical = {
        "X": (pixels.physical_size_x, pixels.physical_size_x_unit),
        "Y": (pixels.physical_size_y, pixels.physical_size_y_unit),
        "Z": (pixels.physical_size_z, pixels.physical_size_z_unit),
        "T": (pixels.time_increment, pixels.time_increment_unit),
    }
    names = [c.name for c in pixels.channels]
    axes = []
    for letter, size in zip(letters, sizes):
        scale, unit = physical.get(letter, (None, None))
        axis = {"name": "sample" if letter == "S" else letter.lower(), **(dict(scale=scale, unit=unit.value) if scale is not None else {})}
        if letter == "C" and any(names) and len(names) == size:
            axis["names"] = [n or "" for n in names]
        axes.append(axis)
    return data, axes, {}


def zarray(path, _):
    import zarr

    store = zarr.storage.ZipStore(path, mode="r") if path.endswith(".zip") else path
    array = zarr.open_array(store, mode="r")
    own = dict(array.attrs).get("tilewise", {})
    names = getattr(array.metadata, "dimension_names", None) or [None] * array.ndim
    axes = own.get("axes") or [known(name=n) for n in names]
    for name, axis in zip(names, axes):
        if name is not None and axis.get("name", name) != name:
            raise ValueError(f"the dimension {axis['name']} is {name}")
    more = {"nav": own["nav"]} if "nav" in own else {}
    values = own.get("values", {})
    return np.asarray(array[...]), axes, {**more, **known(unit=values.get("unit"), missing=values.get("missing"))}


def ome_zarr(path, _):
    import ome_zarr_models
    import zarr

    store = zarr.storage.ZipStore(path, mode="r") if path.endswith(".zip") else path
    group = zarr.open_group(store, mode="r")
    image = ome_zarr_models.open_ome_zarr(group)
    attributes = getattr(image.attributes, "ome", image.attributes) if not hasattr(image, "ome_attributes") else image.ome_attributes
    level = attributes.multiscales[0]
    first = level.datasets[0]
    scale, shift = None, None
    for step in first.coordinateTransformations:
        if step.type == "scale":
            scale = step.scale
        if step.type == "translation":
            shift = step.translation
    omero = getattr(attributes, "omero", None)
    axes = []
    for d, axis in enumerate(level.axes):
        own = known(name=axis.name, unit=text(axis.unit), scale=scale[d], offset=shift[d] if shift else None)
        if axis.type == "channel" and omero:
            channels = omero["channels"] if isinstance(omero, dict) else omero.channels  # the model of 0.5 has no word for it
            own["names"] = [c["label"] if isinstance(c, dict) else c.label for c in channels]
        axes.append(own)
    return np.asarray(group[first.path][...]), axes, {}


def fits(path, _):
    from astropy.io import fits as f

    with f.open(path) as file:
        head, data = file[0].header, file[0].data
        axes = []
        for i in range(data.ndim, 0, -1):
            scale = head.get(f"CDELT{i}")
            offset = head.get(f"CRVAL{i}", 0) + (1 - head.get(f"CRPIX{i}", 1)) * (scale or 1)
            axes.append(known(name=text(head.get(f"CTYPE{i}")), unit=text(head.get(f"CUNIT{i}")), scale=scale, offset=offset))
        blank = head["BLANK"] * head.get("BSCALE", 1) + head.get("BZERO", 0) if "BLANK" in head else None
        return np.asarray(with_blank(path, data, blank)), axes, known(unit=text(head.get("BUNIT")), missing=blank)


def with_blank(path, data, blank):
    """Integers with a number for missing ones, which astropy shows as NaN, in their own type."""
    from astropy.io import fits as f

    if blank is None or data.dtype.kind != "f":
        return data
    with f.open(path, do_not_scale_image_data=True) as file:
        head, raw = file[0].header, np.asarray(file[0].data).astype(np.dtype(f"{file[0].data.dtype.kind}{file[0].data.dtype.itemsize}"))
    if "BZERO" in head:
        half = 1 << 8 * raw.itemsize - 1
        other = {"u": "i", "i": "u"}[raw.dtype.kind]
        raw = (raw.view(f"u{raw.itemsize}") ^ half).view(f"{other}{raw.itemsize}")
    assert np.array_equal(np.isnan(data), raw == blank), "astropy shows others as missing"
    return raw


PEERS = {
    ".hspy": hyperspy,
    ".zspy": hyperspy,
    ".emd": emd,
    ".nxs": nexus,
    ".npy": npy,
    ".npz": npz,
    ".csv": csv,
    ".png": png,
    ".raw": raw,
    ".bin": raw,
    ".mib": mib,
    ".xml": empad,
    ".tif": tiff,
    ".tiff": tiff,
    ".ome.tif": ome_tiff,
    ".ome.tiff": ome_tiff,
    ".zarr": zarray,
    ".zarr.zip": zarray,
    ".ome.zarr": ome_zarr,
    ".ome.zarr.zip": ome_zarr,
    ".fits": fits,
}


def finite(value):
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {k: finite(v) for k, v in value.items()}
    return [finite(v) for v in value] if isinstance(value, (list, tuple)) else value


def told(asked):
    if asked["ending"] not in PEERS:
        return {"error": f"no package is known for {asked['ending']}: add one to judge.py"}
    try:
        data, axes, more = PEERS[asked["ending"]](asked["path"], asked)
        data = np.asarray(data)
        own = {key: value for key, value in more.items() if value is not None}
        return finite({"shape": data.shape, "dtype": data.dtype.newbyteorder("=").name, "sha256": digest(data), "axes": axes, **own})
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"[:500]}


if __name__ == "__main__":
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # packages print
    for line in sys.stdin:
        asked = json.loads(line)
        found = judged(asked, digest) if "format" in asked else told(asked)
        print(json.dumps(found, default=float), file=out, flush=True)
