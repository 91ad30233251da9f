/**
 * Elements for pages of others: `<tw-scan>`, two linked pictures of a scan with a detector to drag, and `<tw-image>`, the picture that
 * both the page and `<tw-scan>` are made of. Importing this module registers them.
 *
 * @module
 */

/// <reference lib="dom" />

import type { OpenInput } from "@tilewise/tilewise/formats";
import { findAnalysis, splitWord, wordOf } from "../src/analyses/mod.ts";
import { displayOf } from "./draw/maps.ts";
import type { Answer, Session } from "./engine/session.ts";
import { adviceFor, isCancelled } from "./open/failures.ts";
import { chosenIn } from "./panels/analysis/result_list.ts";
import { startValues } from "./panels/analysis/starts.ts";
import { frameSize, middle, within } from "./panels/explore/places.ts";
import { define, html, PictureElement, setTextOf } from "./pictures/element.ts";
import { onPicture, TwImage } from "./pictures/mod.ts";
import { detectorOf, withDetector } from "./state/detectors.ts";
import { Newest } from "./state/newest.ts";
import { type AnalysisChoice, type Position, START } from "./state/state.ts";

export { TwImage };

const STYLE = `
:host { display: flex; flex-wrap: wrap; gap: 8px; min-height: 320px; }
:host([hidden]) { display: none; }
tw-image { flex: 1 1 240px; height: calc(100% - 2em); }
p { flex: 1 1 100%; margin: 0; font: 13px/1.4 var(--sans, system-ui, sans-serif); color: var(--ink, CanvasText); }
`;

/** A scan: its image on the left, its pattern with the detector on the right. */
export class TwScan extends PictureElement {
  /** The attributes that are followed. */
  static readonly observedAttributes: readonly string[] = ["src", "analysis"];
  readonly #scan = html("tw-image", { "aria-label": "Image of the scan" });
  readonly #pattern = html("tw-image", { "aria-label": "Diffraction pattern" });
  readonly #state = html("p", { role: "status" });
  #analysis: AnalysisChoice = { name: "annular_detector", values: {} };
  #position: Position | undefined;
  #session: Session | undefined;
  #opening: AbortController | undefined;
  readonly #reading = new Newest();

  /** An empty element. */
  constructor() {
    super(STYLE);
    this.root.append(this.#scan, this.#pattern, this.#state);
    this.#pattern.display = START.frame;
    onPicture(this.#pattern, "region-change", ({ region }) => {
      if (region.kind !== "arrow") this.#ask(withDetector(this.#analysis, region));
    });
    onPicture(this.#scan, "position-change", ({ position }) => void this.#read(position));
  }

  /** The analysis as a word, such as `annular_detector:ri=20,ro=60`. */
  get analysis(): string {
    return wordOf(this.#analysis);
  }

  set analysis(word: string) {
    const [head = ""] = word.split(":", 1);
    const known = findAnalysis(head);
    if (!known) throw new RangeError(`The analysis "${head}" is unknown`);
    const { name, pairs } = splitWord(word, Object.keys(known.parameters));
    this.#ask({ name, values: Object.fromEntries(pairs) });
  }

  /** Opens a source: an address, a file, or an array in memory. Resolves when its first result is asked for. */
  async open(source: OpenInput): Promise<void> {
    const { signal } = this.#begin();
    try {
      const { openSession } = await import("./panels/library.ts");
      const session = await openSession(source, {}, signal);
      if (signal.aborted) return void session.close();
      this.#session = session;
      this.#position = middle(session.dataset);
      this.#ask(this.#analysis);
      void this.#read(undefined);
      await session.frame(undefined, signal).catch(() => {}); // it is told above why there is none
      const size = frameSize(session.dataset);
      const isUnchanged = Object.keys(this.#analysis.values).length === 0;
      if (size && isUnchanged && session === this.#session) {
        const { name } = this.#analysis;
        this.#ask({ name, values: startValues(name, size, session.disk) });
      }
    } catch (error) {
      if (!signal.aborted && !isCancelled(error)) this.#fail(error);
    }
  }

  /** Follows an attribute. */
  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (now === before || now === null) return;
    if (name === "analysis") this.analysis = now;
    else void this.open(now === "" ? now : new URL(now, document.baseURI).href);
  }

  /** It has left the page: all memory is given back. */
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#begin();
  }

  /** Shows the detector and the position. */
  override draw(): void {
    const size = this.#session && frameSize(this.#session.dataset);
    const region = size && detectorOf(this.#analysis, size);
    this.#pattern.regions = region ? [{ id: "detector", label: "Detector", region }] : [];
    this.#scan.position = this.#position;
  }

  /** Ends what is open. */
  #begin(): AbortController {
    this.#opening?.abort();
    this.#reading.stop();
    this.#session?.close().catch(() => {}); // nobody waits for it
    this.#session = undefined;
    this.#scan.image = this.#pattern.image = undefined;
    setTextOf(this.#state, "");
    return this.#opening = new AbortController();
  }

  #ask(analysis: AnalysisChoice): void {
    this.#analysis = analysis;
    this.redraw();
    this.#session?.ask({ analysis }, (answer) => this.#answered(answer));
  }

  #answered(answer: Answer): void {
    const { state, error } = answer;
    if (state === "failed") this.#fail(error);
    const chosen = chosenIn(answer, {});
    if (!chosen?.image || state === "cancelled") return;
    const picture = chosen.result.kind === "scan" ? this.#scan : this.#pattern;
    if (picture === this.#pattern) this.#reading.stop(); // it would come in its place
    picture.image = chosen.image;
    picture.display = displayOf(chosen.image, START.scan);
    if (state !== "done") return;
    setTextOf(this.#state, "");
    this.tell("result", { analysis: this.analysis, name: chosen.result.name, array: chosen.result.array });
  }

  /** Shows the pattern of a position; undefined: the sum of all. */
  async #read(position: Position | undefined): Promise<void> {
    const session = this.#session;
    if (!session) return;
    this.#position = position ? within(session.dataset, position) : this.#position;
    this.redraw();
    await this.#reading.begin(
      (signal) => session.frame(position && this.#position, signal),
      (image) => void (this.#pattern.image = image),
      (error) => void (isCancelled(error) || this.#fail(error)),
    );
  }

  #fail(error: unknown): void {
    const { title, text } = adviceFor(error);
    setTextOf(this.#state, `${title}. ${text}`);
    this.tell("failure", { error });
  }
}

define("tw-scan", TwScan);
