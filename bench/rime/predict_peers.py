"""Predicted and simulated visibilities by peers: numba per antenna (parallel), numpy, codex-africanus, matvis.

    python bench/rime/predict_peers.py FOLDER FEW

FOLDER has the problem as `bench/rime/predict.ts` writes it (`problem.json` and raw arrays, little endian). The slowest peers compute
FEW times only. For each task and peer it prints one JSON object per line: task, name, times that were computed, samples in
seconds, the least seconds of all cores; and writes the visibilities as complex128 to FOLDER/TASK.NAME.bin. Peers that are not
installed are skipped with a note. Needs numpy and numba; codex-africanus and matvis if they can be installed. Threads:
NUMBA_NUM_THREADS.
"""

import json
import os
import sys
import time

import numba
import numpy as np

C = 299792458.0
folder, few = sys.argv[1], int(sys.argv[2])
problem = json.load(open(os.path.join(folder, "problem.json")))
nt, na, nchan, nsrc = (problem[k] for k in ("ntime", "na", "nchan", "nsrc"))


def read(name, dtype, *shape):
    return np.fromfile(os.path.join(folder, name), dtype).reshape(shape)


uvw = read("uvw", "f8", nt, na, 3)
lm = read("lm", "f8", nsrc, 2)
stokes = read("stokes", "f8", nsrc, 4)
angles = read("angles", "f8", nt, na)
frequency = read("frequency", "f8", nchan)
a1 = read("antenna1", "i4", -1)
a2 = read("antenna2", "i4", -1)
nbl = len(a1)
few = min(few, nt)


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


@numba.njit(parallel=True, fastmath=True, cache=False)
def with_matrices(uvw, lm, brightness, rotations, frequency, a1, a2, out):
    """One time per turn: J K and J K B of every antenna, then products of 2x2 matrices; channels innermost."""
    nt, na, nsrc, nchan, nbl = uvw.shape[0], uvw.shape[1], lm.shape[0], frequency.size, a1.size
    for t in numba.prange(nt):
        re = np.empty((na, 4, nchan))
        im = np.empty((na, 4, nchan))
        left_re = np.empty((na, 4, nchan))
        left_im = np.empty((na, 4, nchan))
        acc_re = np.zeros((nbl, 4, nchan))
        acc_im = np.zeros((nbl, 4, nchan))
        for s in range(nsrc):
            l, m = lm[s, 0], lm[s, 1]
            n1 = -(l * l + m * m) / (1 + np.sqrt(1 - l * l - m * m))
            for a in range(na):
                delay = -(uvw[t, a, 0] * l + uvw[t, a, 1] * m + uvw[t, a, 2] * n1) / C
                angle = 2 * np.pi * ((delay * frequency[0]) % 1.0)
                pr, pi = np.cos(angle), np.sin(angle)
                step = 2 * np.pi * ((delay * (frequency[1] - frequency[0])) % 1.0)
                sr, si = np.cos(step), np.sin(step)
                for c in range(nchan):
                    for k in range(4):
                        x, y = rotations[t, a, k].real, rotations[t, a, k].imag
                        re[a, k, c] = x * pr - y * pi
                        im[a, k, c] = x * pi + y * pr
                    pr, pi = pr * sr - pi * si, pr * si + pi * sr
                for i in range(2):
                    for j in range(2):
                        b0r, b0i = brightness[s, j].real, brightness[s, j].imag
                        b1r, b1i = brightness[s, 2 + j].real, brightness[s, 2 + j].imag
                        for c in range(nchan):
                            xr, xi, yr, yi = re[a, 2 * i, c], im[a, 2 * i, c], re[a, 2 * i + 1, c], im[a, 2 * i + 1, c]
                            left_re[a, 2 * i + j, c] = xr * b0r - xi * b0i + yr * b1r - yi * b1i
                            left_im[a, 2 * i + j, c] = xr * b0i + xi * b0r + yr * b1i + yi * b1r
            for b in range(nbl):
                p, q = a1[b], a2[b]
                for i in range(2):
                    for j in range(2):
                        for c in range(nchan):
                            xr, xi = left_re[p, 2 * i, c], left_im[p, 2 * i, c]
                            yr, yi = left_re[p, 2 * i + 1, c], left_im[p, 2 * i + 1, c]
                            ar, ai, br, bi = re[q, 2 * j, c], im[q, 2 * j, c], re[q, 2 * j + 1, c], im[q, 2 * j + 1, c]
                            acc_re[b, 2 * i + j, c] += xr * ar + xi * ai + yr * br + yi * bi
                            acc_im[b, 2 * i + j, c] += xi * ar - xr * ai + yi * br - yr * bi
        for b in range(nbl):
            for c in range(nchan):
                for k in range(4):
                    out[t, b, c, k] = acc_re[b, k, c] + 1j * acc_im[b, k, c]


def run(task, name, work, repeats=3, times=nt):
    """Runs it once for its result, which compiles it as well, and then for its time."""
    result = np.ascontiguousarray(work(), "c16")
    result.tofile(os.path.join(folder, f"{task}.{name}.bin"))
    del result
    samples, cpu = [], np.inf
    for _ in range(repeats):
        start, used = time.perf_counter(), time.process_time()
        work()
        samples.append(time.perf_counter() - start)
        cpu = min(cpu, time.process_time() - used)
    print(json.dumps({"task": task, "name": name, "times": times, "samples": samples, "cpu": cpu}), flush=True)


i, q, u, v = stokes.T
fluxes = {1: (i + 0j)[:, None], 4: np.stack([i + q + 0j, u + 1j * v, u - 1j * v, i - q + 0j], axis=1)}
TASKS = {1: "1 correlation", 4: "4 correlations"}
MATRICES = "matrices"
cos, sin = np.cos(angles), np.sin(angles)
rotations = np.stack([cos, sin, -sin, cos], axis=2).astype(complex)  # (time, antenna, 4)


def filled(kernel, ncorr, *inputs):
    out = np.empty((nt, nbl, nchan, ncorr), complex)
    kernel(uvw, lm, *inputs, frequency, a1, a2, out)
    return out


for ncorr, flux in fluxes.items():
    run(TASKS[ncorr], "numba", lambda: filled(per_antenna, ncorr, flux))
run(TASKS[1], "numba, sources innermost", lambda: filled(per_antenna_matrix, 1, fluxes[1]))
run(MATRICES, "numba", lambda: filled(with_matrices, 4, fluxes[4], rotations))

n1 = -(lm**2).sum(1) / (1 + np.sqrt(1 - (lm**2).sum(1)))
directions = np.column_stack([lm, n1])


def numpy_work():
    delay = np.einsum("tax,sx->tas", uvw[:few], directions) / -C
    out = np.empty((few, nbl, nchan, 1), complex)
    for t in range(few):
        for c in range(nchan):
            k = np.exp(2j * np.pi * ((delay[t] * frequency[c]) % 1.0))
            out[t, :, c, 0] = ((k * i) @ k.conj().T)[a1, a2]
    return out


run(TASKS[1], "numpy", numpy_work, 2, few)

try:
    from africanus.rime import phase_delay, predict_vis
except ImportError as error:
    print(json.dumps({"name": "codex-africanus", "note": str(error)}))
else:
    def codex(ncorr, matrices=None):
        # its phase per source, row and channel: one time at once, so that memory stays small
        out = np.empty((few, nbl, nchan, ncorr), complex)
        index = np.zeros(nbl, int)
        for t in range(few):
            baselines = uvw[t, a1] - uvw[t, a2]
            phase = phase_delay(lm, baselines, frequency, convention="fourier")
            coherency = phase[..., None] * fluxes[ncorr][:, None, None, :]
            if ncorr == 4:
                coherency = coherency.reshape(nsrc, nbl, nchan, 2, 2)
            jones = None
            if matrices is not None:
                shape = (nsrc, 1, na, nchan, 2, 2)
                jones = np.ascontiguousarray(np.broadcast_to(matrices[t].reshape(1, 1, na, 1, 2, 2), shape))
            found = predict_vis(index, a1, a2, jones, coherency, jones, None, None, None)
            out[t] = found.reshape(nbl, nchan, ncorr)
        return out

    for ncorr in (1, 4):
        run(TASKS[ncorr], "codex-africanus", lambda: codex(ncorr), 1, few)
    run(MATRICES, "codex-africanus", lambda: codex(4, rotations), 1, few)

try:
    from matvis.core.getz import ZMatrixCalc
    from matvis.core.tau import TauCalculator
    from matvis.cpu.matprod import CPUMatMul
except ImportError as error:
    print(json.dumps({"name": "matvis", "note": str(error)}))
else:
    def matvis(precision):
        # its exponentials, its Z matrix and its product; directions and positions are those of the problem, not of a drift scan
        real, ctype = [(np.float32, np.complex64), (np.float64, np.complex128)][precision - 1]
        root, crd = np.sqrt(i).astype(real), directions.T.astype(real)
        beam = np.ones((1, 1, 1, nsrc), ctype)
        z = ZMatrixCalc(na, 1, 1, nsrc, ctype)
        z.setup()
        product = CPUMatMul(1, 1, na, np.column_stack([a1, a2]), precision)
        product.setup()
        out = np.empty((few, nbl, nchan, 1), ctype)
        found = np.empty((nbl, 1, 1), ctype)
        for t in range(few):
            for c in range(nchan):
                tau = TauCalculator(uvw[t], frequency[c], nsrc, precision)
                tau.setup()
                out[t, :, c, 0] = product.compute(z(root, beam, tau(crd), None), found)[:, 0, 0]
        return out

    run(TASKS[1], "matvis", lambda: matvis(2), 2, few)
    run(TASKS[1], "matvis, single precision", lambda: matvis(1), 2, few)
