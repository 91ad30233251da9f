"""Makes the small HDF5 files of this folder, in the newest version of the format, whose metadata have checksums.

Every structure with a checksum is in one of them: `tests/formats/hdf5/hdf5_checksums_test.ts` looks for the
signatures; a file with shared messages is in `../hdf5`. Texts have fixed lengths, since those of any length lie in heaps
without checksums.

    python make.py
"""

from pathlib import Path

import h5py
import numpy as np

HERE = Path(__file__).parent


def new(name, libver="latest", **options):
    return h5py.File(HERE / name, "w", libver=libver, **options)


def samples(*shape, dtype="u1"):
    return (np.arange(np.prod(shape)) % 251).reshape(shape).astype(dtype)


def groups():
    """Links and attributes in heaps: a B-tree with inner nodes, a heap with indirect blocks."""
    with new("groups.h5") as file:
        data = file.create_dataset("frames", data=samples(2, 3, 4))
        for i in range(10):
            data.attrs[f"fact {i}"] = np.bytes_(f"text number {i} of this data set")
        for i in range(60):
            file[f"a name of a link {i:03}"] = h5py.SoftLink("/frames")
        for i in range(12):
            file[f"more/hard link {i:03}"] = data


def headers():
    """Object headers with blocks behind the first, compact samples, axes."""
    with new("headers.h5") as file:
        file.create_dataset("frames", data=samples(3, 4, 5, dtype=">i2"))
        other = file.create_dataset("other", data=samples(2, 3))
        for i in range(7):
            file["frames"].attrs[f"fact {i}"] = i / 4
            other.attrs[f"fact {i}"] = np.arange(i, dtype="i4")
        space = h5py.h5s.create_simple((2, 2, 3))
        options = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        options.set_layout(h5py.h5d.COMPACT)
        compact = h5py.h5d.create(file.id, b"compact", h5py.h5t.STD_U16LE, space, options)
        compact.write(h5py.h5s.ALL, h5py.h5s.ALL, samples(2, 2, 3, dtype="u2"))


def superblock_2():
    with new("superblock_2.h5", libver=("v108", "v108"), userblock_size=512) as file:
        file.create_dataset("frames", data=samples(2, 3, 4))


def fixed():
    """Fixed arrays: plain, filtered, and in pages of which some were never written."""
    with new("fixed.h5") as file:
        file.create_dataset("plain", data=samples(5, 4, 6), chunks=(2, 2, 3))
        file.create_dataset("packed", data=samples(5, 4, 6, dtype="f4"), chunks=(2, 4, 6), compression="gzip")
        file.create_dataset("one", data=samples(1, 4, 6), chunks=(1, 4, 6), compression="gzip")
        paged = file.create_dataset("paged", (2100, 1, 1), "u1", chunks=(1, 1, 1))
        paged[5:8] = 7
        paged[2060:2063] = 9


def extensible():
    """Extensible arrays: index, data blocks, super blocks; and in pages of which one was written."""
    with new("extensible.h5") as file:
        data = file.create_dataset("plain", (300, 1, 1), "u1", chunks=(1, 1, 1), maxshape=(None, 1, 1))
        data[:20] = samples(20, 1, 1)
        data[290:] = 5
        options = dict(chunks=(1, 2, 3), maxshape=(None, 2, 3), compression="gzip")
        file.create_dataset("packed", data=samples(7, 2, 3), **options)


def extensible_pages():
    with new("extensible_pages.h5") as file:
        data = file.create_dataset("paged", (140_000, 1, 1), "u1", chunks=(1, 1, 1), maxshape=(None, 1, 1))
        data[139_990:] = 3


def trees():
    """Chunks in a B-tree with inner nodes; plain and filtered."""
    with new("trees.h5") as file:
        free = (None, None, 1)
        file.create_dataset("plain", data=samples(12, 12, 1), chunks=(1, 1, 1), maxshape=free)
        file.create_dataset("packed", data=samples(2, 3, 1), chunks=(1, 1, 1), maxshape=free, compression="gzip")


def deep():
    """Chunks in a B-tree with inner nodes below inner ones, plain and filtered: long records, few in a node."""
    with new("deep.h5") as file:
        ones = (1,) * 30
        for name, options in (("plain", {}), ("packed", dict(compression="gzip"))):
            free = dict(chunks=(1, 1, *ones), maxshape=(None, None, *ones))
            file.create_dataset(name, data=samples(9, 10, *ones), **free, **options)


def virtual():
    """A virtual data set of two others in the same file: its description has a checksum of its own."""
    with new("virtual.h5") as file:
        layout = h5py.VirtualLayout((4, 3, 2), "u1")
        for i in range(2):
            name = f"part {i}"
            file.create_dataset(name, data=samples(2, 3, 2) + 20 * i)
            layout[2 * i:2 * i + 2] = h5py.VirtualSource(".", name, (2, 3, 2))
        file.create_virtual_dataset("whole", layout, fillvalue=1)


def many():
    """More arrays than anybody wants to see at once; the last is the largest."""
    with new("many.h5") as file:
        for i in range(130):
            file[f"array_{i:03}"] = samples(2, 2, 2 + i // 129)


def claims():
    """Shapes of which nothing was written."""
    with new("claims.h5") as file:
        file.create_dataset("chunked", (10**6, 10, 10**7 // 512, 512), "u1", chunks=(10**4, 10, 1, 512))
        file.create_dataset("plain", (10**6, 10**4, 10**4), "u1")
        file.create_dataset("packed", (10**6, 10**4, 10**4), "u2", chunks=(1, 100, 100), compression="gzip")


if __name__ == "__main__":
    for make in (groups, headers, superblock_2, fixed, extensible, extensible_pages, trees, deep, virtual, many, claims):
        make()
