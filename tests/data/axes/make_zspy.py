"""Small zspy stores, one with an uneven axis, one of colours, as RosettaSciIO writes them, in archives; needs rosettasciio, h5py and zarr before 3 from PyPI."""

import pathlib
import shutil
import tempfile

import numpy as np
import rsciio.zspy

HERE = pathlib.Path(__file__).parent

axes = [
    {"_type": "UniformDataAxis", "name": "x", "navigate": True, "scale": 2.0, "offset": 1.0, "units": "nm", "size": 3},
    {"_type": "DataAxis", "name": "Energy", "navigate": False, "units": "eV", "size": 5, "axis": np.array([1.0, 2, 4, 8, 16])},
]
for d, axis in enumerate(axes):
    axis.update(index_in_array=d, is_binned=False)
signal = {
    "data": np.arange(15, dtype="<u2").reshape(3, 5),
    "axes": axes,
    "metadata": {"General": {"title": "made"}, "Signal": {"signal_type": ""}},
    "original_metadata": {},
    "tmp_parameters": {},
    "attributes": {"_lazy": False},
    "learning_results": {},
    "models": {},
    "package_info": {"package": "hyperspy", "package_version": "2.1.0"},
}
places = [("t", True, 2), ("y", False, 3), ("x", False, 4)]
colours = np.arange(2 * 3 * 4 * 3, dtype="u1").reshape(2, 3, 4, 3)
film = signal | {
    "data": colours.view([("R", "u1"), ("G", "u1"), ("B", "u1")])[..., 0],
    "axes": [
        {"_type": "UniformDataAxis", "name": name, "navigate": is_navigation, "scale": 1.0, "offset": 0.0, "units": "s" if is_navigation else "nm",
         "size": size, "index_in_array": d, "is_binned": False}
        for d, (name, is_navigation, size) in enumerate(places)
    ],
}


def write(name, signal, **options):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / f"{name}.zspy"
        rsciio.zspy.file_writer(str(path), signal, **options)
        shutil.make_archive(str(HERE / f"{name}.zspy"), "zip", path)
        return rsciio.zspy.file_reader(str(path))[0]


read = write("uneven", signal)
assert list(read["axes"][1]["axis"]) == [1, 2, 4, 8, 16], read["axes"]
read = write("colours", film, chunks=(1, 2, 4))
assert read["data"][1, 2, 3].tolist() == (69, 70, 71), read["data"]
