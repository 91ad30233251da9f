/**
 * Places in the scan and in the frames of a data set.
 *
 * @module
 */

import type { Dataset } from "@tilewise/tilewise";
import type { Position, Region } from "../../state/state.ts";

/** What is known of a data set. */
type Shapes = Pick<Dataset, "navShape" | "sigShape">;

/** Rows and columns of an image of the scan; 1 where there is no such dimension. */
export function scanSize({ navShape }: Shapes): readonly [rows: number, columns: number] {
  return [navShape.at(-2) ?? 1, navShape.at(-1) ?? 1];
}

/** Rows and columns of a frame; nothing, if frames are not images. */
export function frameSize({ sigShape }: Shapes): readonly [rows: number, columns: number] | undefined {
  const [height, width] = sigShape;
  return sigShape.length === 2 && height !== undefined && width !== undefined ? [height, width] : undefined;
}

/** The position in the middle of the scan. */
export function middle(shapes: Shapes): Position {
  const [rows, columns] = scanSize(shapes);
  return [Math.floor(rows / 2), Math.floor(columns / 2)];
}

/** The nearest position that the scan has: addresses and other scans may have others. */
export function within(shapes: Shapes, [y, x]: Position): Position {
  const [rows, columns] = scanSize(shapes);
  const inside = (value: number, size: number) => Math.max(0, Math.min(size - 1, Math.round(value)));
  return [inside(y, rows), inside(x, columns)];
}

/** Kinds of a region of interest, with what buttons call them. */
export const REGIONS = [["", "All"], ["rectangle", "Rectangle"], ["disk", "Disk"]] as const;

/** A region in the middle half of the scan; nothing, if `kind` is none. */
export function newRegion(shapes: Shapes, kind: string): Region | undefined {
  const [rows, columns] = scanSize(shapes);
  const [cy, cx] = middle(shapes);
  if (kind === "disk") return { kind, cy, cx, r: Math.max(1, Math.round(Math.min(rows, columns) / 4)) };
  if (kind !== "rectangle") return undefined;
  const half = (size: number) => Math.max(1, Math.floor(size / 2) - 1);
  return {
    kind,
    y: Math.floor(rows / 4),
    x: Math.floor(columns / 4),
    height: half(rows),
    width: half(columns),
  };
}
