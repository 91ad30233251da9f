"""Makes an OME-TIFF of six channels with tifffile (make PATH), and reads labels with ome-zarr-py and napari's reader (read PATH)."""

import json
import sys
import warnings

warnings.filterwarnings("ignore")


def make(path):
    import numpy as np
    import tifffile

    samples = np.frombuffer(sys.stdin.buffer.read(), "<u2").reshape(6, 96, 128)
    size = {"PhysicalSizeX": 0.325, "PhysicalSizeXUnit": "µm", "PhysicalSizeY": 0.325, "PhysicalSizeYUnit": "µm"}
    names = {"Name": ["DAPI", "GFP", "RFP", "Cy5", "BF", "AF"]}
    tifffile.imwrite(path, samples, metadata={"axes": "CYX", "Channel": names, **size})


def read(path):
    from napari_ome_zarr import napari_get_reader
    from ome_zarr.io import parse_url
    from ome_zarr.reader import Reader

    (node,) = Reader(parse_url(path))()
    ((levels, facts, kind),) = napari_get_reader(path)(path)
    try:
        from napari.layers import Layer

        Layer.create(levels, facts, kind)  # napari refuses what a layer of this kind does not have
    except ModuleNotFoundError:
        pass
    level = levels[0] if isinstance(levels, list) else levels
    told = {
        "specs": [type(spec).__name__ for spec in node.specs],
        "axes": node.metadata["axes"],
        "scale": node.metadata["coordinateTransformations"][0][0]["scale"],
        "labels": sorted({int(n) for n in node.data[0].compute().ravel()}),
        "napari": {"kind": kind, "shape": level.shape, "scale": list(facts["scale"]), "units": facts["units"]},
    }
    print(json.dumps(told))


{"make": make, "read": read}[sys.argv[1]](sys.argv[2])
