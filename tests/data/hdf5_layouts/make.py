"""Makes old.h5, new.h5 and links.h5 with h5py: small arrays in every layout, chunk index, filter, type and order of bytes, with chunks that were
never written, chunks that stick out, and filters that are left out; and expected.json with what h5py reads from them.

Run with h5py 3.16: `python tests/data/hdf5_layouts/make.py`.
"""

import hashlib
import itertools
import json
import os

import h5py
import numpy as np

os.chdir(os.path.dirname(os.path.abspath(__file__)))
SHAPE, CHUNK = (3, 5, 7), (2, 2, 3)
RANDOM = np.random.default_rng(30)
KINDS = ["u1", "<u2", ">u2", "i1", "<i2", ">i4", "<u4", ">f4", "<f4", "<i8", ">f8", "<u8", "<f8", "<c8", ">c16", "<f2"]
FILTERS = {
    "plain": {},
    "deflate": {"compression": 6},
    "shuffle-deflate": {"shuffle": True, "compression": 4},
    "fletcher32": {"fletcher32": True},
    "all": {"shuffle": True, "compression": 1, "fletcher32": True},
    "lzf": {"compression": "lzf"},
    "shuffle-lzf": {"shuffle": True, "compression": "lzf"},
    "scaleoffset": {"scaleoffset": 0},
    "szip": {"compression": "szip"},
}
INTEGERS = [kind for kind in KINDS if kind[-2] in "ui"]
SZIP = ["u1", "<u2", ">u2", "<u4"]
kinds = {name: itertools.cycle(SZIP if name == "szip" else INTEGERS if name == "scaleoffset" else KINDS) for name in FILTERS}


def samples(kind, shape=SHAPE):
    """Values of every byte, and NaN and infinities where the type has them; few of them where a filter is to pay."""
    kind = np.dtype(kind)
    if kind.kind in "ui":
        low, high = np.iinfo(kind).min, np.iinfo(kind).max
        low, high = (max(low, -3000), min(high, 60000)) if RANDOM.integers(2) else (low, high)
        return RANDOM.integers(low, high, shape, dtype=kind.newbyteorder("="), endpoint=True).astype(kind)
    data = RANDOM.normal(0, 1000, shape) + (1j * RANDOM.normal(0, 1, shape) if kind.kind == "c" else 0)
    data.flat[3::17], data.flat[5::19] = np.nan, -np.inf
    return data.astype(kind)


def write(group, name, kind, written="all", shape=SHAPE, **options):
    """`written`: all, none, or some chunks."""
    fill = {} if RANDOM.integers(3) == 0 else {"fillvalue": np.dtype(kind).type(17)}
    dataset = group.create_dataset(name, shape=shape, dtype=kind, **{**fill, **options})
    data = samples(kind, shape)
    if written == "all":
        dataset[...] = data
    elif written == "some":
        for k, chunk in enumerate(dataset.iter_chunks()):
            if k % 3 != 1:
                dataset[chunk] = data[chunk]
    return dataset


def chunked(group, **index):
    """Every filter with one index of chunks, whole and with holes."""
    for filters, options in FILTERS.items():
        for written in ["all", "some"]:
            write(group, f"{filters}-{written}", next(kinds[filters]), written, chunks=CHUNK, **options, **index)
    write(group, "none", "<u2", "none", chunks=CHUNK, **index)
    write(group, "exact", ">i2", chunks=(1, 5, 7), shuffle=True, **index)
    write(group, "large", "<f4", chunks=(2, 5, 7), compression=2, **index)  # the last chunk sticks out by a frame
    skipped = write(group, "skipped", "<u4", chunks=CHUNK, shuffle=True, compression=1, fletcher32=True, **index)
    for at, mask in [((0, 0, 0), 2), ((0, 2, 3), 7), ((2, 4, 6), 3)]:  # a chunk to which some filters were not applied
        raw = samples("<u4", CHUNK).tobytes()
        skipped.id.write_direct_chunk(at, raw if mask == 7 else with_fletcher32(raw if mask & 1 else shuffled(raw, 4)), mask)


def shuffled(raw, size):
    return np.frombuffer(raw, "u1").reshape(-1, size).T.tobytes()


def with_fletcher32(raw):
    """H5_checksum_fletcher32: sums over big-endian words, modulo 65535."""
    words = np.frombuffer(raw, ">u2").astype("u8")
    one = int(words.sum()) % 65535 or (65535 if words.any() else 0)
    two = int((words * np.arange(len(words), 0, -1, dtype="u8")).sum()) % 65535 or (65535 if words.any() else 0)
    return raw + np.array([two << 16 | one], "<u4").tobytes()


def unchunked(group):
    for kind in KINDS:
        write(group, f"contiguous-{np.dtype(kind).name}-{'big' if kind[0] == '>' else 'little'}", kind)
    write(group, "contiguous-none", ">f4", "none")
    for kind in ["<u2", ">f8", "u1"]:
        creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        creation.set_layout(h5py.h5d.COMPACT)
        space = h5py.h5s.create_simple(SHAPE)
        name = f"compact-{np.dtype(kind).name}".encode()
        h5py.Dataset(h5py.h5d.create(group.id, name, h5py.h5t.py_create(np.dtype(kind)), space, creation))[...] = samples(kind)
    creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    creation.set_chunk(CHUNK)
    creation.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    dataset = h5py.h5d.create(group.id, b"early", h5py.h5t.STD_U16BE, h5py.h5s.create_simple(SHAPE), creation)
    h5py.Dataset(dataset)[1:3, 2:4, 3:7] = samples("<u2", (2, 2, 4))


def make(file, libver):
    with h5py.File(file, "w", libver=libver) as f:
        unchunked(f.create_group("unchunked"))
        if libver == "earliest":
            chunked(f.create_group("tree"))
            chunked(f.create_group("growing"), maxshape=(None, 20, None))
            many = f.create_group("deep")  # more chunks than one node of the tree has
            write(many, "many", "u1", "some", shape=(6, 7, 8), chunks=(1, 2, 2))
        else:
            chunked(f.create_group("fixed"))
            chunked(f.create_group("extensible"), maxshape=(None, 5, 7))
            chunked(f.create_group("extensible-inner"), maxshape=(3, 5, None))
            chunked(f.create_group("tree"), maxshape=(None, 5, None))
            single = f.create_group("single")
            for filters, options in FILTERS.items():
                write(single, filters, next(kinds[filters]), chunks=SHAPE, **options)
            write(single, "none", "<i4", "none", chunks=SHAPE, compression=1)
            pages = f.create_group("pages")
            for name, options in [("plain", {}), ("deflate", {"compression": 1})]:
                data = write(pages, name, "u1", "none", shape=(3, 20, 20), chunks=(1, 1, 1), **options)
                data[1:, 4:15, 3:17] = samples("u1", (2, 11, 14))
            long = write(f.create_group("long"), "plain", "<u2", "none", shape=(700, 2, 3), maxshape=(None, 2, 3), chunks=(1, 2, 3))
            long[20:40], long[300:301], long[690:] = samples("<u2", (20, 2, 3)), samples("<u2", (1, 2, 3)), samples("<u2", (10, 2, 3))
        crowd = f.create_group("crowd")  # more names than fit into the header of a group
        for k in range(40):
            crowd.create_dataset(f"array-{k:02}", data=np.full((1, 1, 2), k, "u1"))
        f["kind"] = np.dtype(">i4")  # a type with a name, which others share
        f["kind"].attrs["units"] = "m"
        f.create_dataset("named", data=samples(">i4"), dtype=f["kind"])


def links():
    """More names than two floors of nodes take, and attributes behind other messages of a header."""
    with h5py.File("links.h5", "w", libver="latest") as f:
        first = f.create_dataset("first", data=np.arange(6, dtype="u1").reshape(1, 2, 3))
        group = f.create_group("names")
        for k in range(1250):
            group[f"{k}"] = first
        for k in range(4):
            first.attrs[f"fact {k}"] = k


def expectations():
    found = {}
    for name in ["old.h5", "new.h5"]:
        arrays = found[name] = {}

        def visit(path, item):
            if isinstance(item, h5py.Dataset):
                data = item[...]
                plain = data.astype(data.dtype.newbyteorder("<"))
                arrays["/" + path] = [list(data.shape), plain.dtype.name, hashlib.sha256(plain.tobytes()).hexdigest()[:16]]

        with h5py.File(name) as f:
            f.visititems(visit)
    with open("expected.json", "w") as out:
        rows = (f'  "{name}": {{\n' + ",\n".join(f"    {json.dumps(k)}: {json.dumps(v)}" for k, v in sorted(arrays.items())) + "\n  }" for name, arrays in found.items())
        out.write("{\n" + ",\n".join(rows) + "\n}\n")


if __name__ == "__main__":
    make("old.h5", "earliest")
    make("new.h5", "latest")
    links()
    expectations()
