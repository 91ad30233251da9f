"""Makes meant.tgz: Measurement Sets of drawn frames, units, scales, feeds, flags, holes and storage managers, with the values
that they mean in meant.json, and frames.json: directions in other frames, from casacore and astropy.

Needs python-casacore, astropy and numpy. Run it in this folder: python make_meant.py
For more sets, in another folder: python make_meant.py COUNT FOLDER
"""

import io
import json
import os
import shutil
import sys
import tarfile
import tempfile

import astropy.units as u
import casacore.tables as ct
import numpy as np
from astropy.coordinates import SkyCoord
from astropy.time import Time
from casacore.measures import measures

C = 299792458.0
DM = measures()
FRAMES = ["J2000", "ICRS", "B1950", "B1950_VLA", "GALACTIC", "SUPERGAL", "ECLIPTIC"]
MOVING = ["APP", "HADEC", "AZEL", "AZELGEO", "JTRUE", "JMEAN", "MARS", "SUN"]
CODES = dict(J2000=0, APP=3, JMEAN=1, JTRUE=2, B1950=4, B1950_VLA=5, GALACTIC=8, HADEC=9, AZEL=10, AZELGEO=12, ECLIPTIC=15,
             SUPERGAL=18, ICRS=21, MARS=34, SUN=40)
ANGLES = {"rad": 1.0, "deg": np.pi / 180, "arcmin": np.pi / 10800, "arcsec": np.pi / 648000, "mrad": 1e-3}
LENGTHS = {"m": 1.0, "km": 1e3, "cm": 1e-2}
SECONDS = {"s": 1.0, "d": 86400.0, "min": 60.0, "h": 3600.0}
HERTZ = {"Hz": 1.0, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9}


def pick(rng, values, usual=0.5):
    values = list(values)
    return values[0] if rng.random() < usual else values[rng.integers(len(values))]


def casa(frame, to, lon, lat):
    found = DM.measure(DM.direction(frame, {"value": float(lon), "unit": "rad"}, {"value": float(lat), "unit": "rad"}), to)
    return found["m0"]["value"] % (2 * np.pi), found["m1"]["value"]


def sub(name, table, count, **columns):
    t = ct.table(f"{name}/{table}", readonly=False, ack=False)
    t.addrows(count)
    for column, values in columns.items():
        for i, value in enumerate(values):
            t.putcell(column, i, value)
    return t


def unit(table, column, name, count=1):
    table.putcolkeyword(column, "QuantumUnits", [name] * count)


def make(name, rng, moving=False):
    shutil.rmtree(name, ignore_errors=True)
    frame = MOVING[rng.integers(len(MOVING))] if moving else pick(rng, FRAMES, 0.3)
    how = pick(rng, ["Ref", "codes", "texts", "own codes"], 0.4)
    angle, length, clock, hertz = (pick(rng, x) for x in (ANGLES, LENGTHS, SECONDS, HERTZ))
    scale = pick(rng, ["UTC", "TAI", "TT", "TDT"])
    managers = pick(rng, ["standard", "tiled", "incremental"], 0.3)
    desc = ct.required_ms_desc("MAIN")
    desc.update(ct.maketabdesc([
        ct.makearrcoldesc("DATA", 0j, valuetype="complex", ndim=2),
        ct.makearrcoldesc("WEIGHT_SPECTRUM", 0.0, valuetype="float", ndim=2),
    ]))
    info = {}
    if managers == "tiled":
        for i, column in enumerate(("DATA", "FLAG", "WEIGHT_SPECTRUM")):
            desc[column].update(dataManagerType="TiledShapeStMan", dataManagerGroup=f"T{column}", ndim=2)
            info[f"*{i + 1}"] = {"TYPE": "TiledShapeStMan", "NAME": f"T{column}", "SPEC": {"DEFAULTTILESHAPE": [4, 2, 3]}, "COLUMNS": [column]}
    if managers == "incremental":
        own = ["TIME", "INTERVAL", "FLAG_ROW", "FIELD_ID"]
        for column in own:
            desc[column].update(dataManagerType="IncrementalStMan", dataManagerGroup="ism")
        info["*1"] = {"TYPE": "IncrementalStMan", "NAME": "ism", "SPEC": {"BUCKETSIZE": 1024}, "COLUMNS": own}
    ms = ct.default_ms(name, desc, info)
    nchan, pairs, ntime = 2, [(0, 1), (0, 2), (1, 2)], 3
    rows = ntime * len(pairs)
    ms.addrows(rows)
    utc = 5.1e9 + 10.0 * np.arange(ntime)
    stored = {"UTC": utc, "TAI": utc + 37, "TT": utc + 69.184, "TDT": utc + 69.184}[scale]
    places = rng.normal(size=(ntime, 3, 3)) * [300, 300, 100]
    uvw = np.array([places[t, q] - places[t, p] for t in range(ntime) for p, q in pairs])
    flags = rng.random((rows, nchan, 4)) < 0.2
    flag_row = rng.random(rows) < 0.2
    weights = (rng.random((rows, nchan, 4)) + 0.5).astype(np.float32)
    data = (rng.normal(size=(rows, nchan, 4)) + 1j * rng.normal(size=(rows, nchan, 4))).astype(np.complex64)
    holes = {c: set(np.flatnonzero(rng.random(rows) < 0.2).tolist()) if rng.random() < 0.4 else set() for c in ("DATA", "FLAG", "WEIGHT_SPECTRUM")}
    if rng.random() < 0.2:
        holes["WEIGHT_SPECTRUM"] = set(range(rows))
    for row in range(rows):
        p, q = pairs[row % len(pairs)]
        ms.putcell("TIME", row, stored[row // len(pairs)] / SECONDS[clock])
        ms.putcell("INTERVAL", row, 10.0 / SECONDS[clock])
        ms.putcell("ANTENNA1", row, p)
        ms.putcell("ANTENNA2", row, q)
        ms.putcell("FIELD_ID", row, 0)
        ms.putcell("DATA_DESC_ID", row, 0)
        ms.putcell("UVW", row, uvw[row] / LENGTHS[length])
        ms.putcell("FLAG_ROW", row, bool(flag_row[row]))
        ms.putcell("WEIGHT", row, np.ones(4, np.float32))
        ms.putcell("SIGMA", row, np.ones(4, np.float32))
        for column, values in (("DATA", data), ("FLAG", flags), ("WEIGHT_SPECTRUM", weights)):
            if row not in holes[column]:
                ms.putcell(column, row, values[row])
    unit(ms, "TIME", clock)
    unit(ms, "INTERVAL", clock)
    unit(ms, "UVW", length, 3)
    ms.putcolkeyword("TIME", "MEASINFO", {"type": "epoch", "Ref": scale})
    positions = np.array([[-1601185.4, -5041977.5, 3554875.9]] * 3) + rng.normal(size=(3, 3)) * 300
    antennas = sub(name, "ANTENNA", 3, NAME=["a", "b", "c"], POSITION=positions / LENGTHS[length])
    unit(antennas, "POSITION", length, 3)
    frequency = np.array([1.4e9, 1.41e9])
    spectral = sub(name, "SPECTRAL_WINDOW", 1, CHAN_FREQ=[frequency / HERTZ[hertz]], CHAN_WIDTH=[np.full(2, 1e7) / HERTZ[hertz]],
                   NUM_CHAN=[2], MEAS_FREQ_REF=[pick(rng, [5, 1, 3])])
    unit(spectral, "CHAN_FREQ", hertz)
    unit(spectral, "CHAN_WIDTH", hertz)
    sub(name, "POLARIZATION", 1, CORR_TYPE=[np.array([9, 10, 11, 12], np.int32)], NUM_CORR=[4])
    sub(name, "DATA_DESCRIPTION", 1, SPECTRAL_WINDOW_ID=[0], POLARIZATION_ID=[0])
    centre = (rng.uniform(0, 2 * np.pi), np.arcsin(rng.uniform(-0.98, 0.98)))
    direction = np.array([centre]) / ANGLES[angle]
    field = sub(name, "FIELD", 1, NAME=["f"], PHASE_DIR=[direction], DELAY_DIR=[direction], REFERENCE_DIR=[direction])
    unit(field, "PHASE_DIR", angle, 2)
    measure = {"type": "direction", "Ref": frame}
    if how != "Ref":
        field.addcols(ct.maketabdesc([ct.makescacoldesc("PhaseDir_Ref", "" if how == "texts" else 0)]))
        code = CODES[frame] + (100 if how == "own codes" else 0)
        field.putcell("PhaseDir_Ref", 0, frame if how == "texts" else code)
        measure = {"type": "direction", "VarRefCol": "PhaseDir_Ref"}
        if how == "own codes":
            measure.update(TabRefTypes=list(CODES), TabRefCodes=np.array(list(CODES.values()), np.uint32) + 100)
    field.putcolkeyword("PHASE_DIR", "MEASINFO", measure)
    types = ["X", "Y"] if rng.random() < 0.5 else ["Y", "X"]
    turned = rng.uniform(-1, 1)
    x = turned if rng.random() < 0.8 else 0.0
    y = x if rng.random() < 0.3 else x + np.pi / 2 + (rng.uniform(-0.2, 0.2) if rng.random() < 0.5 else 0)
    angles = np.array([x if t == "X" else y for t in types])
    feeds = sub(name, "FEED", 3, ANTENNA_ID=[0, 1, 2], SPECTRAL_WINDOW_ID=[-1] * 3, NUM_RECEPTORS=[2] * 3, INTERVAL=[1e30] * 3,
                RECEPTOR_ANGLE=[angles / ANGLES[angle]] * 3)
    for row in range(3):
        feeds.putcell("POLARIZATION_TYPE", row, np.array(types).reshape(2))
    unit(feeds, "RECEPTOR_ANGLE", angle)
    for table in (ms, antennas, spectral, field, feeds):
        table.close()
    facts = {"frame": frame, "how": how, "managers": managers, "units": [angle, length, clock, hertz], "scale": scale}
    if moving:
        return {**facts, "refused": frame}
    # what it means
    system = "ICRS" if frame == "ICRS" else "J2000"
    sky, sums = [], np.zeros((rows, nchan, 4), np.clongdouble)
    for flux in ([2.0, 0.3, -0.2, 0.1], [1.0, 0, 0, 0]):
        l, m = rng.uniform(-0.01, 0.01, 2)
        n = np.sqrt(1 - l * l - m * m)
        lon = centre[0] + np.arctan2(l, n * np.cos(centre[1]) - m * np.sin(centre[1]))
        lat = np.arcsin(m * np.cos(centre[1]) + n * np.sin(centre[1]))
        ra, dec = casa(frame, system, lon, lat) if frame != system else (lon, lat)
        sky.append([ra, dec, *flux])
        turns = (uvw.astype(np.longdouble) @ np.array([l, m, -(l * l + m * m) / (1 + n)], np.longdouble))[:, None] * frequency / C
        phase = np.exp(2j * np.pi * (turns - np.rint(turns)))
        i, q, uu, v = flux
        b = np.array([[i + q, uu + 1j * v], [uu - 1j * v, i - q]])
        y0 = x + np.pi / 2 if y == x else y
        e = np.array([[np.cos(x), np.sin(x)], [np.cos(y0), np.sin(y0)]])
        sums += phase[..., None] * (e @ b @ e.T).reshape(4)
    none = lambda c: len(holes[c]) == rows  # noqa: E731
    empty = set().union(*(set() if none(c) else holes[c] for c in holes))
    bad = (np.zeros_like(flags) if none("FLAG") else flags).copy()
    bad[flag_row] = True
    bad[sorted(empty)] = True
    weight = np.ones_like(weights) if none("WEIGHT_SPECTRUM") else np.where(np.isin(np.arange(rows), sorted(holes["WEIGHT_SPECTRUM"]))[:, None, None], 0, weights)
    phase_centre = list(casa(frame, system, *centre)) if frame != system else [float(c) for c in centre]
    return {
        **facts, "phaseCentre": phase_centre, "direction": [float(c) for c in centre], "times": utc.tolist(),
        "sky": [[float(x) for x in one] for one in sky], "receptors": [[t, float(a)] for t, a in zip(types, angles)],
        "model": [[float(v.real), float(v.imag)] for v in sums.reshape(-1)], "flags": bad.astype(int).reshape(-1).tolist(),
        "weights": [float(w) for w in weight.reshape(-1)], "frequency": frequency.tolist(), "holes": {c: len(h) for c, h in holes.items()},
    }


def directions(count):
    rng = np.random.default_rng(28)
    v = rng.normal(size=(count, 3))
    lon, lat = np.arctan2(v[:, 1], v[:, 0]) % (2 * np.pi), np.arctan2(v[:, 2], np.hypot(v[:, 0], v[:, 1]))
    lat[:2] = [np.pi / 2, -np.pi / 2]
    own = np.stack([lon, lat], -1)
    found = []
    for frame in FRAMES:
        for system in ("ICRS", "J2000"):
            if frame != system:
                for a, b in ((frame, system), (system, frame)):
                    found.append([a, b, [casa(a, b, *one) for one in own]])
    for frame in ("icrs", "fk5", "fk4", "fk4noeterms", "galactic", "supergalactic"):
        for system in ("icrs", "fk5"):
            if frame != system:
                for a, b in ((frame, system), (system, frame)):
                    to = SkyCoord(lon * u.rad, lat * u.rad, frame=a).transform_to(b).spherical
                    found.append([a, b, np.stack([to.lon.rad, to.lat.rad], -1).tolist()])
    days = np.concatenate([np.arange(41330, 60000, 400), [57753.0, 57754.0, 57754.0001]])
    clocks = [[scale, [[float(getattr(t, scale).mjd * 86400), float(t.mjd * 86400)] for t in Time(days, format="mjd", scale="utc")]]
              for scale in ("tai", "tt")]
    return {"directions": own.tolist(), "found": found, "clocks": clocks}


def packed(folder, out):
    """Files in one order, without their dates, so that the archive has the same bytes each time."""
    names = sorted(os.path.join(at, file) for at, _, files in os.walk(folder) for file in files)
    with tarfile.open(out, "w:gz", compresslevel=9) as tar:
        for name in names:
            entry = tarfile.TarInfo(os.path.relpath(name, folder))
            content = open(name, "rb").read()
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))


def main(count, out):
    folder = tempfile.mkdtemp() if out is None else out
    found = {}
    for i in range(count):
        name = f"m{i}.ms"
        found[name] = make(os.path.join(folder, name), np.random.default_rng([28, i]), moving=i % 8 == 7)
        keep = {"ANTENNA", "SPECTRAL_WINDOW", "POLARIZATION", "FIELD", "FEED", "DATA_DESCRIPTION"}
        for entry in os.listdir(os.path.join(folder, name)):
            path = os.path.join(folder, name, entry)
            if os.path.isdir(path) and entry not in keep:
                shutil.rmtree(path)
    with open("meant.json" if out is None else os.path.join(out, "meant.json"), "w") as file:
        json.dump(found, file)
    if out is None:
        packed(folder, "meant.tgz")
        with open("frames.json", "w") as file:
            json.dump(directions(40), file)
        shutil.rmtree(folder)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 24, sys.argv[2] if len(sys.argv) > 2 else None)
