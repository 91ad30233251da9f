/**
 * The form of an analysis, made from the table of analyses. What is typed changes the state, unless it cannot be; the state is
 * shown by the form.
 *
 * @module
 */

/// <reference lib="dom" />

import type { Dataset, TilewiseError } from "@tilewise/tilewise";
import { element } from "../../parts/dom.ts";
import type { AnalysisChoice } from "../../state/state.ts";
import { placeOf } from "../../state/detectors.ts";
import { textButton } from "../../parts/buttons.ts";
import { frameSize, newRegion } from "../explore/places.ts";
import { type Form, type FormField, formOf, type FormStep, withValue, wrongWith } from "./describe.ts";
import { withReference } from "./lattice.ts";
import { plainly } from "./plainly.ts";
import { type ParameterField, parameterField } from "./fields.ts";

/** What a form tells. */
export interface FormEvents {
  /** Another choice, checked as far as it can be without data. */
  changed(choice: AnalysisChoice): void;
  /** A file that a value will name. */
  picked(file: File): void;
}

/** The form. */
export class ParameterForm {
  /** The element. */
  readonly root: HTMLElement = element("form", {
    class: "parameters",
    "aria-label": "Parameters",
    novalidate: true,
  });
  #choice: AnalysisChoice = { name: "", values: {} };
  #fields: readonly ParameterField[] = [];
  #dataset: Dataset | undefined;
  #built = "";
  /** The fields that are shown at once. */
  #shown = "";
  readonly #failure = element("p", { class: "wrong", role: "alert", hidden: true });

  /** A form that tells its changes. */
  constructor(private readonly events: FormEvents) {
    this.root.addEventListener("submit", (event) => event.preventDefault());
  }

  /** Shows a choice, for patterns of `dataset`; `found`: values that were found in place of those that are not given. */
  show(choice: AnalysisChoice, dataset?: Dataset, found: Readonly<Record<string, string>> = {}): void {
    this.#choice = choice;
    this.#dataset = dataset;
    const form = formOf(choice);
    const { first, more } = form;
    const key = JSON.stringify([choice.name, [...first, ...more].map(({ name }) => name).sort()]);
    const shown = first.map(({ name }) => name).join();
    const isMoved = shown !== this.#shown && !this.root.contains(document.activeElement); // not while one types in it
    if (key !== this.#built || isMoved) this.#build(key, form);
    const size = dataset && frameSize(dataset);
    const usual = { ...(size ? placeOf(choice, size) : {}), ...found };
    for (const field of this.#fields) {
      const { name, preset, parameter } = field.facts;
      const text = choice.values[name] ?? "";
      const shown = usual[name] ?? preset;
      field.show(text, shown);
      const isLength = parameter.unit === "px" && parameter.kinds.includes("number");
      field.aside(isLength && dataset ? physical(text || shown, /y|height/.test(name), dataset) : "");
      if (field.root.contains(document.activeElement)) continue;
      const wrong = wrongWith(choice.name, field.facts, text);
      field.wrong(wrong);
    }
  }

  /** Shows why the question failed: beside the field that it is about, or below all of them. */
  fail(error: TilewiseError | undefined): void {
    const { parameter } = error?.details ?? {};
    const field = this.#fields.find(({ facts }) => facts.name === parameter);
    field?.wrong(plainly(error!.message));
    this.#failure.hidden = !error || field !== undefined;
    this.#failure.textContent = error && !field ? plainly(error.message) : "";
  }

  #build(key: string, { steps, first, more }: Form): void {
    this.#built = key;
    this.#shown = first.map(({ name }) => name).join();
    const own = {
      changed: (name: string, text: string) => this.#typed(name, text),
      picked: (facts: FormField, file: File) => this.#picked(facts, file),
    };
    const make = (facts: FormField) => parameterField(facts, own);
    const drawn = steps.map((step) => ({ ...step, fields: step.fields.map(make) }));
    const [shown, later] = [first.map(make), more.map(make)];
    this.#fields = [...drawn.flatMap(({ fields }) => fields), ...shown, ...later];
    this.root.replaceChildren(
      ...(drawn.length > 0
        ? [element("ol", { class: "drawn-steps" }, ...drawn.map((step) => this.#step(step)))]
        : []),
      ...shown.map(({ root }) => root),
      ...(later.length > 0
        ? [
          element(
            "details",
            { class: "more" },
            element("summary", {}, `More parameters (${later.length})`),
            ...later.map(({ root }) => root),
          ),
        ]
        : []),
      this.#failure,
    );
    this.root.hidden = this.#fields.length === 0;
  }

  /** A step: what is drawn, and below it the same as fields. */
  #step(
    { title, hint, fields }: Omit<FormStep, "fields"> & { readonly fields: readonly ParameterField[] },
  ): HTMLElement {
    const own = fields.map(({ root }) => root);
    const isRegion = fields.some(({ facts }) => facts.name === "region");
    return element(
      "li",
      {},
      element("h3", {}, title),
      element("p", { class: "hint" }, hint),
      ...(isRegion && this.#dataset?.navShape.length === 2 ? [this.#regionButtons()] : []),
      ...own,
    );
  }

  #regionButtons(): HTMLElement {
    const press = (text: string) => this.events.changed(withValue(this.#choice, "region", text));
    const draw = () => {
      const region = newRegion(this.#dataset!, "rectangle")!;
      this.events.changed(withReference(this.#choice, region));
    };
    return element(
      "div",
      { class: "actions" },
      textButton({ label: "Draw a region", look: "small", press: draw }),
      textButton({ label: "Everywhere", look: "quiet small", press: () => press("") }),
    );
  }

  #typed(name: string, text: string): void {
    const field = this.#fields.find(({ facts }) => facts.name === name)!;
    const wrong = wrongWith(this.#choice.name, field.facts, text);
    field.wrong(wrong);
    if (wrong === undefined) this.events.changed(withValue(this.#choice, name, text));
  }

  #picked({ parameter: { kinds } }: FormField, file: File): string {
    this.events.picked(file);
    return kinds.includes("path") ? file.name : `@${file.name}`;
  }
}

/** A length in the pattern in the unit of the file, along rows or columns; nothing if it has none. */
function physical(text: string | undefined, alongRows: boolean, { axes }: Dataset): string {
  const { scale, unit } = axes.at(alongRows ? -2 : -1) ?? {};
  const pixels = Number(text);
  if (!scale || !unit || unit === "px" || !text || !Number.isFinite(pixels)) return "";
  return `${Number((pixels * scale).toPrecision(3))} ${unit}`;
}
