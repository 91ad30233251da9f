/** Rules of the interface of UDFs: what a UDF has, how it is run, what it sees, what it may not do. */

import { type RuleRow, type Section, section } from "./rule.ts";

const TREE =
  "docs/decisions/0002-merge-tree.md: partial results are merged in the order of partitions, or in a fixed tree";

const COMPUTE: readonly RuleRow[] = [
  [
    1,
    "a UDF declares buffers, processes, merges",
    "udf/interface/lifecycle#the functions of a UDF are called in order, once a partition (inline)",
  ],
  [2, "parameters are saved and reach the workers", [
    "udf/interface/params#what structured clones keep as it is may travel",
    "udf/interface/params#functions, symbols and instances are refused with their path, at once and in a plan",
  ], "docs/udf.md: a module exports a function of the parameters; there is no object that hides them"],
  [
    3,
    "task data are made once a partition, on the worker",
    "udf/interface/lifecycle#the functions of a UDF are called in order, once a partition (2 workers)",
  ],
  [4, "auxiliary data follow tile, frame and partition, also under a region", [
    "udf/interface/aux#auxiliary data follow the tile (2 workers)",
    "udf/interface/aux#auxiliary data of a region without a frame are no trouble (inline)",
  ]],
  [5, "kinds, types, extra shapes; private and result-only buffers; float32 and zeros by default", [
    "udf/buffers/buffers#buffers of every type, kind and shape reach a UDF as views of their size",
    "udf/buffers/buffers#results that were not declared, are private, or are missing are refused",
    "udf/buffers/rules#a buffer of which nothing is said holds zeros of float32",
    "udf/interface/objects#lists of every kind: tile, any order (inline)",
  ], "docs/udf.md: there is one device, so buffers are not placed on one; their memory is part of the plan"],
  [6, "results over the scan with fill values, compressed rows, masks, boxes and runs of what is valid", [
    "udf/buffers/valid_mask#positions that are not selected show the fill value of their type",
    "udf/buffers/valid_mask#the box and the run of what is valid",
    "udf/buffers/valid_mask#selected rows are those of the region, with their masks",
  ]],
  [7, "shapes, slices, coordinates, types, corrections, region, back end", [
    "udf/interface/meta#facts of the data reach the worker (2 workers)",
    "udf/interface/meta#coordinates, rows and slices: tile, sync offset 7, region (inline)",
    "udf/interface/lifecycle#a merge knows which frames have been merged before, unless it happens in a tree on a worker",
  ]],
  [8, "partial results are merged on the collecting side", [
    "udf/interface/lifecycle#start values and merges: frame, any order (2 workers)",
    "udf/interface/lifecycle#start values and merges: frame, tree (2 workers)",
  ], TREE],
  [9, "merging everything at once", "udf/buffers/buffers#mergeAll gives what merge gives (2 workers)"],
  [
    10,
    "results are made on demand, again and again",
    "udf/run/run_control#2 workers: only the newest part can be looked at late, and it stays",
  ],
  [
    11,
    "damage says which frames have been merged",
    "udf/run/run#parts grow, damage grows, progress ends at all",
  ],
  [12, "valid: what has been merged, or what a mask says", [
    "udf/buffers/valid_mask#by default nav results are valid where frames were merged, others everywhere",
    "udf/buffers/valid_mask#a mask of its own is broadcast to the result",
    "udf/run/run#blank positions are invalid: sync offset of both signs",
  ], "positions without a frame are not valid here; zeros that nobody measured should not look like data"],
  [
    13,
    "a dry run gives empty results of the right shape",
    "udf/run/variants#a dry run of every built-in UDF has the names, types and shapes of a run, and nothing valid (inline)",
  ],
  [14, "results after every merge, computed when looked at; once for no task", [
    "udf/run/run#parts grow, damage grows, progress ends at all",
    "udf/plan/roi_forms#an empty region gives results once, with their fill values",
  ]],
  [
    15,
    "parameters change while a run goes on",
    "udf/run/update#2 workers: partitions that start after an update use it, and so do results",
  ],
  [16, "closing, throwing and cancelling stop a run and say how far it came", [
    "udf/run/run_control#2 workers: break, return and throw stop the run and return its memory",
    "udf/run/run_control#2 workers: cancel() ends the run at once and says how far it came",
  ]],
  [17, "progress in frames and partitions, not too often", [
    "udf/run/run_control#2 workers: progress is reported at most as often as asked for, and at the end",
    "udf/run/run_control#frames of partitions that wait for an earlier one count, and go on counting when it is merged",
  ], "frames are counted one by one, the rate is a parameter, and there is no bar in the library"],
  [18, "several UDFs in one pass", [
    "udf/plan/several#any set of UDFs gives what each of them gives alone, in any region",
    "udf/plan/several#types are each UDF's own, tiles are those of the one with the hardest wish",
  ], "docs/decisions/0005-udf-dtypes.md: each UDF gets samples of its own type, whoever else is in the run"],
];

const METHODS: readonly RuleRow[] = [
  [1, "made from its parameters on both sides", [
    "udf/interface/bad_udf#what fails before a run is an error of the plan",
    "udf/interface/bad_udf#2 workers: what fails in a run is an error of the run, and the next run is whole",
  ]],
  [2, "tile before frame before partition, or what it chooses", [
    "udf/buffers/rules#of several process methods the first of tile, frame, partition runs",
    "udf/interface/meta#a method that cannot run is refused with what would work",
  ]],
  [3, "the type of the samples, float32 by default", [
    "udf/buffers/input_dtype#samples come in the type that holds both (2 workers)",
    "udf/buffers/input_dtype#a wish that is not a dtype is refused",
  ]],
  [4, "wishes for tiles", [
    "udf/plan/several#types are each UDF's own, tiles are those of the one with the hardest wish",
    "udf/plan/balance#a tile is as deep as asked for in selected frames, not in positions",
  ]],
  [
    5,
    "forms of tiles, dense by default",
    "udf/plan/backends#dense: every form, method and type has the same samples",
  ],
  [6, "buffers by name, maybe depending on the data", [
    "udf/plan/inspect#kind, dtype, shape, use and bytes of every buffer of every UDF, as in the results of a run",
    "udf/buffers/rules#names that are not identifiers are refused",
  ]],
  [
    7,
    "task data, once a partition",
    "udf/interface/lifecycle#the functions of a UDF are called in order, once a partition (inline)",
  ],
  [8, "start values, once on the collecting side, once a partition", [
    "udf/interface/lifecycle#start values and merges: tile, any order (2 workers)",
    "udf/interface/lifecycle#start values show where nothing was merged; fill values where nothing is selected (2 workers)",
  ]],
  [
    9,
    "processing tiles, frames and partitions",
    "udf/run/variants#by tile, by frame and by partition: what plain loops give, on tiles with holes, too (2 workers)",
  ],
  [
    10,
    "after the last tile, with the views of the partition",
    "udf/interface/aux#auxiliary data follow the partition (inline)",
  ],
  [
    11,
    "cleaning up last",
    "udf/interface/lifecycle#the functions of a UDF are called in order, once a partition (2 workers)",
  ],
  [
    12,
    "merging with what is known of the frames before",
    "udf/interface/lifecycle#a merge knows which frames have been merged before, unless it happens in a tree on a worker",
    TREE,
  ],
  [
    13,
    "merging all",
    "udf/buffers/buffers#mergeAll sees ordered parts as copies, and may give rows for all their frames",
  ],
  [14, "results of the whole buffers", [
    "udf/interface/lifecycle#errors on the collecting side name the UDF and its function",
    "udf/buffers/valid_mask#a mask of its own is broadcast to the result",
  ]],
];

const LIFE: readonly RuleRow[] = [
  [1, "the region is checked, the plan made, tasks for partitions with frames, merged, marked", [
    "udf/plan/roi_forms#regions that do not fit name both shapes, or the position",
    "udf/plan/balance#partitions are nodes of the tree, hold every selected position once, and none is empty",
    "udf/run/run#the plan says what it will do, and refuses what does not fit",
  ]],
  [2, "workers correct, convert and process tiles, finish, and answer in the order of UDFs", [
    "udf/interface/lifecycle#the functions of a UDF are called in order, once a partition (2 workers)",
    "udf/plan/backends#corrections make sparse data dense before anybody sees it",
    "udf/plan/several#any set of UDFs gives what each of them gives alone, in any region",
  ]],
  [
    3,
    "no task: results once",
    "udf/plan/roi_forms#an empty region gives results once, with their fill values",
  ],
];

const VIEWS: readonly RuleRow[] = [
  [1, "nav: rows of the tile, one entry of a frame, rows of the partition", [
    "udf/buffers/buffers#buffers of every type, kind and shape reach a UDF as views of their size",
    "udf/buffers/rules#a frame shows a scalar buffer as an array of one number",
  ]],
  [
    2,
    "sig: the pixels of the tile, or all",
    "udf/buffers/buffers#buffers of every type, kind and shape reach a UDF as views of their size",
  ],
  [
    3,
    "single: whole",
    "udf/buffers/buffers#buffers of every type, kind and shape reach a UDF as views of their size",
  ],
  [
    4,
    "shapes of tiles, frames and partitions",
    "udf/plan/several#types are each UDF's own, tiles are those of the one with the hardest wish",
    "tiles are flat arrays with `frames`, `pixels`, `rows` and `shape`",
  ],
  [
    5,
    "sig views of tiles are dense although the pixels are not",
    [
      "udf/interface/lifecycle#start values and merges: tile, tree (2 workers)",
      "udf/run/variants#by tile, by frame and by partition: what plain loops give, on tiles with holes, too (inline)",
    ],
    "docs/udf.md: pixels of a partition lie in the order of tiles until it ends, so there is no cache to flush",
  ],
  [
    6,
    "a partition is seen whole",
    "udf/plan/several#types are each UDF's own, tiles are those of the one with the hardest wish",
  ],
  [
    7,
    "buffers by name, filled in place",
    "udf/buffers/buffers#buffers of every type, kind and shape reach a UDF as views of their size",
    "buffers are plain typed arrays; there is nothing that an assignment could replace",
  ],
  [8, "auxiliary data by the same rules", [
    "udf/interface/aux#auxiliary data follow the tile (inline)",
    "udf/interface/aux#auxiliary data follow the frame (inline)",
    "udf/interface/aux#auxiliary data follow the partition (inline)",
  ]],
  [
    9,
    "a tile may be a part of its frames, so one adds",
    "udf/testing/test_udf#a UDF that forgets that a tile may hold a part of a frame is found",
  ],
];

const ERRORS: readonly RuleRow[] = [
  [1, "sig and single buffers need a merge", [
    "udf/buffers/buffers#results that were not declared, are private, or are missing are refused",
    "udf/run/run#UDFs that cannot be had say why",
  ]],
  [
    2,
    "result-only buffers need results",
    "udf/buffers/buffers#results that were not declared, are private, or are missing are refused",
  ],
  [3, "results that are not declared, private, or numbers of another kind", [
    "udf/buffers/buffers#results that were not declared, are private, or are missing are refused",
    "udf/buffers/buffers#results of the same kind of number are converted, others refused",
  ]],
  [
    4,
    "what merging all gives fits the declaration",
    "udf/buffers/buffers#what mergeAll gives must fit the declarations",
  ],
  [
    5,
    "masks that are none or do not fit",
    "udf/buffers/valid_mask#masks that are none are refused with both shapes",
  ],
  [
    6,
    "parameters that are missing, auxiliary data of another size",
    [
      "udf/interface/bad_udf#what fails before a run is an error of the plan",
      "udf/interface/aux#auxiliary data of the wrong size, kind or type are refused with what would be right",
    ],
    "a missing parameter is `undefined`; what a UDF throws for it is an error of the plan that names the UDF",
  ],
  [7, "no common form, unknown form", [
    "udf/plan/backends#forms can be restricted; a UDF without a common one is refused",
    "udf/plan/execution_plan#no common back end: the error names both sides",
    "udf/buffers/rules#a form of tiles that is none is refused, by a UDF and by a plan",
  ]],
  [8, "no process method", "udf/run/run#UDFs that cannot be had say why"],
];

const BACKENDS: readonly RuleRow[] = [
  [1, "forms of tiles", [
    "udf/plan/backends#csr: every form, method and type has the same samples",
    "udf/plan/execution_plan#the table of this version: dense and csr lead to everything, in cheap steps",
  ], "docs/decisions/0010-array-back-ends.md: dense, csr, csc and coo on one device"],
  [2, "what data set and device have, for most UDFs, then by popularity", [
    "udf/plan/execution_plan#a form that the data set has and both UDFs take wins",
    "udf/plan/execution_plan#most UDFs first, then the place in their lists, then the cost of the conversion",
  ]],
  [
    3,
    "sparse stays sparse, dense stays dense",
    "udf/plan/execution_plan#on another device sparse stays sparse and dense stays dense",
  ],
  [
    4,
    "any form of the device",
    "udf/plan/execution_plan#one form on each side: there is no choice, on any device",
  ],
  [
    5,
    "what the device cannot do runs elsewhere",
    "udf/plan/execution_plan#what the device has no form for runs elsewhere",
  ],
  [
    6,
    "what cannot be had is refused",
    "udf/plan/execution_plan#no common back end: the error names both sides",
  ],
  [7, "cheapest conversions, once a tile, in chains", [
    "udf/plan/execution_plan#the table of this version: dense and csr lead to everything, in cheap steps",
    "udf/plan/backends#the plan tells, and counts the entries of the largest block",
  ]],
  [
    8,
    "results are converted to their buffers",
    "udf/buffers/buffers#results of the same kind of number are converted, others refused",
  ],
];

/** The sections about the interface. */
export const INTERFACE: readonly Section[] = [
  section("1.3", "compute side", 18, COMPUTE),
  section("5.1", "methods", 14, METHODS),
  section("5.2", "life of a run", 3, LIFE),
  section("5.3", "views", 9, VIEWS),
  section("5.4", "types", 1, [[1, "results of the declared kind of number; merges do not narrow", [
    "udf/buffers/buffers#results of the same kind of number are converted, others refused",
  ], "both sides of a merge are buffers of one declaration, so there is nothing to cast"]]),
  section("5.5", "errors", 8, ERRORS),
  section("5.6", "order of merges", 1, [[1, "the order is fixed, and so are the bits", [
    "udf/builtin/every_builtin#every built-in UDF gives the same bits on 8 workers",
    "udf/buffers/merge_tree#grouping leaves into aligned powers of two changes nothing, whichever leaves are there",
  ], TREE]]),
  section("5.7", "forms of tiles", 8, BACKENDS),
  section("5.8", "introspection", 1, [[1, "buffers and empty results without a run", [
    "udf/plan/inspect#kind, dtype, shape, use and bytes of every buffer of every UDF, as in the results of a run",
    "udf/run/variants#a dry run of every built-in UDF has the names, types and shapes of a run, and nothing valid (2 workers)",
  ]]]),
];
