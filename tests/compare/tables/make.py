"""Makes random tables, and says what casacore reads from them, as one line of JSON per table.

Needs python-casacore and numpy. Usage: python make.py FOLDER COUNT SEED
"""

import hashlib
import json
import os
import sys

import casacore.tables as ct
import numpy as np

TYPES = {
    "boolean": np.bool_, "uchar": np.uint8, "short": np.int16, "int": np.int32, "uint": np.uint32, "int64": np.int64,
    "float": np.float32, "double": np.float64, "complex": np.complex64, "dcomplex": np.complex128,
}
MANAGERS = ["StandardStMan", "IncrementalStMan", "TiledColumnStMan", "TiledShapeStMan", "TiledCellStMan", "StManAipsIO"]


def values(rng, kind, shape):
    dtype = np.dtype(TYPES[kind])
    if dtype.kind == "b":
        return rng.random(shape) < rng.random()
    if dtype.kind in "ui":
        return rng.integers(0, 100, shape).astype(dtype)
    return (rng.normal(size=shape) + (1j * rng.normal(size=shape) if dtype.kind == "c" else 0)).astype(dtype)


def random_columns(rng, manager, group):
    """Columns of one storage manager: (description, name, type, shape of a cell or None)."""
    tiled = manager.startswith("Tiled")
    count = 1 if manager in ("TiledShapeStMan", "TiledCellStMan") else int(rng.integers(1, 4))
    dims = int(rng.integers(1, 4))
    common = [int(n) for n in rng.integers(1, 9, dims)]
    for i in range(count):
        kind = str(rng.choice(list(TYPES)))
        name = f"{group}_{i}_{kind}"
        default = TYPES[kind](0).item()
        where = dict(valuetype=kind, datamanagertype=manager, datamanagergroup=group)
        if tiled:
            fixed = manager == "TiledColumnStMan"
            shape = common
            desc = ct.makearrcoldesc(name, default, ndim=dims, shape=shape if fixed else [], options=4 if fixed else 0, **where)
        else:
            form = rng.choice(["scalar", "direct", "fixed", "free"])
            if form == "scalar":
                yield ct.makescacoldesc(name, default, **where), name, kind, None
                continue
            shape = [int(n) for n in rng.integers(1, 6, int(rng.integers(1, 4)))]
            options = {"direct": 5, "fixed": 4, "free": 0}[str(form)]
            desc = ct.makearrcoldesc(name, default, ndim=len(shape), shape=shape if options else [], options=options, **where)
        yield desc, name, kind, shape


def viewed(rng, path):
    """The table itself, or a table beside it that shows its rows: some of them, twice, or both."""
    kind = rng.choice(["itself", "rows", "twice", "rows of twice"])
    if "twice" in kind:
        both = ct.table([path, path], ack=False)
        both.rename(path + ".twice")
        both.close()
        path += ".twice"
    if "rows" in kind:
        t = ct.table(path, ack=False)
        rows = rng.integers(0, t.nrows(), int(rng.integers(1, 2 * t.nrows() + 1)))
        t.selectrows(np.sort(rows) if rng.random() < 0.5 else rows).copy(path + ".rows")
        t.close()
        path += ".rows"
    return path


def make(rng, path):
    rows = 3000 if rng.random() < 0.05 else int(rng.choice([1, 2, 7, 33, 100, 257]))  # 3000: several chunks
    columns, info = [], {}
    for g in range(int(rng.integers(1, 4))):
        manager, group = str(rng.choice(MANAGERS)), f"g{g}"
        own = list(random_columns(rng, manager, group))
        columns += own
        spec = {}
        if manager.startswith("Tiled"):
            cell = own[0][3]
            tile = [int(rng.integers(1, n + 2)) for n in reversed(cell)]
            spec["DEFAULTTILESHAPE"] = tile if manager == "TiledCellStMan" else [*tile, int(rng.integers(1, 40))]
        elif manager == "StandardStMan":
            spec["BUCKETROWS"] = int(rng.integers(1, 50))
        elif manager == "IncrementalStMan":
            spec["BUCKETSIZE"] = int(rng.choice([4096, 8192, 32768]))
        info[f"*{g + 1}"] = {"TYPE": manager, "NAME": group, "SPEC": spec, "COLUMNS": [name for _, name, _, _ in own]}
    first = rows if rng.random() < 0.5 else int(rng.integers(0, rows + 1))
    t = ct.table(path, ct.maketabdesc([c[0] for c in columns]), nrow=first, ack=False, dminfo=info,
                 endian=str(rng.choice(["little", "big"])))
    if rng.random() < 0.5:
        t.close()
        t = ct.table(path, ack=False, readonly=False)
    if rows > first:
        t.addrows(rows - first)
    for _, name, kind, cell in columns:
        data = values(rng, kind, (rows, *(cell or [])))
        if rng.random() < 0.5:
            data[:] = data[np.arange(rows) // 5 * 5]  # runs of equal values
        for row in (rng.permutation(rows) if rng.random() < 0.3 else range(rows)):
            t.putcell(name, int(row), data[row] if cell else data[row].item())
    only_standard = all(one["TYPE"] in MANAGERS[:2] for one in info.values())
    if only_standard and rows > 10 and rng.random() < 0.5:
        t.removerows(sorted({int(n) for n in rng.integers(0, rows, 4)}))
    t.close()
    path = viewed(rng, path)
    t = ct.table(path, ack=False)
    found = {}
    for _, name, kind, _ in columns:
        data = np.stack([t.getcell(name, i) for i in range(t.nrows())]).astype(TYPES[kind])  # columns of rows of tiles fail in casacore
        found[name] = {"shape": list(data.shape), "sha256": hashlib.sha256(data.astype(data.dtype.newbyteorder("<")).tobytes()).hexdigest()}
    t.close()
    return path, found, {key: (one["TYPE"], one["SPEC"]) for key, one in info.items()}


folder, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
for i in range(count):
    path = os.path.join(folder, f"{seed + i}.tab")
    try:
        path, columns, info = make(np.random.default_rng(seed + i), path)
    except RuntimeError as error:  # IncrementalStMan of casacore cannot split some buckets of values in random order
        if "canSplit" in str(error):
            continue
        raise
    print(json.dumps({"path": path, "seed": seed + i, "columns": columns, "info": str(info)}), flush=True)
