/** Behaviours that LiberTEM's own tests look at, and what can be wrong with a UDF. */

import { type RuleRow, type Section, section } from "./rule.ts";

const CASES: readonly RuleRow[] = [
  [1, "simple UDFs: views, merges, errors, objects, extra shapes, tiles with holes", [
    "udf/run/variants#by tile, by frame and by partition: what plain loops give, on tiles with holes, too (inline)",
    "udf/interface/objects#lists of every kind: frame, any order (2 workers)",
  ]],
  [2, "declarations and masks", [
    "udf/buffers/buffers#results that were not declared, are private, or are missing are refused",
    "udf/buffers/valid_mask#the box and the run of what is valid",
  ]],
  [3, "auxiliary data, coordinates, facts", [
    "udf/interface/aux#auxiliary data follow the tile (inline)",
    "udf/interface/meta#coordinates, rows and slices: frame, sync offset 0, region (2 workers)",
    "udf/interface/meta#facts of the data reach the worker (inline)",
  ]],
  [4, "execution plans", "udf/plan/execution_plan#two forms without conversion: the first of the data set"],
  [5, "deviation and centre of mass against plain loops; offsets; NaN", [
    "udf/buffers/numbers#a huge offset does not harm the standard deviation",
    "udf/buffers/numbers#NaN stays where it is: in its pixel, its frame, and the neighbours of its frame",
    "udf/buffers/numbers#big-endian int16: what plain loops give, up to the ends of the type",
  ]],
  [6, "masks: dense, sparse, complex, signed, both byte orders, one and three dimensions", [
    "udf/builtin/apply_masks#uint16 frames of 2 × 3 × 5: real, complex and both kinds of masks",
    "udf/buffers/numbers#big-endian int8: what plain loops give, up to the ends of the type",
    "udf/buffers/dims#masks and pixels of frames of 648 are given in their shape",
  ]],
  [7, "radial Fourier analysis; dimensions of scans and frames for all analyses", [
    "udf/builtin/radial_fourier#an order that is weak everywhere else does not dominate; empty frames have none",
    "udf/buffers/dims#a scan of 300: every built-in UDF gives the numbers of a plane scan",
    "udf/buffers/dims#frames of 3 × 8 × 27: the same numbers, or an error that says what is needed",
    "udf/buffers/dims#one frame is a scan of no, one or two dimensions",
  ]],
  [8, "executors: the same results, cancel, exceptions, progress, death of a worker", [
    "udf/builtin/every_builtin#every built-in UDF gives the same bits on 3 workers",
    "udf/run/run#cancel before and during a run",
    "udf/run/run#a UDF that throws ends the run with its name, its partition and its stack",
    "udf/run/run#a worker killed during a run changes nothing",
  ]],
  [9, "context: forms of regions, iteration, updates, dry runs", [
    "udf/plan/roi_forms#all forms of a region give what a plain program gives",
    "udf/run/update#2 workers: a refused update changes nothing",
    "udf/run/variants#no frame is read, and no worker is started for a dry run",
  ]],
  [10, "method variants, several UDFs, functions, pick, memory over many runs", [
    "udf/run/variants#by tile, by frame and by partition: what plain loops give, on tiles with holes, too (2 workers)",
    "udf/plan/several#the same UDF twice, with other keys and parameters, is two",
    "udf/builtin/map_frames#functions in modules give numbers, lists and complex arrays (2 workers)",
    "udf/run/pick#float32: frames keep their type and values, in the order of the scan",
    "udf/plan/memory#2 workers: hundreds of runs leave nothing behind",
    "udf/plan/memory#inline: runs that fail, are cancelled or are left leave nothing behind",
  ]],
  [
    11,
    "blob finding within tolerances",
    'udf/blobfinder/correlate#disks are found within 0.5 px, within 0.1 px with upsampling: {"method":"full","upsample":10}',
  ],
  [12, "independent of partitions, tiles, forms, regions, executors, byte order, sample type", [
    "udf/run/independence#uint16: partitions, tiles, byte order and frame headers change no bit",
    "udf/run/independence#float32: the form of the region of interest changes no bit",
    "udf/builtin/every_builtin#special: every built-in UDF gives alone, in tiles of any size, what it gives beside all others",
    "udf/builtin/every_builtin#int64: every built-in UDF gives what it gives for the same numbers as float64",
    "udf/plan/backends#regions of interest, sync offsets and workers",
  ]],
  [
    13,
    "big-endian signed samples, which LiberTEM's tests leave out",
    "udf/buffers/numbers#big-endian int32: what plain loops give, up to the ends of the type",
  ],
];

const FAULTS: readonly RuleRow[] = [
  [1, "a module that cannot be imported, an export that is missing or no UDF", [
    "udf/run/run#UDFs that cannot be had say why",
    "udf/interface/bad_udf#what fails before a run is an error of the plan",
  ]],
  [
    2,
    "parameters that cannot travel",
    "udf/interface/params#functions, symbols and instances are refused with their path, at once and in a plan",
  ],
  [
    3,
    "buffer names that are not identifiers",
    "udf/buffers/rules#names that are not identifiers are refused",
  ],
  [4, "types that are none, or of another kind", [
    "udf/buffers/rules#a dtype that is none is refused, in a buffer and in a wish",
    "udf/buffers/buffers#results of the same kind of number are converted, others refused",
  ]],
  [
    5,
    "no merge for sig and single buffers",
    "udf/buffers/buffers#results that were not declared, are private, or are missing are refused",
  ],
  [
    6,
    "declarations that no type allows",
    "udf/buffers/rules#what JavaScript lets a UDF say, and no type allows, is an error of that UDF",
  ],
  [7, "shapes that are none", "udf/buffers/rules#extra shapes that are none are refused"],
  [8, "a UDF that throws, anywhere", [
    "udf/interface/bad_udf#0 workers: what fails in a run is an error of the run, and the next run is whole",
    "udf/interface/lifecycle#errors on the collecting side name the UDF and its function",
  ]],
  [
    9,
    "a UDF that never returns",
    "udf/run/run_control#a UDF that never returns ends a run, and the context can be used again",
  ],
  [10, "a closure on workers", "udf/run/run#UDFs that cannot be had say why"],
  [
    11,
    "objects that are not JSON",
    "udf/interface/objects#values that are not JSON are refused, with name and place (2 workers)",
  ],
  [
    12,
    "a kernel that does not compile",
    "udf/kernel_udf/errors#a source that does not compile is an error with file, line and column",
  ],
  [13, "a kernel that traps", "udf/kernel_udf/errors#a trap names kernel, partition, frame and line"],
  [14, "a kernel that loops", "udf/kernel_udf/errors#a kernel on a worker that never ends is stopped"],
  [15, "a kernel with another signature, imports, state", [
    "udf/kernel_udf/errors#an empty source, a missing export, another signature: said with what would be right",
    "udf/kernel_udf/errors#a kernel may not allocate, import, call out or keep state",
  ]],
  [
    16,
    "a kernel for other samples",
    "udf/kernel_udf/errors#samples of another type than the kernel was written for are refused",
  ],
  [17, "an expression with a mistake", "expr/language#mistakes are errors that say where and what"],
  [
    18,
    "frames of the wrong number of dimensions",
    "udf/buffers/dims#frames of 648: the same numbers, or an error that says what is needed",
  ],
  [
    19,
    "samples that cannot be computed with",
    "udf/buffers/numbers#complex samples where only real ones make sense: the UDF is named",
  ],
  [
    20,
    "more than the memory allows",
    "udf/run/run#the plan says what it will do, and refuses what does not fit",
  ],
];

/** The sections about behaviours. */
export const BEHAVIOURS: readonly Section[] = [
  section("8", "test suites, rows about UDFs", 13, CASES),
  section("faults", "what can be wrong with a UDF", 20, FAULTS),
];
