"""Makes chunks.h5: one scan in three shapes of chunks, of which some hold whole frames, some parts of them, some single pixels.

    python make_chunks.py
"""

import h5py
import numpy as np

scan = (np.arange(16**4, dtype="uint32") * 7 % 61).astype("uint16").reshape(16, 16, 16, 16)
with h5py.File("chunks.h5", "w") as file:
    for name, chunks in {"cubes": (8, 8, 8, 8), "strips": (1, 4, 16, 16), "pixels": (16, 16, 1, 1)}.items():
        file.create_dataset(name, data=scan, chunks=chunks, compression="gzip")
