"""Makes signs.tgz: one polarised source, off the phase centre, as Measurement Set, UVFITS and UVH5 of pyuvdata, with linear receptors and
with circular ones, in which I is the sum of RR and LL (pol_convention).

Samples are computed as Measurement Sets have them, and pyuvdata is given their conjugates, with the negative of their baselines.

Needs pyuvdata, python-casacore, astropy and numpy. Run it in this folder: python make_signs.py
"""

import shutil
import tarfile
import tempfile
import warnings

import astropy.units as u
import numpy as np
from astropy.coordinates import EarthLocation
from pyuvdata import Telescope, UVData

warnings.filterwarnings("ignore")
STOKES = (2.0, 0.7, -0.5, 0.9)  # I, Q, U, V
LM = (0.004, -0.0025)
KINDS = {"linear": ("x", "y", [-5, -6, -7, -8]), "circular": ("r", "l", [-1, -2, -3, -4])}


def brightness(kind):
    i, q, u_, v = STOKES
    if kind == "linear":
        return [i + q, i - q, u_ + 1j * v, u_ - 1j * v]  # XX, YY, XY, YX
    return [(i + v) / 2, (i - v) / 2, (q + 1j * u_) / 2, (q - 1j * u_) / 2]  # RR, LL, RL, LR


def observation(kind):
    first, second, numbers = KINDS[kind]
    positions = {0: [0, 0, 0], 1: [180, 20, 0], 2: [-60, 250, 30], 3: [-300, 120, 0], 4: [90, -310, 10]}
    uv = UVData.new(
        freq_array=np.array([1.40e8, 1.42e8, 1.44e8]), channel_width=2e6, polarization_array=numbers,
        times=2459000.1 + np.arange(3) / 100, integration_time=10.0, do_blt_outer=True, empty=True, vis_units="Jy",
        antpairs=[(a, b) for a in positions for b in positions if a < b],
        telescope=Telescope.new(
            name="test", instrument="test", x_orientation="north" if kind == "linear" else None, feeds=[first, second],
            feed_array=None if kind == "linear" else np.array([[first, second]] * len(positions)),
            feed_angle=None if kind == "linear" else np.tile([0.3, 0.3], (len(positions), 1)), mount_type="alt-az",
            location=EarthLocation.from_geodetic(21.4 * u.deg, -30.7 * u.deg, 1000 * u.m),
            antenna_positions={k: np.array(v, float) for k, v in positions.items()},
        ),
    )
    uv.phase(ra=1.4, dec=-0.52, cat_name="source", epoch="J2000")
    l, m = LM
    delay = -uv.uvw_array @ np.array([l, m, np.sqrt(1 - l * l - m * m) - 1]) / 299792458.0
    phase = np.exp(2j * np.pi * delay[:, None] * uv.freq_array)  # of Measurement Sets
    uv.data_array = np.conj(phase[:, :, None] * np.array(brightness(kind))).astype(np.complex64)
    uv.flag_array[:] = False
    uv.nsample_array[:] = 1
    if kind == "circular":
        uv.pol_convention = "sum"
    return uv


with tempfile.TemporaryDirectory() as folder:
    for kind in KINDS:
        observation(kind).write_uvh5(f"{folder}/{kind}.uvh5", data_compression="gzip")
        observation(kind).write_uvfits(f"{folder}/{kind}.uvfits")
        observation(kind).write_ms(f"{folder}/{kind}.ms")
        for name in ("HISTORY", "SOURCE", "STATE", "POINTING", "PROCESSOR", "FLAG_CMD", "DOPPLER", "WEATHER", "SYSCAL", "FREQ_OFFSET"):
            shutil.rmtree(f"{folder}/{kind}.ms/{name}", ignore_errors=True)
    with tarfile.open("signs.tgz", "w:gz") as archive:
        for name in sorted(f"{kind}.{end}" for kind in KINDS for end in ("ms", "uvfits", "uvh5")):
            archive.add(f"{folder}/{name}", name)
