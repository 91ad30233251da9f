"""
Tables before and after casacore has added a column of complex arrays, with a storage manager of its own.

    python make_column.py        # python-casacore 3.7
"""

import os
import shutil

import casacore.tables as ct
import numpy as np

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "column")
ROWS, CELL = 5, (3, 2)


def keep(path):
    """Only what is compared: table.info has no influence, table.lock has the process in it."""
    os.remove(f"{path}/table.info")


for endian in ("little", "big"):
    before, after = (f"{HERE}/{endian}/{name}" for name in ("before", "after"))
    shutil.rmtree(f"{HERE}/{endian}", ignore_errors=True)
    os.makedirs(f"{HERE}/{endian}")
    desc = ct.maketabdesc([
        ct.makescacoldesc("TIME", 0.0),
        ct.makescacoldesc("NAME", "", comment="a text"),
        ct.makearrcoldesc("DATA", 0j, ndim=2, valuetype="complex", datamanagertype="TiledShapeStMan",
                          datamanagergroup="TiledData", keywords={"UNIT": "Jy"}),
    ])
    tiles = {"*1": {"TYPE": "TiledShapeStMan", "NAME": "TiledData", "SPEC": {"DEFAULTTILESHAPE": [2, 3, 4]},
                    "COLUMNS": ["DATA"]}}
    t = ct.table(before, desc, nrow=ROWS, dminfo=tiles, ack=False, endian=endian)
    t.putkeyword("note", "a keyword")
    for row in range(ROWS):
        t.putcell("TIME", row, 5e9 + row)
        t.putcell("NAME", row, f"row {row}")
        t.putcell("DATA", row, np.full(CELL, row + 1j, np.complex64))
    t.close()
    shutil.copytree(before, after)
    t = ct.table(after, readonly=False, ack=False)
    name = "MODEL_DATA_f2"
    column = ct.makearrcoldesc("MODEL_DATA", 0j, ndim=2, valuetype="complex", comment="The model data column",
                               datamanagertype="TiledShapeStMan", datamanagergroup=name,
                               keywords={"QuantumUnits": ["Jy"]})
    t.addcols(ct.maketabdesc([column]),
              {"TYPE": "TiledShapeStMan", "NAME": name, "SPEC": {"DEFAULTTILESHAPE": [CELL[1], CELL[0], ROWS]}})
    for row in range(ROWS):
        numbers = np.arange(CELL[0] * CELL[1]).reshape(CELL)
        t.putcell("MODEL_DATA", row, (row + numbers - 1j * numbers).astype(np.complex64))
    t.close()
    for path in (before, after):
        keep(path)
