/**
 * The foot of the page: how far the run is, and that nothing leaves the machine.
 *
 * @module
 */

/// <reference lib="dom" />

import type { Answer } from "../engine/session.ts";
import { element, setAttribute, setText } from "../parts/dom.ts";
import { Announcer, ProgressBar } from "../parts/progress.ts";
import { plainly } from "./analysis/plainly.ts";
import { bytesText } from "./source_sheet.ts";

/** Fewer bytes say nothing of how fast a file is read. */
const RATED = 2 ** 24;

/** The foot. */
export class Foot {
  /** The element. */
  readonly root: HTMLElement;
  /** Says things to readers of the screen. */
  readonly announcer = new Announcer();
  readonly #dot = element("span", { class: "dot" });
  readonly #text = element("span", {}, "Ready");
  readonly #bar = new ProgressBar("Run");
  readonly #keeping = element("span", { class: "keeping" });
  /** Whether the last thing that was said is a failure: that it is over is said, however short the run. */
  #hasFailed = false;

  /** The foot, with the announcer in it. */
  constructor() {
    this.#bar.root.hidden = true;
    this.root = element(
      "footer",
      { class: "page-foot", "aria-busy": "false" },
      element("div", { class: "state" }, this.#dot, this.#text, this.#bar.root),
      this.#keeping,
      element("span", { class: "privacy" }, "Computed in this page. Nothing is uploaded."),
      this.announcer.root,
    );
  }

  /** Shows an answer; `undefined`: nothing runs. Samples that are `kept` in memory have no rate of reading. */
  show(answer: Answer | undefined, kept: boolean = false): void {
    const state = answer?.state ?? "idle";
    setAttribute(this.root, "aria-busy", `${state === "running"}`);
    this.#dot.className = `dot ${state === "done" ? "done" : state === "failed" ? "bad" : ""}`;
    this.#bar.root.hidden = state !== "running";
    const text = textOf(answer, kept);
    setText(this.#text, text);
    if (!answer) return;
    const { progress } = answer;
    this.#bar.show(progress.frames > 0 ? progress.done / progress.frames : undefined);
    if (state === "running" && progress.seconds > 1) this.announcer.progress(text);
    if (state === "failed" || (state === "done" && (progress.seconds > 1 || this.#hasFailed))) {
      this.announcer.say(text);
    }
    if (state === "failed" || state === "done") this.#hasFailed = state === "failed";
  }

  /** A question was asked: what is shown is no answer to it. One that is answered at once is not shown to begin. */
  asked(isSoon: boolean): void {
    setAttribute(this.root, "aria-busy", "true");
    if (!isSoon) this.#begin();
  }

  #begin(): void {
    this.#dot.className = "dot";
    this.#bar.root.hidden = false;
    this.#bar.show(undefined);
    setText(this.#text, "Starting");
  }

  /** Shows that something is open, and nothing runs. */
  rest(): void {
    this.show(undefined);
    this.#dot.className = "dot done";
  }

  /** Says that memory is not shared, which is slower, or nothing. */
  note(text: string): void {
    setText(this.#keeping, text);
  }
}

function textOf(answer: Answer | undefined, kept: boolean): string {
  if (!answer) return "Ready";
  const { state, progress: { done, frames, seconds, bytesPerSecond, etaSeconds, stage }, milliseconds } =
    answer;
  if (state === "failed") return `Failed: ${plainly(answer.error?.message ?? "").slice(0, 120)}`;
  if (state === "cancelled") return "Stopped";
  if (state === "done") {
    const isRate = !kept && bytesPerSecond * seconds >= RATED;
    const rate = isRate ? ` · ${bytesText(bytesPerSecond)}/s` : "";
    if (frames === 0) return "No position of the scan lies in the region";
    return `${frames} ${frames === 1 ? "pattern" : "patterns"} in ${timeText(milliseconds / 1000)}${rate}`;
  }
  const left = Number.isFinite(etaSeconds) && etaSeconds > 1 ? ` · ${timeText(etaSeconds)} left` : "";
  return `${stage ? `${stage}: ` : ""}${done} of ${frames} patterns${left}`;
}

/** Seconds for people. */
export function timeText(seconds: number): string {
  if (seconds < 1) return `${Math.max(1, Math.round(1000 * seconds))} ms`;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
