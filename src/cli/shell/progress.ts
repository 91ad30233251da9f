/**
 * Progress on stderr: a bar with rate and time to go on a terminal, now and then a line elsewhere.
 *
 * @module
 */

import { REAL_CLOCK } from "../../clock.ts";
import type { TileProgress } from "../../runner/progress.ts";
import type { RunSettings } from "../../runner/runner.ts";
import { formatBytes } from "../../space/size.ts";
import type { Arguments } from "./args.ts";
import type { CliIo } from "./io.ts";

/** Progress of any work; the progress of a run has this form. */
export interface Advance {
  /** Frames done. */
  readonly frames: number;
  /** Frames in all. */
  readonly framesTotal: number;
  /** Bytes done. */
  readonly bytes: number;
  /** Seconds since the start. */
  readonly seconds: number;
  /** Rate. */
  readonly bytesPerSecond: number;
  /** Seconds to go. */
  readonly etaSeconds: number;
  /** What is counted. Default: frames. */
  readonly unit?: string;
}

/** Milliseconds between two pictures of the bar. */
const REDRAW = 100;
/** Milliseconds between two lines where there is no terminal. */
const LINE = 10_000;
const WIDTH = 24;

/** Shows the progress of a command, unless `--quiet` is given. */
export class ProgressBar {
  #shown: number;
  #drawn = false;
  #last: Advance | undefined;

  /** A bar called `label`. */
  constructor(
    private readonly io: CliIo,
    private readonly label: string,
    private readonly quiet: boolean,
  ) {
    this.#shown = this.#now();
  }

  /** Shows the state, but only a few times per second. */
  update(advance: Advance): void {
    this.#last = advance;
    const text = progressText(advance);
    this.#show(`: ${text}`, ` ${bar(advance)} ${text}`);
  }

  /** The last state; absent: there was none. */
  get last(): Advance | undefined {
    return this.#last;
  }

  /** Shows the current work before there is a bar. */
  note(text: string): void {
    this.#show(`: ${text}`, ` ${text}`);
  }

  #now(): number {
    return (this.io.clock ?? REAL_CLOCK).now();
  }

  #show(line: string, drawn: string): void {
    const now = this.#now();
    if (this.quiet || now - this.#shown < (this.io.errIsTerminal ? REDRAW : LINE)) return;
    this.#shown = now;
    if (!this.io.errIsTerminal) return this.io.err(`${this.label}${line}\n`);
    this.#drawn = true;
    this.io.err(`\r${this.label}${drawn}\x1b[K`);
  }

  /** Removes the bar. Call it before other output, and after errors. */
  clear(): void {
    if (this.#drawn) this.io.err("\r\x1b[K");
    this.#drawn = false;
  }
}

/** Whom a bar is shown to, and whether a line says in the end what was done. */
interface Shown {
  readonly args: Arguments;
  readonly io: CliIo;
  readonly tellsEnd?: boolean;
}

/** Calls `work` with a bar called `label`, which is gone when that ends. */
export async function withBar<T>(
  label: string,
  { args, io, tellsEnd = false }: Shown,
  work: (bar: ProgressBar) => Promise<T>,
): Promise<T> {
  const bar = new ProgressBar(io, label, args.has("quiet"));
  const result = await work(bar).finally(() => bar.clear());
  if (tellsEnd && bar.last && !args.has("quiet")) io.err(`${doneText(bar.last)}\n`);
  return result;
}

/** Calls `work` with the settings of its run: the signal of the command, and a progress bar called `label` for `bytes`. */
export async function pass<T>(
  label: string,
  bytes: number,
  told: Omit<Shown, "tellsEnd">,
  work: (settings: Required<Pick<RunSettings<TileProgress>, "signal" | "onProgress">>) => Promise<T>,
): Promise<T> {
  return await withBar(label, { ...told, tellsEnd: label === "map" }, (bar) => {
    const { signal } = told.io;
    return work({ signal, onProgress: (progress) => bar.update(tileAdvance(progress, bytes, "tiles")) });
  });
}

/** Tiles as the progress bar counts; all together, those of other levels as well, stand for the bytes of the source. */
export function tileAdvance(
  { tiles, tilesTotal, seconds, etaSeconds }: TileProgress,
  all: number,
  unit: string,
): Advance {
  const bytes = tilesTotal === 0 ? 0 : all * tiles / tilesTotal;
  return {
    frames: tiles,
    framesTotal: tilesTotal,
    bytes,
    seconds,
    bytesPerSecond: bytes / Math.max(seconds, 1e-9),
    etaSeconds,
    unit,
  };
}

/** The progress of `framesTotal` items of `each` bytes from now on, by how many are done; `before` were done earlier. */
export function advances(
  framesTotal: number,
  each: number,
  unit: string = "frames",
  before: number = 0,
): (done: number) => Advance {
  const started = performance.now();
  return (done) => {
    const seconds = (performance.now() - started) / 1000, since = done - before;
    return {
      frames: Math.floor(done),
      framesTotal,
      bytes: done * each,
      seconds,
      bytesPerSecond: since * each / Math.max(seconds, 1e-9),
      etaSeconds: seconds * (framesTotal - done) / since,
      unit,
    };
  };
}

function bar({ frames, framesTotal }: Advance): string {
  const full = Math.round(WIDTH * frames / Math.max(1, framesTotal));
  return "█".repeat(full) + "░".repeat(WIDTH - full);
}

/**
 * How far, how fast, how long.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const advance = { frames: 50, framesTotal: 200, bytes: 5e8, seconds: 0.5, bytesPerSecond: 1e9, etaSeconds: 75 };
 * assertEquals(progressText(advance), "25% (50 of 200 frames), 1.00 GB/s, 1:15 to go");
 * ```
 */
export function progressText(
  { frames, framesTotal, bytesPerSecond, etaSeconds, unit = "frames" }: Advance,
): string {
  const percent = Math.floor(100 * frames / Math.max(1, framesTotal));
  const left = Number.isFinite(etaSeconds) ? `${timeText(etaSeconds)} to go` : "";
  return [`${percent}% (${frames} of ${framesTotal} ${unit})`, rate(bytesPerSecond), left]
    .filter((part) => part !== "").join(", ");
}

/** One line for the end. */
export function doneText({ frames, bytes, seconds, bytesPerSecond, unit = "frames" }: Advance): string {
  return `${frames} ${unit}, ${formatBytes(bytes)} in ${seconds.toFixed(2)} s, ${rate(bytesPerSecond)}`;
}

/** Bytes per second in a readable unit. */
export function rate(bytesPerSecond: number): string {
  if (bytesPerSecond >= 1e8) return `${(bytesPerSecond / 1e9).toFixed(2)} GB/s`;
  return `${(bytesPerSecond / 1e6).toFixed(1)} MB/s`;
}

function timeText(seconds: number): string {
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
