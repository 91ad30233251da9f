/**
 * Ours and the peer's side by side: a line a workload, the best of the peer's executors, and how many times faster we are.
 *
 * @module
 */

import { align, type BenchRow, gbps } from "./timing.ts";

/** What a line is made from. */
export interface SideBySide {
  /** The workload. */
  readonly workload: string;
  /** Ours, with one worker and with two. */
  readonly ours: readonly (BenchRow | undefined)[];
  /** The peer's best at the same. */
  readonly peer: readonly (BenchRow & { readonly executor?: string } | undefined)[];
  /** How well the results agree. */
  readonly agreement?: string;
}

const HEAD = [
  ["workload", "1: ms", "GB/s", "peer", "by", "ratio"],
  ["2: ms", "GB/s", "peer", "by", "ratio", "results"],
].flat();

/** The lines as a table, and below it at how many workloads we are faster, and twice as fast. */
export function sideBySide(lines: readonly SideBySide[]): string {
  const body = lines.map(({ workload, ours, peer, agreement = "" }) => {
    return [workload, ...[0, 1].flatMap((i) => cells(ours[i], peer[i])), agreement];
  });
  return `${align([HEAD, ...body])}\n${verdict(lines)}`;
}

/**
 * How many times faster ours is than the peer's.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const took = (min: number) => ({ name: "sum", min, p75: min, samples: [min] });
 * assertEquals(ratio(took(2), took(5)), 2.5);
 * ```
 */
export function ratio(ours: BenchRow | undefined, peer: BenchRow | undefined): number | undefined {
  return ours && peer ? peer.min / ours.min : undefined;
}

function cells(ours: BenchRow | undefined, peer: SideBySide["peer"][number]): string[] {
  const speed = (row: BenchRow | undefined) => row ? gbps(row).toFixed(2) : "";
  const factor = ratio(ours, peer);
  return [
    ours ? (ours.min * 1e3).toFixed(1) : "",
    speed(ours),
    peer && ours?.bytes ? speed({ ...peer, bytes: ours.bytes }) : "",
    peer?.executor ?? "",
    factor ? `${factor.toFixed(2)}x` : "",
  ];
}

function verdict(lines: readonly SideBySide[]): string {
  const of = (i: number) => {
    const factors = lines.flatMap(({ workload, ours, peer }) => {
      const factor = ratio(ours[i], peer[i]);
      return factor === undefined ? [] : [{ workload, factor }];
    });
    const count = (least: number) => factors.filter(({ factor }) => factor >= least).length;
    const slower = factors.filter(({ factor }) => factor <= 1).map(({ workload }) => workload);
    const names = slower.length > 0 ? `; slower: ${slower.join(", ")}` : "";
    const workers = i === 0 ? "1 worker" : "2 workers";
    return `${workers}: faster in ${count(1)} of ${factors.length}, at least twice as fast in ${
      count(2)
    }${names}`;
  };
  return [0, 1].map(of).join("\n");
}
