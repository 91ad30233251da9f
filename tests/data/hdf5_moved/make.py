"""Makes HDF5 files whose user block was added, shortened or taken away after they were written, and expected.json.

The superblock of such a file still says where it was when the file was written. What h5py reads is what has to be
read; its `userblock_size` is where it takes addresses to count from. Run with h5py 3.16: `python make.py`.
"""

import ctypes
import glob
import hashlib
import json
import os

import h5py
import numpy as np

os.chdir(os.path.dirname(os.path.abspath(__file__)))
FRAMES = np.random.default_rng(8).poisson(3, (6, 8, 10)).astype("u2")
MEMBER = 3072
LIBRARY = ctypes.CDLL(glob.glob(os.path.dirname(os.path.dirname(h5py.__file__)) + "/h5py.libs/libhdf5-*.so*")[0])


def few(f, virtual=False):
    f.create_dataset("contiguous", data=FRAMES)
    f.create_dataset("fixed", data=FRAMES, chunks=(1, 8, 10), compression=1)


def arrays(f, virtual):
    few(f)
    f.create_dataset("never_written", shape=(6, 8, 10), dtype="u2", fillvalue=5)
    compact = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    compact.set_layout(h5py.h5d.COMPACT)
    dataset = h5py.h5d.create(f.id, b"compact", h5py.h5t.STD_U16LE, h5py.h5s.create_simple(FRAMES.shape), compact)
    dataset.write(h5py.h5s.ALL, h5py.h5s.ALL, FRAMES)
    f.create_dataset("one_chunk", data=FRAMES, chunks=FRAMES.shape, compression=1)
    f.create_dataset("growing", data=FRAMES, chunks=(1, 4, 5), maxshape=(None, 8, 10), shuffle=True, fletcher32=True)
    f.create_dataset("growing_twice", data=FRAMES, chunks=(2, 4, 10), maxshape=(None, None, 10))
    early = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    early.set_chunk((1, 8, 10))
    early.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    dataset = h5py.h5d.create(f.id, b"implicit", h5py.h5t.STD_U16LE, h5py.h5s.create_simple(FRAMES.shape), early)
    dataset.write(h5py.h5s.ALL, h5py.h5s.ALL, FRAMES)
    group = f.create_group("group")
    for k in range(12):  # more than fit the header: links and attributes go to heaps
        group.attrs[f"attribute {k}"] = "text" * k
        group[f"link {k}"] = h5py.SoftLink("/contiguous")
    f.create_dataset("group/described", data=FRAMES)
    f["group/described"].attrs["units"] = ["counts", "of any length"]
    f.create_dataset("external", shape=FRAMES.shape, dtype="u2", external=[("frames.bin", 0, FRAMES.nbytes)])
    if virtual:
        layout = h5py.VirtualLayout((12, 8, 10), "u2")
        layout[::2] = h5py.VirtualSource(".", "fixed", shape=FRAMES.shape)
        layout[1::2] = h5py.VirtualSource("added_0.h5", "growing", shape=FRAMES.shape)
        f.create_virtual_dataset("virtual", layout, fillvalue=9)


def stored(version, block=0, fill=few):
    """The bytes of a file whose superblock has a version, behind a user block that it knows."""
    bounds = {0: ("earliest", "v110"), 1: ("earliest", "v110"), 2: ("v108", "v108"), 3: ("latest", "latest")}[version]
    bound = {"earliest": h5py.h5f.LIBVER_EARLIEST, "v108": h5py.h5f.LIBVER_V18, "v110": h5py.h5f.LIBVER_V110}
    access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    access.set_libver_bounds(*(bound.get(name, h5py.h5f.LIBVER_LATEST) for name in bounds))
    creation = h5py.h5p.create(h5py.h5p.FILE_CREATE)
    creation.set_userblock(block)
    if version == 1:
        LIBRARY.H5Pset_istore_k(ctypes.c_int64(creation.id), 2)  # h5py has no function for it
    with h5py.File(h5py.h5f.create(b"new.h5", h5py.h5f.ACC_TRUNC, creation, access)) as f:
        fill(f, virtual=version != 2)
    with open("new.h5", "rb") as f:
        found = f.read()
    os.remove("new.h5")
    assert found[block + 8] == version
    return found


def block(size):
    return (b"a block that was put in front\n" * size)[:size]


def write(name, data):
    with open(name, "wb") as out:
        out.write(data)


def family():
    """A family of files: with a block from the start, and with one that was put in front of the first member."""
    for name, size in [("family_known_%d.h5", 512), ("new_%d.h5", 0)]:
        with h5py.File(name, "w", driver="family", memb_size=MEMBER, userblock_size=size) as f:
            few(f)
    parts = sorted(name for name in os.listdir() if name.startswith("new_"))
    whole = block(1024) + b"".join(open(name, "rb").read() for name in parts)
    for name in parts:
        os.remove(name)
    for k in range(0, len(whole), MEMBER):
        write(f"family_added_{k // MEMBER}.h5", whole[k : k + MEMBER])


def expectations():
    found = {}
    for name in sorted(n for n in os.listdir() if n.endswith(".h5")):
        opening = {"name": name}
        if name.startswith("family"):
            if not name.endswith("_0.h5"):
                continue
            opening = {"name": name.replace("_0", "_%d"), "driver": "family", "memb_size": MEMBER}
        with h5py.File(mode="r", **opening) as f:
            digests = {}

            def visit(path, item):
                if isinstance(item, h5py.Dataset):
                    digests["/" + path] = [list(item.shape), hashlib.sha256(item[...].astype("<u2").tobytes()).hexdigest()]

            f.visititems(visit)
            found[name] = {"userBlock": f.userblock_size, "arrays": digests}
    with open("expected.json", "w") as out:
        json.dump(found, out, indent=1)
        out.write("\n")


if __name__ == "__main__":
    FRAMES[::-1].tofile("frames.bin")
    for version, size in [(0, 512), (1, 1024), (2, 2048), (3, 8192)]:
        write(f"added_{version}.h5", block(size) + stored(version, fill=arrays))
    write("longer.h5", block(1024) + stored(0, 512)[512:])
    write("shorter.h5", block(512) + stored(3, 4096)[4096:])
    write("removed.h5", stored(0, 2048)[2048:])
    write("removed_3.h5", stored(3, 512)[512:])
    family()
    expectations()
