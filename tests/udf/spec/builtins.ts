/** Rules of the built-in UDFs: mathematics, golden values, traps. */

import { type RuleRow, type Section, section } from "./rule.ts";

const WIDE = "results are float64 where LiberTEM has float32 or the type of the samples: counts are exact";

const REDUCTIONS: readonly RuleRow[] = [
  [1, "sum of frames", [
    "udf/builtin/golden#sum, uint16",
    "udf/buffers/numbers#counts beyond 2^24 and sums beyond 2^32 are exact",
  ], WIDE],
  [2, "sum of each frame", [
    "udf/builtin/golden#sum per frame, uint16",
    "udf/builtin/every_builtin#uint16: every built-in UDF gives alone, in tiles of any size, what it gives beside all others",
  ], WIDE],
  [3, "variance in one pass, of any samples and tiles", [
    "udf/builtin/golden#standard deviation, uint16",
    "udf/buffers/numbers#a huge offset does not harm the standard deviation",
    "udf/buffers/numbers#complex64: sums and deviations of both parts",
  ], "small integers are summed exactly, with their squares; the size of tiles does not enter"],
  [4, "sum of logarithms", [
    "udf/builtin/golden#sum of logarithms, uint16",
    "udf/buffers/rules#one dark pixel changes the logarithms of its whole frame",
  ], `${WIDE}; the minimum of a frame leaves NaN out`],
  [5, "frames as they are", [
    "udf/run/pick#uint16: frames keep their type and values, in the order of the scan",
    "udf/run/pick#more than 256 MiB of frames is worth a warning",
  ], "without a region the result has the shape of the scan; rows are placed, not added"],
  [6, "crystallinity", [
    "udf/builtin/fft#crystallinity, little-endian uint16",
    "udf/builtin/fft#crystallinity of frames of odd sizes: the ring lies half a pixel off, as in LiberTEM",
  ]],
  [7, "fluctuation", [
    "udf/builtin/fft#fluctuation, little-endian uint16",
    "udf/builtin/fft#rings and holes without pixels are refused",
  ]],
  [8, "functions of a frame", [
    "udf/builtin/map_frames#the value for a frame of ones decides type and shape",
    "udf/builtin/map_frames#the monitor shows the last frame that was processed, if there is one (inline)",
  ]],
  [9, "recording", [
    "udf/run/export_dataset#every sample type and byte order comes back (2 workers)",
    "udf/run/export_dataset#a region of interest gives the selected frames in scan order (inline)",
  ], "a region may be recorded, too, and other kinds of files than .npy"],
  [10, "nothing", "udf/run/run#cancel before and during a run"],
  [
    11,
    "holography is not a part of it",
    "udf/builtin/every_builtin#every built-in UDF has sample parameters",
    "LiberTEM has moved it to another project",
  ],
];

const MASKS: readonly RuleRow[] = [
  [1, "frames times masks, added over parts of frames", [
    "udf/builtin/apply_masks#uint16 frames of 6 × 7: real, complex and both kinds of masks",
    "udf/builtin/apply_masks#stacks, sparse masks, recipes and functions in modules are the masks they make",
  ]],
  [2, "types of samples and masks together; complex masks", [
    "udf/builtin/apply_masks#complex64 frames of 23: real, complex and both kinds of masks",
    "udf/builtin/apply_masks#the result may be single, and complex where all is real, but not the other way round",
  ], WIDE],
  [3, "sparse masks and sparse frames", [
    "udf/builtin/sparse_masks#uint16: sparse masks give the plain products, for any form, order and tiles",
    "udf/builtin/sparse_masks#uint16: dense masks on sparse frames give the bits of dense frames",
  ]],
  [
    4,
    "a faster library for float masks",
    "udf/builtin/apply_masks#float32 frames of 2 × 3 × 5: real, complex and both kinds of masks",
    "there is one path, in kernels of our own (docs/decisions/0006-speed.md)",
  ],
  [
    5,
    "shifts of masks, constant and by frame",
    "udf/builtin/apply_masks#shifts of uint16: constant and frame by frame, partly and wholly off the frame",
  ],
  [6, "generators of masks", [
    "masks/generators#circular, antialiased is LiberTEM's",
    "masks/generators#balance and background subtraction sum to 0",
    "masks/generators#the bounding radius is LiberTEM's",
  ]],
  [7, "radial bins", [
    "masks/generators#radial bins: the values of the specification; a bin and its neighbour add up to 1",
    "masks/generators#sparse bins are the dense ones, normalized ones sum to 1 with the pixel at the centre",
  ]],
];

const COM: readonly RuleRow[] = [
  [1, "centres, in a disk, in a ring, without mass", [
    "udf/builtin/golden#centre of mass in a disk, uint16",
    "udf/builtin/com#the mean in a ring, and a plane that is given",
    "udf/buffers/numbers#frames without mass have the reference centre, and constant ones no deviation",
  ]],
  [2, "flip first, then rotation", [
    "udf/builtin/com#rotation, flip and a plane",
    "udf/builtin/com#a positive rotation turns from x to y, clockwise on the screen; a flip comes first",
  ]],
  [3, "magnitude, divergence, curl", [
    "udf/builtin/com#divergence and curl",
    "udf/builtin/com#a plane is fitted to the region of interest, and NaN spreads from beyond it",
  ]],
  [4, "planes: none, mean, fitted, given", [
    "udf/builtin/com#a plane leaves nothing of a plane, also where the scan has one row or few positions",
    "udf/builtin/com#the mean in a ring, and a plane that is given",
  ]],
  [5, "results and dimensions", [
    "udf/builtin/com#scans of one or three dimensions have a field, but no derivatives",
    "udf/builtin/com#options and samples that make no sense are refused before anything is read",
  ], "scans of any number of dimensions have centres and a field"],
  [6, "guessing rotation, flip and centre", [
    "udf/builtin/guess_corrections#any rotation, with or without a flip, under noise: within half a degree",
    "udf/builtin/guess_corrections#the guess puts the field right: divergence is most negative, at the atoms",
  ]],
];

const BLOBS: readonly RuleRow[] = [
  [1, "patterns", [
    "udf/blobfinder/correlate#patterns: weights of a template are padded around its centre, an ellipse follows its map of radii",
    "udf/blobfinder/correlate#patterns that cannot be right are refused",
    "udf/interface/defaults#correlate: parameters that are left out have their defaults",
  ]],
  [2, "correlation of cut-outs, positions between pixels, elevation", [
    "udf/blobfinder/correlate#circular: the same peaks as libertem-blobfinder",
    "udf/blobfinder/cases#fast: 100 random frames have the peaks of libertem-blobfinder",
    'udf/blobfinder/correlate#templates without symmetry are not mirrored: {"method":"fast"}',
  ], "a correlation, also of templates without symmetry"],
  [3, "whole frames; some places only", [
    "udf/blobfinder/correlate#full: the same peaks as libertem-blobfinder",
    "udf/blobfinder/cases#full: 100 random frames have the peaks of libertem-blobfinder",
    "udf/blobfinder/cases#sparse: 100 random frames have the peaks of libertem-blobfinder",
    'udf/blobfinder/correlate#disks are found within 0.5 px, within 0.1 px with upsampling: {"method":"sparse","steps":4}',
  ], "the logarithm of the sparse method starts at the least sample of a frame, not of a tile"],
  [
    4,
    "upsampling",
    'udf/blobfinder/correlate#disks are found within 0.5 px, within 0.1 px with upsampling: {"method":"fast","upsample":true}',
  ],
  [5, "lattices, integration, feature vectors", [
    "udf/blobfinder/match#fastmatch and affinematch fit as libertem-blobfinder does",
    "udf/blobfinder/cases#fastmatch: 100 random sets of points have the lattice of libertem-blobfinder",
    "udf/blobfinder/cases#affinematch: 100 random sets of points have the lattice of libertem-blobfinder",
    "udf/blobfinder/cases#refine: 100 random scans with shifts have the lattices of libertem-blobfinder",
    "udf/blobfinder/chance#the tolerance is 3 px or a sixth of the shorter vector, a given one is taken as it is",
    "udf/blobfinder/match#two lattices in one set of peaks are both found, without a start",
    "udf/blobfinder/integrate#integration at positions of their own in every frame",
    "udf/blobfinder/integrate#a feature vector is the same at positions that do not change",
  ], "without a tolerance it is at most a sixth of the shorter vector (docs/decisions/0024-blob-finding.md)"],
];

const GOLDEN: readonly RuleRow[] = [
  [1, "the data", "udf/buffers/rules#the golden scan is the one of the specification"],
  [2, "sum", "udf/builtin/golden#sum, uint16"],
  [3, "sum per frame", "udf/builtin/golden#sum per frame, uint16"],
  [4, "standard deviation", "udf/builtin/golden#standard deviation, uint16"],
  [5, "variance, number of frames", "udf/builtin/golden#standard deviation, float32"],
  [6, "sum of logarithms", "udf/builtin/golden#sum of logarithms, uint16"],
  [7, "centre of mass", "udf/builtin/golden#centre of mass in a disk, uint16"],
  [8, "divergence and curl", "udf/builtin/com#divergence and curl"],
  [9, "rotation, flip, plane, field, magnitude", "udf/builtin/com#rotation, flip and a plane"],
  [
    10,
    "a region: sums, centres",
    "udf/builtin/golden#region of interest: sum, sum per frame, centre of mass",
  ],
  [11, "fluctuation", "udf/builtin/fft#fluctuation, little-endian uint16"],
  [12, "crystallinity", "udf/builtin/fft#crystallinity, little-endian uint16"],
  [13, "corrections", "udf/builtin/golden#corrections: dark, gain and dead pixels"],
  [14, "a ring", "udf/builtin/golden#a ring leaves its inner disk out"],
  [
    15,
    "radial bins",
    "masks/generators#radial bins: the values of the specification; a bin and its neighbour add up to 1",
  ],
  [
    16,
    "radial Fourier coefficients and dominant orders",
    "udf/builtin/radial_fourier#values of LiberTEM: coefficients of both bins, dominant orders",
  ],
  [17, "two masks", "udf/builtin/golden#masks of ones and of a ramp, uint16"],
];

const TRAPS: readonly RuleRow[] = [
  [1, "borders of disks, rings and rectangles", [
    "masks/generators#circular is LiberTEM's",
    "masks/generators#ring is LiberTEM's",
    "udf/builtin/golden#a ring leaves its inner disk out",
    "masks/generators#rectangular, negative is LiberTEM's",
  ]],
  [2, "types of masks", [
    "masks/generators#ring, antialiased is LiberTEM's",
    "udf/builtin/apply_masks#whole masks, shifted masks and masks of whole numbers count exactly",
  ]],
  [3, "half goes to even; shifts are cut off", [
    "masks/generators#radialBins, default is LiberTEM's",
    "udf/builtin/apply_masks#shifts of float64: constant and frame by frame, partly and wholly off the frame",
  ]],
  [4, "default centres", [
    "udf/buffers/numbers#frames without mass have the reference centre, and constant ones no deviation",
    "udf/builtin/detectors#disk: the sum under its mask",
  ]],
  [5, "no NaN among integers; NaN beside holes", [
    "udf/buffers/valid_mask#positions that are not selected show the fill value of their type",
    "udf/builtin/com#a plane is fitted to the region of interest, and NaN spreads from beyond it",
  ]],
  [
    6,
    "sums that overflow or lose counts",
    "udf/buffers/numbers#counts beyond 2^24 and sums beyond 2^32 are exact",
    WIDE,
  ],
  [7, "population variance; nothing of no frames", [
    "udf/builtin/golden#standard deviation, uint16",
    "udf/buffers/numbers#without a frame: sums are zero, moments are not known",
  ]],
  [8, "types of corrections", [
    "udf/builtin/golden#corrections: dark, gain and dead pixels",
    "dataset/corrections#corrected samples are floats that hold the stored ones",
    "udf/run/complex_corrections#complex frames are corrected as LiberTEM and NumPy do it (inline)",
  ]],
  [
    9,
    "the minimum of a frame counts",
    "udf/buffers/rules#one dark pixel changes the logarithms of its whole frame",
  ],
  [
    10,
    "radial bins have a ramp of one pixel",
    "masks/generators#radial bins: the values of the specification; a bin and its neighbour add up to 1",
  ],
  [
    11,
    "templates without symmetry",
    'udf/blobfinder/correlate#templates without symmetry are not mirrored: {"method":"full"}',
    "LiberTEM convolves, which mirrors them",
  ],
  [
    12,
    "the sign of angles",
    "udf/builtin/radial_fourier#values of LiberTEM: coefficients of both bins, dominant orders",
  ],
  [13, "complex frames: masks, sums, deviations", [
    "udf/buffers/numbers#complex64: sums and deviations of both parts",
    "udf/builtin/apply_masks#complex128 frames of 6 × 7: real, complex and both kinds of masks",
    "udf/buffers/numbers#complex samples where only real ones make sense: the UDF is named",
  ]],
  [14, "no frame at all", "udf/buffers/numbers#without a frame: sums are zero, moments are not known"],
  [15, "frames come from deep tiles; a scalar is an array of one", [
    "udf/buffers/rules#a frame shows a scalar buffer as an array of one number",
    "udf/plan/several#types are each UDF's own, tiles are those of the one with the hardest wish",
  ]],
];

/** The sections about the built-in UDFs. */
export const BUILTINS: readonly Section[] = [
  section("6.1", "reductions", 11, REDUCTIONS),
  section("6.2", "masks", 7, MASKS),
  section("6.3", "centre of mass", 6, COM),
  section("6.4", "radial Fourier", 1, [[1, "coefficients, channels, dominant orders", [
    "udf/builtin/radial_fourier#values of LiberTEM: coefficients of both bins, dominant orders",
    "udf/builtin/radial_fourier#channels are read off the coefficients",
    "udf/builtin/radial_fourier#an order that is weak everywhere else does not dominate; empty frames have none",
    "masks/generators#radial Fourier masks are rings times exp(i o phi)",
  ], WIDE]]),
  section("6.5", "other analyses", 1, [[1, "detectors, one call, transforms, clustering, pictures", [
    "udf/builtin/detectors#annular: the sum under its mask",
    "udf/interface/defaults#disk: parameters that are left out have their defaults",
    "udf/interface/defaults#annular: parameters that are left out have their defaults",
    "udf/builtin/detectors#point: the sum under its mask",
    "udf/run/region#the sum over a region is the golden one (inline)",
    "udf/builtin/fft#the transform of selected frames",
    "udf/builtin/fft#the transform of the sum",
    "udf/cluster/cluster_frames#grains as scikit-image and scikit-learn find them (inline)",
    "pictures/picture#limits: extremes, percentiles, symmetric, without numbers",
    "pictures/vectors#longer vectors are lighter, and opposite directions differ in colour",
  ]]]),
  section("6.6", "blob finding", 5, BLOBS),
  section("6.7", "golden values", 17, GOLDEN),
  section("6.8", "traps", 15, TRAPS),
];
