/**
 * A region of the scan as flags of the command line and as code.
 *
 * @module
 */

import { maskOf } from "../../engine/region.ts";
import type { Region } from "../../state/state.ts";

/** Most positions that a command names one by one. */
const MOST = 4000;

/** A rectangle as `start:stop` per dimension, half-open; `undefined` for another region. */
export function rangesOf(region: Region, navShape: readonly number[]): string | undefined {
  if (region.kind === "point") {
    const [y, x] = [Math.round(region.y), Math.round(region.x)];
    return rangesOf({ kind: "rectangle", y, x, height: 0, width: 0 }, navShape);
  }
  if (region.kind !== "rectangle") return undefined;
  const range = (first: number, length: number, size: number) => {
    const start = Math.max(0, Math.ceil(first));
    return `${start}:${Math.max(start, Math.min(size, Math.floor(first + length) + 1))}`;
  };
  const rows = range(region.y, region.height, navShape.at(-2) ?? 1);
  const columns = range(region.x, region.width, navShape.at(-1) ?? 1);
  if (navShape.length === 1) return columns;
  return [...navShape.slice(0, -2).map(() => ":"), rows, columns].join(", ");
}

/** What `--roi` takes: ranges, positions, or the name of a file with a mask, which must be saved. */
export function roiFlag(
  region: Region,
  navShape: readonly number[],
  file: string,
): { readonly text: string; readonly mask?: Uint8Array } {
  const ranges = rangesOf(region, navShape);
  if (ranges !== undefined) return { text: ranges.replaceAll(" ", "") };
  const mask = maskOf(region, navShape);
  const positions = [...mask.keys()].filter((at) => mask[at]).map((at) => placeOf(at, navShape).join(","));
  if (positions.length > 0 && positions.length <= MOST) return { text: positions.join(";") };
  return { text: file, mask };
}

function placeOf(at: number, shape: readonly number[]): number[] {
  const place: number[] = [];
  for (const n of shape.toReversed()) {
    place.unshift(at % n);
    at = Math.floor(at / n);
  }
  return place;
}

/** Code that makes the option `roi` of a plan. */
export function roiCode(region: Region, navShape: readonly number[]): string {
  const ranges = rangesOf(region, navShape);
  if (ranges !== undefined) return `const roi = { range: ${JSON.stringify(ranges)} };`;
  const [rows, columns] = [navShape.at(-2) ?? 1, navShape.at(-1) ?? 1];
  const total = navShape.reduce((product, n) => product * n, 1);
  return [
    `const isInside = (y: number, x: number) => ${insideCode(region)};`,
    `const roi = Uint8Array.from({ length: ${total} }, (_, i) => {`,
    `  const [y, x] = [Math.floor(i / ${columns}) % ${rows}, i % ${columns}];`,
    `  return isInside(y, x) ? 1 : 0;`,
    `});`,
  ].join("\n");
}

function insideCode(region: Region): string {
  if (region.kind === "disk") return `Math.hypot(y - ${region.cy}, x - ${region.cx}) <= ${region.r}`;
  if (region.kind !== "ring") return "true";
  const distance = `Math.hypot(y - ${region.cy}, x - ${region.cx})`;
  return `${distance} > ${region.ri} && ${distance} <= ${region.ro}`;
}
