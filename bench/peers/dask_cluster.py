"""Times LiberTEM on a Dask cluster of this machine, and says what happens when one of its workers is killed or stopped.

python dask_cluster.py FILE NAV_Y,NAV_X,SIG_Y,SIG_X WORKERS REPEATS FAULTS MS LIMIT

FAULTS: of `none,kill,stop`, with a UDF that takes MS milliseconds per frame; LIMIT: seconds after which it is given up.
Prints one JSON object per line. Needs libertem with dask and distributed.
"""

import json
import os
import signal
import sys
import threading
import time

from libertem.udf.base import UDF


class SlowSum(UDF):
    """The sum of a frame, slowly."""

    def get_result_buffers(self):
        return {"per": self.buffer(kind="nav", dtype="float64")}

    def process_frame(self, frame):
        time.sleep(self.params.ms / 1000)
        self.results.per[:] = frame.sum(dtype="float64")


def emit(**row):
    print(json.dumps(row), flush=True)


def timed(body):
    start = time.perf_counter()
    result = body()
    return time.perf_counter() - start, result


def open_cluster(workers):
    from libertem.api import Context
    from libertem.executor.dask import DaskJobExecutor, cluster_spec

    spec = cluster_spec(cpus=range(workers), cudas=[], has_cupy=False)
    return Context(executor=DaskJobExecutor.make_local(spec=spec))



def compute_pids(ctx):
    """Processes that compute, not those that serve."""
    info = ctx.executor.client.scheduler_info()["workers"]
    busy = [address for address, one in info.items() if one.get("resources", {}).get("compute")]
    return list(ctx.executor.client.run(os.getpid, workers=busy).values())


def speed(ctx, ds, repeats):
    from libertem.udf.sum import SumUDF

    ring = ctx.create_ring_analysis(dataset=ds, cy=126.5, cx=130, ri=60, ro=100)
    works = {
        "sum": lambda: ctx.run_udf(dataset=ds, udf=SumUDF())["intensity"].data.sum(dtype="float64"),
        "ring": lambda: ctx.run(ring).intensity.raw_data.sum(dtype="float64"),
    }
    for name, work in works.items():
        work()
        samples = [timed(work) for _ in range(repeats)]
        emit(work=name, seconds=[took for took, _ in samples], check=float(samples[-1][1]))


def fault(workers, load, what, milliseconds, limit):
    """A cluster of its own, as it may not be of use afterwards."""
    ctx = open_cluster(workers)
    ds = load(ctx)
    pids = compute_pids(ctx)
    outcome = {}

    def run():
        try:
            took, result = timed(lambda: ctx.run_udf(dataset=ds, udf=SlowSum(ms=milliseconds)))
            outcome.update(seconds=took, check=float(result["per"].data.sum(dtype="float64")))
        except BaseException as error:
            outcome.update(error=f"{type(error).__name__}: {error}"[:200])

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    time.sleep(1)
    if what != "none":
        os.kill(pids[0], signal.SIGKILL if what == "kill" else signal.SIGSTOP)
    thread.join(limit)
    emit(fault=what, **(outcome or dict(error=f"nothing after {limit:.0f} s")))
    if not outcome or what == "stop":
        os.kill(pids[0], signal.SIGCONT)
    closing = threading.Thread(target=ctx.close, daemon=True)  # may wait for what never comes
    closing.start()
    closing.join(20)


def main(path, shape, workers, repeats, faults, milliseconds, limit):
    import distributed
    import libertem

    shape = [int(n) for n in shape.split(",")]
    emit(libertem=libertem.__version__, dask=distributed.__version__)

    def load(ctx):
        return ctx.load("raw", path=path, dtype="uint16", nav_shape=shape[:2], sig_shape=shape[2:])

    if int(repeats) > 0:
        start = time.perf_counter()
        ctx = open_cluster(int(workers))
        ds = load(ctx)
        emit(ready=time.perf_counter() - start)
        speed(ctx, ds, int(repeats))
        ctx.close()
    for what in [one for one in faults.split(",") if one]:
        fault(int(workers), load, what, float(milliseconds), float(limit))


if __name__ == "__main__":
    main(*sys.argv[1:])
    os._exit(0)
