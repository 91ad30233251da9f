"""Times NumPy on the data of `bench/data.ts`: mapped file, blocks of frames, a thread a worker.

python numpy_bench.py --data '{...}' --aux '{...}' --executors one,threads --workloads sum,masks16

Blocks are small enough for the caches and NumPy's loops release the interpreter's lock, so this is close to what
NumPy can do by itself; each result is the same as that of the whole array at once.
"""

import os

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"  # before NumPy is loaded: one BLAS thread a worker

from concurrent.futures import ThreadPoolExecutor  # noqa: E402

import numpy as np  # noqa: E402

from peerlib import PeakMemory, arguments, blas, describe, emit, masks_of, measure, note, save_results  # noqa: E402

EXECUTORS = ("one", "threads")
BLOCK_FRAMES = 32  # the best of 4 to 128 for frames of 256 x 256, where it is 8 MiB of float32


class Blocks:
    """The frames in blocks, worked on by a pool; partial results come back in order."""

    def __init__(self, data, workers):
        self.frames = data.mapped()
        self.pool = ThreadPoolExecutor(workers)

    def map(self, work):
        starts = range(0, len(self.frames), BLOCK_FRAMES)
        return list(self.pool.map(lambda start: work(self.frames[start : start + BLOCK_FRAMES]), starts))


def wide(dtype):
    """The type that sums of `dtype` are kept in: exact for integers."""
    return np.uint64 if dtype.kind == "u" else np.float32


def total(blocks):
    acc = wide(blocks.frames.dtype)
    return sum(blocks.map(lambda block: block.sum(axis=0, dtype=np.uint32 if acc is np.uint64 else acc)), 0)


def moments(block):
    values = block.astype(np.float32)
    mean = values.mean(axis=0, dtype=np.float32)
    values -= mean
    return len(block), mean, np.einsum("nyx,nyx->yx", values, values)


def merge(left, right):
    """Chan's update of count, mean and sum of squared differences."""
    n, m = left[0], right[0]
    delta = right[1].astype(np.float64) - left[1]
    return n + m, left[1] + delta * (m / (n + m)), left[2] + right[2] + delta * delta * (n * m / (n + m))


def deviation(blocks):
    parts = blocks.map(moments)
    state = tuple(np.asarray(x, dtype=np.float64) for x in parts[0])
    for part in parts[1:]:
        state = merge(state, part)
    return np.sqrt(state[2] / state[0])


def products(blocks, matrix):
    def work(block):
        return block.reshape(len(block), -1).astype(np.float32, copy=False) @ matrix

    return np.concatenate(blocks.map(work))


def centre_matrix(sig, radius):
    y, x = np.mgrid[: sig[0], : sig[1]]
    disk = (y - sig[0] / 2) ** 2 + (x - sig[1] / 2) ** 2 <= radius**2
    return np.stack([disk, disk * y, disk * x], axis=-1).reshape(-1, 3).astype(np.float32)


def centre(blocks, matrix):
    sums = products(blocks, matrix)
    return sums[:, 1:] / np.maximum(sums[:, :1], 1e-30)


def log_sum(blocks):
    def work(block):
        low = block.min(axis=(1, 2), keepdims=True)
        return np.log((block - low).astype(np.float32) + np.float32(1)).sum(axis=0)

    return sum(blocks.map(work), 0)


def workloads(blocks, data, aux):
    pixels = int(np.prod(data.sig))

    def matrix(path, count):
        return np.ascontiguousarray(masks_of(path, count).reshape(count, pixels).T)

    def masks(path, count):
        m = matrix(path, count)
        return lambda: products(blocks, m)

    dark, gain = np.load(aux.dark), np.load(aux.gain)
    acc = wide(blocks.frames.dtype)
    com = centre_matrix(data.sig, 0.47 * data.sig[0])

    def corrected():
        return sum(blocks.map(lambda block: ((block - dark) * gain).sum(axis=0)), 0)

    return {
        "sum": lambda: total(blocks),
        "sumsig": lambda: np.concatenate(blocks.map(lambda block: block.sum(axis=(1, 2), dtype=acc))),
        "stddev": lambda: deviation(blocks),
        "masks1": masks(aux.masksDense, 1),
        "masks16": masks(aux.masksDense, 16),
        "masks64": masks(aux.masksDense, 64),
        "com": lambda: centre(blocks, com),
        "corrected-sum": corrected,
        "logsum": lambda: log_sum(blocks),
    }


def main():
    options = arguments(__doc__, EXECUTORS).parse_args()
    data, aux = describe(options)
    wanted = [name for name in options.workloads.split(",") if name]
    for executor in options.executors.split(","):
        note(f"numpy {data.kind} {executor}")
        workers = 1 if executor == "one" else options.workers
        table = workloads(Blocks(data, workers), data, aux)
        for name in wanted or table:
            if name not in table:
                continue
            with PeakMemory() as memory:
                result = table[name]()
            save_results(options.results, name, {"numpy": result})
            emit(
                peer="numpy", version=np.__version__, executor=executor, workers=workers, workload=name,
                data=data.kind, bytes=data.bytes, blas=blas(),
                seconds=measure(table[name], options.repeats, options.seconds),
                peakMiB=round(memory.all), anonymousMiB=round(memory.anonymous),
            )


if __name__ == "__main__":
    main()
