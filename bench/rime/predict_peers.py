"""Predicted visibilities by peers: numba per antenna (parallel), numpy, codex-africanus, matvis.

    python bench/rime/predict_peers.py FOLDER

FOLDER has the problem as `bench/rime/predict.ts` writes it (`problem.json` and raw arrays, little endian). For each peer
it prints one JSON object per line: name, correlations, seconds (the best of a few), seconds of all cores, and writes the visibilities as complex128
to FOLDER/NAME.CORRELATIONS.bin. Peers that are not installed are skipped with a note. Needs numpy and numba;
codex-africanus and matvis if they can be installed. Threads: NUMBA_NUM_THREADS.
"""

import json
import os
import sys
import time

import numba
import numpy as np

C = 299792458.0
folder = sys.argv[1]
problem = json.load(open(os.path.join(folder, "problem.json")))
nt, na, nchan, nsrc = (problem[k] for k in ("ntime", "na", "nchan", "nsrc"))


def read(name, dtype, *shape):
    return np.fromfile(os.path.join(folder, name), dtype).reshape(shape)


uvw = read("uvw", "f8", nt, na, 3)
lm = read("lm", "f8", nsrc, 2)
stokes = read("stokes", "f8", nsrc, 4)
frequency = read("frequency", "f8", nchan)
a1 = read("antenna1", "i4", -1)
a2 = read("antenna2", "i4", -1)
nbl = len(a1)


@numba.njit(parallel=True, fastmath=True, cache=False)
def per_antenna(uvw, lm, flux, frequency, a1, a2, out):
    """One time per turn: phasors of every antenna, then products; real and imaginary parts apart, channels innermost."""
    nt, na, nsrc, nchan, nbl, ncorr = uvw.shape[0], uvw.shape[1], lm.shape[0], frequency.size, a1.size, flux.shape[1]
    for t in numba.prange(nt):
        re = np.empty((na, nchan))
        im = np.empty((na, nchan))
        acc_re = np.zeros((nbl, ncorr, nchan))
        acc_im = np.zeros((nbl, ncorr, nchan))
        for s in range(nsrc):
            l, m = lm[s, 0], lm[s, 1]
            n1 = -(l * l + m * m) / (1 + np.sqrt(1 - l * l - m * m))
            for a in range(na):
                delay = -(uvw[t, a, 0] * l + uvw[t, a, 1] * m + uvw[t, a, 2] * n1) / C
                # evenly spaced channels: one complex product per channel
                angle = 2 * np.pi * ((delay * frequency[0]) % 1.0)
                pr, pi = np.cos(angle), np.sin(angle)
                step = 2 * np.pi * ((delay * (frequency[1] - frequency[0])) % 1.0)
                sr, si = np.cos(step), np.sin(step)
                for c in range(nchan):
                    re[a, c] = pr
                    im[a, c] = pi
                    pr, pi = pr * sr - pi * si, pr * si + pi * sr
            for b in range(nbl):
                p, q = a1[b], a2[b]
                for k in range(ncorr):
                    fr, fi = flux[s, k].real, flux[s, k].imag
                    if fi == 0.0:
                        for c in range(nchan):
                            er = re[p, c] * re[q, c] + im[p, c] * im[q, c]
                            ei = im[p, c] * re[q, c] - re[p, c] * im[q, c]
                            acc_re[b, k, c] += fr * er
                            acc_im[b, k, c] += fr * ei
                    else:
                        for c in range(nchan):
                            er = re[p, c] * re[q, c] + im[p, c] * im[q, c]
                            ei = im[p, c] * re[q, c] - re[p, c] * im[q, c]
                            acc_re[b, k, c] += fr * er - fi * ei
                            acc_im[b, k, c] += fr * ei + fi * er
        for b in range(nbl):
            for c in range(nchan):
                for k in range(ncorr):
                    out[t, b, c, k] = acc_re[b, k, c] + 1j * acc_im[b, k, c]


@numba.njit(parallel=True, fastmath=True, cache=False)
def per_antenna_matrix(uvw, lm, flux, frequency, a1, a2, out):
    """As above, sources innermost: the sum of a visibility stays in registers (one correlation)."""
    nt, na, nsrc, nchan, nbl = uvw.shape[0], uvw.shape[1], lm.shape[0], frequency.size, a1.size
    for t in numba.prange(nt):
        re = np.empty((na, nchan, nsrc))
        im = np.empty((na, nchan, nsrc))
        for a in range(na):
            for s in range(nsrc):
                l, m = lm[s, 0], lm[s, 1]
                n1 = -(l * l + m * m) / (1 + np.sqrt(1 - l * l - m * m))
                delay = -(uvw[t, a, 0] * l + uvw[t, a, 1] * m + uvw[t, a, 2] * n1) / C
                angle = 2 * np.pi * ((delay * frequency[0]) % 1.0)
                pr, pi = np.cos(angle), np.sin(angle)
                step = 2 * np.pi * ((delay * (frequency[1] - frequency[0])) % 1.0)
                sr, si = np.cos(step), np.sin(step)
                for c in range(nchan):
                    re[a, c, s] = pr
                    im[a, c, s] = pi
                    pr, pi = pr * sr - pi * si, pr * si + pi * sr
        fr = np.ascontiguousarray(flux[:, 0].real)
        for b in range(nbl):
            p, q = a1[b], a2[b]
            for c in range(nchan):
                sum_re = 0.0
                sum_im = 0.0
                for s in range(nsrc):
                    sum_re += fr[s] * (re[p, c, s] * re[q, c, s] + im[p, c, s] * im[q, c, s])
                    sum_im += fr[s] * (im[p, c, s] * re[q, c, s] - re[p, c, s] * im[q, c, s])
                out[t, b, c, 0] = sum_re + 1j * sum_im


def run(name, ncorr, work, repeats=3):
    work()
    best = cpu = np.inf
    for _ in range(repeats):
        start, used = time.perf_counter(), time.process_time()
        result = work()
        best, cpu = min(best, time.perf_counter() - start), min(cpu, time.process_time() - used)
    np.ascontiguousarray(result, "c16").tofile(os.path.join(folder, f"{name}.{ncorr}.bin"))
    print(json.dumps({"name": name, "correlations": ncorr, "seconds": best, "cpu": cpu}), flush=True)


i, q, u, v = stokes.T
fluxes = {1: (i + 0j)[:, None], 4: np.stack([i + q + 0j, u + 1j * v, u - 1j * v, i - q + 0j], axis=1)}

for ncorr, flux in fluxes.items():
    def numba_work():
        out = np.empty((nt, nbl, nchan, ncorr), complex)
        per_antenna(uvw, lm, flux, frequency, a1, a2, out)
        return out

    run("numba", ncorr, numba_work)


def numba_matrix():
    out = np.empty((nt, nbl, nchan, 1), complex)
    per_antenna_matrix(uvw, lm, fluxes[1], frequency, a1, a2, out)
    return out


run("numba-matrix", 1, numba_matrix)


def numpy_work():
    n1 = -(lm**2).sum(1) / (1 + np.sqrt(1 - (lm**2).sum(1)))
    delay = np.einsum("tax,sx->tas", uvw, np.column_stack([lm, n1])) / -C
    out = np.empty((nt, nbl, nchan, 1), complex)
    for t in range(nt):
        for c in range(nchan):
            k = np.exp(2j * np.pi * ((delay[t] * frequency[c]) % 1.0))
            out[t, :, c, 0] = ((k * i) @ k.conj().T)[a1, a2]
    return out


run("numpy", 1, numpy_work, 1)

try:
    from africanus.rime import phase_delay, predict_vis
except ImportError as error:
    print(json.dumps({"name": "codex-africanus", "note": str(error)}))
else:
    def codex(ncorr):
        # its phase per source, row and channel: some times at once, so that memory stays small
        out = np.empty((nt, nbl, nchan, ncorr), complex)
        for t in range(nt):
            baselines = uvw[t, a1] - uvw[t, a2]
            phase = phase_delay(lm, baselines, frequency, convention="fourier")
            coherency = phase[..., None] * fluxes[ncorr][:, None, None, :]
            if ncorr == 4:
                coherency = coherency.reshape(nsrc, nbl, nchan, 2, 2)
            index = np.zeros(nbl, int)
            found = predict_vis(index, a1, a2, None, coherency, None, None, None, None)
            out[t] = found.reshape(nbl, nchan, ncorr)
        return out

    for ncorr in (1, 4):
        run("codex-africanus", ncorr, lambda: codex(ncorr), 1)
