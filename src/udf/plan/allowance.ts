/**
 * Limits what UDFs make while a run is planned: they declare the bytes first, and are refused before they make
 * anything.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { formatBytes } from "../../space/size.ts";

/** The bytes that are left of a budget. */
export class Allowance {
  #used = 0;

  /**
   * All of `memory` bytes; `source` is what is read, for messages. Without `ofRun`, memory that is only held during a
   * run is not counted.
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

  /** Refuses tiles of a run that do not fit, in addition to what was counted before. */
  mustHoldTiles(udf: string, what: string, bytes: number): void {
    if (this.ofRun) this.#mustHold(udf, what, bytes);
  }

  /** Counts `bytes` of `what` that the UDF will need; throws `over-budget` if they do not fit. */
  take(udf: string, what: string, bytes: number): void {
    this.#mustHold(udf, what, bytes);
    this.#used += bytes;
  }

  /** Refuses what does not fit, in addition to what was counted before. */
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
