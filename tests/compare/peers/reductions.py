"""Sums, moments, logarithms and copies of frames."""

from libertem.udf.logsum import LogsumUDF
from libertem.udf.raw import PickUDF
from libertem.udf.stddev import StdDevUDF
from libertem.udf.sum import SumUDF
from libertem.udf.sumsigudf import SumSigUDF


def pick(subject, _):
    frames = subject.run(PickUDF(), roi=subject.roi_as_said())["intensity"].data
    shape = (len(frames),) if subject.roi() is not None else subject.nav
    return {"intensity": frames.reshape((*shape, *subject.sig))}


WORDS = {
    "sum": lambda subject, _: subject.results(SumUDF(), roi=subject.roi_as_said()),
    "sumsig": lambda subject, _: subject.results(SumSigUDF()),
    "stddev": lambda subject, _: subject.results(StdDevUDF()),
    "logsum": lambda subject, _: subject.results(LogsumUDF()),
    "pick": pick,
}
