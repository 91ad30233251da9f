/**
 * What UDFs may make while a run is planned: they say how much it will be, and are refused before it is made.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { formatBytes } from "../../space/size.ts";

/** Bytes that are left of a budget. */
export class Allowance {
  #used = 0;

  /**
   * All of `memory` bytes; `source` is what is read, for messages. Without `ofRun`, what is only held while a run goes on is
   * not counted.
   */
  constructor(
    private readonly memory: number,
    private readonly source: string,
    private readonly ofRun: boolean = true,
  ) {}

  /** Counts `bytes` of results, which a run holds. */
  takeResults(udf: string, bytes: number): void {
    if (this.ofRun) this.take(udf, "results", bytes);
  }

  /** Refuses tiles of a run that would not fit, beside what was counted before. */
  mustHoldTiles(udf: string, what: string, bytes: number): void {
    if (this.ofRun) this.#mustHold(udf, what, bytes);
  }

  /** Counts `bytes` of `what` that the UDF will need; `over-budget` where there are not so many. */
  take(udf: string, what: string, bytes: number): void {
    this.#mustHold(udf, what, bytes);
    this.#used += bytes;
  }

  /** Refuses what would not fit, beside what was counted before. */
  #mustHold(udf: string, what: string, bytes: number): void {
    const needed = this.#used + bytes;
    if (needed <= this.memory) return;
    const others = this.#used > 0 ? `, beside ${formatBytes(this.#used)} that were planned before` : "";
    const text = `Cannot run the UDF "${udf}" over ${this.source} in ${formatBytes(this.memory)}: it needs ` +
      `${formatBytes(bytes)} of ${what}${others}`;
    const details = { file: this.source, udf, option: "memory", expected: needed, found: this.memory };
    throw new TilewiseError("over-budget", text, details);
  }
}
