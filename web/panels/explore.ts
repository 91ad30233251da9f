/**
 * Explore: the image of the scan and the pattern side by side. Handles change the state, the state is shown by the handles.
 *
 * @module
 */

/// <reference lib="dom" />

import type { Dataset } from "@tilewise/tilewise";
import "./analysis.ts";
import type { Answer, NamedResult } from "../engine/session.ts";
import { type Segments, segments } from "../parts/buttons.ts";
import { element } from "../parts/dom.ts";
import { changeDetector, detectorOf, DETECTORS, withDetector } from "../state/detectors.ts";
import type { PageState, Position } from "../state/state.ts";
import type { Mark } from "../draw/region.ts";
import { titleOf } from "./analysis/describe.ts";
import { hasLattice } from "./analysis/lattice.ts";
import { chosenIn, imagesOf, isOther } from "./analysis/result_list.ts";
import { startValues } from "./analysis/starts.ts";
import { onPicture } from "../pictures/mod.ts";
import { LatticeMarks } from "./explore/lattice_marks.ts";
import { PatternReader } from "./explore/pattern_reader.ts";
import { frameSize, middle, newRegion, REGIONS, within } from "./explore/places.ts";
import { ViewCard } from "./view_card.ts";
import type { Panel, Workbench } from "./workbench.ts";

/** What the pattern can be. */
const PATTERNS = [["sum", "Sum"], ["position", "One position"], ["result", "Result"]] as const;

/** Scan, pattern and analysis. */
export class Explore extends HTMLElement implements Panel {
  #bench!: Workbench;
  #scan!: ViewCard;
  #frame!: ViewCard;
  #pattern!: Segments;
  #region!: Segments;
  #detector!: Segments;
  #reader!: PatternReader;
  #lattice!: LatticeMarks;
  #ends: (() => void)[] = [];

  /** The workbench; set before the panel is shown. */
  set bench(bench: Workbench) {
    this.#bench = bench;
    this.#lattice = new LatticeMarks(bench);
    this.#reader = new PatternReader(bench, (image) => this.#frame.setImage(image));
    this.#build();
  }

  /** Listens while it is shown. */
  connectedCallback(): void {
    const { store } = this.#bench;
    this.#ends = [
      store.listen((state, before) => this.#changed(state, before)),
      this.#bench.on("answer", (answer) => this.#answered(answer)),
      this.#bench.on("session", () => this.#begin()),
    ];
    this.#begin();
  }

  /** Ends what was begun. */
  disconnectedCallback(): void {
    for (const end of this.#ends) end();
    this.#reader.stop();
  }

  /** Moves the focus to one of the images. */
  focusOn(which: "scan" | "frame"): void {
    (which === "scan" ? this.#scan : this.#frame).picture.focus();
  }

  /** Shows or hides the line profile of the image that has the focus, else of the pattern. */
  toggleLine(): void {
    const isScan = this.#scan.root.contains(document.activeElement);
    (isScan ? this.#scan : this.#frame).toggleLine();
  }

  /** Takes the next kind of detector. */
  nextDetector(): void {
    const names = DETECTORS.map(([name]) => name as string);
    const at = names.indexOf(this.#bench.store.state.analysis.name);
    this.#setDetector(names[(at + 1) % names.length] ?? "disk_detector");
  }

  /** Takes the next kind of region of interest. */
  nextRegion(): void {
    const kinds = REGIONS.map(([kind]) => kind as string);
    const at = kinds.indexOf(this.#bench.store.state.roi?.kind ?? "");
    this.#setRegion(kinds[(at + 1) % kinds.length] ?? "");
  }

  #build(): void {
    this.classList.add("explore");
    this.#region = segments("Region of interest", REGIONS, (kind) => this.#setRegion(kind));
    this.#pattern = segments("What the pattern shows", PATTERNS, (which) => this.#setPattern(which));
    this.#detector = segments("Detector", DETECTORS, (name) => this.#setDetector(name));
    this.#scan = new ViewCard(this.#bench, {
      which: "scan",
      label: "Image of the scan",
      empty: "Choose a detector or an analysis that gives one value for each position of the scan.",
      tools: [],
      controls: [element("span", { class: "hint" }, "Region"), this.#region.root],
    });
    this.#frame = new ViewCard(this.#bench, {
      which: "frame",
      label: "Diffraction pattern",
      empty: "The pattern appears here when it has been read.",
      tools: [this.#pattern.root],
      controls: [element("span", { class: "hint" }, "Detector"), this.#detector.root],
    });
    const analysis = element("tw-analysis") as Panel;
    analysis.bench = this.#bench;
    this.append(
      this.#scan.root,
      this.#frame.root,
      element("aside", { class: "card side", "aria-label": "Analysis" }, analysis),
    );
    this.#listen();
  }

  #listen(): void {
    const { store } = this.#bench;
    onPicture(this.#scan.root, "position-change", ({ position, done }) => {
      store.update({ position: within(this.#shapes, position), ...this.#instead }, "position");
      if (done) store.endGroup();
    });
    onPicture(this, "region-change", ({ id, region, done }) => {
      const change = this.#moved(id, region);
      if (!change) return;
      store.update(change, id);
      if (done) store.endGroup();
    });
  }

  /** What a mark that was moved changes; nothing, if it is only seen. */
  #moved(id: string, mark: Mark): Partial<PageState> | undefined {
    const { analysis } = this.#bench.store.state;
    if (mark.kind !== "arrow" && id === "roi") return { roi: mark };
    if (mark.kind !== "arrow" && id === "detector") return { analysis: withDetector(analysis, mark) };
    const moved = this.#lattice.moved(analysis, id, mark);
    return moved && { analysis: moved };
  }

  #begin(): void {
    this.#reader.stop();
    this.#scan.setImage(undefined);
    this.#frame.setImage(undefined);
    this.#showState(this.#bench.store.state);
    this.#answered(this.#bench.answer);
    this.#readFrame();
  }

  #changed(state: PageState, before: PageState): void {
    this.#showState(state);
    const { answer } = this.#bench;
    if (answer && isOther(answer, state)) this.#dim(answer, before);
    if (state.result !== before.result) this.#answered(this.#bench.answer);
    this.#readFrame();
  }

  /** Another analysis was chosen: what is seen is the result of the one before. */
  #dim(answer: Answer, before: PageState): void {
    const kind = chosenIn(answer, before)?.result.kind;
    if (kind === "scan") this.#scan.dim(true);
    else if (kind && !this.#own) this.#frame.dim(true);
  }

  /** Handles and buttons as the state has them. */
  #showState(state: PageState): void {
    const { analysis, roi, position } = state;
    const { session } = this.#bench;
    if (!session) return;
    const size = frameSize(this.#shapes);
    const region = size && detectorOf(analysis, size);
    this.#frame.setRegions(
      region ? [{ id: "detector", label: "Detector", region }] : this.#lattice.regions(state),
    );
    this.#frame.picture.dots = this.#lattice.dots(state, this.#position);
    this.#scan.setRegions([
      ...(roi ? [{ id: "roi", label: "Region of interest", region: roi }] : []),
      ...this.#lattice.reference(state),
    ]);
    this.#scan.position = position ?? middle(this.#shapes);
    this.#region.show(roi?.kind ?? "");
    this.#detector.show(analysis.name);
    this.#showPattern();
  }

  #showPattern(): void {
    const hasResult = this.#frameResult() !== undefined;
    this.#pattern.allow((which) => which !== "result" || hasResult);
    this.#pattern.show(
      hasResult && !this.#own ? "result" : this.#bench.store.state.position ? "position" : "sum",
    );
  }

  /** Shows what has arrived: images of the scan on the left, those of frames on the right. */
  #answered(answer: Answer | undefined): void {
    const { state } = this.#bench.store;
    if (hasLattice(state.analysis)) this.#showState(state); // it may have been found
    const chosen = answer && chosenIn(answer, state);
    if (!answer || !chosen) {
      this.#showPattern();
      return this.#readFrame();
    }
    const { result, image } = chosen;
    if (result.kind === "scan" && image) {
      const [, ...beside] = imagesOf(chosen);
      const title = beside.length > 0 ? titleOf(answer.question.analysis.name) : image.title;
      this.#scan.setImage(image, progressNote(answer), beside, title);
      this.#scan.dim(isOther(answer, state)); // it may end after another one was chosen
    }
    if (result.kind !== "scan" && image && !this.#own) {
      this.#reader.stop();
      this.#frame.setImage(image, progressNote(answer));
      this.#frame.dim(isOther(answer, state));
    }
    this.#showPattern();
    if (!this.#frameResult()) this.#readFrame();
  }

  /** The position whose pattern is shown; nothing, if it is the sum or a result. */
  get #position(): Position | undefined {
    const { position } = this.#bench.store.state;
    return this.#frameResult() && !this.#own ? undefined : position && within(this.#shapes, position);
  }

  /** Whether the user wants to see the pattern although the result is a frame. */
  get #own(): boolean {
    const { state } = this.#bench.store;
    return state.instead === resultName(state);
  }

  /** What makes the pattern be seen in the place of a result that is a frame. */
  get #instead(): Pick<PageState, "instead"> {
    return this.#frameResult() ? { instead: resultName(this.#bench.store.state) } : {};
  }

  /** The result that is a frame, if one is chosen. */
  #frameResult(): NamedResult | undefined {
    const { answer } = this.#bench;
    const result = answer && chosenIn(answer, this.#bench.store.state)?.result;
    return result && result.kind !== "scan" && result.images.length > 0 ? result : undefined;
  }

  /** Reads the pattern of the position, or the sum, unless a result is in its place. */
  #readFrame(): void {
    const { session, store: { state: { position } } } = this.#bench;
    if (!session || (this.#frameResult() && !this.#own)) return;
    void this.#reader.read(position && within(session.dataset, position));
  }

  #setPattern(which: string): void {
    const { store } = this.#bench;
    if (which === "result") store.update({ instead: undefined }, "pattern");
    else {
      const position = which === "sum" ? undefined : store.state.position ?? middle(this.#shapes);
      store.update({ position, ...this.#instead }, "pattern");
    }
    store.endGroup();
    this.#reader.stop();
    if (which === "result") this.#answered(this.#bench.answer);
    else this.#readFrame();
    this.#showPattern();
  }

  #setRegion(kind: string): void {
    const { store } = this.#bench;
    store.update({ roi: newRegion(this.#shapes, kind) }, "roi-kind");
    store.endGroup();
  }

  #setDetector(name: string): void {
    const { store } = this.#bench;
    const size = frameSize(this.#shapes);
    if (!size) return;
    const { analysis } = store.state;
    const usual = startValues(name, size, this.#bench.session?.disk);
    const { values } = changeDetector(analysis, name, size);
    store.update({ analysis: { name, values: { ...usual, ...values } }, result: undefined }, "detector-kind");
    store.endGroup();
  }

  get #shapes(): Pick<Dataset, "navShape" | "sigShape"> {
    return this.#bench.session?.dataset ?? { navShape: [], sigShape: [] };
  }
}

/** What tells a result from those of other analyses. */
function resultName({ analysis, result }: PageState): string {
  return result ? `${analysis.name}-${result.name}` : analysis.name;
}

function progressNote({ state, progress }: Answer): string {
  return state === "running" ? `${Math.floor(100 * progress.done / Math.max(1, progress.frames))} %` : "";
}

customElements.define("tw-explore", Explore);
