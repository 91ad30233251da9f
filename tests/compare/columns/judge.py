"""Makes a Measurement Set, and says what casacore reads from it: `python judge.py SET`, then one line of JSON per line of input.

Needs python-casacore and numpy.
"""

import hashlib
import json
import sys

import casacore.tables as ct
import numpy as np

ANTENNAS, TIMES, CHANNELS, CENTRE = 20, 40, 16, (1.25, -0.5)
path = sys.argv[1]


def fill(name, count, **columns):
    t = ct.table(f"{path}/{name}", readonly=False, ack=False)
    t.addrows(count)
    for column, values in columns.items():
        for row, value in enumerate(values):
            t.putcell(column, row, value)
    t.close()


def make():
    rng = np.random.default_rng(1)
    desc = ct.required_ms_desc("MAIN")
    desc.update(ct.maketabdesc([ct.makearrcoldesc("DATA", 0j, valuetype="complex", ndim=2, datamanagertype="TiledShapeStMan",
                                                  datamanagergroup="TiledData")]))
    spec = {"TYPE": "TiledShapeStMan", "NAME": "TiledData", "SPEC": {"DEFAULTTILESHAPE": [4, 8, 64]}, "COLUMNS": ["DATA"]}
    ms = ct.default_ms(path, desc, {"*1": spec})
    first, second = np.triu_indices(ANTENNAS, 1)
    rows = TIMES * len(first)
    ms.addrows(rows)
    places = rng.normal(size=(TIMES, ANTENNAS, 3)) * (300, 300, 30)
    shape = (rows, CHANNELS, 4)
    for name, values in dict(
        TIME=5e9 + 8.0 * np.repeat(np.arange(TIMES), len(first)), INTERVAL=np.full(rows, 8.0), ANTENNA1=np.tile(first, TIMES),
        ANTENNA2=np.tile(second, TIMES), UVW=(places[:, second] - places[:, first]).reshape(rows, 3),
        FLAG=rng.random(shape) < 0.1, WEIGHT=np.ones((rows, 4)), SIGMA=np.ones((rows, 4)),
        DATA=(rng.normal(size=shape) + 1j * rng.normal(size=shape)).astype(np.complex64),
    ).items():
        ms.putcol(name, values)
    ms.close()
    fill("ANTENNA", ANTENNAS, NAME=[f"a{i}" for i in range(ANTENNAS)], POSITION=[np.array([5e6 + i, 3e6, 2e6]) for i in range(ANTENNAS)])
    fill("FIELD", 1, NAME=["f"], PHASE_DIR=[np.array([CENTRE])])
    fill("SPECTRAL_WINDOW", 1, CHAN_FREQ=[1e9 + 1e6 * np.arange(CHANNELS)], CHAN_WIDTH=[np.full(CHANNELS, 1e6)], NUM_CHAN=[CHANNELS])
    fill("POLARIZATION", 1, CORR_TYPE=[np.array([9, 10, 11, 12], np.int32)], NUM_CORR=[4])
    fill("DATA_DESCRIPTION", 1, SPECTRAL_WINDOW_ID=[0], POLARIZATION_ID=[0])


def digest(values):
    return hashlib.sha256(np.ascontiguousarray(values).tobytes()).hexdigest()


def seen():
    t = ct.table(path, ack=False)
    others = [name for name in sorted(t.colnames()) if name != "MODEL_DATA" and t.iscelldefined(name, 0)]
    found = {"others": {name: digest(t.getcol(name)) for name in others}}
    if "MODEL_DATA" in t.colnames():
        column = t.getcol("MODEL_DATA")
        sums = ct.taql(f"select sum(MODEL_DATA) as S from '{path}'").getcol("S")
        found["model"] = {"digest": digest(column), "sum": [sums.sum().real, sums.sum().imag],
                          "numpy": [column.sum(dtype=complex).real, column.sum(dtype=complex).imag]}
    t.close()
    return found


make()
print(json.dumps(seen()), flush=True)
for _ in sys.stdin:
    print(json.dumps(seen()), flush=True)
