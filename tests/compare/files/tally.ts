/**
 * Counts of a comparison of files: by kind, and by those who were asked.
 *
 * @module
 */

import type { Reason } from "./explained.ts";
import type { Kind } from "./maker.ts";

/** How often something happened, and what has no reason. */
export class Tally {
  /** Differences of ours, and of others without a reason. */
  unexplained = 0;
  readonly #files = new Map<Kind, { files: number; skipped: number; differ: number; seconds: number }>();
  readonly #others = new Map<Reason["who"], { equal: number; refused: number; explained: number }>();
  readonly #reasons = new Map<Reason, number>();

  /** Counts a file. */
  file(kind: Kind, end: "equal" | "differs" | "skipped"): void {
    const row = this.#row(kind);
    if (end === "skipped") row.skipped++;
    else row.files++;
    if (end !== "differs") return;
    row.differ++;
    this.unexplained++;
  }

  /** Counts the time for a kind. */
  time(kind: Kind, seconds: number): void {
    this.#row(kind).seconds += seconds;
  }

  /** Counts the answer of another. */
  other(who: Reason["who"], end: "equal" | "refused" | Reason): void {
    const row = this.#others.get(who) ?? { equal: 0, refused: 0, explained: 0 };
    this.#others.set(who, row);
    if (typeof end === "string") row[end]++;
    else {
      row.explained++;
      this.#reasons.set(end, (this.#reasons.get(end) ?? 0) + 1);
    }
  }

  #row(kind: Kind) {
    const row = this.#files.get(kind) ?? { files: 0, skipped: 0, differ: 0, seconds: 0 };
    this.#files.set(kind, row);
    return row;
  }

  /** All counts as text. */
  toString(): string {
    const lines = [...this.#files].map(([kind, { files, skipped, differ, seconds }]) =>
      `${kind}: ${files} files in ${seconds.toFixed(0)} s, ${differ} differ; ${skipped} could not be written`
    );
    for (const [who, { equal, refused, explained }] of this.#others) {
      lines.push(`${who}: ${equal} arrays equal, ${refused} refused, ${explained} explained`);
    }
    for (const [{ who, text }, count] of this.#reasons) lines.push(`  ${count} × ${who}: ${text}`);
    return [...lines, `${this.unexplained} unexplained`].join("\n");
  }
}
