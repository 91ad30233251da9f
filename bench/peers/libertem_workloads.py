"""What LiberTEM computes, by the names of `bench/workloads/`: a function each that runs it once and gives results by name.

A name with `@` is another way to compute the same; the fastest counts.
"""

import functools

import numpy as np
from libertem.udf.com import CoMUDF
from libertem.io.corrections import CorrectionSet
from libertem.udf.auto import AutoUDF
from libertem.udf.crystallinity import CrystallinityUDF
from libertem.udf.FEM import FEMUDF
from libertem.udf.logsum import LogsumUDF
from libertem.udf.masks import ApplyMasksUDF
from libertem.udf.raw import PickUDF
from libertem.udf.stddev import StdDevUDF
from libertem.udf.sum import SumUDF
from libertem.udf.sumsigudf import SumSigUDF

from peerlib import chosen_frames, hashes, masks_of

COM_RADIUS = 0.47  # of the frame's side: a disk that nearly fills the frame
SPARSE = ("scipy.sparse", "scipy.sparse.csc", "sparse.pydata")
SHIFTED = 4
HOLE = dict(real_center=(128, 128), real_rad=50)

# A BLAS thread a core helps these only.
WITH_BLAS = ("masks", "rings", "small", "complex", "disk", "ring", "com", "radial", "five")


def runner(ctx, ds):
    """Makes functions that run UDFs once."""

    def plain(make, **more):
        def run():
            result = ctx.run_udf(dataset=ds, udf=make(), **more)
            if isinstance(result, dict):
                return {name: buffer.data for name, buffer in result.items()}
            return {f"{i}-{name}": buffer.data for i, part in enumerate(result) for name, buffer in part.items()}

        return run

    return plain


def masks_udf(path, count, sparse=False, dtype=np.float32, shifts=None):
    # By path, not by value: LiberTEM pickles the factory for each run, and a stack of masks is 16 MiB.
    factory = functools.partial(masks_of, path, count)
    return ApplyMasksUDF(
        mask_factories=factory, mask_count=count, mask_dtype=dtype, use_sparse=sparse, shifts=shifts
    )


def mask_table(plain, data, aux):
    stacks = {"masks": aux.masksDense, "rings": aux.masksRings}
    table = {
        f"{kind}{count}": plain(functools.partial(masks_udf, path, count))
        for kind, path in stacks.items()
        for count in (1, 16, 64)
    }
    for name, path, count in (("rings16", aux.masksRings, 16), ("rings64", aux.masksRings, 64), ("small64", aux.masksSmall, 64)):
        for sparse in SPARSE:
            table[f"{name}@{sparse}"] = plain(functools.partial(masks_udf, path, count, sparse))
    table["small64@dense"] = plain(functools.partial(masks_udf, aux.masksSmall, 64))
    table["complex16"] = plain(functools.partial(masks_udf, aux.masksComplex, 16, dtype=np.complex64))
    shifts = (hashes(2 * data.frames) % 13).astype(int) - 6
    aux_shifts = ApplyMasksUDF.aux_data(shifts, kind="nav", extra_shape=(2,), dtype=int)
    table["shifted4"] = plain(functools.partial(masks_udf, aux.masksRings, SHIFTED, shifts=aux_shifts))
    return table


def detector_table(ctx, ds, plain):
    detectors = {
        "disk": ctx.create_disk_analysis(dataset=ds, cy=126.5, cx=130, r=40),
        "ring": ctx.create_ring_analysis(dataset=ds, cy=126.5, cx=130, ri=60, ro=100),
        "point": ctx.create_point_analysis(dataset=ds, y=120, x=131),
    }
    return {name: plain(analysis.get_udf) for name, analysis in detectors.items()}


def crop(stack, sig):
    return np.ascontiguousarray(stack[..., : sig[0], : sig[1]])


def brightest(frame):
    return np.max(frame)


def above(frame):
    return np.sum(frame[frame > 10])


def fft_of_sum(sums):
    """What SumfftAnalysis shows, before it takes the logarithm."""
    y, x = np.mgrid[: sums.shape[0], : sums.shape[1]]
    hole = (y - HOLE["real_center"][0]) ** 2 + (x - HOLE["real_center"][1]) ** 2 <= HOLE["real_rad"] ** 2
    return np.abs(np.fft.fftshift(np.fft.fft2(sums * ~hole)))


def large_frames(ctx, ds, data, aux):
    """What is made for frames of 256 x 256."""
    plain = runner(ctx, ds)
    corrections = CorrectionSet(
        dark=crop(np.load(aux.dark), data.sig), gain=crop(np.load(aux.gain), data.sig)
    )
    sums = plain(SumUDF)
    return {
        **mask_table(plain, data, aux),
        **detector_table(ctx, ds, plain),
        "corrected-sum": plain(SumUDF, corrections=corrections),
        "sum-roi": plain(SumUDF, roi=chosen_frames(data, 1 / 4)),
        "pick-roi": plain(PickUDF, roi=chosen_frames(data, 1 / 64)),
        "com-field": plain(lambda: CoMUDF.with_params(r=80, scan_rotation=30, flip_y=True, regression=1)),
        "fem": plain(lambda: FEMUDF(center=(128, 128), rad_in=75, rad_out=100)),
        "crystallinity": plain(lambda: CrystallinityUDF(rad_in=8, rad_out=40, **HOLE)),
        "fft-of-sum": lambda: {"magnitude": fft_of_sum(sums()["intensity"])},
        "map-max": plain(lambda: AutoUDF(f=brightest)),
        "map-above": plain(lambda: AutoUDF(f=above)),
        "five": plain(lambda: [
            SumUDF(), SumSigUDF(), StdDevUDF(), CoMUDF.with_params(cy=data.sig[0] / 2, cx=data.sig[1] / 2),
            ctx.create_disk_analysis(dataset=ds, cy=data.sig[0] / 2, cx=data.sig[1] / 2, r=40).get_udf(),
        ]),
    }


def any_frames(ctx, ds, data, aux):
    """What fits frames of any size."""
    plain = runner(ctx, ds)
    side = data.sig[0]
    roi = np.zeros(data.nav, dtype=bool)
    roi[data.nav[0] // 2, data.nav[1] // 2] = True
    fourier = ctx.create_radial_fourier_analysis(dataset=ds, n_bins=5, max_order=4)
    fourier_24 = ctx.create_radial_fourier_analysis(dataset=ds)
    return {
        "sum": plain(SumUDF),
        "sumsig": plain(SumSigUDF),
        "stddev": plain(StdDevUDF),
        "all": plain(lambda: [SumUDF(), SumSigUDF(), StdDevUDF()]),
        "com": plain(lambda: CoMUDF.with_params(cy=side / 2, cx=side / 2, r=COM_RADIUS * side)),
        "logsum": plain(LogsumUDF),
        "radial-fourier": plain(fourier.get_udf),
        "radial-fourier-24": plain(fourier_24.get_udf),
        "pick": plain(PickUDF, roi=roi),
    }


def workloads(ctx, ds, data, aux):
    """Name -> a function that runs it once and gives the results by name."""
    if data.kind == "disks":
        from blobfinder_workloads import disks

        return disks(ctx, ds, data, aux)
    if data.load:
        return {"sum": runner(ctx, ds)(SumUDF), "sumsig": runner(ctx, ds)(SumSigUDF)}
    if data.kind == "tiny":
        return any_frames(ctx, ds, data, aux)
    return {**any_frames(ctx, ds, data, aux), **large_frames(ctx, ds, data, aux)}
