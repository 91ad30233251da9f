/**
 * Which dimensions of an array are the rows and columns of its images, and which image is meant.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { inWords, nearest } from "../options.ts";
import type { Shape } from "../space/shape.ts";

/**
 * Which image of an array is meant: a position for each dimension but rows and columns, by its label, or for all dimensions in
 * their order. Positions that are not given are 0.
 * @category Tiles for pages
 */
export type TileSelection = Readonly<Record<string, number>> | readonly number[];

/** Rows and columns among the dimensions of an array. */
export interface ImagePlane {
  /** A name for each dimension, all different. */
  readonly labels: readonly string[];
  /** The dimension of rows. */
  readonly y: number;
  /** The dimension of columns. */
  readonly x: number;
}

/**
 * The plane of an array with these names of dimensions: the frame of a scan, if the last two are `ky` and `kx`; else those called
 * `y` and `x`, else the last two. Rows and columns are labelled `y` and `x`, those of a scan `scan_y` and `scan_x`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(planeIn(["c", "y", "x", "s"]), { labels: ["c", "y", "x", "s"], y: 1, x: 2 });
 * assertEquals(planeIn(["y", "x", "ky", "kx"]), { labels: ["scan_y", "scan_x", "y", "x"], y: 2, x: 3 });
 * assertEquals(planeIn(["", "", ""]), { labels: ["axis0", "y", "x"], y: 1, x: 2 });
 * ```
 */
export function planeIn(names: readonly string[]): ImagePlane {
  const rank = names.length;
  if (rank < 2) {
    const text = `Cannot show an array of ${
      rank === 1 ? "1 dimension" : `${rank} dimensions`
    } in tiles: images have two`;
    throw new TilewiseError("unsupported", text, { expected: 2, found: rank });
  }
  const lower = names.map((name) => name.toLowerCase());
  if (lower.at(-2) === "ky" && lower.at(-1) === "kx") return frameOf(names);
  const [y, x] = [lower.lastIndexOf("y"), lower.lastIndexOf("x")];
  const plane = y >= 0 && y < x ? { y, x } : { y: rank - 2, x: rank - 1 };
  const labels = names.map((name, d) => d === plane.y ? "y" : d === plane.x ? "x" : name || `axis${d}`);
  const isClear = new Set(labels).size === rank;
  return {
    labels: isClear ? labels : labels.map((label, d) => "yx".includes(label) ? label : `axis${d}`),
    ...plane,
  };
}

/** The plane of the frames of a scan: one of the scan for each pixel would read all frames. */
function frameOf(names: readonly string[]): ImagePlane {
  const [y, x] = [names.length - 2, names.length - 1];
  const own = (name: string, d: number) => /^[yx]$/i.test(name) ? `scan_${name}` : name || `axis${d}`;
  const labels = [...names.slice(0, y).map(own), "y", "x"];
  const isClear = new Set(labels).size === names.length;
  return { labels: isClear ? labels : labels.map((label, d) => d < y ? `axis${d}` : label), y, x };
}

/** The position of the image that is meant in an array of this shape; 0 for rows and columns. Errors: `invalid`. */
export function positionOf(
  selection: TileSelection = {},
  { labels, y, x }: ImagePlane,
  shape: Shape,
): number[] {
  const position = shape.map(() => 0);
  for (const [d, n] of entriesOf(selection, labels)) {
    if (d === y || d === x) continue;
    const size = shape[d]!;
    if (!Number.isInteger(n) || n < 0 || n >= size) {
      const text = `There is no image at ${labels[d]} = ${inWords(n)}: positions are 0 to ${size - 1}`;
      throw new TilewiseError("invalid", text, {
        option: `selection.${labels[d]}`,
        expected: size - 1,
        found: inWords(n),
      });
    }
    position[d] = n;
  }
  return position;
}

/** Dimensions and positions in them. */
function entriesOf(selection: TileSelection, labels: readonly string[]): (readonly [d: number, n: number])[] {
  if (isList(selection)) {
    if (selection.length === labels.length) return selection.map((n, d) => [d, n] as const);
    const text = `A selection as a list has one number for each of ${
      labels.join(", ")
    }; it has ${selection.length}`;
    throw new TilewiseError("invalid", text, {
      option: "selection",
      expected: labels.length,
      found: selection.length,
    });
  }
  if (typeof selection !== "object" || selection === null) {
    const text = `A selection is an object such as { c: 0 }, or a list; it is ${inWords(selection)}`;
    throw new TilewiseError("invalid", text, { option: "selection", found: inWords(selection) });
  }
  return Object.entries(selection).map(([label, n]) => [dimensionOf(label, labels), n] as const);
}

function dimensionOf(label: string, labels: readonly string[]): number {
  const d = labels.indexOf(label);
  if (d >= 0) return d;
  const near = nearest(label, labels);
  const hint = near ? `did you mean "${near}"?` : `there are ${labels.join(", ")}`;
  throw new TilewiseError("invalid", `There is no dimension "${label}" to select: ${hint}`, {
    option: `selection.${label}`,
    expected: near ?? labels.join(", "),
    found: label,
  });
}

function isList(selection: TileSelection): selection is readonly number[] {
  return Array.isArray(selection);
}
