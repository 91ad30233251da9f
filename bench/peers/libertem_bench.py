"""Times LiberTEM on the data of `bench/data.ts`; prints one JSON line a measurement.

python libertem_bench.py --data '{...}' --aux '{...}' --executors inline,threads --workloads sum,masks16

Executors: `inline` is one core (one BLAS thread); `inline-blas` is the same with a BLAS thread a core, `threads`,
`dask` and `pipelined` have `--workers` workers. `startup` times whole processes, from start to the first sum.
"""

import os
import subprocess
import sys
import time

from peerlib import (
    PeakMemory, arguments, base_of, blas, describe, emit, first_run, measure, note, save_results, skip
)

EXECUTORS = ("inline", "inline-blas", "threads", "dask", "pipelined")
FIRST_RESULT = "first result"
SLOW = 4  # seconds; the memory of what takes longer is not watched, which needs another run


def make_context(executor, workers):
    from libertem.api import Context

    if executor == "inline":
        from libertem.executor.inline import InlineJobExecutor

        return Context(executor=InlineJobExecutor(inline_threads=1))
    if executor == "inline-blas":
        from libertem.executor.inline import InlineJobExecutor

        return Context(executor=InlineJobExecutor(inline_threads=workers))
    return Context.make_with(executor, cpus=workers)


def load(ctx, data):
    if data.load:
        params = {name: tuple(value) if isinstance(value, list) else value for name, value in data.load["params"].items()}
        return ctx.load(data.load["type"], path=data.path, **params)
    if data.kind == "mib":
        return ctx.load("mib", path=data.path, nav_shape=data.nav, disable_glob=True)
    return ctx.load("raw", path=data.path, dtype=data.numpy_dtype, nav_shape=data.nav, sig_shape=data.sig)


def bench(options, data, aux, executor):
    import libertem
    from libertem_workloads import WITH_BLAS, workloads

    workers = 1 if executor == "inline" else options.workers
    wanted = [name for name in options.workloads.split(",") if name]
    about = dict(peer="libertem", version=libertem.__version__, executor=executor, workers=workers)
    with make_context(executor, workers) as ctx:
        table = workloads(ctx, load(ctx, data), data, aux)
        for name in table:
            if wanted and base_of(name) not in wanted:
                continue
            if executor == "inline-blas" and (not name.startswith(WITH_BLAS) or "@" in name):
                continue
            row = dict(about, workload=name, data=data.kind, bytes=data.bytes, blas=blas())
            try:
                results, lasted = first_run(table[name])  # compiles
                with PeakMemory() as memory:
                    if lasted < SLOW:
                        table[name]()
                seconds = measure(table[name], options.repeats, options.seconds)
            except Exception as error:  # the other workloads still count
                skip(**row, error=f"{type(error).__name__}: {error}"[:300])
                continue
            save_results(options.results, base_of(name), results)
            emit(**row, seconds=seconds, **memory.row() if lasted < SLOW else {})


def first_result(options, data, executor):
    """What a user's script does: import, open, sum; says so, and ends."""
    from libertem.udf.sum import SumUDF

    with make_context(executor, options.workers) as ctx:
        ctx.run_udf(dataset=load(ctx, data), udf=SumUDF())
        print(FIRST_RESULT, flush=True)


def startup(options, data, executor):
    import libertem

    def run():
        command = [sys.executable, *sys.argv, "--first-result", executor]
        begin = time.perf_counter()
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            if process.stdout.readline().strip() != FIRST_RESULT:
                raise RuntimeError("the process ended without a result")
            seconds = time.perf_counter() - begin
            process.communicate()
        return seconds

    run()  # compiles, and fills the page cache
    workers = 1 if executor == "inline" else options.workers
    emit(
        peer="libertem", version=libertem.__version__, executor=executor, workers=workers, workload="startup",
        data=data.kind, bytes=data.bytes, blas=blas(), seconds=[run() for _ in range(options.repeats)],
    )


def main():
    parser = arguments(__doc__, EXECUTORS)
    parser.add_argument("--first-result", default="", help="internal: one start-up of this executor")
    options = parser.parse_args()
    data, aux = describe(options)
    os.environ["PYTHONPATH"] = sys.path[0]  # worker processes find peerlib there
    if options.first_result:
        return first_result(options, data, options.first_result)
    for executor in options.executors.split(","):
        note(f"libertem {data.kind} {executor}")
        if options.workloads == "startup":
            startup(options, data, executor)
        else:
            bench(options, data, aux, executor)


if __name__ == "__main__":
    main()
