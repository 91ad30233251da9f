"""Makes HDF5 files that name files in other folders: `scans/` has those to open, `other/` what some of them name.

    python make.py
"""

from pathlib import Path

import h5py
import numpy as np

HERE = Path(__file__).parent
FRAMES = np.arange(2 * 3 * 4, dtype="u1").reshape(2, 3, 4) + 1


def virtual(path, sources, each=2):
    layout = h5py.VirtualLayout((each * len(sources), 3, 4), "u1")
    for i, name in enumerate(sources):
        layout[each * i:each * (i + 1)] = h5py.VirtualSource(name, "frames", (each, 3, 4))
    with h5py.File(HERE / path, "w") as file:
        file.create_virtual_dataset("frames", layout, fillvalue=99)


def external(path, names):
    with h5py.File(HERE / path, "w") as file:
        parts = [(name, 0, FRAMES.nbytes) for name in names]
        file.create_dataset("frames", (2 * len(names), 3, 4), "u1", external=parts, fillvalue=99)


def main():
    for folder in ("scans/below", "other"):
        (HERE / folder).mkdir(parents=True, exist_ok=True)
    for n, place in enumerate(("scans", "scans/below", "other")):
        with h5py.File(HERE / place / "source.h5", "w") as file:
            file["frames"] = FRAMES + 30 * n
        (HERE / place / "frames.bin").write_bytes((FRAMES + 30 * n).tobytes())
    virtual("scans/virtual.h5", ["source.h5", "below/source.h5"])
    virtual("scans/virtual_out.h5", ["source.h5", "../other/source.h5"])
    virtual("scans/virtual_lost.h5", ["source.h5", "lost.h5"])
    virtual("scans/virtual_absolute.h5", ["source.h5", "/nowhere/at/all/source.h5"])
    virtual("scans/below/inner.h5", ["source.h5", "../source.h5"])
    virtual("scans/virtual_nested.h5", ["below/inner.h5"], each=4)
    external("scans/external.h5", ["frames.bin", "below/frames.bin"])
    external("scans/external_out.h5", ["frames.bin", "../other/frames.bin"])
    external("scans/external_lost.h5", ["lost.bin", "frames.bin"])
    with h5py.File(HERE / "scans/link_out.h5", "w") as file:
        file["frames"] = h5py.ExternalLink("../other/source.h5", "frames")
        file["small"] = FRAMES[:1]
    with h5py.File(HERE / "scans/link_lost.h5", "w") as file:
        file["frames"] = h5py.ExternalLink("lost.h5", "frames")
        file["small"] = FRAMES[:1]


if __name__ == "__main__":
    main()
