"""Writes the sparse masks of this folder, as SciPy and sparse save them: two masks for frames of 3 x 4 pixels."""

from pathlib import Path

import numpy as np
import scipy.sparse
import sparse

FOLDER = Path(__file__).parent

masks = np.zeros((2, 3, 4))
masks[0, 1, 2] = 1.5
masks[0, 2, 3] = -1
masks[1, 0, 0] = 2
masks[1, 2, 1] = 4
matrix = masks.reshape(2, 12)
for name, kind in {"csr": scipy.sparse.csr_matrix, "csc": scipy.sparse.csc_matrix, "coo": scipy.sparse.coo_matrix}.items():
    scipy.sparse.save_npz(FOLDER / f"masks-{name}.npz", kind(matrix))
scipy.sparse.save_npz(FOLDER / "masks-dia.npz", scipy.sparse.dia_matrix(matrix))
sparse.save_npz(FOLDER / "masks-stack.npz", sparse.COO(masks))
sparse.save_npz(FOLDER / "masks-one.npz", sparse.COO(masks[0]))
