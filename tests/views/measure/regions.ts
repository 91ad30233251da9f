/** Images with regions, as `make_regions.py` makes them. */

import { type Shape, unravel } from "../../../src/space/shape.ts";
import REGIONS from "./regions.json" with { type: "json" };

/** Images and volumes of several tiles and chunks, with the digest of SciPy's labels. */
export const REGION_ROWS = REGIONS.tiled;

/** Numbers from 0 to 99, as `make_regions.py` makes them. */
function hashed(value: number, seed: number): number {
  let found = (Math.imul(value, 0x9e3779b1) + seed) >>> 0;
  found = Math.imul(found ^ (found >>> 15), 0x2c1b3c6d) >>> 0;
  return ((found ^ (found >>> 12)) >>> 0) % 100;
}

/** From 0 to 99: those above 50 are inside. */
export function level(kind: string, shape: Shape, seed: number): (flat: number) => number {
  const place = (flat: number) => unravel(flat, shape);
  const kinds: Readonly<Record<string, (flat: number) => number>> = {
    noise: (flat) => hashed(flat, seed),
    sparse: (flat) => hashed(flat, seed) > 90 ? 99 : 0,
    blocks: (flat) => hashed(place(flat).reduce((sum, p, d) => sum + Math.floor(p / 5) * 31 ** d, 0), seed),
    lines: (flat) => {
      const line = hashed(Math.floor(flat / shape.at(-1)!), seed);
      return line < 30 ? 0 : line < 60 ? 99 : hashed(flat, seed);
    },
    squares: (flat) => place(flat).every((p) => p % 20 < 11) ? 99 : 0,
    board: (flat) => place(flat).reduce((sum, p) => sum + p, 0) % 2 * 99,
    full: () => 99,
    empty: () => 0,
  };
  return kinds[kind]!;
}

/** The digest of labels, as `make_regions.py` has it. */
export async function digest(labels: Uint32Array): Promise<string> {
  const hash = new Uint8Array(
    await crypto.subtle.digest("SHA-256", new Uint8Array(new Uint32Array(labels).buffer)),
  );
  return hash.toHex();
}
