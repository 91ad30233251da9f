"""Mask generators, by the names of ours."""

import numpy as np
from libertem import masks


def sized(shape):
    return dict(imageSizeY=shape[0], imageSizeX=shape[1])


def centred(shape, o):
    return dict(centerY=o["cy"], centerX=o["cx"], **sized(shape))


def circular(shape, o):
    return masks.circular(radius=o["r"], antialiased=o["antialiased"], **centred(shape, o))


def ring(shape, o):
    return masks.ring(radius=o["ro"], radius_inner=o["ri"], antialiased=o["antialiased"], **centred(shape, o))


def rectangular(shape, o):
    return masks.rectangular(X=o["x"], Y=o["y"], Width=o["width"], Height=o["height"], **sized(shape))


def radial_gradient(shape, o):
    return masks.radial_gradient(radius=o["r"], antialiased=o["antialiased"], **centred(shape, o))


def radial_gradient_background(shape, o):
    radius, _ = masks.polar_map(**centred(shape, o))
    return masks.radial_gradient_background_subtraction(r=radius, r0=o["r"], r_outer=o["ro"], delta=o["delta"])


def background(shape, o):
    return masks.background_subtraction(
        radius=o["ro"], radius_inner=o["ri"], antialiased=o["antialiased"], **centred(shape, o)
    )


def polar_map(shape, o):
    stretch = {name: o[name] for name in ("stretchY", "angle") if name in o}
    radius, angle = masks.polar_map(**centred(shape, o), **stretch)
    return {"radius": radius, "angle": angle}


def radial_bins(shape, o):
    names = dict(ro="radius", ri="radius_inner", bins="n_bins", normalize="normalize")
    given = {names[name]: o[name] for name in names if name in o}
    return {
        "mask": masks.radial_bins(use_sparse=False, **centred(shape, o), **given),
        "sparse": masks.radial_bins(use_sparse=True, **centred(shape, o), **given).todense(),
    }


def stamps_of(o):
    return [np.array([stamp[name] for stamp in o["stamps"]]) for name in ("mask", "y", "x")]


def stamp_templates(shape, o):
    index, y, x = stamps_of(o)
    return masks.sparse_template_multi_stack(
        mask_index=index, offsetX=x, offsetY=y, template=o["template"], **sized(shape)
    ).todense()


def stamp_disks(shape, o):
    index, y, x = stamps_of(o)
    return masks.sparse_circular_multi_stack(
        mask_index=index, centerX=x, centerY=y, radius=o["r"], **sized(shape)
    ).todense()


GENERATORS = {
    "circular": circular,
    "ring": ring,
    "rectangular": rectangular,
    "radialGradient": radial_gradient,
    "radialGradientBackgroundSubtraction": radial_gradient_background,
    "backgroundSubtraction": background,
    "gradientX": lambda shape, _: masks.gradient_x(**sized(shape)),
    "gradientY": lambda shape, _: masks.gradient_y(**sized(shape)),
    "polarMap": polar_map,
    "radialBins": radial_bins,
    "balance": lambda _, o: masks.balance(o["template"]),
    "stampTemplates": stamp_templates,
    "stampDisks": stamp_disks,
    "boundingRadius": lambda shape, o: float(masks.bounding_radius(**centred(shape, o))),
}


def generators(_, params):
    found = GENERATORS[params["name"]](tuple(params["shape"]), params["options"])
    return found if isinstance(found, dict) else {"mask": found}


WORDS = {"generators": generators}
