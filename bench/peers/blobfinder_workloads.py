"""What LiberTEM-blobfinder computes, and LiberTEM's clustering, by the names of `bench/workloads/disks.ts`."""

import functools

import numpy as np
from libertem.analysis.clust import ClusterAnalysis
from libertem.udf.stddev import StdDevUDF, consolidate_result
from libertem_blobfinder.common.gridmatching import Matcher
from libertem_blobfinder.common.patterns import (
    BackgroundSubtraction, RadialGradient, RadialGradientBackgroundSubtraction
)
from libertem_blobfinder.udf.correlation import (
    FastCorrelationUDF, FullFrameCorrelationUDF, SparseCorrelationUDF
)
from libertem_blobfinder.udf.integration import IntegrationUDF
from libertem_blobfinder.udf.refinement import FastmatchMixin

from libertem_workloads import runner
from peerlib import hashes

STEPS = 5
OUTER = 14  # whole, as in `disks.ts`
CLUSTERS = dict(n_clust=4, n_peaks=64, min_dist=3, ri=20, ro=110)


class RefineUDF(FastmatchMixin, FastCorrelationUDF):
    """As `run_refine` makes it."""


def refine_udf(lattice):
    return RefineUDF(
        peaks=np.array(lattice["peaks"]), indices=np.array(lattice["indices"]),
        start_zero=np.array(lattice["zero"]), start_a=np.array(lattice["a"]), start_b=np.array(lattice["b"]),
        match_pattern=RadialGradientBackgroundSubtraction(radius=lattice["radius"], radius_outer=OUTER),
        matcher=Matcher(),
        steps=STEPS, zero_shift=None, upsample=False,
    )


def integration_udf(lattice, data):
    """Integrates at the points of the lattice, each moved by at most 3 pixels."""
    peaks = np.array(lattice["peaks"])
    moves = (hashes(data.frames * peaks.size) % 7).astype(int) - 3
    centers = IntegrationUDF.aux_data(
        (peaks + moves.reshape((-1, *peaks.shape))).ravel(), kind="nav", dtype=int, extra_shape=peaks.shape
    )
    return functools.partial(IntegrationUDF, centers=centers, pattern=BackgroundSubtraction(radius=lattice["radius"]))


def clusters(ctx, ds, lattice):
    """What the controller of the analysis does, one step after another."""
    analysis = ClusterAnalysis(ds, dict(CLUSTERS, cy=lattice["zero"][0], cx=lattice["zero"][1]))

    def run():
        deviation = consolidate_result(ctx.run_udf(dataset=ds, udf=StdDevUDF()))
        features = ctx.run_udf(dataset=ds, udf=analysis.get_cluster_udf(deviation))
        result = analysis.get_udf_results(features, roi=None, damage=True)
        return {"labels": result["intensity"].raw_data, "deviation": deviation["std"].data}

    return run


def disks(ctx, ds, data, aux):
    plain = runner(ctx, ds)
    lattice = aux.lattice
    wanted = dict(peaks=np.array(lattice["peaks"]), match_pattern=RadialGradient(radius=lattice["radius"]))
    return {
        "disks-fast": plain(lambda: FastCorrelationUDF(**wanted)),
        "disks-upsampled": plain(lambda: FastCorrelationUDF(**wanted, upsample=20)),
        "disks-full": plain(lambda: FullFrameCorrelationUDF(**wanted)),
        "disks-sparse": plain(lambda: SparseCorrelationUDF(**wanted, steps=STEPS)),
        "disks-refine": plain(lambda: refine_udf(lattice)),
        "disks-integrate": plain(integration_udf(lattice, data)),
        "cluster": clusters(ctx, ds, lattice),
    }
