"""The model column of a Measurement Set by codex-africanus on dask, as crystalball predicts it.

    python bench/rime/column_peer.py make SET TIMES SOURCES    # a set of 64 antennas, 64 channels, 4 correlations, and SET.txt
    python bench/rime/column_peer.py predict SET THREADS       # into the column PEER_DATA; prints seconds and those of all cores
    python bench/rime/column_peer.py compare SET               # prints the largest difference from MODEL_DATA

Needs numpy, numba, dask, dask-ms, codex-africanus and python-casacore.
"""

import json
import os
import resource
import shutil
import sys
import time

import casacore.tables as ct
import numpy as np

ANTENNAS, CHANNELS, CORRELATIONS, CENTRE = 64, 64, [9, 10, 11, 12], (1.25, -0.5)
task, path = sys.argv[1:3]


def table(name, description, count, **columns):
    t = ct.table(f"{path}/{name}", ct.maketabdesc(description), nrow=count, ack=False)
    for column, values in columns.items():
        for row, value in enumerate(values):
            t.putcell(column, row, value)
    t.close()
    main = ct.table(path, readonly=False, ack=False)
    main.putkeyword(name, f"Table: {os.path.abspath(path)}/{name}")
    main.close()


def make(times, sources):
    shutil.rmtree(path, ignore_errors=True)
    random = np.random.default_rng(1)
    a1, a2 = np.triu_indices(ANTENNAS, 1)
    rows = times * len(a1)
    t = ct.table(path, ct.required_ms_desc(), nrow=rows, ack=False)
    at = np.repeat(np.arange(times), len(a1))
    places = random.normal(size=(times, ANTENNAS, 3)) * (3000, 3000, 100)
    for name, values in (("TIME", 5e9 + 8.0 * at), ("INTERVAL", np.full(rows, 8.0)), ("ANTENNA1", np.tile(a1, times)),
                         ("ANTENNA2", np.tile(a2, times)), ("UVW", (places[:, a2] - places[:, a1]).reshape(rows, 3))):
        t.putcol(name, values)
    t.close()
    scalar, array = ct.makescacoldesc, ct.makearrcoldesc
    table("ANTENNA", [scalar("NAME", ""), array("POSITION", 0.0, ndim=1)], ANTENNAS,
          NAME=[f"a{i}" for i in range(ANTENNAS)], POSITION=[np.array([5e6 + i, 3e6, 2e6]) for i in range(ANTENNAS)])
    table("FIELD", [scalar("NAME", ""), array("PHASE_DIR", 0.0, ndim=2)], 1, NAME=["f"], PHASE_DIR=[np.array([CENTRE])])
    table("SPECTRAL_WINDOW", [array("CHAN_FREQ", 0.0, ndim=1), array("CHAN_WIDTH", 0.0, ndim=1)], 1,
          CHAN_FREQ=[1e9 + 1e6 * np.arange(CHANNELS)], CHAN_WIDTH=[np.full(CHANNELS, 1e6)])
    table("POLARIZATION", [array("CORR_TYPE", 0, ndim=1)], 1, CORR_TYPE=[np.array(CORRELATIONS, np.int32)])
    table("DATA_DESCRIPTION", [scalar("SPECTRAL_WINDOW_ID", 0), scalar("POLARIZATION_ID", 0)], 1)
    with open(f"{path}.txt", "w") as sky:
        sky.write("Name,l,m,I\n")
        for i, (l, m) in enumerate(random.uniform(-0.01, 0.01, (sources, 2))):
            sky.write(f"s{i},{l},{m},{random.uniform(0.1, 1)}\n")


def predict(threads):
    import dask
    import dask.array as da
    from africanus.rime.dask import wsclean_predict
    from daskms import xds_from_ms, xds_to_table

    lines = [line.split(",") for line in open(f"{path}.txt").read().split("\n")[1:] if line]
    lm = np.array([[float(x) for x in line[1:3]] for line in lines])
    flux = np.array([float(line[3]) for line in lines])
    count = len(flux)
    frequency = da.from_array(1e9 + 1e6 * np.arange(CHANNELS), chunks=CHANNELS)
    constant = [da.from_array(x, chunks=x.shape) for x in (
        lm, np.array(["POINT"] * count), flux, np.zeros((count, 1)), np.zeros(count, bool), np.full(count, 1e9),
        np.zeros((count, 3)))]
    wsclean_predict(da.zeros((1, 3), chunks=(1, 3)), *constant, frequency).compute()  # compiles
    start, used = time.perf_counter(), time.process_time()
    writes = []
    for xds in xds_from_ms(path, columns=["UVW"], chunks={"row": 20000}):
        model = wsclean_predict(xds.UVW.data, *constant, frequency)
        zero = da.zeros_like(model)
        model = da.concatenate([model, zero, zero, model], axis=2).rechunk({2: 4}).astype(np.complex64)
        writes.append(xds_to_table(xds.assign(PEER_DATA=(("row", "chan", "corr"), model)), path, columns=["PEER_DATA"]))
    with dask.config.set(scheduler="threads", num_workers=threads):
        dask.compute(writes)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({"seconds": time.perf_counter() - start, "cpu": time.process_time() - used, "memory": memory}))


def compare():
    t = ct.table(path, ack=False)
    worst = 0.0
    for row in range(0, t.nrows(), 20000):
        a, b = (t.getcol(name, row, 20000) for name in ("MODEL_DATA", "PEER_DATA"))
        worst = max(worst, float(np.abs(a - b).max()))
    print(json.dumps({"offBy": worst, "visibilities": t.nrows() * CHANNELS * len(CORRELATIONS)}))


if task == "make":
    make(int(sys.argv[3]), int(sys.argv[4]))
elif task == "predict":
    predict(int(sys.argv[3]))
else:
    compare()
