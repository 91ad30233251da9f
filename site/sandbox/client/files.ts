/**
 * The files of a program in a page: what it has saved, and what the examples open. They are in memory, and go with the program.
 *
 * @module
 */

import { type Dataset, open as openInput } from "@tilewise/tilewise";
import type { OpenInput, OpenOptions } from "@tilewise/tilewise/formats";
import { DemoScan } from "../../../src/samples/mod.ts";
import { newBuffer } from "../../../src/sharing.ts";

/** How to get what lies under a path. */
type Kept = () => OpenInput | Promise<OpenInput>;

const kept = new Map<string, Kept>([["scan/scan.hdr", demoScan]]);

/** Keeps what `open` finds under a path. */
export function keep(path: string, input: Kept): void {
  kept.set(path, input);
}

/** `open` of the library, which finds files of the program by their paths as well. */
export async function open(source: OpenInput, options?: OpenOptions): Promise<Dataset> {
  const input = typeof source === "string" ? kept.get(source) : undefined;
  return await openInput(input ? await input() : source, options);
}

/** The scan that the examples open: that of `tilewise demo --scan 48x48 --side 64`. */
function demoScan(): OpenInput {
  const [rows, columns, side] = [48, 48, 64];
  const data = new Uint16Array(newBuffer(2 * rows * columns * side ** 2));
  let at = 0;
  for (const frame of new DemoScan({ scan: [rows, columns], side, seed: 1 }).frames()) {
    data.set(frame, at);
    at += frame.length;
  }
  return { data, shape: [rows, columns, side, side], name: "scan/scan.hdr" };
}
