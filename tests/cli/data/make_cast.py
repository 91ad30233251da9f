"""Writes cast.json: digests of a scan whose frames are selected, corrected, then cast by NumPy."""

import base64
import hashlib
import json
import pathlib

import numpy as np

random = np.random.default_rng(29)
scan = random.integers(20, 100, (3, 4, 5, 6), dtype="uint16")
dark = (random.integers(0, 40, (5, 6)) / 4).astype("float32")
gain = random.choice([0.5, 0.75, 1, 1.25], (5, 6)).astype("float32")
DEAD = (2, 3)


def exclude(frames):
    """The pixel as the mean of its eight neighbours."""
    frames = frames.astype("float32")
    around = frames[..., 1:4, 2:5].sum(axis=(-2, -1), dtype="float64") - frames[(..., *DEAD)]
    frames[(..., *DEAD)] = around / 8
    return frames


CHANGES = {
    "roi": [lambda frames: frames],
    "dark": [lambda frames: frames - dark],
    "gain": [lambda frames: frames * gain],
    "exclude": [exclude],
}
CHANGES["roi dark gain exclude"] = [step for steps in CHANGES.values() for step in steps]


def digest(frames, dtype):
    nearest = frames.astype(dtype) if dtype[0] == "f" else np.rint(frames).astype(dtype)
    return hashlib.sha256(nearest.astype(np.dtype(dtype).newbyteorder("<")).tobytes()).hexdigest()


def of(change, dtype):
    frames = scan[1:3, 0:3].reshape(6, 5, 6) if "roi" in change else scan
    for step in CHANGES[change]:
        frames = step(frames)
    return digest(frames, dtype)


TYPES = ["uint8", "int8", "uint16", "int16", "uint32", "int32", "float32", "float64"]
text = lambda array: base64.b64encode(array.tobytes()).decode()
out = {
    "scan": text(scan),
    "dark": text(dark),
    "gain": text(gain),
    "digests": {change: {dtype: of(change, dtype) for dtype in TYPES} for change in CHANGES},
}
pathlib.Path(__file__).with_name("cast.json").write_text(json.dumps(out, indent=2) + "\n")
