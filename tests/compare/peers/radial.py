"""Fourier coefficients along rings, with everything that is derived from them."""

import numpy as np


def radialfourier(subject, params):
    names = dict(cy="cy", cx="cx", ri="ri", ro="ro", bins="n_bins", maxOrder="max_order")
    given = {names[name]: value for name, value in params.items()}
    analysis = subject.ctx.create_radial_fourier_analysis(dataset=subject.dataset, **given)
    found = subject.ctx.run(analysis, roi=subject.roi(), corrections=subject.corrections)
    bins, orders = params["bins"], params["maxOrder"] + 1

    def channel(name, first=0):
        stack = [[found[f"{name}_{b}_{o}"].raw_data for o in range(first, orders)] for b in range(bins)]
        return np.moveaxis(np.array(stack), (0, 1), (-2, -1))

    return {
        "intensity": np.moveaxis(found.raw_results, (0, 1), (-2, -1)),
        "absolute": channel("absolute"),
        "phase": channel("phase"),
        "normalised": np.abs(channel("complex", 1)),
        "dominant": np.moveaxis(np.array([found[f"dominant_{b}"].raw_data for b in range(bins)]), 0, -1),
    }


WORDS = {"radialfourier": radialfourier}
