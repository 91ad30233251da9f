"""Makes the HDF5 files of this folder with h5py, and expected.json with what h5py reads from them.

Run with h5py 3.16 and hdf5plugin 7.1: `python tests/data/hdf5/make.py`.
"""

import ctypes
import glob
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


def family():
    """One file in parts, by the driver "family"."""
    with h5py.File("family_%d.h5", "w", driver="family", memb_size=2048, libver="latest") as f:
        f.create_dataset("plain", data=FRAMES.astype("u2"))
        f.create_dataset("packed", data=FRAMES.astype(">i4"), chunks=(1, 5, 6), compression=1)
        f.create_dataset("random", data=np.random.default_rng(5).integers(0, 256, (3, 40, 40)).astype("u1"))
    if os.path.getsize("family_4.h5") == 0:  # taken, and given back
        os.remove("family_4.h5")


def nested():
    """Virtual data sets that show virtual data sets, that show themselves, whose sources grow, or that show nothing."""
    source = lambda file, name, shape: h5py.VirtualSource(file, name, shape=shape)
    with h5py.File("virtual_nested.h5", "w", libver="latest") as f:
        layout = h5py.VirtualLayout((16, 5, 6), "u2")
        layout[:] = source("virtual.h5", "single", (16, 5, 6))  # a quarter of which is missing
        f.create_virtual_dataset("all", layout, fillvalue=41)
        layout = h5py.VirtualLayout((9, 5, 6), "u2")
        layout[1:9] = source("virtual.h5", "single", (16, 5, 6))[::2]
        f.create_virtual_dataset("half", layout, fillvalue=42)
        layout = h5py.VirtualLayout((4, 8, 3), "u2")
        layout[:] = source("virtual.h5", "modules", (4, 12, 6))[:, 2:10, 1:4]
        f.create_virtual_dataset("window", layout, fillvalue=43)
        layout = h5py.VirtualLayout((6, 4, 3), "u2")
        layout[1:5] = source(".", "window", (4, 8, 3))[:, 3:7]
        f.create_virtual_dataset("deeper", layout, fillvalue=44)
        layout = h5py.VirtualLayout((5, 5, 6), "u2")
        layout[:4] = source("source_0.h5", "plain", (4, 5, 6))
        layout[2:4] = source("source_1.h5", "single", (4, 5, 6))[:2]
        layout[3:5] = source("source_2.h5", "plain", (4, 5, 6))[:2]
        f.create_virtual_dataset("overlapping", layout, fillvalue=45)
        f.create_virtual_dataset("nothing", h5py.VirtualLayout((2, 5, 6), "u2"), fillvalue=46)
        for k in range(2):
            f.create_dataset(f"part_{k}", data=FRAMES[: 3 - k].astype("u2") + 500 * k, maxshape=(None, 5, 6), chunks=(1, 5, 6))
        creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        endless = (h5py.h5s.UNLIMITED, 5, 6)
        for k in range(2):
            target = h5py.h5s.create_simple((20, 5, 6), endless)
            target.select_hyperslab((k, 0, 0), (h5py.h5s.UNLIMITED, 1, 1), (2, 1, 1), (1, 5, 6))
            own = h5py.h5s.create_simple((3 - k, 5, 6), endless)
            own.select_hyperslab((0, 0, 0), (h5py.h5s.UNLIMITED, 1, 1), (1, 1, 1), (1, 5, 6))
            creation.set_virtual(target, b".", f"part_{k}".encode(), own)
        h5py.h5d.create(f.id, b"growing", h5py.h5t.STD_U16LE, h5py.h5s.create_simple((20, 5, 6), endless), creation)
    with h5py.File("virtual_loop.h5", "w", libver="latest") as f:  # h5py itself crashes on it
        for one, other in [("egg", "hen"), ("hen", "egg")]:
            layout = h5py.VirtualLayout((2, 5, 6), "u2")
            layout[:] = source(".", other, (2, 5, 6))
            f.create_virtual_dataset(one, layout)
        f.create_dataset("sound", data=FRAMES.astype("u2"))


def odd():
    """What the format allows and few files have."""
    data = np.random.default_rng(4).poisson(3, (3, 8, 10)).astype("u2")
    rgb = np.dtype([("r", "u1"), ("g", "u1"), ("b", "u1")])
    with h5py.File("odd.h5", "w", userblock_size=4096) as f:
        creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        creation.set_chunk((1, 8, 10))
        creation.set_filter(32004, 1, (0,))  # LZ4, then bitshuffle of what that gives, then a checksum
        creation.set_filter(32008, 1, (0, 2))
        creation.set_fletcher32()
        space = h5py.h5s.create_simple(data.shape)
        dataset = h5py.Dataset(h5py.h5d.create(f.id, b"packed_twice", h5py.h5t.STD_U16LE, space, creation))
        dataset[...] = data
        f.create_dataset("group/hidden", data=data)
        f["alias"] = h5py.SoftLink("/group")
        colour = np.array((1, 2, 3), rgb)
        f.create_dataset("colour", shape=(2, 3, 4), dtype=rgb, fillvalue=colour)
        f.create_dataset("colours", shape=(2, 3, 4), dtype=rgb, fillvalue=colour, chunks=(1, 2, 3))
        f.create_dataset("single", data=np.float32(2.5))
        f.create_dataset("none", shape=(3, 0, 5), dtype="u2")
        f.create_dataset("texts", data=np.array(["ab", "c"], dtype="S5"))
        brain = h5py.h5t.IEEE_F16LE.copy()
        brain.set_fields(15, 7, 8, 0, 7)
        brain.set_ebias(127)
        h5py.h5d.create(f.id, b"brain", brain, h5py.h5s.create_simple((3, 6, 8)))
        pieces = [("external_0.bin", 0, 100), ("external_1.bin", 20, 200)]
        f.create_dataset("across", shape=(5, 5, 6), dtype="u2", external=pieces)
        f.create_dataset("lost", shape=(3, 5, 6), dtype="u2", external=[("nowhere.bin", 0, 180)])
    creation = h5py.h5p.create(h5py.h5p.FILE_CREATE)
    creation.set_sizes(4, 4)
    with h5py.File(h5py.h5f.create(b"small_sizes.h5", h5py.h5f.ACC_TRUNC, creation, None)) as f:
        f.create_dataset("group/plain", data=data).attrs["text"] = "of any length"
        f.create_dataset("group/packed", data=data, chunks=(1, 3, 4), compression=1)
    access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    access.set_libver_bounds(h5py.h5f.LIBVER_LATEST, h5py.h5f.LIBVER_LATEST)
    creation = h5py.h5p.create(h5py.h5p.FILE_CREATE)
    library = ctypes.CDLL(glob.glob(os.path.dirname(os.path.dirname(h5py.__file__)) + "/h5py.libs/libhdf5-*.so*")[0])
    everything = sum(1 << kind for kind in [1, 3, 5, 11, 12])  # of these h5py has no functions
    library.H5Pset_shared_mesg_nindexes(ctypes.c_int64(creation.id), 1)
    library.H5Pset_shared_mesg_index(ctypes.c_int64(creation.id), 0, everything, 1)
    with h5py.File(h5py.h5f.create(b"shared.h5", h5py.h5f.ACC_TRUNC, creation, access)) as f:
        for name in ["one", "two", "three"]:
            f.create_dataset(name, data=data + 1j, chunks=(1, 3, 4), compression=1)
            f[name].attrs["units"] = "what all of them have"
            for k in range(10):
                f[name].attrs[f"many_{k}"] = np.arange(8)


def described():
    """Arrays beside others that they describe, as Velox and py4DSTEM have them."""
    with h5py.File("velox.h5", "w") as f:
        text = json.dumps({"BinaryResult": {"PixelSize": {"width": "2e-9", "height": "3e-9"}}}).encode()
        columns = np.zeros((5000, 4), "u1")
        columns[: len(text)] = np.frombuffer(text, "u1")[:, None]
        group = f.create_group("Data/Image/f00d")
        group.create_dataset("Data", data=FRAMES.astype("u2").transpose(1, 2, 0))
        group.create_dataset("Metadata", data=columns, chunks=(5000, 1), compression=9)
    with h5py.File("py4dstem.h5", "w") as f:
        cube = f.create_group("datacube_root/datacube")
        cube.create_dataset("data", data=np.arange(2 * 3 * 4 * 5, dtype="u2").reshape(2, 3, 4, 5))
        calibration = f.create_group("datacube_root/metadatabundle/calibration")
        for name, value in [("R_pixel_size", 2.5), ("Q_pixel_size", 0.05), ("R_pixel_units", "nm"), ("Q_pixel_units", "A^-1")]:
            calibration.create_dataset(name, data=value)
        f.create_dataset("datacube_root/metadatabundle/probe", data=np.zeros((40, 50)), compression=1)


def huge():
    """Shapes far beyond any memory, of which next to nothing was written."""
    with h5py.File("huge.h5", "w", libver="latest") as f:
        f.create_dataset("never", shape=(10**9, 4, 4), dtype="u2", fillvalue=7)
        f.create_dataset("sparse", shape=(10**4, 64, 64), dtype="u2", chunks=(100, 64, 64), fillvalue=3, compression=1)[5000] = 1
        f.create_dataset("chunk", shape=(2, 40000, 40000), dtype="u2", chunks=(1, 40000, 40000), compression=1)
        f.create_dataset("rows", shape=(30, 1000, 4, 4), dtype="u2", fillvalue=8)
        layout = h5py.VirtualLayout((2, 30, 1000, 4, 4), "u2")
        layout[1] = h5py.VirtualSource(".", "rows", shape=(30, 1000, 4, 4))
        f.create_virtual_dataset("shown", layout, fillvalue=1)


def expectations():
    found = {}
    for name in sorted(n for n in os.listdir() if n.endswith(".h5")):
        if name in ["huge.h5", "virtual_loop.h5"] or (name.startswith("family_") and name != "family_0.h5"):
            continue
        family = {"name": "family_%d.h5", "driver": "family", "memb_size": 0} if name == "family_0.h5" else {"name": name}
        with h5py.File(mode="r", **family) as f:
            arrays = {}

            def visit(path, item):
                if isinstance(item, h5py.Dataset) and item.dtype.kind in "uifc" and item.ndim >= 3:
                    if path in ["lost", "brain"]:
                        return
                    data = item[...]
                    plain = data.astype(data.dtype.newbyteorder("<"))
                    arrays["/" + path] = [list(data.shape), hashlib.sha256(plain.tobytes()).hexdigest()]

            f.visititems(visit)
            for path in ["colour", "colours"] if "colour" in f else []:
                data = f[path][...].view("u1").reshape(*f[path].shape, 3)
                arrays["/" + path] = [list(data.shape), hashlib.sha256(data.tobytes()).hexdigest()]
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
    family()
    nested()
    odd()
    described()
    huge()
    expectations()
