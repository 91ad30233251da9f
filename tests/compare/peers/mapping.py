"""Functions of a frame, and copies of the data in a file."""

import os

import numpy as np
from libertem.udf.auto import AutoUDF
from libertem.udf.record import RecordUDF


def mapped(subject, params):
    limit = params["limit"]
    # AutoUDF does not tell a function where it is: the column comes from outside.
    functions = {
        "brightest": lambda frame: float(np.max(frame)),
        "above": lambda frame: np.sum(frame > limit),
        "ends": lambda frame: np.array([np.min(frame), np.max(frame), 0.0]),
        "halves": halves,
        "negative": lambda frame: np.any(frame < 0),
    }
    found = subject.results(AutoUDF(f=functions[params["name"]]))
    if params["name"] == "ends":
        found["result"][..., 2] += np.arange(subject.nav[-1])
    return found


def halves(frame):
    flat = frame.ravel()
    middle = len(flat) // 2
    return np.array([[flat[:middle].sum(), flat[middle:].sum()], [middle, len(flat)]])


def record(subject, params):
    path = os.path.join(subject.folder, "theirs.npy")
    corrections = subject.corrections if params["corrected"] else None
    subject.run(RecordUDF(path), roi=None, corrections=corrections)
    return {"frames": np.load(path)}


WORDS = {"map": mapped, "record": record}
