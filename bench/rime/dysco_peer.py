"""A set with visibilities in Dysco, as LOFAR stores them (10 bits), and how fast casacore reads it.

    python bench/rime/dysco_peer.py make SET TIMES    # 30 antennas, 64 channels, 4 correlations; prints the bytes of all samples
    python bench/rime/dysco_peer.py read SET          # prints seconds, those of cores, and the sum of real parts

Needs numpy and python-casacore, whose wheels have the storage manager of Dysco.
"""

import json
import sys
import time

import casacore.tables as ct
import numpy as np

task, path = sys.argv[1:3]
ANTENNAS, CHANNELS = 30, 64


def sub(name, count, **columns):
    t = ct.table(f"{path}/{name}", readonly=False, ack=False)
    t.addrows(count)
    for column, values in columns.items():
        for row, value in enumerate(values):
            t.putcell(column, row, value)
    t.close()


def make(times):
    rng = np.random.default_rng(1)
    desc = ct.required_ms_desc("MAIN")
    desc.update(ct.maketabdesc([ct.makearrcoldesc(
        "DATA", 0j, valuetype="complex", ndim=2, shape=[CHANNELS, 4], options=5, datamanagertype="DyscoStMan", datamanagergroup="D")]))
    spec = {"distribution": "TruncatedGaussian", "normalization": "AF", "distributionTruncation": 2.5, "dataBitCount": 10, "weightBitCount": 12}
    ms = ct.default_ms(path, desc, {"*1": {"TYPE": "DyscoStMan", "NAME": "D", "SPEC": spec, "COLUMNS": ["DATA"]}})
    first, second = np.triu_indices(ANTENNAS, 1)
    rows = times * len(first)
    ms.addrows(rows)
    for name, values in dict(TIME=5e9 + 8.0 * np.repeat(np.arange(times), len(first)), INTERVAL=np.full(rows, 8.0),
                             ANTENNA1=np.tile(first, times), ANTENNA2=np.tile(second, times), UVW=rng.normal(size=(rows, 3)) * 300).items():
        ms.putcol(name, values)
    for start in range(0, rows, len(first)):
        shape = (len(first), CHANNELS, 4)
        ms.putcol("DATA", (rng.normal(size=shape) + 1j * rng.normal(size=shape)).astype(np.complex64), start, len(first))
    ms.close()
    sub("ANTENNA", ANTENNAS, NAME=[f"a{i}" for i in range(ANTENNAS)], POSITION=[np.array([5e6 + i, 3e6, 2e6]) for i in range(ANTENNAS)])
    sub("FIELD", 1, NAME=["f"], PHASE_DIR=[np.array([[1.25, -0.5]])])
    sub("SPECTRAL_WINDOW", 1, CHAN_FREQ=[1e9 + 1e6 * np.arange(CHANNELS)], CHAN_WIDTH=[np.full(CHANNELS, 1e6)], NUM_CHAN=[CHANNELS])
    sub("POLARIZATION", 1, CORR_TYPE=[np.array([9, 10, 11, 12], np.int32)], NUM_CORR=[4])
    sub("DATA_DESCRIPTION", 1, SPECTRAL_WINDOW_ID=[0], POLARIZATION_ID=[0])
    return {"bytes": rows * CHANNELS * 4 * 8}


def read():
    t = ct.table(path, ack=False)
    seconds, cpu, total = 0.0, 0.0, 0.0
    for row in range(0, t.nrows(), 2000):
        start, used = time.perf_counter(), time.process_time()
        samples = t.getcol("DATA", row, min(2000, t.nrows() - row))
        seconds += time.perf_counter() - start
        cpu += time.process_time() - used
        total += float(samples.real.sum(dtype=float))
    return {"seconds": seconds, "cpu": cpu, "sum": total}


print(json.dumps(make(int(sys.argv[3])) if task == "make" else read()))
