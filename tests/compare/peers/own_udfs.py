"""Small UDFs as users write them: the same as in `own/udfs.ts`, under the same names."""

import math

import numpy as np
from libertem.common.udf import UDFMethod
from libertem.udf.base import UDF
from libertem.udf.sum import SumUDF
from libertem.udf.sumsigudf import SumSigUDF
from subject import collect


class Moments(UDF):
    def get_result_buffers(self):
        return {
            "sum": self.buffer(kind="nav", dtype="f8"),
            "squares": self.buffer(kind="sig", dtype="f8"),
            "frames": self.buffer(kind="single", dtype="f8"),
        }

    def get_tiling_preferences(self):
        names = dict(depth="depth", totalBytes="total_size")
        return {names[name]: self.params[name] for name in names if self.params.get(name) is not None}

    def process_tile(self, tile):
        flat = tile.reshape((len(tile), -1)).astype("f8")
        self.results.sum[:] += flat.sum(axis=1)
        self.results.squares[:] += (tile.astype("f8") ** 2).sum(axis=0)
        if not any(self.meta.sig_slice.origin):
            self.results.frames[:] += len(tile)

    def merge(self, dest, src):
        dest.sum[:] = src.sum
        dest.squares[:] += src.squares
        dest.frames[:] += src.frames


class Brightest(UDF):
    def get_result_buffers(self):
        return {
            "most": self.buffer(kind="nav", dtype="f8"),
            "at": self.buffer(kind="nav", dtype="i8"),
            "image": self.buffer(kind="sig", dtype="f8"),
        }

    def preprocess(self):
        self.results.image[:] = -1e9

    def process_frame(self, frame):
        self.results.most[:] = frame.max()
        self.results.at[:] = frame.argmax()
        self.results.image[:] = np.maximum(self.results.image, frame)

    def merge(self, dest, src):
        dest.most[:] = src.most
        dest.at[:] = src.at
        dest.image[:] = np.maximum(dest.image, src.image)


class WholePartitions(UDF):
    def get_result_buffers(self):
        return {"edge": self.buffer(kind="nav", dtype="f8"), "total": self.buffer(kind="sig", dtype="f8")}

    def process_partition(self, partition):
        flat = partition.reshape((len(partition), -1)).astype("f8")
        self.results.edge[:] = flat.sum(axis=1) + flat[:, 0]
        self.results.total[:] += partition.sum(axis=0, dtype="f8")

    def merge(self, dest, src):
        dest.edge[:] = src.edge
        dest.total[:] += src.total


class Entries(UDF):
    def get_result_buffers(self):
        return {
            "matrix": self.buffer(kind="nav", dtype="f8", extra_shape=(2, 3)),
            "pair": self.buffer(kind="sig", dtype="f8", extra_shape=(2,)),
        }

    def process_frame(self, frame):
        flat = frame.ravel().astype("f8")
        self.results.matrix[:] = np.array([flat[i::6].sum() for i in range(6)]).reshape((2, 3))
        self.results.pair[..., 0] += frame
        self.results.pair[..., 1] += frame > 0

    def merge(self, dest, src):
        dest.matrix[:] = src.matrix
        dest.pair[:] += src.pair


class Auxiliary(UDF):
    def get_result_buffers(self):
        return {"dosed": self.buffer(kind="nav", dtype="f8", extra_shape=(2,))}

    def process_frame(self, frame):
        weighted = frame.astype("f8") * self.params.weights
        self.results.dosed[:] = weighted.sum() * np.asarray(self.params.dose).ravel()


class Means(UDF):
    def get_result_buffers(self):
        return {"mean": self.buffer(kind="nav", dtype="f8")}

    def process_tile(self, tile):
        self.results.mean[:] += tile.reshape((len(tile), -1)).sum(axis=1, dtype="f8")

    def postprocess(self):
        self.results.mean[:] /= math.prod(self.meta.dataset_shape.sig)


class Masked(UDF):
    def get_result_buffers(self):
        return {
            "sum": self.buffer(kind="nav", dtype="f8", use="private"),
            "half": self.buffer(kind="nav", dtype="f8", use="result_only"),
            "image": self.buffer(kind="sig", dtype="f8"),
        }

    def process_frame(self, frame):
        self.results.sum[:] += frame.sum(dtype="f8")
        self.results.image[:] += frame

    def merge(self, dest, src):
        dest.sum[:] = src.sum
        dest.image[:] += src.image

    def get_results(self):
        image = self.results.image
        return {"half": self.results.sum / 2, "image": self.with_mask(image, image > self.params.limit)}


class Places(UDF):
    def get_result_buffers(self):
        return {"place": self.buffer(kind="nav", dtype="f8"), "pixel": self.buffer(kind="sig", dtype="f8")}

    def process_tile(self, tile):
        weighted = np.zeros(len(tile))
        for column in self.meta.coordinates.T:
            weighted = 100 * weighted + column + 1
        self.results.place[:] = weighted
        self.results.pixel[:] = self.meta.dataset_shape.sig.dims + self.meta.dataset_shape.nav.dims

    def merge(self, dest, src):
        dest.place[:] = src.place
        dest.pixel[:] = np.maximum(dest.pixel, src.pixel)  # that of a blank partition is 0


class Lists(UDF):
    def get_result_buffers(self):
        return {"bright": self.buffer(kind="nav", dtype=object)}

    def process_frame(self, frame):
        found = np.flatnonzero(frame > self.params.limit)
        self.results.bright[:] = [found.tolist()] if self.results.bright.shape == (1,) else found.tolist()


class Wave(UDF):
    def get_result_buffers(self):
        return {"first": self.buffer(kind="nav", dtype="c16")}

    def process_frame(self, frame):
        flat = frame.ravel().astype("f8")
        angle = 2 * np.pi * np.arange(len(flat)) / len(flat)
        self.results.first[:] = (flat * np.exp(1j * angle)).sum()


class Histogram(UDF):
    def get_preferred_input_dtype(self):
        return self.USE_NATIVE_DTYPE

    def get_result_buffers(self):
        return {"counts": self.buffer(kind="single", dtype="i8", extra_shape=(16,))}

    def process_tile(self, tile):
        self.results.counts[:] += np.bincount(tile.ravel().astype("i8") % 16, minlength=16)

    def merge(self, dest, src):
        dest.counts[:] += src.counts


class Choosing(UDF):
    def get_result_buffers(self):
        return {"sum": self.buffer(kind="nav", dtype="f8")}

    def get_method(self):
        return UDFMethod[self.params.method.upper()]

    def process_tile(self, tile):
        self.results.sum[:] += tile.reshape((len(tile), -1)).sum(axis=1, dtype="f8")

    def process_frame(self, frame):
        self.results.sum[:] += frame.sum(dtype="f8")

    def process_partition(self, partition):
        self.process_tile(partition)


class Copies(UDF):
    def get_result_buffers(self):
        shape = tuple(self.meta.dataset_shape.sig)
        return {"frame": self.buffer(kind="nav", dtype=self.meta.input_dtype, extra_shape=shape)}

    def process_frame(self, frame):
        self.results.frame[:] = frame


CLASSES = {
    "moments": Moments, "brightest": Brightest, "wholePartitions": WholePartitions, "entries": Entries,
    "means": Means, "masked": Masked, "places": Places, "wave": Wave, "histogram": Histogram,
    "choosing": Choosing,
}


def own(cls):
    def run(subject, params):
        found = subject.results(cls(**params))
        return found

    return run


def masked(subject, params):
    """With the mask of the picture, which is the UDF's own."""
    buffers = subject.run(Masked(**params))
    return {**collect(buffers), "image.valid": buffers["image"].valid_mask}


def auxiliary(subject, _):
    frames, pixels = subject.frames, math.prod(subject.sig)
    dose = np.arange(2 * frames) * 7 % 11 - 3.0
    weights = np.arange(pixels) * 5 % 13 - 6.0
    cut = Auxiliary.aux_data(dose, kind="nav", extra_shape=(2,), dtype="f8")
    return subject.results(Auxiliary(dose=cut, weights=weights.reshape(subject.sig)))


def lists(subject, params):
    buffer = subject.run(Lists(**params))["bright"]
    rows = [row if isinstance(row, list) else None for row in buffer.data.ravel()]
    return {
        "count": np.array([-1.0 if row is None else len(row) for row in rows]).reshape(subject.nav),
        "sum": np.array([-1.0 if row is None else sum(row) for row in rows], float).reshape(subject.nav),
    }


def together(subject, params):
    udfs = [
        SumUDF(), SumSigUDF(), Moments(depth=params["depth"]), Choosing(method=params["method"]), Brightest(),
    ]
    sums, sumsig, moments, choosing, brightest = (collect(one) for one in subject.run(udfs))
    return {
        "sum": sums["intensity"], "sumsig": sumsig["intensity"], "squares": moments["squares"],
        "choosing": choosing["sum"], "image": brightest["image"],
    }


WORDS = {
    **{f"own-{name}": own(cls) for name, cls in CLASSES.items()},
    "own-masked": masked,
    "own-auxiliary": auxiliary,
    "own-lists": lists,
    "together": together,
    "corrections": lambda subject, _: subject.results(Copies()),
}
