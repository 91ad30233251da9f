"""Makes the tables in this folder, and expected.json with what they hold.

Needs python-casacore and numpy. Run it in this folder: python make.py
"""

import hashlib
import json
import os
import shutil

import casacore.tables as ct
import numpy as np

TYPES = {
    "boolean": np.bool_,
    "uchar": np.uint8,
    "short": np.int16,
    "int": np.int32,
    "uint": np.uint32,
    "int64": np.int64,
    "float": np.float32,
    "double": np.float64,
    "complex": np.complex64,
    "dcomplex": np.complex128,
}
DIRECT, FIXED = 5, 4
rng = np.random.default_rng(20260722)
expected = {}


def values(kind, shape):
    dtype = np.dtype(TYPES[kind])
    if dtype.kind == "b":
        return rng.random(shape) < 0.4
    if dtype.kind in "ui":
        most = min(np.iinfo(dtype).max, 2**52)
        return rng.integers(-most if dtype.kind == "i" else 0, most, shape).astype(dtype)
    if dtype.kind == "f":
        return rng.normal(0, 100, shape).astype(dtype)
    return (rng.normal(0, 1, shape) + 1j * rng.normal(0, 1, shape)).astype(dtype)


def column(name, kind, cell=None, options=0, ndim=-1, manager="StandardStMan", group="ssm"):
    where = dict(datamanagertype=manager, datamanagergroup=group)
    if cell is None and ndim < 0:
        return ct.makescacoldesc(name, "" if kind == "string" else TYPES[kind](0).item(), valuetype=kind, **where)
    shape = list(cell) if cell is not None and options else []
    return ct.makearrcoldesc(
        name, "" if kind == "string" else TYPES[kind](0).item(), valuetype=kind,
        ndim=len(shape) if shape else ndim, shape=shape, options=options, **where,
    )


def table(name, columns, rows, endian, dminfo):
    shutil.rmtree(name, ignore_errors=True)
    return ct.table(name, ct.maketabdesc(columns), nrow=rows, endian=endian, ack=False, dminfo=dminfo)


def manager(kind, group, columns, **spec):
    return {"*1": {"TYPE": kind, "NAME": group, "SPEC": spec, "COLUMNS": columns}}


def finish(t, name, spare=0):
    """Closes a table, and notes what casacore reads back from it; `spare`: rows without which it cannot read the last block."""
    t.close()
    os.path.exists(f"{name}/table.lock") and os.remove(f"{name}/table.lock")
    if spare:
        shutil.copytree(name, "spare.tmp", dirs_exist_ok=True)
        whole = ct.table("spare.tmp", ack=False, readonly=False)
        whole.addrows(spare)
        whole.close()
        whole = ct.table("spare.tmp", ack=False)
        t = whole.query(f"rownumber() < {whole.nrows() - spare}")
    else:
        t = ct.table(name, ack=False, lockoptions="usernoread")
    found = {}
    for column_name in t.colnames():
        if t.coldatatype(column_name) == "string":
            found[column_name] = {"texts": [t.getcell(column_name, i) for i in range(t.nrows())]}
            continue
        try:
            data = np.ascontiguousarray(t.getcol(column_name))
            if t.nrows() > 0 and any(
                np.shape(t.getcell(column_name, i)) != data.shape[1:] for i in range(t.nrows())
            ):
                raise RuntimeError("shapes differ")
        except RuntimeError:
            found[column_name] = {"shapes": "differ"}
            continue
        if t.coldatatype(column_name) == "uchar":
            data = data.astype(np.uint8)  # which Python shows as uint16
        dtype = data.dtype.newbyteorder("<")
        found[column_name] = {
            "dtype": data.dtype.name,
            "shape": list(data.shape),
            "sha256": hashlib.sha256(data.astype(dtype).tobytes()).hexdigest(),
        }
    t.close()
    os.path.exists(f"{name}/table.lock") and os.remove(f"{name}/table.lock")
    shutil.rmtree("spare.tmp", ignore_errors=True)
    expected[name] = found


def standard(name, endian):
    rows = 11
    columns = [column(f"s_{k}", k) for k in TYPES] + [column("s_string", "string")]
    columns += [column(f"d_{k}", k, (2, 3), DIRECT) for k in TYPES]
    columns += [column(f"i_{k}", k, (3, 2), FIXED) for k in ("boolean", "short", "complex")]
    columns += [column("v_double", "double", ndim=2), column("v_boolean", "boolean", ndim=1)]
    columns += [column("ragged", "float", ndim=1), column("a_string", "string", ndim=1), column("never", "int", ndim=1)]
    names = [c["name"] for c in columns]
    t = table(name, columns, rows, endian, manager("StandardStMan", "ssm", names, BUCKETROWS=4))
    for k in TYPES:
        t.putcol(f"s_{k}", values(k, rows))
        t.putcol(f"d_{k}", values(k, (rows, 2, 3)))
    for k in ("boolean", "short", "complex"):
        t.putcol(f"i_{k}", values(k, (rows, 3, 2)))
    t.putcol("v_double", values("double", (rows, 2, 4)))
    t.putcol("v_boolean", values("boolean", (rows, 5)))
    for i in range(rows):
        t.putcell("ragged", i, values("float", i % 3 + 1))
        t.putcell("s_string", i, ["", "short", "a text of more than eight letters ", "é µ"][i % 4] * (1 + 20 * (i % 5 == 2)))
        t.putcell("a_string", i, np.array(["X", "Y" * i]))
    t.putkeyword("number", 42)
    t.putkeyword("nested", {"flag": True, "inner": {"list": [1.5, -2.5], "name": "text"}, "empty": {}})
    t.putkeyword("grid", np.arange(6, dtype=np.int32).reshape(2, 3))
    t.putkeyword("words", ["a", "bc"])
    t.putkeyword("truths", np.array([True, False, True]))
    t.putkeyword("wave", 1.5 - 2j)
    t.putcolkeyword("s_double", "QuantumUnits", ["s"])
    finish(t, name)


def removed(name):
    """Buckets that are not full: rows were taken out."""
    columns = [column("n", "int"), column("b", "boolean"), column("m", "boolean", (3,), DIRECT), column("a", "float", ndim=1)]
    t = table(name, columns, 14, "little", manager("StandardStMan", "ssm", [c["name"] for c in columns], BUCKETROWS=4))
    t.putcol("n", np.arange(14, dtype=np.int32))
    t.putcol("b", values("boolean", 14))
    t.putcol("m", values("boolean", (14, 3)))
    t.putcol("a", values("float", (14, 2)))
    t.removerows([1, 2, 8])
    finish(t, name)


def incremental(name, endian):
    rows = 60
    where = dict(manager="IncrementalStMan", group="ism")
    columns = [column(f"s_{k}", k, **where) for k in TYPES] + [column("s_string", "string", **where)]
    columns += [column("d_float", "float", (3,), DIRECT, **where), column("d_boolean", "boolean", (2, 5), DIRECT, **where)]
    columns += [column("v_double", "double", ndim=1, **where)]
    names = [c["name"] for c in columns]
    t = table(name, columns, rows, endian, manager("IncrementalStMan", "ism", names, BUCKETSIZE=700))
    for k in TYPES:
        each = values(k, rows)
        for i in range(rows):
            t.putcell(f"s_{k}", i, each[i // 7 * 7].item())
    for i in range(rows):
        t.putcell("s_string", i, f"field {i // 25}")
        t.putcell("d_float", i, np.array([i // 9, 1, 2], np.float32))
        t.putcell("d_boolean", i, (np.arange(10).reshape(2, 5) + i // 20) % 3 == 0)
        t.putcell("v_double", i, np.array([i // 11, 0.5]))
    finish(t, name)


def tiled_column(name, endian):
    rows = 13
    where = dict(manager="TiledColumnStMan", group="tiles")
    kinds = ["boolean", "short", "complex", "double"]
    columns = [column(f"c_{k}", k, (5, 3), FIXED, **where) for k in kinds]
    t = table(name, columns, rows, endian, manager("TiledColumnStMan", "tiles", [c["name"] for c in columns], DEFAULTTILESHAPE=[2, 4, 4]))
    for k in kinds:
        t.putcol(f"c_{k}", values(k, (rows, 5, 3)))
    finish(t, name)


def tiled_shape(name, endian):
    rows = 12
    info = {}
    columns = []
    for i, k in enumerate(["boolean", "float", "complex"]):
        where = dict(manager="TiledShapeStMan", group=f"t_{k}")
        columns.append(column(f"t_{k}", k, ndim=2, **where))
        info[f"*{i + 1}"] = manager("TiledShapeStMan", f"t_{k}", [f"t_{k}"], DEFAULTTILESHAPE=[4, 3, 5])["*1"]
    columns.append(column("two", "float", ndim=2, manager="TiledShapeStMan", group="two"))
    info["*9"] = manager("TiledShapeStMan", "two", ["two"], DEFAULTTILESHAPE=[2, 2, 4])["*1"]
    t = table(name, columns, rows, endian, info)
    for k in ["boolean", "float", "complex"]:
        t.putcol(f"t_{k}", values(k, (rows, 7, 4)))
    for i in range(rows):
        t.putcell("two", i, values("float", (3, 2) if i % 3 else (2, 4)))
    finish(t, name)


def tiled_cell(name):
    rows = 4
    where = dict(manager="TiledCellStMan", group="cells")
    columns = [column("cell", "int", ndim=2, **where)]
    t = table(name, columns, rows, "little", manager("TiledCellStMan", "cells", ["cell"], DEFAULTTILESHAPE=[2, 3]))
    t.putcol("cell", values("int", (rows, 7, 5)))
    finish(t, name)


def dysco(name, rng, distribution, normalization, bits, nu=0.0, written=None, spare=0):
    """DyscoStMan; casacore rounds at random when it writes, so that other runs give other files."""
    channels, correlations, antennas, times = 3, 2, 4, 4
    where = dict(datamanagertype="DyscoStMan", datamanagergroup=name)
    columns = [column(k, "int") for k in ("ANTENNA1", "ANTENNA2", "FIELD_ID", "DATA_DESC_ID")] + [column("TIME", "double")]
    columns += [ct.makearrcoldesc(n, v, valuetype=k, ndim=2, shape=[channels, correlations], options=DIRECT, **where)
                for n, v, k in (("DATA", 0j, "complex"), ("WEIGHT_SPECTRUM", 0.0, "float"), ("MODEL_DATA", 0j, "complex"))]
    pairs = np.array([(p, q) for p in range(antennas) for q in range(p, antennas)])
    spec = dict(dataBitCount=bits[0], weightBitCount=bits[1], distribution=distribution, normalization=normalization,
                studentTNu=nu, distributionTruncation=2.5)
    rows = times * len(pairs) - spare  # the last block need not be full
    t = table(name, columns, rows, "little", manager("DyscoStMan", name, ["DATA", "WEIGHT_SPECTRUM", "MODEL_DATA"], **spec))
    order = np.concatenate([pairs if i != 2 else pairs[rng.permutation(len(pairs))] for i in range(times)])[:rows]
    t.putcol("ANTENNA1", order[:, 0].astype(np.int32))
    t.putcol("ANTENNA2", order[:, 1].astype(np.int32))
    t.putcol("TIME", np.repeat(np.arange(times) * 10.0, len(pairs))[:rows])
    for k in ("DATA", "MODEL_DATA"):
        own = (rng.normal(size=(rows, channels, correlations)) + 1j * rng.normal(size=(rows, channels, correlations))) * 10
        own[rng.random(own.shape) < 0.03] = np.nan
        for i in range(rows if written is None else written):
            t.putcell(k, i, own[i].astype(np.complex64))
    for i in range(rows if written is None else written):
        t.putcell("WEIGHT_SPECTRUM", i, rng.random((channels, correlations)).astype(np.float32))
    finish(t, name, spare)
    if written is not None:  # casacore gives zeros for the others
        t = ct.table(name, ack=False, lockoptions="usernoread")
        for k in ("DATA", "WEIGHT_SPECTRUM", "MODEL_DATA"):
            data = np.ascontiguousarray(t.getcol(k, 0, written))
            expected[name][k] = {"written": written, "digest": hashlib.sha256(data.tobytes()).hexdigest()}
        t.close()
        os.path.exists(f"{name}/table.lock") and os.remove(f"{name}/table.lock")


def texts(name):
    """Arrays of texts in an IncrementalStMan."""
    where = dict(manager="IncrementalStMan", group="ism")
    columns = [column("v_string", "string", ndim=1, **where), column("d_string", "string", (2,), DIRECT, **where), column("n", "int", **where)]
    t = table(name, columns, 7, "big", manager("IncrementalStMan", "ism", [c["name"] for c in columns]))
    for i in range(7):
        t.putcell("v_string", i, np.array(["a" * (i // 2), "b"][: 1 + i % 3]))
        t.putcell("d_string", i, np.array(["q" * (i // 3), "é"]))
    finish(t, name)


def aips(name):
    """StManAipsIO: written in several parts, as rows were added, or in one."""
    where = dict(manager="StManAipsIO", group="aips")
    columns = [column(f"s_{k}", k, **where) for k in TYPES] + [column("s_string", "string", **where)]
    columns += [column("d_float", "float", (3, 2), DIRECT, **where), column("d_boolean", "boolean", (3, 5), DIRECT, **where)]
    columns += [column("d_string", "string", (2,), DIRECT, **where), column("i_complex", "complex", (2, 2), FIXED, **where)]
    columns += [column("v_boolean", "boolean", ndim=1, **where), column("v_string", "string", ndim=1, **where)]
    rows = 13
    t = table(name, columns, 5 if name == "aips_parts" else rows, "little", manager("StManAipsIO", "aips", [c["name"] for c in columns]))
    if name == "aips_parts":
        t.addrows(rows - 5)
    for k in TYPES:
        t.putcol(f"s_{k}", values(k, rows))
    t.putcol("d_float", values("float", (rows, 3, 2)))
    t.putcol("d_boolean", values("boolean", (rows, 3, 5)))
    t.putcol("i_complex", values("complex", (rows, 2, 2)))
    t.putcol("v_boolean", values("boolean", (rows, 7)))
    for i in range(rows):
        t.putcell("s_string", i, "é" * i)
        t.putcell("d_string", i, np.array(["", "b" * i]))
        t.putcell("v_string", i, np.array(["x"] * (i % 3) + ["y" * i]))
    finish(t, name)


def family(name):
    columns = [column("n", "int")]
    t = table(name, columns, 3, "little", manager("StandardStMan", "ssm", ["n"]))
    t.putcol("n", np.arange(3, dtype=np.int32))
    own = [column("POSITION", "double", (3,), DIRECT), column("NAME", "string")]
    sub = ct.table(f"{name}/ANTENNA", ct.maketabdesc(own), nrow=2, ack=False)
    sub.putcol("POSITION", values("double", (2, 3)))
    sub.putcol("NAME", ["first", "the second antenna"])
    t.putkeyword("ANTENNA", sub)
    finish(sub, f"{name}/ANTENNA")
    finish(t, name)


def empty(name):
    columns = [column("n", "int"), column("a", "float", (2,), DIRECT), column("v", "float", ndim=1)]
    finish(table(name, columns, 0, "little", {}), name)


def viewed(name, endian, rows, rng):
    """A table of several storage managers with a table that belongs to it."""
    kinds = {"n": ("int", None, "StandardStMan"), "truth": ("boolean", None, "StandardStMan"), "word": ("string", None, "StandardStMan"),
             "place": ("double", (3,), "StandardStMan"), "slow": ("short", None, "IncrementalStMan"), "bits": ("boolean", (1, 3), "TiledShapeStMan"),
             "tile": ("complex", (4, 2), "TiledColumnStMan"), "array": ("float", (2, 2), "IncrementalStMan" if endian == "big" else "StandardStMan")}
    columns, info = [], {}
    for i, (k, (kind, cell, m)) in enumerate(kinds.items()):
        if name == "view_night" and k == "tile":
            m = "StandardStMan"
        options = FIXED if m == "TiledColumnStMan" or (cell and not m.startswith("Tiled")) else 0
        columns.append(column(k, kind, cell if options else None, options, ndim=len(cell) if cell else -1, manager=m, group=f"{m}_{k}"))
        spec = {"DEFAULTTILESHAPE": [2, 2, 4]} if m.startswith("Tiled") else {}
        info[f"*{i + 1}"] = {"TYPE": m, "NAME": f"{m}_{k}", "SPEC": spec, "COLUMNS": [k]}
    t = table(name, columns, rows, endian, info)
    for k, (kind, cell, _) in kinds.items():
        for i in range(rows):
            if kind == "string":
                t.putcell(k, i, f"{name} {i}" * (1 + i % 2))
            elif k == "n":
                t.putcell(k, i, i)
            elif cell is None:
                t.putcell(k, i, bool(rng.random() < 0.5) if kind == "boolean" else int(i // 4))
            else:
                own = rng.normal(size=cell) + 1j * rng.normal(size=cell)
                t.putcell(k, i, own.real < 0 if kind == "boolean" else own.astype(TYPES[kind]) if kind == "complex" else own.real.astype(TYPES[kind]))
    t.putkeyword("day", name)
    t.putcolkeyword("place", "QuantumUnits", ["m", "m", "m"])
    sub = ct.table(f"{name}/ANTENNA", ct.maketabdesc([column("POSITION", "double", (3,), DIRECT), column("NAME", "string")]), nrow=2, ack=False)
    sub.putcol("POSITION", rng.normal(size=(2, 3)))
    sub.putcol("NAME", [f"{name} first", "second"])
    t.putkeyword("ANTENNA", sub)
    finish(sub, f"{name}/ANTENNA")
    finish(t, name)


def views(rng):
    """Tables that show rows of others."""
    viewed("view_day", "little", 21, rng)
    viewed("view_night", "big", 10, rng)

    def save(view, name):
        shutil.rmtree(name, ignore_errors=True)
        view.copy(name)
        view.close()
        finish(ct.table(name, ack=False, lockoptions="usernoread"), name)

    day = ct.table("view_day", ack=False, lockoptions="usernoread")
    save(day.query("n % 3 != 1", sortlist="n desc"), "view_rows")
    save(day.select("n as number, tile, word as name, bits"), "view_columns")
    save(day.selectrows([7, 7, 20, 0]), "view_twice")
    save(day.query("n < 0"), "view_none")
    shutil.rmtree("view_both", ignore_errors=True)
    both = ct.table(["view_day", "view_night"], concatsubtables=["ANTENNA"], ack=False, lockoptions="usernoread")
    both.rename("view_both")
    both.close()
    both = ct.table("view_both", ack=False, lockoptions="usernoread")
    save(both.selectrows([30, 3, 22, 21, 20, 5]), "view_of_both")
    finish(both, "view_both")
    for name in ("view_day", "view_night"):
        for lock in (f"{name}/table.lock", f"{name}/ANTENNA/table.lock"):
            os.path.exists(lock) and os.remove(lock)


for order in ("little", "big"):
    standard(f"standard_{order}", order)
    incremental(f"incremental_{order}", order)
    tiled_column(f"tiled_column_{order}", order)
    tiled_shape(f"tiled_shape_{order}", order)
removed("standard_removed")
tiled_cell("tiled_cell")
family("family")
empty("empty")
texts("incremental_texts")
dysco("dysco_af", np.random.default_rng(1), "TruncatedGaussian", "AF", (10, 12), spare=3)
dysco("dysco_rf", np.random.default_rng(2), "Uniform", "RF", (4, 3))
dysco("dysco_row", np.random.default_rng(3), "StudentT", "Row", (6, 16), nu=3.5, written=30)
dysco("dysco_gaussian", np.random.default_rng(4), "Gaussian", "AF", (3, 8))
aips("aips_parts")
aips("aips_whole")
views(np.random.default_rng(5))
with open("expected.json", "w") as file:
    json.dump(expected, file, indent=1, ensure_ascii=False)
    file.write("\n")
