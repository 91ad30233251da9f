"""Products of frames with masks."""

import numpy as np
import sparse
from libertem.udf.masks import ApplyMasksUDF


def masks(subject, params):
    arrays = params["masks"]
    made = [sparse.COO.from_numpy(mask) for mask in arrays] if params["sparse"] else arrays
    shifts = params["shifts"]
    if shifts is not None:  # the UDF cuts fractions off: its description says to round them before
        rounded = np.rint(np.asarray(shifts)).astype(int)
        is_constant = rounded.ndim == 1 and not isinstance(shifts, np.ndarray)
        shifts = rounded if is_constant else ApplyMasksUDF.aux_data(
            rounded.ravel(), kind="nav", extra_shape=(2,), dtype=int)
    udf = ApplyMasksUDF(
        mask_factories=[lambda mask=mask: mask for mask in made],
        use_sparse=params["theirSparse"], mask_dtype=params["maskDType"], shifts=shifts,
    )
    return subject.results(udf)


WORDS = {"masks": masks, "masks-double": masks}
