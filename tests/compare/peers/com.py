"""The centre of mass with all of its parameters, and what is guessed from it."""

import numpy as np
from libertem.udf.com import CoMUDF, guess_corrections


def com(subject, params):
    regression = params["regression"]
    given = {name: params[name] for name in ("cy", "cx", "r", "ri") if name in params}
    udf = CoMUDF.with_params(
        **given, scan_rotation=params["scanRotation"], flip_y=params["flipY"],
        regression=regression if isinstance(regression, int) else np.array(regression),
    )
    return subject.results(udf)


def com_analysis(subject, params):
    analysis = subject.ctx.create_com_analysis(
        dataset=subject.dataset, cy=params.get("cy"), cx=params.get("cx"), mask_radius=params.get("r"),
        mask_radius_inner=params.get("ri"), scan_rotation=params["scanRotation"], flip_y=params["flipY"],
    )
    found = subject.ctx.run(analysis, roi=subject.roi(), corrections=subject.corrections)
    names = ("y", "x", "magnitude", "divergence", "curl")
    return {name: found[name].raw_data for name in names if name in found.keys()}


def guess(_, params):
    found = guess_corrections(params["y"], params["x"])
    return {
        "cy": found.cy, "cx": found.cx, "rotation": float(found.scan_rotation), "flip": float(found.flip_y),
    }


WORDS = {"com": com, "com-analysis": com_analysis, "guess": guess}
