/**
 * The form of an analysis, made from the table of analyses. What is typed changes the state, unless it cannot be; the state is
 * shown by the form.
 *
 * @module
 */

/// <reference lib="dom" />

import type { TilewiseError } from "@tilewise/tilewise";
import { element } from "../../parts/dom.ts";
import type { AnalysisChoice } from "../../state/state.ts";
import { type FormField, formOf, withValue, wrongWith } from "./describe.ts";
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
  #built = "";
  readonly #failure = element("p", { class: "wrong", role: "alert", hidden: true });

  /** A form that tells its changes. */
  constructor(private readonly events: FormEvents) {
    this.root.addEventListener("submit", (event) => event.preventDefault());
  }

  /** Shows a choice. */
  show(choice: AnalysisChoice): void {
    this.#choice = choice;
    const { first, more } = formOf(choice);
    const key = JSON.stringify([choice.name, [...first, ...more].map(({ name }) => name).sort()]);
    if (key !== this.#built) this.#build(key, first, more);
    for (const field of this.#fields) {
      const text = choice.values[field.facts.name] ?? "";
      field.show(text);
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

  #build(key: string, first: readonly FormField[], more: readonly FormField[]): void {
    this.#built = key;
    const own = {
      changed: (name: string, text: string) => this.#typed(name, text),
      picked: (facts: FormField, file: File) => this.#picked(facts, file),
    };
    const make = (facts: FormField) => parameterField(facts, own);
    const [shown, later] = [first.map(make), more.map(make)];
    this.#fields = [...shown, ...later];
    this.root.replaceChildren(
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
