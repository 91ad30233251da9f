"""What the Python peers share: the description of the data, timing, one JSON line a measurement."""

import argparse
import functools
import gc
import json
import math
import os
import statistics
import sys
import threading
import time
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Data:
    """A file of test data as `bench/data.ts` describes it."""

    kind: str
    path: str
    nav: tuple
    sig: tuple
    dtype: str
    byteOrder: str
    frameHeaderBytes: int
    bytes: int
    load: dict = None  # of the bench of formats: how LiberTEM opens it

    @property
    def frames(self):
        return math.prod(self.nav)

    @property
    def numpy_dtype(self):
        return np.dtype(self.dtype).newbyteorder(">" if self.byteOrder == "big" else "<")

    def mapped(self):
        """The frames as a mapped array (frames, *sig), strided where there are frame headers."""
        fields = [("frame", self.numpy_dtype, self.sig)]
        if self.frameHeaderBytes:
            fields.insert(0, ("header", f"V{self.frameHeaderBytes}"))
        return np.memmap(self.path, dtype=np.dtype(fields), mode="r", shape=(self.frames,))["frame"]


@dataclass(frozen=True)
class Aux:
    """Paths of the masks and correction frames (`benchAux` of `bench/data.ts`)."""

    masksDense: str
    masksRings: str
    masksSmall: str
    masksComplex: str
    dark: str
    gain: str
    lattice: dict


@functools.lru_cache
def masks_of(path, count):
    """`count` masks of a file, read once a process; of the rings every other one, so that few masks hold rings and disks too."""
    stack = np.load(path, mmap_mode="r")
    step = len(stack) // count if "rings" in os.path.basename(path) else 1
    return np.array(stack[: count * step : step])


def arguments(description, executors):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--data", required=True, help="JSON of bench/data.ts")
    parser.add_argument("--aux", required=True, help="JSON of bench/data.ts")
    parser.add_argument("--executors", default=",".join(executors))
    parser.add_argument("--workloads", default="", help="names with commas; all if empty")
    parser.add_argument("--workers", type=int, default=2, help="of the executors that have several")
    parser.add_argument("--repeats", type=int, default=5, help="at least so many timed runs")
    parser.add_argument("--seconds", type=float, default=0.3, help="go on repeating for so long")
    parser.add_argument("--results", default="", help="folder for one .npy a result")
    return parser


def describe(options):
    raw = json.loads(options.data)
    data = Data(**{**raw, "nav": tuple(raw["nav"]), "sig": tuple(raw["sig"])})
    return data, Aux(**json.loads(options.aux))


PATIENCE = 2.5  # seconds; what is slow is run twice at least, and then until they have passed


def measure(work, repeats, seconds):
    """Seconds of each run after one that is not timed (it fills caches and compiles)."""
    samples = []
    start = time.perf_counter()

    def goes_on(spent):
        few = len(samples) < repeats and (len(samples) < 2 or spent < PATIENCE)
        return few or (len(samples) < 50 and spent < seconds)

    while goes_on(time.perf_counter() - start):
        begin = time.perf_counter()
        work()
        samples.append(time.perf_counter() - begin)
    return samples


def first_run(work):
    """The results of a first run, and how many seconds it took."""
    begin = time.perf_counter()
    return work(), time.perf_counter() - begin


def hashes(count):
    """Small hashes of 1 to `count`: the same numbers as in `workloads/row.ts`."""
    return np.arange(1, count + 1, dtype=np.uint64) * 2654435761 % 2**32


def chosen_frames(data, share):
    """About a `share` of the frames, seeded."""
    return (hashes(data.frames) < share * 2**32).reshape(data.nav)


def base_of(name):
    """The workload of a variant of it."""
    return name.split("@")[0]


def quartile(samples):
    return sorted(samples)[max(0, math.ceil(len(samples) * 0.75) - 1)]


def blas():
    """The kernels OpenBLAS chose for this processor, and its version; empty for another BLAS."""
    from threadpoolctl import threadpool_info

    return "; ".join(
        sorted({f"{x['architecture']} {x['version']}" for x in threadpool_info() if "architecture" in x})
    )


def emit(**row):
    samples = row["seconds"]
    row.update(min=min(samples), p75=quartile(samples), median=statistics.median(samples))
    print(json.dumps(row), flush=True)


def skip(**row):
    print(json.dumps(row), flush=True)


SAVED = set()


def save_results(folder, workload, results):
    """Each result as `<workload>.<name>.npy`; only the first executor of a process writes them."""
    if not folder or workload in SAVED:
        return
    SAVED.add(workload)
    os.makedirs(folder, exist_ok=True)
    for name, value in results.items():
        np.save(os.path.join(folder, f"{workload}.{name}.npy"), np.ascontiguousarray(value))


class PeakMemory:
    """Peak memory of this process and its children while the block runs, in MiB: all, and without mapped files."""

    def __enter__(self):
        gc.collect()  # what an earlier workload left is not this one's
        self.all = self.anonymous = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()

    def row(self):
        """The peaks as fields of a row."""
        return dict(peakMiB=round(self.all), anonymousMiB=round(self.anonymous))

    def _watch(self):
        import psutil

        me = psutil.Process()
        while True:
            total = anonymous = 0
            for process in [me, *me.children(recursive=True)]:
                try:
                    info = process.memory_info()
                except psutil.Error:
                    continue
                total += info.rss
                anonymous += info.rss - info.shared
            self.all = max(self.all, total / 2**20)
            self.anonymous = max(self.anonymous, anonymous / 2**20)
            if self._stop.wait(0.01):
                return


def note(text):
    print(text, file=sys.stderr, flush=True)
