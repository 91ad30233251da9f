"""Writes the beams beside this script, and the matrices and places that astropy reads from them.

Needs numpy and astropy from PyPI. Run it in this folder: python make.py
"""

import json
import os

import numpy as np
from astropy.io import fits

rng = np.random.default_rng(77)


def write(name, values, axes, listed=None):
    """`values` slowest axis first; `axes` as FITS counts them: (name, step, value, at, unit)."""
    unit = fits.PrimaryHDU(values)
    for i, (axis, step, value, at, unit_name) in enumerate(axes, 1):
        unit.header[f"CTYPE{i}"] = axis
        unit.header[f"CDELT{i}"] = step
        unit.header[f"CRVAL{i}"] = value
        unit.header[f"CRPIX{i}"] = at
        if unit_name:
            unit.header[f"CUNIT{i}"] = unit_name
    for i, frequency in enumerate(listed or [], 1):
        unit.header[f"GFREQ{i}"] = frequency
    unit.writeto(name, overwrite=True, checksum=False)


def places(header, name, factor):
    i = next(i for i in range(1, header["NAXIS"] + 1) if header[f"CTYPE{i}"] == name)
    own = header[f"CRVAL{i}"] + (np.arange(1, header[f"NAXIS{i}"] + 1) - header[f"CRPIX{i}"]) * header[f"CDELT{i}"]
    return header["NAXIS"] - i, own * factor


def read(template, correlations, l="L", m="M", factor=np.pi / 180):
    """The matrices (l, m, frequency, 4), with all axes ascending."""
    found, at = None, {}
    for c, corr in enumerate(correlations):
        for r, part in enumerate(("re", "im")):
            name = template.replace("$(corr)", corr).replace("$(CORR)", corr.upper())
            name = name.replace("$(reim)", part).replace("$(REIM)", part.upper())
            if not os.path.exists(name):
                continue
            with fits.open(name) as units:
                header, values = units[0].header, units[0].data.astype(float)
            signs = [-1 if l[0] == "-" else 1, -1 if m[0] == "-" else 1, 1]
            axes = [places(header, n.strip("-"), s * f) for n, s, f in zip((l, m, "FREQ"), signs, (factor, factor, 1.0))]
            values = values.transpose([axis for axis, _ in axes] + [d for d in range(values.ndim) if d not in [a for a, _ in axes]])
            values = values.reshape(values.shape[:3])
            own = [p for _, p in axes]
            if "GFREQ1" in header:
                own[2] = np.array([header[f"GFREQ{i + 1}"] for i in range(len(own[2]))])
            for d, p in enumerate(own):
                if p[0] > p[-1]:
                    values, own[d] = np.flip(values, d), p[::-1]
            found = np.zeros(values.shape + (4,), complex) if found is None else found
            found[..., c] += values * (1j if r else 1)
            at = {"l": own[0].tolist(), "m": own[1].tolist(), "frequency": own[2].tolist()}
    flat = np.ascontiguousarray(found).view(float).ravel()
    return {"shape": list(found.shape), "values": flat.tolist(), **at}


# l runs to the west in the file, m to the north; degrees without a unit; yx is missing
even = [("L", -0.5, 0.25, 2, None), ("M", 0.4, 0.0, 2, "deg"), ("FREQ", 1e8, 1.2e9, 1, "Hz")]
for corr in ("xx", "xy", "yy"):
    for part in ("re", "im"):
        write(f"even_{corr}_{part}.fits", rng.normal(size=(2, 4, 3)).astype("float32"), even)

# frequency fastest, an axis of one sample, radians, frequencies that are listed; one element
listed = [("FREQ", 1.0, 1.0, 1, "Hz"), ("Y", 0.01, -0.01, 1, "rad"), ("X", 0.02, -0.03, 1, "rad"), ("STOKES", 1, 1, 1, None)]
write("LISTED_RE_RR.fits", rng.normal(size=(1, 4, 3, 3)), listed, [1e9, 1.1e9, 1.5e9])

expected = {
    "even": read("even_$(corr)_$(reim).fits", ["xx", "xy", "yx", "yy"]),
    "turned": read("even_$(corr)_$(reim).fits", ["xx", "xy", "yx", "yy"], l="-L", m="-M"),
    "listed": read("LISTED_$(REIM)_$(CORR).fits", ["rr", "rl", "lr", "ll"], l="X", m="Y", factor=1.0),
}
with open("expected.json", "w") as file:
    json.dump(expected, file)
    file.write("\n")
