"""Makes joined.tgz: a Measurement Set (whole.ms), its rows as two sets (first.ms, second.ms), and a table that joins them (both.ms).

Needs python-casacore and numpy. Run it in this folder: python make_joined.py
"""

import os
import shutil
import tempfile

import casacore.tables as ct
import numpy as np

from make_meant import packed, sub

KEPT = {"ANTENNA", "SPECTRAL_WINDOW", "POLARIZATION", "FIELD", "FEED", "DATA_DESCRIPTION"}


def whole(name):
    rng = np.random.default_rng(28)
    pairs, times, channels = [(p, q) for p in range(5) for q in range(p + 1, 5)], 6, 3
    rows, shape = times * len(pairs), (times * len(pairs), channels, 4)
    desc = ct.required_ms_desc("MAIN")
    desc.update(ct.maketabdesc([ct.makearrcoldesc("DATA", 0j, valuetype="complex", ndim=2)]))
    ms = ct.default_ms(name, desc)
    ms.addrows(rows)
    places = rng.normal(size=(times, 5, 3)) * (300, 300, 100)
    uvw = np.array([places[t, q] - places[t, p] for t in range(times) for p, q in pairs])
    turns = (uvw @ [0.003, -0.002, -6.5e-6])[:, None] * (1.4e9 + 1e7 * np.arange(channels)) / 299792458
    data = np.exp(2j * np.pi * turns)[..., None] * np.array([1, 0, 0, 1]) + 0.01 * rng.normal(size=shape)
    for column, values in dict(
        TIME=5.1e9 + 10.0 * np.repeat(np.arange(times), len(pairs)), INTERVAL=np.full(rows, 10.0),
        ANTENNA1=np.tile([p for p, _ in pairs], times), ANTENNA2=np.tile([q for _, q in pairs], times), UVW=uvw,
        FLAG=rng.random(shape) < 0.1, FLAG_ROW=rng.random(rows) < 0.1, WEIGHT=rng.random((rows, 4)) + 0.5,
        SIGMA=np.ones((rows, 4)), DATA=data.astype(np.complex64),
    ).items():
        ms.putcol(column, values)
    ms.close()
    for table in (
        sub(name, "ANTENNA", 5, NAME=list("abcde"), POSITION=np.array([[-1601185.4, -5041977.5, 3554875.9]] * 5) + 300 * rng.normal(size=(5, 3))),
        sub(name, "SPECTRAL_WINDOW", 1, CHAN_FREQ=[1.4e9 + 1e7 * np.arange(channels)], CHAN_WIDTH=[np.full(channels, 1e7)], NUM_CHAN=[channels]),
        sub(name, "POLARIZATION", 1, CORR_TYPE=[np.array([9, 10, 11, 12], np.int32)], NUM_CORR=[4]),
        sub(name, "DATA_DESCRIPTION", 1, SPECTRAL_WINDOW_ID=[0], POLARIZATION_ID=[0]),
        sub(name, "FIELD", 1, NAME=["f"], PHASE_DIR=[np.array([[1.2, -0.5]])]),
    ):
        table.close()
    for entry in os.listdir(name):
        if os.path.isdir(f"{name}/{entry}") and entry not in KEPT:
            shutil.rmtree(f"{name}/{entry}")
            ms = ct.table(name, readonly=False, ack=False)
            ms.removekeyword(entry)
            ms.close()


def main():
    here, folder = os.getcwd(), tempfile.mkdtemp()
    os.chdir(folder)
    whole("whole.ms")
    ms = ct.table("whole.ms", ack=False)
    for name, query in (("first.ms", "rownumber() <= 23"), ("second.ms", "rownumber() > 23")):
        ms.query(query).copy(name, deep=True)
    ms.close()
    both = ct.table(["first.ms", "second.ms"], ack=False)
    both.rename("both.ms")
    both.close()
    os.chdir(here)
    packed(folder, "joined.tgz")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
