"""Blob finding: patterns, correlation, lattices, sums over disks."""

import numpy as np
from libertem.udf.masks import ApplyMasksUDF
from libertem_blobfinder.common import patterns as shapes
from libertem_blobfinder.common.gridmatching import Matcher
from libertem_blobfinder.udf.correlation import (
    FastCorrelationUDF, FullFrameCorrelationUDF, SparseCorrelationUDF
)
from libertem_blobfinder.udf.integration import IntegrationUDF
from libertem_blobfinder.udf.refinement import AffineMixin, FastmatchMixin

METHODS = {"fast": FastCorrelationUDF, "full": FullFrameCorrelationUDF, "sparse": SparseCorrelationUDF}


def pattern_of(params):
    kind = params["kind"]
    search = {"search": params["search"]} if "search" in params else {}
    if kind == "template":
        return shapes.UserTemplate(template=params["template"], **search)
    if "outer" in params:
        search["radius_outer"] = params["outer"]
    if "delta" in params:
        search["delta"] = params["delta"]
    made = dict(
        zip(
            ("circular", "gradient", "background", "gradient-background"),
            (
                shapes.Circular, shapes.RadialGradient, shapes.BackgroundSubtraction,
                shapes.RadialGradientBackgroundSubtraction,
            ),
        )
    )[kind]
    return made(radius=params["radius"], **search)


def pattern_mask(_, params):
    return {"mask": pattern_of(params["pattern"]).get_mask(tuple(params["shape"]))}


def shift_of(shifts, udf):
    if shifts is None:
        return None
    array = np.array(shifts, dtype=float)
    if array.ndim == 1:
        return array
    return udf.aux_data(array.ravel(), kind="nav", extra_shape=(2,), dtype=float)


def given_to(method, params):
    """What a correlation is asked for."""
    common = dict(match_pattern=pattern_of(params["pattern"]))
    if method == "sparse":
        return dict(common, steps=params["steps"])
    upsample = params["upsample"]
    return dict(
        common, upsample=20 if upsample is True else upsample,
        zero_shift=shift_of(params["shifts"], METHODS[method]),
    )


def correlate(method):
    def run(subject, params):
        udf = METHODS[method](peaks=np.array(params["peaks"]), **given_to(method, params))
        found = subject.results(udf)
        return {name: array for name, array in found.items() if not name.startswith("corr")}

    return run


def refine(subject, params):
    lattice = [np.array(params[name], dtype=float) for name in ("zero", "a", "b")]
    indices = np.array(params["indices"])
    mixin = FastmatchMixin if params["match"] == "fast" else AffineMixin

    class Refine(mixin, METHODS[params["method"]]):
        pass

    udf = Refine(
        peaks=lattice[0] + indices @ np.array(lattice[1:]), indices=indices,
        start_zero=lattice[0], start_a=lattice[1], start_b=lattice[2],
        matcher=matcher_of(params), **given_to(params["method"], params),
    )
    found = subject.results(udf)
    return {name: array for name, array in found.items() if not name.startswith("corr")}


def matcher_of(params):
    names = dict(tolerance="tolerance", minWeight="min_weight", minMatch="min_match")
    return Matcher(**{names[name]: value for name, value in params["options"].items()})


def match(_, params):
    positions, weights = params["positions"], params["weights"]
    given = dict(centers=positions.astype(int), refineds=positions, peak_elevations=weights)
    if params["match"] == "affine":
        found = matcher_of(params).affinematch(indices=np.array(params["indices"]), **given)
    else:
        lattice = {name: np.array(params[name], dtype=float) for name in ("zero", "a", "b")}
        found = matcher_of(params).fastmatch(**lattice, **given)
    return {
        "zero": found.zero, "a": found.a, "b": found.b, "selector": found.selector, "error": float(found.error),
    }


def integrate(subject, params):
    positions = params["positions"]
    centers = IntegrationUDF.aux_data(
        positions.astype(int).ravel(), kind="nav", dtype=int, extra_shape=positions.shape[-2:]
    )
    return subject.results(IntegrationUDF(centers=centers, pattern=pattern_of(params["pattern"])))


def features(subject, params):
    height, width = subject.sig
    peaks = np.array(params["peaks"])
    stack = shapes.feature_vector(
        imageSizeX=width, imageSizeY=height, peaks=peaks, match_pattern=pattern_of(params["pattern"])
    )
    udf = ApplyMasksUDF(mask_factories=lambda: stack, mask_count=len(peaks), mask_dtype=np.float32)
    return subject.results(udf)


WORDS = {
    "patterns": pattern_mask,
    **{f"correlate-{method}": correlate(method) for method in METHODS},
    "refine": refine,
    "match": match,
    "integrate": integrate,
    "features": features,
}
