"""Writes result_type.json: what NumPy says about every pair, and every three, of the dtypes that Tilewise knows."""

import itertools
import json
import pathlib

import numpy

NAMES = [
    "bool", "uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64",
    "float16", "float32", "float64", "complex64", "complex128",
]

table = {a: {b: numpy.result_type(a, b).name for b in NAMES} for a in NAMES}
# for every three in the order of NAMES, the last fastest: a letter, a for the first name
triples = "".join(chr(97 + NAMES.index(numpy.result_type(*t).name)) for t in itertools.product(NAMES, repeat=3))
strings = {numpy.dtype(name).newbyteorder(order).str: name for name in NAMES for order in "<>"}
target = pathlib.Path(__file__).with_name("result_type.json")
target.write_text(json.dumps({"numpy": numpy.__version__, "table": table, "triples": triples, "strings": strings}, indent=1) + "\n")
