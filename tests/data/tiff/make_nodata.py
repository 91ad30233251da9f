"""Makes nodata.json: what GDAL reads for tiles that were never written, by sample type and text of its no-data value.

Needs from PyPI: rasterio, tifffile. Run it in this folder: python make_nodata.py
"""
import json
import tempfile
import warnings
from pathlib import Path

import numpy as np
import rasterio
import tifffile

warnings.simplefilter("ignore")
TYPES = ["uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64", "float32", "float64", "complex64", "complex128"]
TEXTS = ["0", "-9999", "1.5", "2.5", "-1.5", "300", "255", "1e5", "nan", "-inf", "inf", "9223372036854775807",
         "-9223372036854775808", "18446744073709551615", "9007199254740993", "-3.40282347e+38", "1e40",
         "-1.7976931348623157e+308", " 7 ", "abc", "12abc", "", "0x10", "1,5", "-1", "-0", "1.#QNAN", "4294967295.0", "0.1"]


def write(path, dtype, text):
    """Two tiles, of which the second was never written."""
    tifffile.imwrite(path, np.ones((16, 32), dtype), tile=(16, 16), metadata=None, extratags=[(42113, 2, len(text) + 1, text, True)])
    data = bytearray(path.read_bytes())
    with tifffile.TiffFile(path) as file:
        for number in (324, 325):
            tag = file.pages[0].tags[number]
            size = {3: 2, 4: 4, 16: 8}[int(tag.dtype)]
            data[tag.valueoffset + size:tag.valueoffset + 2 * size] = bytes(size)
    path.write_bytes(data)


def read(path):
    with rasterio.open(path) as file:
        value = file.read(1)[0, 20]
    if np.iscomplexobj(value):
        assert value.imag == 0
        value = value.real
    return str(value) if np.issubdtype(value.dtype, np.integer) else repr(float(value))


found = {}
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "a.tif"
    for dtype in TYPES:
        found[dtype] = {}
        for text in TEXTS:
            write(path, dtype, text)
            found[dtype][text] = read(path)
Path("nodata.json").write_text(json.dumps({"gdal": rasterio.__gdal_version__, "values": found}, indent=1) + "\n")
