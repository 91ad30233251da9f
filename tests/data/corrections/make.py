"""Corrected complex frames by LiberTEM and by NumPy alone: `python make.py` writes expected.json beside this file.

Needs libertem 0.16 and numpy. Frames are 3 x 4 of 4 x 5 complex samples of small whole numbers, see `frames`.
"""

import json
from pathlib import Path

import numpy as np
from libertem.io.corrections.detector import correct

SIG = (4, 5)
EXCLUDED = [(1, 1), (1, 2), (3, 4)]


def frames(dtype):
    k = np.arange(240)
    return ((7 * k * k + 3 * k) % 31 + 1j * ((5 * k * k + k) % 17 - 8)).reshape(12, *SIG).astype(dtype)


def maps(parts):
    k = np.arange(20).reshape(SIG)
    dark, gain = k / 10, 1 + k / 100
    if "complex dark" in parts:
        dark = dark - 1j * k / 20
    if "complex gain" in parts:
        gain = gain + 1j * (k % 3) / 10
    return {
        **({"dark": dark} if "dark" in parts or "complex dark" in parts else {}),
        **({"gain": gain} if "gain" in parts or "complex gain" in parts else {}),
        **({"excluded": EXCLUDED} if "excluded" in parts else {}),
    }


def by_libertem(data, dark=None, gain=None, excluded=()):
    pixels = np.array(excluded, dtype=int).T if len(excluded) else None
    return correct(data, dark_image=dark, gain_map=gain, excluded_pixels=pixels, sig_shape=SIG)


def by_numpy(data, dark=0, gain=1, excluded=()):
    found = ((data - dark) * gain).astype(np.result_type(np.float32, data))
    for y, x in excluded:
        around = [
            found[:, j, i]
            for j in range(max(0, y - 1), min(SIG[0], y + 2))
            for i in range(max(0, x - 1), min(SIG[1], x + 2))
            if (j, i) not in excluded
        ]
        found[:, y, x] = np.mean(around, axis=0, dtype=np.complex128)
    return found


def pairs(array):
    digits = 9 if array.dtype == np.complex64 else 15
    return [float(f"{part:.{digits}g}") for z in array.ravel() for part in (z.real, z.imag)]


CASES = [
    ["excluded"],
    ["dark"],
    ["complex dark"],
    ["gain"],
    ["complex gain"],
    ["dark", "gain", "excluded"],
    ["complex dark", "gain", "excluded"],
    ["dark", "complex gain", "excluded"],
    ["complex dark", "complex gain", "excluded"],
]

expected = []
for dtype in ("complex64", "complex128"):
    for parts in CASES:
        found = by_libertem(frames(dtype), **maps(parts))
        assert found.dtype == dtype, found.dtype
        assert np.allclose(found, by_numpy(frames(dtype), **maps(parts)), rtol=1e-6, atol=1e-5)
        expected.append({
            "dtype": dtype,
            "parts": parts,
            "frame7": pairs(found[7]),
            "sum": pairs(found.sum(axis=0, dtype=np.complex128).astype(dtype)),
        })

Path(__file__).with_name("expected.json").write_text(json.dumps(expected) + "\n")
