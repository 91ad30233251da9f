"""Times LiberTEM on the data of `bench/data.ts`; prints one JSON line a measurement.

python libertem_bench.py --data '{...}' --aux '{...}' --executors inline,threads --workloads sum,masks16

Executors: `inline` is one core (one BLAS thread); `inline-blas` is the same with a BLAS thread a core, `threads`,
`dask` and `pipelined` have `--workers` workers. `startup` times whole processes, from start to the first sum.
"""

import functools
import os
import subprocess
import sys
import time

import numpy as np

from peerlib import PeakMemory, arguments, blas, describe, emit, masks_of, measure, note, save_results, skip

EXECUTORS = ("inline", "inline-blas", "threads", "dask", "pipelined")
COM_RADIUS = 0.47  # of the frame's side: a disk that nearly fills the frame
FIRST_RESULT = "first result"


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
    if data.kind == "mib":
        return ctx.load("mib", path=data.path, nav_shape=data.nav, disable_glob=True)
    return ctx.load("raw", path=data.path, dtype=data.numpy_dtype, nav_shape=data.nav, sig_shape=data.sig)


def masks_udf(path, count, sparse):
    from libertem.udf.masks import ApplyMasksUDF

    # By path, not by value: LiberTEM pickles the factory for each run, and a stack of masks is 16 MiB.
    factory = functools.partial(masks_of, path, count)
    return ApplyMasksUDF(
        mask_factories=factory, mask_count=count, mask_dtype=np.float32, use_sparse=sparse
    )


def crop(stack, sig):
    return np.ascontiguousarray(stack[..., : sig[0], : sig[1]])


def workloads(ctx, ds, data, aux):
    """Name -> a function that runs it once and gives the results by name."""
    from libertem.io.corrections import CorrectionSet
    from libertem.udf.com import CoMUDF
    from libertem.udf.logsum import LogsumUDF
    from libertem.udf.raw import PickUDF
    from libertem.udf.stddev import StdDevUDF
    from libertem.udf.sum import SumUDF
    from libertem.udf.sumsigudf import SumSigUDF

    def plain(make, **more):
        def run():
            result = ctx.run_udf(dataset=ds, udf=make(), **more)
            if isinstance(result, dict):
                return {name: buffer.data for name, buffer in result.items()}
            return {f"{i}-{name}": buffer.data for i, part in enumerate(result) for name, buffer in part.items()}

        return run

    def masks(kind, count, sparse=False):
        path = aux.masksDense if kind == "dense" else aux.masksRings
        return plain(lambda: masks_udf(path, count, sparse))

    side = data.sig[0]
    corrections = CorrectionSet(
        dark=crop(np.load(aux.dark), data.sig), gain=crop(np.load(aux.gain), data.sig)
    )
    roi = np.zeros(data.nav, dtype=bool)
    roi[data.nav[0] // 2, data.nav[1] // 2] = True
    fourier = ctx.create_radial_fourier_analysis(dataset=ds, n_bins=5, max_order=4)
    fourier_24 = ctx.create_radial_fourier_analysis(dataset=ds)
    table = {
        "sum": plain(SumUDF),
        "sumsig": plain(SumSigUDF),
        "stddev": plain(StdDevUDF),
        "all": plain(lambda: [SumUDF(), SumSigUDF(), StdDevUDF()]),
        "masks1": masks("dense", 1),
        "masks16": masks("dense", 16),
        "masks64": masks("dense", 64),
        "rings16": masks("rings", 16),
        "rings64": masks("rings", 64),
        "rings16-sparse": masks("rings", 16, "scipy.sparse"),
        "rings64-sparse": masks("rings", 64, "scipy.sparse"),
        "com": plain(lambda: CoMUDF.with_params(cy=side / 2, cx=side / 2, r=COM_RADIUS * side)),
        "corrected-sum": plain(SumUDF, corrections=corrections),
        "logsum": plain(LogsumUDF),
        "radial-fourier": plain(fourier.get_udf),
        "radial-fourier-24": plain(fourier_24.get_udf),
        "pick": plain(PickUDF, roi=roi),
    }
    if data.kind == "tiny":  # its frames are smaller than the masks
        return {name: run for name, run in table.items() if not name.startswith(("masks", "rings"))}
    return table


def bench(options, data, aux, executor):
    import libertem

    workers = 1 if executor == "inline" else options.workers
    wanted = [name for name in options.workloads.split(",") if name]
    about = dict(peer="libertem", version=libertem.__version__, executor=executor, workers=workers)
    with make_context(executor, workers) as ctx:
        table = workloads(ctx, load(ctx, data), data, aux)
        for name in wanted or table:
            if name not in table:
                continue
            row = dict(about, workload=name, data=data.kind, bytes=data.bytes, blas=blas())
            try:
                table[name]()  # compiles
                with PeakMemory() as memory:
                    results = table[name]()
                seconds = measure(table[name], options.repeats, options.seconds)
            except Exception as error:  # the other workloads still count
                skip(**row, error=f"{type(error).__name__}: {error}"[:300])
                continue
            save_results(options.results, name, results)
            emit(**row, seconds=seconds, peakMiB=round(memory.all), anonymousMiB=round(memory.anonymous))


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
