"""The analyses in plain NumPy, from their definitions; shares no code with what it checks.

Usage: analyses.py OUT.json NAME=PATH ...    (.npy, .h5 with /dataset after '#', .mib)
"""
import json
import sys

import numpy as np


def load(path):
    path, _, inside = path.partition("#")
    if inside:
        import h5py
        with h5py.File(path) as file:
            return file[inside][()]
    if path.endswith(".mib"):
        return load_mib(path)
    return np.load(path)


def load_mib(path):
    """Frames of equal size behind text headers, big endian unsigned integers."""
    raw = open(path, "rb").read()
    fields = raw[:384].split(b",")
    header, width, height, kind = int(fields[2]), int(fields[4]), int(fields[5]), fields[6].strip()
    dtype = {b"U08": ">u1", b"U16": ">u2", b"U32": ">u4"}[kind]
    frame = width * height * np.dtype(dtype).itemsize
    count = len(raw) // (header + frame)
    frames = [
        np.frombuffer(raw, dtype, width * height, i * (header + frame) + header).reshape(height, width)
        for i in range(count)
    ]
    nav = NAV.get(path.rsplit("/", 1)[-1])
    return np.stack(frames).reshape(*(nav or (count,)), height, width)


NAV = {"002_merlin_test_roi_sig256x128_nav4x2_hot_pixel_52x_39y.mib": (2, 4)}


def distance(shape, cy, cx):
    y, x = np.mgrid[0:shape[0], 0:shape[1]].astype(float)
    return np.hypot(y - cy, x - cx), np.arctan2(y - cy, x - cx)


def disk(shape, cy, cx, r):
    return (distance(shape, cy, cx)[0] <= r).astype(float)


def ring(shape, cy, cx, ri, ro):
    d = distance(shape, cy, cx)[0]
    return ((d <= ro) & ~(d <= ri)).astype(float)


def radial_weights(shape, cy, cx, ri, ro, bins):
    width = (ro - ri) / bins
    d = distance(shape, cy, cx)[0]
    stack = []
    for b in range(bins):
        middle = ri + (b + 0.5) * width
        weight = np.clip(width / 2 + 0.5 - np.abs(d - middle), 0, 1)
        if b == 0 and ri < 0.5:
            weight[int(np.round(cy)), int(np.round(cx))] = 1 - ri
        stack.append(weight)
    return np.stack(stack)


def per_frame(data, mask):
    return np.tensordot(data, mask, axes=2)


def centre_of_mass(data, p):
    shape = data.shape[-2:]
    mask = disk(shape, p["cy"], p["cx"], p["r"])
    y, x = np.mgrid[0:shape[0], 0:shape[1]].astype(float)
    total = per_frame(data, mask)
    empty = total == 0
    safe = np.where(empty, 1, total)
    com = np.stack([
        np.where(empty, p["cy"], per_frame(data, mask * y) / safe),
        np.where(empty, p["cx"], per_frame(data, mask * x) / safe),
    ], -1)
    shift = com - [p["cy"], p["cx"]]
    flipped = shift * ([-1, 1] if p.get("flipY") else [1, 1])
    angle = np.radians(p.get("scanRotation", 0))
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    field = flipped @ turn.T
    out = {"raw_com": com, "raw_shifts": shift}
    if data.ndim == 4 and p.get("regression") == 1:
        rows, columns = np.mgrid[0:data.shape[0], 0:data.shape[1]]
        design = np.stack([np.ones(rows.size), rows.ravel(), columns.ravel()], -1)
        plane = np.linalg.lstsq(design, field.reshape(-1, 2), rcond=None)[0]
        field = field - (design @ plane).reshape(field.shape)
        out["regression"] = plane
    out |= {"field": field, "field_y": field[..., 0], "field_x": field[..., 1]}
    out["magnitude"] = np.hypot(field[..., 0], field[..., 1])
    if data.ndim == 4 and min(data.shape[:2]) > 1:
        fy, fx = field[..., 0], field[..., 1]
        out["divergence"] = np.gradient(fy, axis=0) + np.gradient(fx, axis=1)
        out["curl"] = np.gradient(fy, axis=1) - np.gradient(fx, axis=0)
    return out


def crystallinity(data, p):
    height, width = data.shape[-2:]
    real = np.ones((height, width))
    if "r" in p:
        real = 1 - disk((height, width), p["cy"], p["cx"], p["r"])
    frequency = distance((height, width), height * 0.5, width * 0.5)[0]
    band = np.fft.fftshift((frequency <= p["ro"]) & ~(frequency <= p["ri"]))[:, :width // 2 + 1]
    return {"intensity": (np.abs(np.fft.rfft2(data * real)) * band).sum((-1, -2))}


def deviation(data, p):
    inside = ring(data.shape[-2:], p["cy"], p["cx"], p["ri"], p["ro"]) > 0
    return {"intensity": data[..., inside].std(-1)}


def log_sum(data, _):
    low = data.min((-1, -2), keepdims=True)
    return {"logsum": np.log(data - low + 1).reshape(-1, *data.shape[-2:]).sum(0)}


def spread(data, _):
    frames = data.reshape(-1, *data.shape[-2:])
    return {"mean": frames.mean(0), "std": frames.std(0), "var": frames.var(0), "sum": frames.sum(0),
            "num_frames": np.array(float(len(frames)))}


def spectrum_of_sum(data, _):
    full = np.fft.fftshift(np.fft.fft2(data.reshape(-1, *data.shape[-2:]).sum(0)))
    return {"magnitude": np.abs(full)}


def radial_bins(data, p):
    return {"intensity": np.tensordot(data, radial_weights(data.shape[-2:], **p), axes=((-2, -1), (1, 2)))}


def radial_fourier(data, p):
    bins, orders = p["bins"], p["maxOrder"] + 1
    shape = data.shape[-2:]
    weights = radial_weights(shape, p["cy"], p["cx"], p["ri"], p["ro"], bins)
    angle = distance(shape, p["cy"], p["cx"])[1]
    waves = np.exp(1j * np.arange(orders)[:, None, None] * angle)
    masks = weights[:, None] * waves[None]
    found = np.tensordot(data, masks, axes=((-2, -1), (2, 3)))
    return {"absolute": np.abs(found)}


def simple(mask):
    return lambda data, p: {"intensity": per_frame(data, mask(data.shape[-2:], **p))}


ANALYSES = {
    "sum": lambda data, _: {"intensity": data.reshape(-1, *data.shape[-2:]).sum(0)},
    "sumsig": lambda data, _: {"intensity": data.sum((-1, -2))},
    "stddev": spread,
    "logsum": log_sum,
    "disk": simple(disk),
    "annular": simple(ring),
    "point": lambda data, p: {"intensity": data[..., p["y"], p["x"]]},
    "com": centre_of_mass,
    "crystallinity": crystallinity,
    "fem": deviation,
    "fft_of_sum": spectrum_of_sum,
    "radial_bins": radial_bins,
    "radial_fourier": radial_fourier,
}


def parameters(shape):
    """What each analysis is asked, in proportion to the frame."""
    height, width = shape
    cy, cx, half = height / 2, width / 2 - 0.5, min(shape) / 2
    centre = {"cy": cy, "cx": cx}
    rounded = {"cy": float(height // 2), "cx": float(width // 2)}
    return [
        ("sum", {}),
        ("sumsig", {}),
        ("stddev", {}),
        ("logsum", {}),
        ("disk", {**centre, "r": 0.3 * half}),
        ("annular", {**centre, "ri": 0.4 * half, "ro": 0.9 * half}),
        ("point", {"y": int(cy) - 1, "x": int(cx)}),
        ("com", {**rounded, "r": 0.8 * half, "scanRotation": 33.0, "flipY": True, "regression": 1}),
        ("crystallinity", {"ri": 0.1 * half, "ro": 0.7 * half, **rounded, "r": 0.2 * half}),
        ("fem", {**rounded, "ri": 0.2 * half, "ro": 0.8 * half}),
        ("fft_of_sum", {}),
        ("radial_bins", {**centre, "ri": 0.0, "ro": 0.9 * half, "bins": 5}),
        ("radial_fourier", {**centre, "ri": 0.0, "ro": 0.9 * half, "bins": 2, "maxOrder": 6}),
    ]


def summary(array):
    """Shape, sum, and every value of small results or 64 of large ones; NaN is null."""
    flat = np.asarray(array, float).ravel()
    at = np.arange(flat.size) if flat.size <= 64 else np.unique(np.linspace(0, flat.size - 1, 64).astype(int))
    finite = flat[np.isfinite(flat)]
    clean = lambda value: None if np.isnan(value) else float(f"{value:.12g}")
    return {
        "shape": list(np.shape(array)),
        "sum": float(f"{finite.sum():.12g}"),
        "largest": float(f"{np.abs(finite).max(initial=0):.12g}"),
        "at": at.tolist(),
        "values": [clean(flat[i]) for i in at],
    }


def main(out, *sources):
    found = {}
    for word in sources:
        name, path = word.split("=", 1)
        data = load(path).astype(float)
        results = []
        for udf, params in parameters(data.shape[-2:]):
            arrays = ANALYSES[udf](data, params)
            results.append({"udf": udf, "params": params, "results": {k: summary(v) for k, v in arrays.items()}})
        found[name] = {"shape": list(data.shape), "analyses": results}
    with open(out, "w") as file:
        json.dump(found, file, separators=(",", ":"))
        file.write("\n")


main(*sys.argv[1:])
