"""Makes the HDF5 files of this folder with h5py, and expected.json with what h5py reads from them.

Run with h5py 3.16 and hdf5plugin 7.1: `python tests/data/hdf5/make.py`.
"""

import hashlib
import json
import os

import h5py
import hdf5plugin
import numpy as np

os.chdir(os.path.dirname(os.path.abspath(__file__)))
FRAMES = np.arange(4 * 5 * 6).reshape(4, 5, 6)


def sources():
    for k in range(3):
        with h5py.File(f"source_{k}.h5", "w") as f:
            data = (FRAMES + 1000 * k).astype("u2")
            f.create_dataset("plain", data=data)
            f.create_dataset("deep", data=data, chunks=(3, 5, 3), compression="gzip", shuffle=True)
            f.create_dataset("single", data=data, chunks=(1, 5, 6), compression="lzf")


def virtual():
    source = lambda k, name: h5py.VirtualSource(f"source_{k}.h5", name, shape=(4, 5, 6))
    with h5py.File("virtual.h5", "w", libver="latest") as f:
        for name in ["plain", "deep", "single"]:
            layout = h5py.VirtualLayout((16, 5, 6), "u2")
            for k in range(4):  # source_3.h5 is missing
                layout[4 * k : 4 * k + 4] = source(k, name)
            f.create_virtual_dataset(name, layout, fillvalue=7)
        layout = h5py.VirtualLayout((8, 5, 6), "u2")
        for k in range(2):
            layout[k::2] = source(k, "single")
        f.create_virtual_dataset("interleaved", layout)
        layout = h5py.VirtualLayout((4, 12, 6), "u2")
        for k in range(2):
            layout[:, 7 * k : 7 * k + 5] = source(k, "plain")
        f.create_virtual_dataset("modules", layout, fillvalue=9)
        layout = h5py.VirtualLayout((2, 4, 5, 6), "u2")
        for k in range(2):
            layout[k] = source(k, "single")
        f.create_virtual_dataset("grid", layout)
        layout = h5py.VirtualLayout((4, 2, 3), "u2")
        layout[:] = source(0, "deep")[:, 1:3, 2:5]
        f.create_virtual_dataset("part", layout)
        f.create_dataset("own", data=np.arange(80, dtype=">i4").reshape(4, 4, 5))
        layout = h5py.VirtualLayout((8, 4, 5), ">i4")
        for k in range(2):
            layout[k * 4 : k * 4 + 2] = h5py.VirtualSource(".", "own", shape=(4, 4, 5))[k:4:2]
        f.create_virtual_dataset("self", layout, fillvalue=-3)
        space = h5py.h5s.create_simple((12, 5, 6), (h5py.h5s.UNLIMITED, 5, 6))
        space.select_hyperslab((0, 0, 0), (h5py.h5s.UNLIMITED, 1, 1), (4, 1, 1), (4, 5, 6))
        creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        creation.set_virtual(space, b"source_%b.h5", b"single", h5py.h5s.create_simple((4, 5, 6)))
        h5py.h5d.create(f.id, b"numbered", h5py.h5t.STD_U16LE, space, creation)
    with h5py.File("virtual_old.h5", "w", libver=("earliest", "v110")) as f:
        layout = h5py.VirtualLayout((8, 5, 6), "u2")
        for k in range(2):
            layout[k::2] = source(k, "plain")
        f.create_virtual_dataset("interleaved", layout)


def external():
    FRAMES.astype("u2").tofile("external_0.bin")
    (FRAMES + 1000).astype("u2").tofile("external_1.bin")
    with h5py.File("external.h5", "w") as f:
        f.create_dataset("one", shape=(3, 5, 6), dtype="u2", external=[("external_0.bin", 60, 180)])
        both = [("external_0.bin", 0, 240), ("external_1.bin", 0, 240)]
        f.create_dataset("two", shape=(8, 5, 6), dtype="u2", external=both)


def dectris():
    with h5py.File("series_master.h5", "w") as f:
        group = f.create_group("entry/data")
        for k in range(3):
            target = f"series_data_{k + 1:06d}.h5"
            group[f"data_{k + 1:06d}"] = h5py.ExternalLink(target, "/entry/data/data")
        detector = f.create_group("entry/instrument/detector")
        detector["description"] = b"Dectris ARINA"
        detector["count_time"] = 0.001
        detector["x_pixel_size"] = 1e-4
        detector["x_pixel_size"].attrs["units"] = b"m"
        detector["y_pixel_size"] = 1e-4
        detector.create_group("detectorSpecific")["ntrigger"] = 10
    for k in range(3):
        with h5py.File(f"series_data_{k + 1:06d}.h5", "w") as f:
            data = (FRAMES[: 4 if k < 2 else 2] + 1000 * k).astype("u4")
            f.create_dataset("entry/data/data", data=data, chunks=(1, 5, 6), **hdf5plugin.Bitshuffle())


def filters():
    """Filters and types of which ../shared has no sample."""
    data = np.random.default_rng(3).poisson(3, (3, 40, 50)).astype("u2")
    with h5py.File("filters.h5", "w") as f:
        chunks = (1, 40, 50)
        f.create_dataset("bitshuffle_zstd", data=data, chunks=chunks, **hdf5plugin.Bitshuffle(cname="zstd"))
        f.create_dataset("bitshuffle_blocks", data=data, chunks=chunks, **hdf5plugin.Bitshuffle(nelems=1024))
        f.create_dataset("lzf", data=data, chunks=chunks, compression="lzf", shuffle=True)
        f.create_dataset("scaleoffset", data=data, chunks=chunks, scaleoffset=0)
        for kind in ["u1", "<i4", ">i2", ">u4", "<i8"]:
            signed = np.where(data == 7, 0, data.astype("i8") - (5 if kind[-2] == "i" else 0)).astype(kind)
            f.create_dataset(f"scaleoffset_{kind[-2:]}_{kind[0] == '>'}", data=signed, chunks=chunks, scaleoffset=0, fillvalue=3)
        f.create_dataset("complex", data=data + 1j * data, chunks=(2, 16, 16), compression=9, shuffle=True, fletcher32=True)
        f.create_dataset("bitshuffle_f8", data=data / 3, chunks=chunks, **hdf5plugin.Bitshuffle())


def library():
    """Filters that only the HDF5 library undoes."""
    data = np.arange(4 * 6 * 8, dtype="u2").reshape(4, 6, 8)
    with h5py.File("library.h5", "w") as f:
        for name, kind in [("nbit", h5py.h5t.STD_U16LE), ("nbit_big", h5py.h5t.STD_U16BE)]:
            twelve = kind.copy()
            twelve.set_precision(12)
            creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            creation.set_chunk((1, 6, 8))
            creation.set_filter(h5py.h5z.FILTER_NBIT, h5py.h5z.FLAG_MANDATORY)
            creation.set_fletcher32()
            space = h5py.h5s.create_simple(data.shape)
            dataset = h5py.h5d.create(f.id, name.encode(), twelve, space, creation)
            dataset.write(h5py.h5s.ALL, h5py.h5s.ALL, data, mtype=h5py.h5t.NATIVE_UINT16)
        f.create_dataset("szip", data=data, chunks=(1, 6, 8), compression="szip")


def expectations():
    found = {}
    for name in sorted(n for n in os.listdir() if n.endswith(".h5")):
        with h5py.File(name) as f:
            arrays = {}

            def visit(path, item):
                if isinstance(item, h5py.Dataset) and item.dtype.kind in "uifc" and item.ndim >= 3:
                    data = item[...]
                    plain = data.astype(data.dtype.newbyteorder("<"))
                    arrays["/" + path] = [list(data.shape), hashlib.sha256(plain.tobytes()).hexdigest()]

            f.visititems(visit)
            if arrays:
                found[name] = arrays
    stack = np.concatenate([h5py.File(f"series_data_{k + 1:06d}.h5")["entry/data/data"][...] for k in range(3)])
    found["series_master.h5"] = {
        "/entry/data/data": [list(stack.shape), hashlib.sha256(stack.astype("<u4").tobytes()).hexdigest()]
    }
    with open("expected.json", "w") as out:
        json.dump(found, out, indent=1)
        out.write("\n")


if __name__ == "__main__":
    sources()
    virtual()
    external()
    dectris()
    filters()
    library()
    expectations()
