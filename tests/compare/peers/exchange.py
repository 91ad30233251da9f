"""Arrays in JSON: type, shape and the bytes as Base64."""

import base64

import numpy as np


def decoded(entry):
    """An array where an object is one; all other objects as they are."""
    if "base64" not in entry:
        return entry
    flat = np.frombuffer(base64.b64decode(entry["base64"]), dtype=entry["dtype"])
    return flat.reshape(entry["shape"]).copy()


def encoded(value):
    array = np.asarray(value, order="C")
    array = array.astype(array.dtype.newbyteorder("<"), copy=False)
    return {
        "dtype": array.dtype.name,
        "shape": list(array.shape),
        "base64": base64.b64encode(array.tobytes()).decode(),
    }
