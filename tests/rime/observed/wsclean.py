"""Compares `tilewise image` and WSClean with the sums that their images stand for. Run it from the top of the checkout:

    python tests/rime/observed/wsclean.py

Needs WSClean 3, python-casacore, astropy and numpy. It prints the largest differences in Jy/beam, of the whole image and of its
inner half, which `docs/coming_from/montblanc.md` has. The weights of WSClean: the lesser one of two correlations, no FLAG_ROW,
cells of its padded image, rounded downwards, and nothing where a fringe has less than two pixels.
"""

import os
import subprocess
import sys
import tempfile

import casacore.tables as ct
import numpy as np
from astropy.io import fits

C = 299792458.0
PIXELS, PADDED, CELL = 256, 308, 12
ARCSEC = np.pi / 180 / 3600
FREQUENCY = np.linspace(1.30e9, 1.36e9, 4)
SOURCES = [(0, 0, 2.0), (0.004, 0.003, 1.0), (-0.006, -0.002, 0.5)]
FINE = "-use-wgridder -wgridder-accuracy 1e-6 -no-small-inversion"
rng = np.random.default_rng(20261130)


def fill(name, columns):
    table = ct.table(name, readonly=False, ack=False)
    table.addrows(len(next(iter(columns.values()))) - table.nrows())
    for column, values in columns.items():
        for row, value in enumerate(values):
            table.putcell(column, row, value)
    table.close()


def observe(name, side=450, even=True, row_flags=False):
    """Writes a Measurement Set of eight antennas, six times and two correlations; what is in it."""
    desc = ct.required_ms_desc("MAIN")
    desc.update(ct.maketabdesc([ct.makearrcoldesc("DATA", 0j, valuetype="complex", ndim=2)]))
    ct.default_ms(name, desc).close()
    places = rng.uniform(-side, side, size=(8, 3)) * [1, 1, 0.02]
    dec, latitude = -0.5, -0.54
    north, up = [0, -np.sin(latitude), np.cos(latitude)], [0, np.cos(latitude), np.sin(latitude)]
    xyz = places @ np.array([[1, 0, 0], north, up])  # east, away from the axis, along the axis
    rows = [(time, p, q) for time in range(6) for p in range(8) for q in range(p + 1, 8)]
    uvw = []
    for time, p, q in rows:
        (x, y, z), a = xyz[q] - xyz[p], -0.6 + 0.22 * time
        s, c = np.sin(a), np.cos(a)
        u, r = c * x + s * y, c * y - s * x
        uvw.append([u, np.cos(dec) * z - np.sin(dec) * r, np.sin(dec) * z + np.cos(dec) * r])
    uvw = np.array(uvw)
    l, m, flux = np.array(SOURCES).T
    path = uvw @ np.stack([l, m, np.sqrt(1 - l**2 - m**2) - 1])
    data = (flux * np.exp(2j * np.pi * path[:, None] * FREQUENCY[:, None] / C)).sum(2).astype(np.complex64)
    weight = np.ones((len(rows), 2), np.float32) if even else (0.5 + rng.random((len(rows), 2))).astype(np.float32)
    flag_row = rng.random(len(rows)) < (0.1 if row_flags else 0)
    two = np.repeat(data[:, :, None], 2, 2)
    times = [5.1e9 + 900 * time for time, _, _ in rows]
    fill(name, {
        "TIME": times, "TIME_CENTROID": times, "INTERVAL": [8.0] * len(rows), "EXPOSURE": [8.0] * len(rows),
        "ANTENNA1": [p for _, p, _ in rows], "ANTENNA2": [q for _, _, q in rows], "UVW": uvw, "DATA": two,
        "FLAG": np.zeros(two.shape, bool), "FLAG_ROW": [bool(flag) for flag in flag_row], "WEIGHT": weight,
        "SIGMA": np.ones((len(rows), 2), np.float32),
    })
    ground = 6.37e6 * np.array(up)
    fill(f"{name}/ANTENNA", {"NAME": list("abcdefgh"), "POSITION": [ground + place for place in xyz]})
    fill(f"{name}/FIELD", {name: [np.array([[1.25, dec]])] for name in ("PHASE_DIR", "DELAY_DIR", "REFERENCE_DIR")})
    widths = {name: [np.full(4, 2e7)] for name in ("CHAN_WIDTH", "EFFECTIVE_BW", "RESOLUTION")}
    fill(f"{name}/SPECTRAL_WINDOW", {"CHAN_FREQ": [FREQUENCY], "NUM_CHAN": [4], "MEAS_FREQ_REF": [5], **widths})
    corr = {"CORR_TYPE": [np.array([9, 12], np.int32)], "CORR_PRODUCT": [np.array([[0, 0], [1, 1]], np.int32)], "NUM_CORR": [2]}
    fill(f"{name}/POLARIZATION", corr)
    fill(f"{name}/DATA_DESCRIPTION", {"SPECTRAL_WINDOW_ID": [0], "POLARIZATION_ID": [0]})
    fill(f"{name}/OBSERVATION", {"TELESCOPE_NAME": ["test"]})
    return uvw, data, weight.astype(float), flag_row


def total(observed, own, weighting):
    """The sum: with the weights of Tilewise, or with those of WSClean."""
    uvw, data, weight, flag_row = observed
    w = 4 / (1 / weight).sum(1) * ~flag_row if own else weight.min(1)
    u, v, z = (uvw[:, None, :] * FREQUENCY[:, None] / C).reshape(-1, 3).T
    w, data = np.repeat(w, 4), data.reshape(-1).astype(complex)
    if weighting == "uniform":
        side, rounded = (PIXELS, np.rint) if own else (PADDED, np.floor)
        i, j = (scale * CELL * ARCSEC * side * one for one, scale in ((u, -1), (v, 1)))
        if own:
            i, j = rounded(i), rounded(j)
        sign = np.where((j < 0) | ((j == 0) & (i < 0)), -1, 1)  # a baseline and its mirror image share a cell
        key = (rounded(sign * j) % side * side + rounded(sign * i) % side).astype(int)
        w = w / np.bincount(key, w)[key].clip(1e-30)
    if not own:
        w = w * (np.maximum(abs(u), abs(v)) * CELL * ARCSEC <= 0.5)
    offsets = (np.arange(PIXELS) - PIXELS // 2) * CELL * ARCSEC
    l, m = -offsets[None], offsets[:, None]
    n = np.sqrt(1 - l**2 - m**2) - 1
    image = np.zeros((PIXELS, PIXELS))
    for k in np.flatnonzero(w):
        image += w[k] * (data[k] * np.exp(-2j * np.pi * (u[k] * l + v[k] * m + z[k] * n))).real
    return image / w.sum()


def run(command):
    subprocess.run(command.split(), check=True, stdout=subprocess.DEVNULL)


def main():
    good = True
    print(" " * 26, "WSClean          with its weights Tilewise: whole image, inner half")
    for what, flags, weighting, changes in (
        ("as they are called", "", "natural", {}),
        ("more planes, wide padding", "-nwlayers-factor 8 -padding 2 -no-small-inversion", "natural", {}),
        ("w gridder", "-use-wgridder", "natural", {}),
        ("w gridder, fine", FINE, "natural", {}),
        ("two weights", FINE, "natural", {"even": False}),
        ("FLAG_ROW", FINE, "natural", {"row_flags": True}),
        ("long baselines", FINE, "natural", {"side": 1200}),
        ("uniform", FINE, "uniform", {}),
    ):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.ms")
            observed = observe(path, **changes)
            size = f"{PIXELS} {PIXELS} -scale {CELL}asec -weight {weighting} -pol I -niter 0 -no-update-model-required"
            run(f"wsclean {flags} -name {folder}/w -size {size} {path}")
            run(f"deno run -A src/cli/main.ts image {path} -o {folder}/t.fits -q --pixels {PIXELS} --cell {CELL}asec --weighting {weighting}")
            made = [np.squeeze(fits.getdata(f"{folder}/{name}.fits")) for name in ("w-image", "t")]
            own, other = (total(observed, whose, weighting) for whose in (True, False))
            far = [abs(one - sum) for one, sum in ((made[0], own), (made[0], other), (made[1], own))]
            inner = slice(PIXELS // 4, -PIXELS // 4)
            print(f"{what:26}", "  ".join(f"{one.max():.1e} {one[inner, inner].max():.1e}" for one in far), flush=True)
            good &= far[2].max() < 1e-5 and (flags != FINE or far[1].max() < 1e-5)
    sys.exit(0 if good else 1)


main()
