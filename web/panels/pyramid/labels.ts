/**
 * Labels over an image: those of the source, which of them are shown, and how.
 *
 * @module
 */

/// <reference lib="dom" />

import type { Dataset } from "@tilewise/tilewise";
import { element } from "../../parts/dom.ts";
import { choiceField } from "../../parts/fields.ts";
import type { Overlay } from "../../state/state.ts";

/** Labels that fit the image. */
export interface FoundLabels {
  /** The array, as the source calls it. */
  readonly array: string;
  /** Their name for people. */
  readonly name: string;
  readonly dataset: Dataset;
}

/** The labels of a source. */
export function labelsIn(datasets: readonly Dataset[]): FoundLabels[] {
  return datasets.filter(({ values }) => values.kind === "label").map((dataset) => {
    const { array } = dataset;
    return { array, name: /(?:^|\/)labels\/([^/]+)/.exec(array)?.[1] ?? (array || "labels"), dataset };
  });
}

/** How labels are shown, if an address says nothing. */
const USUAL = { opacity: 0.5, outline: false } as const;

/** Choices. */
export class LabelChoice {
  readonly #which = choiceField({ label: "Shown over the image" }, []);
  readonly #opacity = element("input", {
    type: "range",
    min: 0.05,
    max: 1,
    step: 0.05,
    "aria-label": "How much labels hide",
    input: () => this.#tell(false),
    change: () => this.#tell(true),
  });
  readonly #outline = element("input", { type: "checkbox", change: () => this.#tell(true) });
  readonly #look = element(
    "div",
    { class: "sliders" },
    element("label", { class: "slider" }, element("span", {}, "Opacity"), this.#opacity),
    element("label", {}, this.#outline, " Outlines only"),
  );
  /** All of it. */
  readonly root: HTMLElement = element(
    "section",
    { class: "part", hidden: true },
    element("h2", {}, "Labels"),
    this.#which.root,
    this.#look,
  );
  #names = "";

  /** Calls `changed` with what is shown; undefined: nothing. */
  constructor(readonly changed: (overlay: Overlay | undefined, done: boolean) => void) {
    this.#which.input.addEventListener("change", () => this.#tell(true));
  }

  /** Shows the labels of an image, and which of them are shown. */
  show(all: readonly FoundLabels[], overlay: Overlay | undefined): void {
    this.root.hidden = all.length === 0;
    const names = JSON.stringify(all.map(({ array }) => array));
    if (names !== this.#names) {
      this.#names = names;
      const options = all.map(({ array, name }) => element("option", { value: array }, name));
      this.#which.input.replaceChildren(element("option", { value: "" }, "None"), ...options);
    }
    const isThere = all.some(({ array }) => array === overlay?.name);
    this.#which.input.value = isThere ? overlay!.name : "";
    this.#look.hidden = !isThere;
    this.#opacity.value = `${overlay?.opacity ?? USUAL.opacity}`;
    this.#outline.checked = overlay?.outline ?? USUAL.outline;
  }

  #tell(done: boolean): void {
    const { value: name } = this.#which.input;
    const look = { opacity: this.#opacity.valueAsNumber, outline: this.#outline.checked };
    this.changed(name === "" ? undefined : { name, ...look }, done);
  }
}
