"""Reads what targets write with the packages that people use: prints one line of JSON per file, or per `file#signal`."""

import json
import sys

import numpy as np


def hyperspy(path):
    import hyperspy.api as hs

    path, _, title = path.partition("#")
    signal = hs.load(path)
    if title:
        signal = next(one for one in signal if one.metadata.General.title == title)
    axes = [
        {
            "name": a.name,
            "size": a.size,
            "navigate": bool(a.navigate),
            "units": str(a.units),
            "values": list(map(float, a.axis)),
            "signal": signal.metadata.Signal.signal_type,
        }
        for a in signal.axes_manager._axes
    ]
    return signal.data, axes, signal.metadata.General.title


def emd(path):
    import emdfile

    array = emdfile.read(path)
    axes = [
        {"name": n, "size": len(v), "units": str(u), "values": list(map(float, v))}
        for n, v, u in zip(array.dim_names, array.dims, array.dim_units)
    ]
    return array.data, axes, array.name


def nexus(path):
    from nexusformat.nexus import nxload

    data = nxload(path).entry.data
    axes = [
        {
            "name": a.nxname,
            "size": a.shape[0],
            "units": str(a.attrs.get("units", "")),
            "values": list(map(float, a.nxdata)),
        }
        for a in data.nxaxes
    ]
    return data.nxsignal.nxdata, axes, data.nxsignal.attrs["long_name"]


def fits(path):
    from astropy.io import fits
    from astropy.wcs import WCS

    with fits.open(path) as units:
        units.verify("exception")
        data, header = np.array(units[0].data), units[0].header
    wcs = WCS(header, fix=False)  # its units are checked
    axes = []
    for i, size in reversed(list(enumerate(reversed(data.shape)))):
        pixels = [np.zeros(size)] * data.ndim
        pixels[i] = np.arange(size)
        axes.append(
            {
                "name": header.get(f"CTYPE{i + 1}", ""),
                "size": size,
                "units": header.get(f"CUNIT{i + 1}", ""),
                "values": list(map(float, wcs.wcs_pix2world(*pixels, 0)[i] / unit_of(wcs, header, i))),
            }
        )
    return data.astype(data.dtype.newbyteorder("=")), axes, header.get("BUNIT", "")


def unit_of(wcs, header, i):
    """What positions of the library are to be divided by, which are in units of the SI."""
    from astropy import units

    text = header.get(f"CUNIT{i + 1}", "")
    return units.Unit(text, format="fits").to(wcs.wcs.cunit[i]) if text else 1


READ = {"fits": fits, "hspy": hyperspy, "zspy": hyperspy, "emd": emd, "nxs": nexus}

for path in sys.argv[1:]:
    data, axes, title = READ[path.rsplit(".", 1)[1].partition("#")[0]](path)
    data = np.asarray(data)
    ravelled = data.ravel()
    numbers = ravelled.view(ravelled.real.dtype) if data.dtype.kind == "c" else ravelled
    samples = [str(int(4 * n)) for n in numbers.tolist()]
    facts = {"dtype": str(data.dtype), "shape": data.shape, "axes": axes, "title": str(title), "data": samples}
    print(json.dumps(facts))
