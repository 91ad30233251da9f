/**
 * The table of files that are written: what they are called, what they hold, and what writes them. Nothing else knows endings.
 *
 * To add a kind of file: a row here, and its target by that name: in `rows/registry.ts` where frames are written to it, in
 * `stored/registry.ts` where it is stored in chunks, in that of `save` where it is neither.
 *
 * @module
 */

import { cannot } from "../errors.ts";

/** What is written: frames of data sets, results of operations over views, arrays in memory. */
type TargetUse = "frames" | "results" | "arrays";

/** A kind of file. */
export interface FileTarget {
  /** Short name. */
  readonly id: string;
  /** Name for people. */
  readonly title: string;
  /** Endings of paths, lower case, with the dot; the first is the usual one. Of several kinds the longest ending counts. */
  readonly endings: readonly [string, ...string[]];
  /** What it holds, for help and documentation. */
  readonly holds: string;
  /** The format that reads it. Absent: none does. */
  readonly format?: "npy" | "raw" | "mib" | "empad" | "hdf5" | "fits" | "tiff" | "zarr";
  /** Whether frames of data sets are written to it, as they are or corrected. */
  readonly frames?: true;
  /** How results of operations over views are written to it. Absent: they are not. */
  readonly results?: "rows" | "chunks";
  /** How arrays in memory are saved to it. Absent: they are not. */
  readonly arrays?: "rows" | "own";
  /** Whether it holds several arrays. */
  readonly several?: true;
  /** Ending of the file with the frames, with the dot, where it is another one than was asked for. */
  readonly framesIn?: string;
  /** Endings of all files that may be written beside it, with the dot. */
  readonly sides?: readonly string[];
}

/** Any array in one file, samples in order. */
const ROWS = { frames: true, results: "rows", arrays: "rows" } as const;

const ALL = [
  {
    id: "npy",
    title: "npy",
    endings: [".npy"],
    holds: "any samples, in the shape of scan and frame",
    format: "npy",
    ...ROWS,
  },
  {
    id: "hspy",
    title: "HyperSpy",
    endings: [".hspy"],
    holds: "HDF5 of HyperSpy: any samples, several arrays, with names, scales and units of the axes",
    format: "hdf5",
    several: true,
    ...ROWS,
  },
  {
    id: "emd",
    title: "EMD (py4DSTEM)",
    endings: [".emd"],
    holds: "HDF5 of py4DSTEM and emdfile (EMD 1.0): any samples, with the axes",
    format: "hdf5",
    ...ROWS,
  },
  {
    id: "nexus",
    title: "NeXus",
    endings: [".nxs"],
    holds: "HDF5 of NeXus: any samples, with the axes",
    format: "hdf5",
    ...ROWS,
  },
  {
    id: "fits",
    title: "FITS",
    endings: [".fits"],
    holds: "integers and floats (bool as uint8), with names, steps and units of even axes",
    format: "fits",
    ...ROWS,
  },
  {
    id: "raw",
    title: "raw samples",
    endings: [".raw", ".bin"],
    holds: "plain samples, and a .rpl where Ripple can describe them",
    format: "raw",
    frames: true,
    sides: [".rpl"],
  },
  {
    id: "mib",
    title: "MIB",
    endings: [".mib"],
    holds: "images of uint8, uint16 or uint32, and a .hdr with the scan",
    format: "mib",
    frames: true,
    sides: [".hdr"],
  },
  {
    id: "empad",
    title: "EMPAD",
    endings: [".xml"],
    holds: "EMPAD: frames of 128x128 float32, in a .raw beside it",
    format: "empad",
    frames: true,
    framesIn: ".raw",
    sides: [".xml"],
  },
  {
    id: "tiff",
    title: "TIFF",
    endings: [".tif", ".tiff"],
    holds: "images, one page per frame, tiled by convert and map; BigTIFF if 4 GiB could be too few",
    format: "tiff",
    frames: true,
    results: "chunks",
    arrays: "rows",
  },
  {
    id: "ome-tiff",
    title: "OME-TIFF",
    endings: [".ome.tif", ".ome.tiff"],
    holds: "the same with OME-XML, as a pyramid; up to five dimensions",
    format: "tiff",
    results: "chunks",
  },
  {
    id: "zarr",
    title: "Zarr",
    endings: [".zarr", ".zarr.zip"],
    holds: "a Zarr array of version 3 or 2; --shard-size combines chunks in larger files, .zip all of them",
    format: "zarr",
    results: "chunks",
  },
  {
    id: "ome-zarr",
    title: "OME-Zarr",
    endings: [".ome.zarr", ".ome.zarr.zip"],
    holds: "an OME-Zarr pyramid, two to five dimensions; colours become channels, in front of rows",
    format: "zarr",
    results: "chunks",
  },
  {
    id: "zspy",
    title: "HyperSpy",
    endings: [".zspy"],
    holds: "Zarr of HyperSpy: any samples, with the axes",
    format: "zarr",
    results: "chunks",
  },
  {
    id: "npz",
    title: "npz",
    endings: [".npz"],
    holds: "several arrays in one archive of NumPy",
    several: true,
    arrays: "own",
  },
  {
    id: "csv",
    title: "CSV",
    endings: [".csv"],
    holds: "text: the rows of a table, or a line per sample",
    arrays: "own",
  },
  { id: "png", title: "PNG", endings: [".png"], holds: "a picture; of map as well", arrays: "own" },
] as const satisfies readonly FileTarget[];

type Entry = typeof ALL[number];

/** Names of files of rows: head, samples in order, with room around frames. */
export type RowId = Extract<Entry, { readonly frames: true }>["id"];
/** Names of files of chunks. */
export type ChunkId = Extract<Entry, { readonly results: "chunks" }>["id"];
/** Names of files of arrays alone. */
export type OwnId = Extract<Entry, { readonly arrays: "own" }>["id"];

/** Every kind of file. */
export const TARGETS: readonly FileTarget[] = ALL;

/** The kind of that name. */
export function targetNamed(id: Entry["id"]): FileTarget {
  return TARGETS.find((target) => target.id === id)!;
}

/** The endings of all files that something is written to. */
export function endingsFor(...uses: readonly TargetUse[]): string[] {
  return TARGETS.flatMap((target) => uses.some((use) => target[use] !== undefined) ? target.endings : []);
}

/** The ending of `path` in lower case, of all that there are the longest; folders may have slashes at their end. */
function endingIn(path: string): string | undefined {
  const name = path.toLowerCase().replace(/(\.z(arr|spy))[/\\]+$/, "$1");
  const all = TARGETS.flatMap(({ endings }) => endings).filter((ending) => name.endsWith(ending));
  return all.toSorted((a, b) => b.length - a.length)[0];
}

/** The ending of `path` by which its kind is found, in lower case. */
export function endingAt(path: string, use: TargetUse): string | undefined {
  const found = endingIn(path);
  return endingsFor(use).find((ending) => ending === found);
}

/** The kind of the file `path`, if something is written to such files. */
export function targetAt(path: string, use: TargetUse): FileTarget | undefined {
  const ending = endingAt(path, use);
  return TARGETS.find((target) => target[use] !== undefined && target.endings.some((one) => one === ending));
}

/** Whether the file `path` is of this kind. */
export function isKind(path: string, id: Entry["id"]): boolean {
  const ending = endingIn(path);
  return ending !== undefined && targetNamed(id).endings.includes(ending);
}

/** The path of a file beside one of this kind: the other ending in place of its own; the path of another kind as it is. */
export function besideKind(path: string, id: Entry["id"], ending: string): string {
  return isKind(path, id) ? path.slice(0, -endingIn(path)!.length) + ending : path;
}

/** Whether results of operations over views are stored at `path` in chunks. */
export function isChunkPath(path: string): boolean {
  return targetAt(path, "results")?.results === "chunks";
}

/** The kind of the file `path`, or `unsupported` with the endings that there are. */
export function mustBeTarget(path: string, use: TargetUse): FileTarget {
  const found = targetAt(path, use);
  if (found) return found;
  const expected = endingsFor(use).join(", ");
  throw cannot("write", path, "unsupported", `the name must end with one of ${expected}`, { expected });
}
