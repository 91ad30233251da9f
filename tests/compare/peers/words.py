"""What can be computed, by the words of `tests/compare/works/`."""

import blobs
import clusters
import com
import detectors
import generators
import mapping
import masks
import own_udfs
import radial
import reductions
import spectra
import tiling

FAMILIES = (
    reductions, masks, detectors, com, radial, spectra, mapping, clusters, blobs, generators,
    tiling, own_udfs,
)

WORDS = {
    word: function
    for family in FAMILIES
    for word, function in family.WORDS.items()
}
