"""A sparse scan of 2 x 3 frames of 5 x 7 pixels in three plain files, and its description in TOML of every kind.

Run with scipy 1.17: `python tests/data/raw_csr/make.py`.
"""

from pathlib import Path

import numpy as np
import scipy.sparse

HERE = Path(__file__).parent
rng = np.random.default_rng(11)
frames = np.where(rng.random((6, 35)) < 0.3, rng.integers(1, 200, (6, 35)), 0)
matrix = scipy.sparse.csr_matrix(frames)
matrix.indptr.astype("<i8").tofile(HERE / "rows.bin")
matrix.indices.astype("<i4").tofile(HERE / "columns.bin")
matrix.data.astype("<u2").tofile(HERE / "values.bin")

(HERE / "scan.toml").write_text("""\
# made by make.py
[params]
filetype = "raw_csr"
nav_shape = [2, 3]
sig_shape = [
  5, # rows
  7,
]

[raw_csr]
indptr_file = 'rows.bin'
indptr_dtype = "<i8"
indices_file = "\\u0063olumns.bin"
indices_dtype = "<i4"
data_file = "values.bin"
data_dtype = "<u2"
""")

(HERE / "inline.toml").write_text('''\
params = { filetype = "raw_csr", nav_shape = [2, 3], sig_shape = [5, 7] }
raw_csr = { indptr_file = "rows.bin", indptr_dtype = "int64", indices_file = "columns.bin", \
indices_dtype = "int32", data_file = "values.bin", data_dtype = "uint16" }
taken = 2026-01-02T03:04:05Z
note = """two
lines"""
[[runs]]
n = 1
''')
