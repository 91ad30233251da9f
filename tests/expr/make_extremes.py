"""Makes extremes.json: functions of expressions by NumPy, where numbers are large, small, or none.

python make_extremes.py
"""

import json
import pathlib

import numpy as np

np.seterr(all="ignore")

UNARY = {
    "abs(x)": np.abs,
    "ceil(x)": np.ceil,
    "cos(x)": np.cos,
    "exp(x)": np.exp,
    "floor(x)": np.floor,
    "log(x)": np.log,
    "log1p(x)": np.log1p,
    "round(x)": np.rint,
    "sin(x)": np.sin,
    "sqrt(x)": np.sqrt,
    "trunc(x)": np.trunc,
}
BINARY = {
    "atan2(x, y)": np.arctan2,
    "hypot(x, y)": np.hypot,
    "pow(x, y)": np.power,
    "x / y": np.divide,
}
POWERS = [2, 3, -1, -2, -3, 0.5, -0.5, 1.5, -1.5, 2.5, -16, 0.1, -0.25]

NUMBERS = {
    "float32": [1e4 + 1, 1e6, 3e7, -1e8, 1e10, 1e15, -1e20, 1e22, 1e30, 1e38, 1e-20, 88, 89, -87.5, -104.5],
    "float64": [1e6 + 1, 3e7, -1e8, 1e10, 1e15, -1e20, 1e22, 1e100, 1e155, -1e300, 1e-155, 709.7, 710, -744, -746],
}


def plain(values):
    return [float(v) if np.isfinite(v) else str(v) for v in values]


made = {}
for name in ("float32", "float64"):
    dtype = np.dtype(name).type
    facts = np.finfo(dtype)
    ends = [0.0, -0.0, np.inf, -np.inf, np.nan, facts.max, -facts.max, facts.tiny, -facts.smallest_subnormal]
    few = [*ends, 1, -1, 2, -3, 0.5, 1.5]
    x = np.array([*few, *NUMBERS[name], 1 - 2**-20, 1 + 2**-20], dtype)
    a, b = (part.ravel() for part in np.meshgrid(np.array(few, dtype), np.array(few, dtype), indexing="ij"))
    powers = {f"x ** ({p})": np.power(x, dtype(p)) for p in POWERS}
    made[name] = {
        "x": plain(x),
        "unary": {text: plain(values) for text, values in {**{t: f(x) for t, f in UNARY.items()}, **powers}.items()},
        "a": plain(a),
        "b": plain(b),
        "binary": {text: plain(f(a, b)) for text, f in BINARY.items()},
    }

pathlib.Path(__file__).with_name("extremes.json").write_text(json.dumps(made) + "\n")
