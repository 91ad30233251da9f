"""Fluctuation, crystallinity, and Fourier transforms of frames and of their sum."""

import numpy as np
from libertem.analysis.rawfft import PickFFTFrameAnalysis
from libertem.masks import _make_circular_mask
from libertem.udf.crystallinity import CrystallinityUDF
from libertem.udf.FEM import FEMUDF
from libertem.udf.raw import PickUDF
from libertem.udf.sum import SumUDF


def real_of(params):
    """The hole in real space as LiberTEM's parameters: centre (y, x), radius; None where there is none."""
    real = params.get("real")
    return ((real["cy"], real["cx"]), real["r"]) if real else (None, None)


def fem(subject, p):
    return subject.results(FEMUDF(center=(p["cy"], p["cx"]), rad_in=p["ri"], rad_out=p["ro"]))


def crystallinity(subject, p):
    centre, radius = real_of(p)
    return subject.results(
        CrystallinityUDF(rad_in=p["ri"], rad_out=p["ro"], real_center=centre, real_rad=radius)
    )


def fft_of_sum(subject, p):
    """What SumfftAnalysis shows, before it takes the logarithm."""
    sums = subject.run(SumUDF())["intensity"].data
    centre, radius = real_of(p)
    if centre is not None:
        sums = sums * (1 - 1 * _make_circular_mask(centre[1], centre[0], *sums.shape[::-1], radius))
    return {"magnitude": np.abs(np.fft.fftshift(np.fft.fft2(sums)))}


class Shown:
    """Makes the analysis give its numbers, without a picture of them."""

    def get_generic_results(self, data, damage):
        return data


class FrameSpectrum(Shown, PickFFTFrameAnalysis, id_="TILEWISE_COMPARE_FFT"):
    pass


def fft_of_frames(subject, p):
    """What PickFFTFrameAnalysis shows, of each frame."""
    centre, radius = real_of(p)
    parameters = dict(x=0, y=0)
    parameters.update(real_rad=radius)
    if centre is not None:
        parameters.update(real_centery=centre[0], real_centerx=centre[1])
    buffer = subject.run(PickUDF())["intensity"]
    analysis = FrameSpectrum(dataset=subject.dataset, parameters=parameters)

    class One:
        def __init__(self, frame):
            self.data = frame[np.newaxis]

    shown = [analysis.get_udf_results({"intensity": One(frame)}, None, None) for frame in buffer.data]
    shape = (len(shown),) if subject.roi() is not None else subject.nav
    return {"magnitude": np.array(shown).reshape((*shape, *subject.sig))}


WORDS = {
    "fem": fem,
    "crystallinity": crystallinity,
    "fft-of-sum": fft_of_sum,
    "fft-of-frames": fft_of_frames,
}
