"""Negotiation of tiles, result types, and tile sizes clear of excluded pixels."""

import numpy as np
import sparse
from libertem.common import Shape
from libertem.common.udf import UDFMethod
from libertem.io.corrections import CorrectionSet
from libertem.io.dataset.base.tiling_scheme import Negotiator
from libertem.udf.base import UDF


class Wisher:
    """A UDF as far as a negotiator asks it."""

    def __init__(self, wish):
        self.wish = wish

    def get_method(self):
        return UDFMethod[self.wish["method"].upper()]

    def get_tiling_preferences(self):
        symbols = {"max": np.inf, "bestFit": UDF.TILE_SIZE_BEST_FIT}
        names = dict(depth="depth", totalBytes="total_size")
        return {
            names[name]: symbols.get(value, value) for name, value in self.wish.items() if name in names
        }


class Source:
    """A data set as far as a negotiator asks it."""

    def __init__(self, p):
        self.p = p
        self.shape = Shape((p["partitionFrames"], *p["sigShape"]), sig_dims=len(p["sigShape"]))

    def get_min_sig_size(self):
        return self.p.get("minSigPixels", 4 * 4096 // np.dtype(self.p["dtype"]).itemsize)

    def need_decode(self, **_):
        return self.p["needsDecode"]

    def get_max_io_size(self):
        return self.p.get("ioMaxBytes")

    def get_base_shape(self, roi):
        return (1, *self.p["baseShape"])

    def adjust_tileshape(self, shape, roi):
        return shape


def corrections_of(excluded, sig):
    if not excluded:
        return None
    coords = np.unique(np.array(excluded), axis=0).T
    return CorrectionSet(excluded_pixels=sparse.COO(coords=coords, data=True, shape=tuple(sig)), allow_empty=True)


def negotiate(_, p):
    source = Source(p)
    scheme = Negotiator().get_scheme(
        udfs=[Wisher(wish) for wish in p["udfs"]], dataset=source, read_dtype=p["readDType"],
        approx_partition_shape=source.shape, corrections=corrections_of(p["excluded"], p["sigShape"]),
    )
    return {"tileShape": np.array(tuple(scheme.shape), float), "slices": scheme.slices_array.astype(float)}


def excluded_tiles(_, p):
    corrections = corrections_of(p["excluded"], p["sig"])
    shape = corrections.adjust_tileshape(
        tile_shape=tuple(p["tile"]), sig_shape=tuple(p["sig"]), base_shape=tuple(p["base"])
    )
    return {"shape": np.array(shape, float)}


def result_types(_, p):
    found = np.result_type(*(np.dtype(name) for name in p["types"]))
    return {"type": np.array([ord(found.kind), found.itemsize], float)}


WORDS = {"negotiate": negotiate, "excluded-tiles": excluded_tiles, "result-types": result_types}
