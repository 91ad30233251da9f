"""A small zspy store with an uneven axis, as RosettaSciIO writes it, in an archive; needs rosettasciio, h5py and zarr before 3 from PyPI."""

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
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "uneven.zspy"
    rsciio.zspy.file_writer(str(path), signal)
    read = rsciio.zspy.file_reader(str(path))[0]
    assert list(read["axes"][1]["axis"]) == [1, 2, 4, 8, 16], read["axes"]
    shutil.make_archive(str(HERE / "uneven.zspy"), "zip", path)
