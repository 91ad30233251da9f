"""Random small cases of blob finding and what libertem-blobfinder finds in them: disks, lattices, sums in disks.

    python tests/oracles/blobfinder_cases.py

Writes tests/udf/blobfinder/cases.jsonl: the versions, then one case per line. Frames are not in it: the test makes the same
ones from their parameters. In a case with "differs" our values are known to be others, and the test says why.
"""

import json
import warnings
from importlib.metadata import version
from pathlib import Path

import numpy as np
import libertem.api as lt
from libertem_blobfinder.common import patterns
from libertem_blobfinder.common.gridmatching import Matcher
from libertem_blobfinder.udf.correlation import (
    FastCorrelationUDF, FullFrameCorrelationUDF, SparseCorrelationUDF,
)
from libertem_blobfinder.udf.integration import IntegrationUDF
from libertem_blobfinder.udf.refinement import AffineMixin, FastmatchMixin, run_refine

COUNT = 100
OUT = Path(__file__).parent.parent / "udf" / "blobfinder" / "cases.jsonl"
METHODS = {"fast": FastCorrelationUDF, "full": FullFrameCorrelationUDF, "sparse": SparseCorrelationUDF}
CTX = lt.Context.make_with("inline")


def congruential(seed, count):
    """Numbers from 0 to 1 that the tests make, too."""
    state, out = seed, np.empty(count)
    for i in range(count):
        state = (state * 1664525 + 1013904223) % 2**32
        out[i] = state / 2**32
    return out


def frame(spec):
    """Whole numbers of noise, disks with an edge of 1 px, an offset."""
    h, w = spec["size"]
    out = np.floor(congruential(spec["seed"], h * w) * spec["noise"]).reshape(h, w)
    y, x = np.mgrid[:h, :w].astype(np.float64)
    for cy, cx, height in spec["disks"]:
        distance = np.sqrt((y - cy) * (y - cy) + (x - cx) * (x - cx))
        out += np.floor(height * np.clip(spec["radius"] + 0.5 - distance, 0, 1))
    return (out + spec["offset"]).astype(spec["dtype"])


def peer_pattern(spec):
    kind, radius, search = spec["kind"], spec["radius"], spec["search"]
    if kind == "circular":
        return patterns.Circular(radius, search=search)
    if kind == "radialGradient":
        return patterns.RadialGradient(radius, search=search)
    if kind == "backgroundSubtraction":
        return patterns.BackgroundSubtraction(radius, search=search, radius_outer=spec["outer"])
    return patterns.RadialGradientBackgroundSubtraction(
        radius, search=search, radius_outer=spec["outer"], delta=spec["delta"])


def some_pattern(rng, radius):
    """A pattern that lies on the pixels in the peer, too: cones with a ring have an outer radius of whole pixels."""
    kinds = ("circular", "radialGradient", "backgroundSubtraction", "radialGradientBackgroundSubtraction")
    spec = {"kind": str(rng.choice(kinds)), "radius": radius}
    reach = radius
    if spec["kind"].endswith("Subtraction"):
        spec["outer"] = reach = float(np.ceil(1.3 * radius + rng.uniform(0, 2)))
    if spec["kind"].startswith("radialGradientB"):
        spec["delta"] = round(float(rng.uniform(0.5, 2)), 2)
    spec["search"] = round(float(reach + 0.5 + rng.uniform(0.5, 4)), 2)
    return spec


def some_frame(rng, radius, disks, size):
    dtype = str(rng.choice(["uint8", "uint16", "int16", "float32"]))
    return {
        "size": size, "seed": int(rng.integers(1, 2**31)), "noise": int(rng.integers(3, 20)), "dtype": dtype,
        "offset": int(rng.integers(-50, -20)) if dtype in ("int16", "float32") else 0, "radius": radius,
        "disks": [[round(float(y), 2), round(float(x), 2), int(rng.integers(60, 200))] for y, x in disks],
    }


def dataset(frames):
    data = np.stack(frames)[np.newaxis]
    return CTX.load("memory", data=data, sig_dims=2, num_partitions=1)


def shift_data(cls, shifts):
    shifts = np.array(shifts, dtype=np.float64)
    return cls.aux_data(data=shifts.ravel(), kind="nav", extra_shape=(2,), dtype="float64")


def rounded(values, digits=6):
    """Numbers with so many significant digits; what is not a number, as a word."""
    def short(v):
        return float(f"{v:.{digits}g}") if np.isfinite(v) else str(v)
    return [short(v) for v in np.asarray(values, dtype=float).ravel()]


def peaks_found(result):
    return {name: rounded(result[name].raw_data) for name in ("centers", "refineds", "peak_values", "peak_elevations")}


def correlation(rng, method, cone=False):
    radius = round(float(rng.uniform(1.8, 4.5)), 2)
    size = [int(rng.integers(28, 60)), int(rng.integers(28, 60))]
    at = rng.uniform(2, np.array(size) - 2, (4, 2))
    spec = some_frame(rng, radius, at, size)
    pattern = some_pattern(rng, radius)
    if cone:
        pattern = {"kind": "radialGradientBackgroundSubtraction", "radius": radius, "outer": round(radius + 2.3, 2),
                   "delta": 1, "search": round(radius + 4, 2)}
    peaks = np.round(2 * (at + rng.uniform(-2, 2, at.shape))) / 2  # halves, too
    case = {"frame": spec, "pattern": pattern, "peaks": peaks.tolist()}
    options = {}
    if method == "sparse":
        options["steps"] = case["steps"] = int(rng.integers(1, 6))
    elif rng.random() < 0.5:
        shift = (np.round(4 * rng.uniform(-3, 3, 2)) / 4).tolist()
        case["shift"], case["peaks"] = shift, (peaks - np.round(shift)).tolist()
        options["zero_shift"] = shift_data(METHODS[method], [shift])
    # One frame alone: the logarithm of the sparse method is that of a tile.
    udf = METHODS[method](peaks=np.array(case["peaks"]), match_pattern=peer_pattern(pattern), **options)
    found = peaks_found(CTX.run_udf(dataset=dataset([frame(spec)]), udf=udf))
    return {**case, **({"differs": "cone"} if cone else {}), **found}


def matched(match):
    return {
        "zero": rounded(match.zero, 10), "a": rounded(match.a, 10), "b": rounded(match.b, 10),
        "error": rounded([match.error], 10)[0], "selector": match.selector.astype(int).tolist(),
    }


def some_lattice(rng, length, skew=True):
    angle = rng.uniform(0, 2 * np.pi)
    between = rng.uniform(1.0, 2.1) * (1 if rng.random() < 0.5 else -1) if skew else np.pi / 2
    a, b = length * rng.uniform(0.7, 1.5, 2)
    return np.array([[a * np.sin(angle), a * np.cos(angle)],
                     [b * np.sin(angle + between), b * np.cos(angle + between)]])


def fastmatch(rng, index):
    """Points of a lattice, moved by more or less than the tolerance, and points that belong to nothing."""
    cell = some_lattice(rng, rng.uniform(5, 40))
    reach = int(rng.integers(1, 8))
    indices = rng.integers(-reach, reach + 1, (int(rng.integers(2, 18)), 2))
    zero = rng.uniform(20, 200, 2)
    points = zero + indices @ cell + rng.normal(0, rng.uniform(0.1, 3), indices.shape)
    points = np.vstack([points, rng.uniform(0, 250, (int(rng.integers(0, 6)), 2))]).round(3)
    weights = rng.uniform(0, 2, len(points)).round(3)
    start = {"zero": (zero + rng.normal(0, 1, 2)).round(3), "a": (cell[0] + rng.normal(0, 0.3, 2)).round(3),
             "b": (cell[1] + rng.normal(0, 0.3, 2)).round(3)}
    if index % 20 == 7:
        points[0] = (np.nan, 3)
    tolerance = round(float(rng.uniform(0.5, 5)), 2)
    options = {"tolerance": tolerance, "minWeight": round(float(rng.uniform(0, 0.4)), 2),
               "minMatch": int(rng.integers(3, 6))}
    matcher = Matcher(tolerance=tolerance, min_weight=options["minWeight"], min_match=options["minMatch"])
    match = matcher.fastmatch(centers=points, peak_elevations=weights, **start)
    case = {"positions": rounded(points), "weights": weights.tolist(), "options": options,
            **{"start_" + k: v.tolist() for k, v in start.items()}, **matched(match)}
    if not match.isnan():
        if len(match) < options["minMatch"]:
            case["differs"] = "few"
        elif np.linalg.matrix_rank(np.hstack([np.ones((len(match), 1)), match.indices])) < 3:
            case["differs"] = "line"
    return case


def affinematch(rng, index):
    cell = some_lattice(rng, rng.uniform(5, 40))
    count = int(rng.integers(1 if index % 10 == 3 else 3, 16))
    indices = rng.uniform(-6, 6, (count, 2)).round(3)
    if index % 2:
        indices = np.round(indices)
    points = (rng.uniform(20, 200, 2) + indices @ cell + rng.normal(0, 1, indices.shape)).round(3)
    weights = rng.uniform(0, 2, count).round(3)
    weights[rng.random(count) < 0.15] = 0
    match = Matcher().affinematch(centers=points, indices=indices, peak_elevations=weights)
    case = {"positions": points.ravel().tolist(), "indices": indices.ravel().tolist(), "weights": weights.tolist(),
            **matched(match)}
    rows = np.hstack([np.ones((count, 1)), indices])[weights > 0]
    if len(rows) < 3 or np.linalg.matrix_rank(rows) < 3:
        case["differs"] = "line"
    return case


def fitted(results):
    """Lattices of all frames, one after another."""
    def joined(name):
        return np.concatenate([result[name].raw_data for result in results])
    numbers = {name: rounded(joined(name)) for name in ("zero", "a", "b", "error")}
    return {**numbers, "selector": joined("selector").astype(int).ravel().tolist()}


def refine(rng, index):
    """Two frames of a lattice, each moved by its shift, which is given, and by a little more, which is not."""
    method, match = ("fast", "full", "sparse")[index % 3], ("fast", "affine")[index // 3 % 2]
    radius = round(float(rng.uniform(2, 3.5)), 2)
    cell = some_lattice(rng, rng.uniform(13, 18)).round(2)
    size = [int(rng.integers(56, 72)), int(rng.integers(56, 72))]
    zero = (np.array(size) / 2 + rng.uniform(-2, 2, 2)).round(1)
    pattern = some_pattern(rng, radius)
    grid = np.mgrid[-1:2, -1:2].reshape(2, -1).T
    indices = grid[((zero + grid @ cell > 4) & (zero + grid @ cell < np.array(size) - 4)).all(axis=1)]
    shifts = np.round(4 * rng.uniform(-8, 8, (2, 2))) / 4 if method != "sparse" else np.zeros((2, 2))
    frames = []
    for shift in shifts:
        moved = zero + shift + rng.normal(0, 0.4, 2) + indices @ (cell * rng.uniform(0.99, 1.01, (2, 2)))
        frames.append(some_frame(rng, radius, moved, size))
        frames[-1]["dtype"], frames[-1]["offset"] = "uint16", 0
    options = {"tolerance": round(float(rng.uniform(1, 4)), 2), "minWeight": 0.1, "minMatch": 3}
    mixin = FastmatchMixin if match == "fast" else AffineMixin

    class Refine(mixin, METHODS[method]):
        pass

    udf = {
        "match_pattern": peer_pattern(pattern), "matcher": Matcher(tolerance=options["tolerance"]),
        "start_zero": zero, "start_a": cell[0], "start_b": cell[1], "indices": indices,
        "peaks": zero + indices @ cell,
        **({"steps": 4} if method == "sparse" else {"zero_shift": None}),
    }
    # Frame by frame: the logarithm of the sparse method is that of a tile.
    results = []
    for spec, shift in zip(frames, shifts):
        if method != "sparse":
            udf["zero_shift"] = shift_data(Refine, [shift])
        results.append(CTX.run_udf(dataset=dataset([frame(spec)]), udf=Refine(**udf)))
    case = {
        "frames": frames, "pattern": pattern, "method": method, "match": match, "steps": 4, "options": options,
        "start_zero": zero.tolist(), "start_a": cell[0].tolist(), "start_b": cell[1].tolist(),
        "indices": indices.tolist(), "shifts": shifts.tolist(),
        **fitted(results),
    }
    chosen = np.concatenate([r["selector"].raw_data for r in results]).sum(axis=1)
    if np.any((chosen < 3) & np.isfinite(np.concatenate([r["zero"].raw_data for r in results])[:, 0])):
        case["differs"] = "few"
    return case


def refine_whole(rng, whole):
    """The whole of run_refine, from a lattice of whole numbers: it cuts fractions of the expected places off."""
    radius = round(float(rng.uniform(2, 3.5)), 2)
    cell = np.array([[int(rng.integers(13, 17)), int(rng.integers(-3, 4))],
                     [int(rng.integers(-3, 4)), int(rng.integers(13, 17))]])
    size = [int(rng.integers(56, 72)), int(rng.integers(56, 72))]
    zero = np.array(size) // 2 + (0 if whole else 0.75)
    pattern = some_pattern(rng, radius) if whole else {"kind": "circular", "radius": radius, "search": radius + 0.6}
    spec = some_frame(rng, radius, zero + np.mgrid[-1:2, -1:2].reshape(2, -1).T @ cell + rng.normal(0, 0.4, 2), size)
    result, indices = run_refine(
        CTX, dataset([frame(spec)]), zero=zero, a=cell[0], b=cell[1], match_pattern=peer_pattern(pattern),
        matcher=Matcher(), correlation="fast", match="fast", indices=np.mgrid[-1:2, -1:2])
    return {
        "frames": [spec], "pattern": pattern, "method": "fast", "match": "fast", "steps": 4,
        "options": {"tolerance": 3, "minWeight": 0.1, "minMatch": 3}, "shifts": [[0, 0]],
        "start_zero": zero.tolist(), "start_a": cell[0].tolist(), "start_b": cell[1].tolist(),
        "indices": indices.tolist(), **fitted([result]), **({} if whole else {"differs": "cut"}),
    }


def integrate(rng, tight):
    radius = round(float(rng.uniform(1.5, 4.5)), 2)
    size = [int(rng.integers(20, 40)), int(rng.integers(20, 40))]
    spec = some_frame(rng, radius, rng.uniform(0, size, (3, 2)), size)
    pattern = some_pattern(rng, radius)
    if tight:  # the ramp at the edge reaches beyond the search radius
        pattern = {"kind": "circular", "radius": 2.7, "search": 2.7}
    places = (np.round(8 * rng.uniform(-3, np.array(size) + 3, (6, 2))) / 8)  # halves, too; also outside
    # The peer takes whole pixels only, and gives an error for others.
    centers = IntegrationUDF.aux_data(
        data=np.round(places).astype(int).ravel(), kind="nav", extra_shape=places.shape, dtype=int)
    udf = IntegrationUDF(centers=centers, pattern=peer_pattern(pattern))
    result = CTX.run_udf(dataset=dataset([frame(spec)]), udf=udf)
    return {"frame": spec, "pattern": pattern, "positions": places.tolist(),
            "integration": rounded(result["integration"].raw_data), **({"differs": "tight"} if tight else {})}


def feature_vector(rng, whole):
    radius = round(float(rng.uniform(1.5, 4.5)), 2)
    size = [int(rng.integers(20, 40)), int(rng.integers(20, 40))]
    spec = some_frame(rng, radius, rng.uniform(0, size, (3, 2)), size)
    pattern = some_pattern(rng, radius)
    places = np.round(rng.uniform(-2, np.array(size) + 2, (5, 2))) + (0 if whole else 0.7)
    stack = patterns.feature_vector(size[1], size[0], places, peer_pattern(pattern)).todense()
    values = np.tensordot(stack, frame(spec).astype(np.float64), 2)
    return {"frame": spec, "pattern": pattern, "positions": places.tolist(), "integration": rounded(values),
            **({} if whole else {"differs": "fractions"})}


def cases(seed, make, count=COUNT):
    rng = np.random.default_rng(seed)
    return [make(rng, index) for index in range(count)]


def main():
    warnings.filterwarnings("ignore")
    found = {
        **{method: cases(seed, lambda rng, _, m=method: correlation(rng, m))
           for seed, method in enumerate(METHODS)},
        "fastmatch": cases(11, fastmatch), "affinematch": cases(12, affinematch),
        "refine": cases(13, refine),
        "refineWhole": cases(15, lambda rng, index: refine_whole(rng, index < 20), 23),
        "integrate": cases(14, lambda rng, index: integrate(rng, index >= COUNT), COUNT + 3),
        "featureVector": cases(16, lambda rng, index: feature_vector(rng, index < COUNT), COUNT + 3),
    }
    found["fast"] += cases(17, lambda rng, _: correlation(rng, "fast", cone=True), 3)
    names = ("libertem", "libertem_blobfinder", "numpy")
    lines = [{"versions": {name: version(name) for name in names}}]
    lines += [{"what": what, **row} for what, rows in found.items() for row in rows]
    text = "\n".join(json.dumps(line, separators=(",", ":")) for line in lines)
    OUT.write_text(text + "\n", encoding="utf-8")


main()
