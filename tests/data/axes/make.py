"""Small HDF5 files whose axes other programs describe in their own ways: HyperSpy (uneven and old axes), Nion Swift, Velox."""

import json
from pathlib import Path

import h5py
import numpy as np

HERE = Path(__file__).parent


def hyperspy(name, shape, axes):
    """A file as HyperSpy 2.1 writes it; an axis without a scale has an array of its positions."""
    with h5py.File(HERE / name, "w") as file:
        file.attrs.update(file_format="HyperSpy", file_format_version="3.3")
        group = file.create_group("Experiments/made")
        group["data"] = np.arange(np.prod(shape), dtype="<u2").reshape(shape)
        for d, axis in enumerate(axes):
            positions = axis.pop("axis", None)
            own = group.create_group(f"axis-{d}")
            own.attrs.update(axis)
            if positions is not None:
                own["axis"] = np.array(positions, dtype="<f8")


hyperspy(
    "uneven.hspy",
    (3, 5),
    [
        {"_type": "UniformDataAxis", "name": "x", "navigate": True, "scale": 2.0, "offset": 1.0, "units": "nm", "size": 3},
        {"_type": "DataAxis", "name": "Energy", "navigate": False, "units": "eV", "size": 5, "axis": [1, 2, 4, 8, 16]},
    ],
)
hyperspy(
    "scan_only.hspy",
    (2, 3, 4),
    [
        {"_type": "UniformDataAxis", "name": "Energy", "navigate": True, "scale": 0.5, "offset": -1.0, "units": "eV", "size": 2},
        {"_type": "UniformDataAxis", "name": "y", "navigate": True, "scale": 2.0, "offset": 0.0, "units": "nm", "size": 3},
        {"_type": "UniformDataAxis", "name": "x", "navigate": True, "scale": 2.0, "offset": 0.0, "units": "nm", "size": 4},
    ],
)
hyperspy(
    "signal_first.hspy",
    (4, 3),
    [
        {"_type": "UniformDataAxis", "name": "Energy", "navigate": False, "scale": 0.5, "offset": -1.0, "units": "eV", "size": 4},
        {"_type": "UniformDataAxis", "name": "x", "navigate": True, "scale": 2.0, "offset": 0.0, "units": "nm", "size": 3},
    ],
)

STEPS = [("nm", 2.0, 0.0), ("nm", 3.0, 1.0), ("eV", 0.5, -10.0)]
with h5py.File(HERE / "nion.h5", "w") as file:
    data = file.create_dataset("data", data=np.arange(60, dtype="<f4").reshape(3, 4, 5))
    data.attrs["properties"] = json.dumps({
        "is_sequence": False,
        "collection_dimension_count": 2,
        "datum_dimension_count": 1,
        "dimensional_calibrations": [{"units": u, "scale": s, "offset": o} for u, s, o in STEPS],
    })

with h5py.File(HERE / "nion_frames.h5", "w") as file:  # what a datum is stands above units; steps of 1 that begin elsewhere
    data = file.create_dataset("data", data=np.arange(24, dtype="<u2").reshape(2, 3, 4))
    data.attrs["properties"] = json.dumps({
        "is_sequence": False,
        "collection_dimension_count": 1,
        "datum_dimension_count": 2,
        "dimensional_calibrations": [
            {"units": u, "scale": s, "offset": o} for u, s, o in [("", 1.0, 5.0), ("s", 2.0, 0.0), ("1/nm", 3.0, 1.0)]
        ],
    })

with h5py.File(HERE / "nion_colours.h5", "w") as file:  # a picture: the last dimension has no calibration
    data = file.create_dataset("data", data=np.arange(60, dtype="u1").reshape(4, 5, 3))
    data.attrs["properties"] = json.dumps({
        "is_sequence": False,
        "collection_dimension_count": 0,
        "datum_dimension_count": 2,
        "dimensional_calibrations": [{"units": "nm", "scale": 2.0, "offset": 0.0}] * 2,
    })

with h5py.File(HERE / "camera.dm5", "w") as file:  # an image of a spectrometer's camera
    image = file.create_group("ImageList/[0]")
    image["ImageData/Data"] = np.arange(24, dtype="<u2").reshape(6, 4)
    for d, (unit, scale) in enumerate([("eV", 0.5), ("", 1.0)]):
        calibration = {"Scale": scale, "Origin": 0.0, "Units": unit}
        image.create_group(f"ImageData/Calibrations/Dimension/[{d}]").attrs.update(calibration)
    image.create_group("ImageTags/Meta Data").attrs.update({"Format": "Image", "Signal": "EELS"})


def text_column(group, name, value):
    """A text of Velox: the first column of an array of bytes."""
    text = json.dumps(value).encode()
    group.create_dataset(name, data=np.frombuffer(text.ljust(len(text) + 20, b"\0"), "u1").reshape(-1, 1))


# Spectra of energy losses of Velox: x, energy, y; and packed events of X-rays beside.
with h5py.File(HERE / "velox_eels.emd", "w") as file:
    losses = file.create_group("Data/EelsSpectrumImage/1")
    losses["Data"] = np.arange(4 * 5 * 3, dtype="<u2").reshape(4, 5, 3)
    text_column(losses, "Metadata", {"Optics": {"AccelerationVoltage": "300000"}, "Scan": {"ScanRotation": "0.5235987755982988"}})
    text_column(losses, "AcquisitionMetadata", {"Data": {"offset": 800, "dispersion": 0.25}})
    image = file.create_group("Data/SpectrumImage/2")
    image["Data"] = np.arange(100, dtype="u1").reshape(100, 1)
    place = {"Offset": {"x": "-4e-9", "y": "-3e-9"}, "PixelSize": {"width": "2e-9", "height": "1e-9"}}
    text_column(image, "Metadata", {"BinaryResult": {**place, "PixelUnitX": "m", "PixelUnitY": "m"}})
    spectrum = file.create_group("Data/Spectrum/3")
    spectrum["Data"] = np.arange(6, dtype="<u4").reshape(6, 1)
    detectors = {"Detector-0": {"DetectorName": "SuperX-1", "Dispersion": "10", "OffsetEnergy": "-20"}}
    text_column(spectrum, "Metadata", {"BinaryResult": {"Detector": "SuperX"}, "Detectors": detectors})
    stream = file.create_group("Data/SpectrumStream/4")
    stream["Data"] = np.arange(500, dtype="<u2").reshape(500, 1)
    text_column(stream, "Metadata", {})
