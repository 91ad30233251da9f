/**
 * The results of an answer: which one is shown, which channel of it, a few numbers about it, and what was found on the way.
 *
 * @module
 */

/// <reference lib="dom" />

import { findAnalysis, seenTogether } from "../../../src/analyses/mod.ts";
import type { ShownImage, ShownVectors } from "../../draw/image.ts";
import type { Answer, NamedResult } from "../../engine/session.ts";
import { element, setText } from "../../parts/dom.ts";
import type { PageState } from "../../state/state.ts";
import { sentence } from "./plainly.ts";
import { short, statisticsOf } from "./statistics.ts";
import { tableOf } from "./table.ts";

/** Called with the result that is chosen; nothing: those that are seen first. */
export type Choose = (result?: { readonly name: string; readonly channel?: number }) => void;

/** What the state says of the shown result. */
export interface Chosen {
  /** The result. */
  readonly result: NamedResult;
  /** Which of its images. */
  readonly channel: number;
  /** The image. */
  readonly image: ShownImage | ShownVectors | undefined;
  /** Results that are seen together with it. */
  readonly beside: readonly NamedResult[];
}

/** The result that the state names, else the field of vectors of a scan, else the first of the scan, else the first. */
export function chosenIn(
  { results, question }: Pick<Answer, "results" | "question">,
  { result: wanted }: Pick<PageState, "result">,
): Chosen | undefined {
  const withImages = results.filter(({ images }) => images.length > 0);
  const result = withImages.find(({ name }) => name === wanted?.name) ??
    withImages.find(({ name, kind }) => kind === "scan" && name === "field") ??
    withImages.find(({ kind }) => kind === "scan") ?? withImages[0];
  if (!result) return undefined;
  const channel = Math.max(0, Math.min(result.images.length - 1, wanted?.channel ?? 0));
  const together = wanted ? [] : seenTogether(question.analysis.name);
  const beside = results.filter(({ name }) => name !== result.name && together.includes(name));
  return { result, channel, image: result.images[channel], beside };
}

/** What is chosen, one by one: a result, or those that are seen together. */
export function eachOf({ result, channel, image, beside }: Chosen): readonly Omit<Chosen, "beside">[] {
  return [
    { result, channel, image },
    ...beside.map((one) => ({ result: one, channel: 0, image: one.images[0] })),
  ];
}

/** The images of what is chosen. */
export function imagesOf(chosen: Chosen): readonly (ShownImage | ShownVectors)[] {
  return eachOf(chosen).flatMap(({ image }) => image ?? []);
}

/** Whether it is the answer to what is asked now. */
export function answers(
  { question }: Answer,
  { analysis, roi }: Pick<PageState, "analysis" | "roi">,
): boolean {
  return JSON.stringify([question.analysis, question.roi]) === JSON.stringify([analysis, roi]);
}

/** Whether it is about another analysis than the one that is chosen now. */
export function isOther({ question }: Answer, { analysis }: PageState): boolean {
  return question.analysis.name !== analysis.name;
}

/** The list. */
export class ResultList {
  /** The element. */
  readonly root: HTMLElement;
  readonly #list = element("div", {
    class: "list",
    role: "radiogroup",
    "aria-label": "Result that is shown",
  });
  readonly #channel = element("div", { class: "channel" });
  readonly #facts = element("dl", { class: "facts" });
  readonly #table = element("div", { class: "numbers" });
  readonly #notes = element("ul", { class: "notes", "aria-label": "Notes" });
  #built = "";

  /** A list that tells what is chosen. */
  constructor(private readonly choose: Choose) {
    this.root = element(
      "section",
      { class: "results", "aria-label": "Results", hidden: true },
      this.#list,
      this.#channel,
      this.#facts,
      this.#table,
      this.#notes,
    );
  }

  /** Shows an answer. */
  show(answer: Answer | undefined, state: PageState): void {
    const chosen = answer && chosenIn(answer, state);
    this.root.hidden = !answer || (!chosen && answer.notes.length === 0);
    this.root.classList.toggle("old", answer !== undefined && isOther(answer, state));
    this.#notes.replaceChildren(...notesOf(answer).map((note) => element("li", {}, note)));
    if (answer && !chosen) this.#clear();
    if (!answer || !chosen) return;
    this.#showList(answer, chosen);
    this.#showChannel(chosen);
    if (answer.state !== "running") this.#showNumbers(chosen);
  }

  /** Nothing is known yet: numbers of another analysis would be taken for those of this one. */
  #clear(): void {
    this.#list.hidden = this.#channel.hidden = true;
    this.#facts.replaceChildren();
    this.#table.replaceChildren();
  }

  #showList({ results, question }: Answer, { result, beside }: Chosen): void {
    const key = JSON.stringify([question.analysis.name, results.map(({ name }) => name)]);
    if (key !== this.#built) {
      this.#built = key;
      const meanings = findAnalysis(question.analysis.name)?.results ?? {};
      const row = (one: NamedResult) => this.#row(one, meanings[one.name]);
      const together = seenTogether(question.analysis.name);
      const [maps, others] = [true, false].map((isMap) =>
        results.filter(({ name }) => together.includes(name) === isMap)
      );
      this.#list.replaceChildren(
        ...(together.length > 0 ? [this.#row({ name: "", title: "All maps" }, "The maps side by side")] : []),
        ...maps!.map(row),
        ...(together.length > 0 ? [diagnostics(others!.map(row))] : others!.map(row)),
      );
    }
    this.#list.hidden = results.length < 2;
    const shown = beside.length > 0 ? "" : result.name;
    for (const input of this.#list.querySelectorAll("input")) input.checked = input.value === shown;
  }

  #row({ name, title }: Pick<NamedResult, "name" | "title">, meaning: string | undefined): HTMLElement {
    const input = element("input", {
      type: "radio",
      name: "shown-result",
      value: name,
      change: () => this.choose(name === "" ? undefined : { name }),
    });
    return element(
      "label",
      { class: "result", title: meaning ?? name },
      input,
      element("span", {}, title),
      element("code", {}, name),
    );
  }

  /** Few channels are a list of names; many are a slider as well. */
  #showChannel({ result: { name, images, title }, channel }: Chosen): void {
    const key = `${name} ${images.length}`;
    if (this.#channel.dataset.key !== key) {
      this.#channel.dataset.key = key;
      const input = element("input", {
        id: "channel",
        type: "range",
        min: 0,
        max: images.length - 1,
        step: 1,
        input: () => this.choose({ name, channel: Number(input.value) }),
      });
      this.#channel.replaceChildren(
        element("label", { for: "channel" }, "Channel"),
        input,
        element("output", { for: "channel" }),
      );
    }
    this.#channel.hidden = images.length < 2;
    const input = this.#channel.querySelector("input");
    if (input) input.value = String(channel);
    const text = (images[channel]?.title ?? "").replace(`${title}, `, "");
    setText(
      this.#channel.querySelector("output")!,
      images.length < 2 ? "" : `${text} (${channel + 1} of ${images.length})`,
    );
    input?.setAttribute("aria-valuetext", text);
  }

  #showNumbers(chosen: Chosen): void {
    const { result, image, beside } = chosen;
    const table = result.kind === "other" ? tableOf(result.array) : undefined;
    this.#table.replaceChildren(...(table ? [table] : []));
    const facts = beside.length > 0 ? imagesOf(chosen).flatMap(meanOf) : image ? factsOf(result, image) : [];
    this.#facts.replaceChildren(...facts);
  }
}

/** Results that say how far the others can be believed. */
function diagnostics(rows: readonly HTMLElement[]): HTMLElement {
  return element(
    "details",
    { class: "more" },
    element("summary", {}, `Diagnostics (${rows.length})`),
    ...rows,
  );
}

/** What was found on the way; the analysis need not be named here. */
function notesOf(answer: Answer | undefined): readonly string[] {
  const name = `${answer?.question.analysis.name}: `;
  return (answer?.notes ?? []).map((note) =>
    note.startsWith(name) ? sentence(note.slice(name.length)) : note
  );
}

/** Mean and deviation of one of several images. */
function meanOf(image: ShownImage | ShownVectors): HTMLElement[] {
  const { mean, deviation } = statisticsOf("y" in image ? lengthsOf(image) : image.array);
  const text = `${short(mean)} ± ${short(deviation)}${image.unit ? ` ${image.unit}` : ""}`;
  return [element("dt", {}, image.title), element("dd", {}, text)];
}

function factsOf({ array }: NamedResult, image: ShownImage | ShownVectors): HTMLElement[] {
  const shape = `${array.shape.join(" × ") || "1"} ${array.dtype}`;
  const unit = image.unit ? ` ${image.unit}` : "";
  const of = "y" in image ? lengthsOf(image) : image.array;
  const { min, max, mean, deviation, others } = statisticsOf(of);
  const rows = [
    ...(Number.isNaN(mean) ? [["Range", "no number"]] : [
      ["Range", `${short(min)} to ${short(max)}${unit}`],
      ["Mean", `${short(mean)} ± ${short(deviation)}${unit}`],
    ]),
    ...(others > 0 ? [["Without value", String(others)]] : []),
    ["Array", shape],
  ];
  return rows.flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]);
}

/** The lengths of vectors, as an array. */
function lengthsOf({ y, x }: ShownVectors) {
  const data = Float64Array.from(
    y.data as ArrayLike<number>,
    (value, i) => Math.hypot(value, Number(x.data[i])),
  );
  return {
    data,
    shape: y.shape,
    stride: y.stride,
    dtype: "float64",
    ...(y.valid ? { valid: y.valid } : {}),
  } as typeof y;
}
