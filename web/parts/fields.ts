/**
 * Fields of forms: a label, an input, a hint, and what is wrong with the value.
 *
 * @module
 */

/// <reference lib="dom" />

import { type Attributes, element, setAttribute, setText } from "./dom.ts";

/** A field. */
export interface Field {
  /** All of it. */
  readonly root: HTMLElement;
  /** Where the value is typed or chosen. */
  readonly input: HTMLInputElement | HTMLSelectElement;
  /** Says what is wrong with the value; `undefined`: nothing. */
  wrong(text: string | undefined): void;
}

/** What a field shows. */
export interface FieldFacts {
  readonly label: string;
  readonly hint?: string;
  readonly value?: string;
  /** Called with every change of the value. */
  changed?(value: string): void;
}

let made = 0;

/** A field for text or a number. */
export function textField(facts: FieldFacts, attributes: Attributes = {}): Field {
  const input = element("input", { type: "text", autocomplete: "off", spellcheck: "false", ...attributes });
  input.value = facts.value ?? "";
  return fieldOf(facts, input);
}

/** A field with a list of choices. */
export function choiceField(
  facts: FieldFacts,
  choices: readonly (readonly [value: string, text: string])[],
): Field {
  const input = element("select", {}, ...choices.map(([value, text]) => element("option", { value }, text)));
  input.value = facts.value ?? "";
  return fieldOf(facts, input);
}

function fieldOf({ label, hint, changed }: FieldFacts, input: HTMLInputElement | HTMLSelectElement): Field {
  const id = `field-${++made}`;
  input.id = id;
  const about = element("p", { class: "hint", id: `${id}-hint` }, hint);
  const error = element("p", { class: "wrong", id: `${id}-wrong`, hidden: true });
  setAttribute(input, "aria-describedby", hint ? about.id : undefined);
  input.addEventListener("input", () => changed?.(input.value));
  return {
    root: element(
      "div",
      { class: "field" },
      element("label", { for: id }, label),
      input,
      !!hint && about,
      error,
    ),
    input,
    wrong(text) {
      error.hidden = text === undefined;
      setText(error, text ?? "");
      setAttribute(input, "aria-invalid", text !== undefined && "true");
      setAttribute(input, "aria-describedby", text === undefined ? (hint ? about.id : undefined) : error.id);
    },
  };
}
