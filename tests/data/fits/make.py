"""Writes the FITS files beside this script, and the values that astropy reads from them.

Needs numpy and astropy (7) from PyPI.
    python make.py
"""

import hashlib
import json
import pathlib

import numpy as np
from astropy.io import fits

HERE = pathlib.Path(__file__).parent
rng = np.random.default_rng(12)


def integers(dtype, shape):
    info = np.iinfo(dtype)
    values = rng.integers(info.min, info.max, shape, dtype, endpoint=True)
    values.flat[:2] = info.min, info.max
    return values


def plain():
    """Every sample type, an extension each; the first unit holds nothing."""
    images = [
        fits.ImageHDU(integers(name, (3, 5)), name=name.upper())
        for name in ("uint8", "int8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
    ]
    floats = [fits.ImageHDU(rng.normal(size=(3, 5)).astype(name), name=name.upper()) for name in ("float32", "float64")]
    return fits.HDUList([fits.PrimaryHDU(), *images, *floats])


def cube():
    """A cube of four axes with world coordinates, as images of the sky have."""
    unit = fits.PrimaryHDU(rng.normal(size=(2, 3, 40, 50)).astype("float32"))
    axes = {
        1: ("RA---SIN", -0.001, 53.1, 26, "deg"),
        2: ("DEC--SIN", 0.001, -27.8, 21, "deg"),
        3: ("FREQ", 1e6, 1.4e9, 1, "Hz"),
        4: ("STOKES", 1, 1, 1, ""),
    }
    for i, (name, step, value, at, unit_name) in axes.items():
        unit.header[f"CTYPE{i}"] = name
        unit.header[f"CDELT{i}"] = step
        unit.header[f"CRVAL{i}"] = value
        unit.header[f"CRPIX{i}"] = at
        unit.header[f"CUNIT{i}"] = unit_name
    unit.header["BUNIT"] = "JY/BEAM"
    unit.header["OBJECT"] = "it's a name with a quote"
    unit.header["LONGTEXT"] = "a text of more than sixty-eight characters, which goes on " * 3
    return fits.HDUList([unit])


def scaled():
    """Integers with scale, offset and blank ones; steps are powers of two, so that every precision gives the same."""
    stored = integers("int16", (2, 4, 6))
    stored.flat[5] = -32768
    unit = fits.PrimaryHDU(stored)
    unit.header["BSCALE"] = 0.25
    unit.header["BZERO"] = 8.0
    unit.header["BLANK"] = -32768
    wide = fits.ImageHDU(integers("int32", (4, 6)), name="WIDE")
    wide.header["BSCALE"] = 0.5
    wide.header["BZERO"] = -3.0
    table = fits.BinTableHDU.from_columns([fits.Column("a", "J", array=np.arange(7))], name="TABLE")
    tail = fits.ImageHDU(integers("uint8", (7,)), name="LINE")
    return fits.HDUList([unit, wide, table, tail])


def summed():
    """Units with checksums, of samples that fill no word."""
    return fits.HDUList([
        fits.PrimaryHDU(integers("uint8", (5, 7))),
        fits.ImageHDU(integers("int16", (41, 37)), name="SHORT"),
        fits.ImageHDU(rng.normal(size=(9, 11)).astype("float32"), name="FLOAT"),
    ])


def described(path):
    arrays = []
    with fits.open(path, uint=True) as units:
        for unit in units:
            if not unit.is_image or unit.data is None:
                continue
            data = np.ascontiguousarray(unit.data)
            data = data.astype(data.dtype.newbyteorder("<"))
            arrays.append(
                {
                    "name": unit.name.lower() if unit.name == "PRIMARY" else unit.name,
                    "dtype": data.dtype.name,
                    "shape": list(data.shape),
                    "sha256": hashlib.sha256(data.tobytes()).hexdigest(),
                }
            )
    return arrays


expected = {}
for name, make in {"plain": plain, "cube": cube, "scaled": scaled, "summed": summed}.items():
    path = HERE / f"{name}.fits"
    make().writeto(path, overwrite=True, output_verify="silentfix", checksum=name == "summed")
    expected[path.name] = described(path)
(HERE / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")
