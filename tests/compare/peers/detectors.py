"""Detectors of the usual forms, by the analyses that make them."""

import numpy as np
from libertem import masks
from libertem.udf.masks import ApplyMasksUDF


def one_mask(subject, udf):
    return {name: array[..., 0] for name, array in subject.results(udf).items()}


def analysis(make):
    def run(subject, params):
        return one_mask(subject, make(subject.ctx, dataset=subject.dataset, **params).get_udf())

    return run


def point(ctx, dataset, cy=None, cx=None):
    return ctx.create_point_analysis(dataset=dataset, x=cx, y=cy)


def rectangle(subject, params):
    height, width = subject.sig

    def mask():
        return masks.rectangular(
            X=params["x"], Y=params["y"], Width=params["width"], Height=params["height"],
            imageSizeX=width, imageSizeY=height,
        )

    return one_mask(subject, ApplyMasksUDF(mask_factories=[mask], mask_dtype=np.float32))


WORDS = {
    "disk": analysis(lambda ctx, **params: ctx.create_disk_analysis(**params)),
    "ring": analysis(lambda ctx, **params: ctx.create_ring_analysis(**params)),
    "point": analysis(point),
    "rectangle": rectangle,
}
