"""A data set as LiberTEM opens it, and how UDFs are run on it."""

import math
import os

import numpy as np
import sparse
from libertem.api import Context
from libertem.executor.inline import InlineJobExecutor
from libertem.io.corrections import CorrectionSet

CONTEXT = Context(executor=InlineJobExecutor(inline_threads=1))


class Subject:
    def __init__(self, request):
        self.data, self.run_spec = request["data"], request["run"]
        self.nav, self.sig = tuple(self.data["nav"]), tuple(self.data["sig"])
        self.folder = request["folder"]
        self.ctx = CONTEXT
        self.dataset = self._load(request["path"])
        self.maps = {name: request.get(name) for name in ("dark", "gain")}

    def _load(self, path):
        common = dict(path=path, nav_shape=self.nav, sync_offset=self.data["syncOffset"])
        partitions = dict(num_partitions=self.run_spec.get("partitions"))
        kind = self.data["file"]
        if kind == "raw":
            mark = ">" if self.data["byteOrder"] == "big" else "<"
            dtype = np.dtype(self.data["dtype"]).newbyteorder(mark)
            return CONTEXT.load("raw", dtype=dtype, sig_shape=self.sig, **common, **partitions)
        if kind == "npy":
            return CONTEXT.load("npy", sig_dims=len(self.sig), **common, **partitions)
        if kind == "mib":
            return CONTEXT.load("mib", disable_glob=True, **common, **partitions)
        if kind == "raw_csr":
            return CONTEXT.load("raw_csr", **common, **partitions)
        make_hdf5(path, self.data)
        return CONTEXT.load("hdf5", ds_path="data", sig_dims=len(self.sig), **common)

    @property
    def corrections(self):
        """Made when they are used: a run without them does not care whether they can be."""
        spec = self.run_spec.get("corrections")
        if spec is None:
            return None
        excluded = None
        if spec["excluded"]:
            coords = np.unique(np.array(spec["excluded"]), axis=0).T
            excluded = sparse.COO(coords=coords, data=True, shape=self.sig)
        return CorrectionSet(
            **self.maps, excluded_pixels=excluded, allow_empty=spec["allowEmpty"],
        )

    @property
    def frames(self):
        return math.prod(self.nav)

    def roi(self):
        """The region of interest as a mask."""
        if "roi" not in self.run_spec:
            return None
        mask = np.zeros(self.frames, dtype=bool)
        mask[self.run_spec["roi"]["selected"]] = True
        return mask.reshape(self.nav)

    def roi_as_said(self):
        """The same in the form that the description asks for, as far as LiberTEM can use it: not with `False`."""
        mask, spec = self.roi(), self.run_spec.get("roi")
        if mask is None:
            return None
        coordinates = [tuple(int(c) for c in at) for at in np.argwhere(mask)]
        form = spec["form"]
        if form == "single":
            return coordinates[0]
        if form == "coordinates":
            return [(at, True) for at in coordinates]  # without a truth value it takes x for one
        if form == "sparse":
            return sparse.COO.from_numpy(mask)
        return mask

    def run(self, udf, **options):
        if "corrections" not in options:
            options["corrections"] = self.corrections
        return CONTEXT.run_udf(dataset=self.dataset, udf=udf, **{"roi": self.roi(), **options})

    def results(self, udf, names=None, **options):
        """The results of a UDF by name, with the valid masks of those over the scan."""
        return collect(self.run(udf, **options), names)


def collect(buffers, names=None):
    found = {}
    for name, buffer in buffers.items():
        if names is not None and name not in names:
            continue
        found[name] = buffer.data
        if buffer.kind == "nav":
            found[f"{name}.valid"] = buffer.valid_mask
        elif buffer.kind == "single" and not buffer.extra_shape:
            found[name] = buffer.data[0]
    return found


def make_hdf5(path, data):
    """The samples of `data.npy` as HDF5."""
    import h5py

    samples = np.load(os.path.join(os.path.dirname(path), "data.npy"))
    shape = (*data["nav"], *data["sig"])
    with h5py.File(path, "w") as file:
        file.create_dataset("data", data=samples.reshape(shape), chunks=tuple(data["chunks"]) if "chunks" in data else None)


def open_subject(request):
    return Subject(request)
