/**
 * A field for a parameter: text, a switch, a choice of words, or the name of a file.
 *
 * @module
 */

/// <reference lib="dom" />

import { element, setAttribute, setText } from "../../parts/dom.ts";
import type { FormField } from "./describe.ts";

/** A parameter on the screen. */
export interface ParameterField {
  /** What it stands for. */
  readonly facts: FormField;
  /** All of it. */
  readonly root: HTMLElement;
  /** Shows a value, unless the user is typing another one; in an empty field what it is then. */
  show(text: string, usual?: string): void;
  /** Shows the same in another unit; empty: in none. */
  aside(text: string): void;
  /** Says what is wrong; `undefined`: nothing. */
  wrong(text: string | undefined): void;
}

/** What happens with a field. */
export interface FieldEvents {
  /** Called with the text as it is typed or chosen. */
  changed(name: string, text: string): void;
  /** Called with a file that the user picked; returns the text that means it. */
  picked(facts: FormField, file: File): string;
}

/** Forms made so far: several may have the same parameter. */
let made = 0;

type Input = HTMLInputElement | HTMLSelectElement;

/** The field of a parameter. */
export function parameterField(facts: FormField, events: FieldEvents): ParameterField {
  const id = `parameter-${facts.name}-${++made}`;
  const wrong = element("p", { class: "wrong", id: `${id}-wrong`, hidden: true });
  const input = inputOf(facts, id, events);
  const needed = facts.preset === undefined;
  setAttribute(input, "aria-required", needed && "true");
  const name = element(
    "code",
    { class: "name", title: "The name of this parameter on the command line" },
    facts.name,
  );
  const label = element(
    "label",
    { for: id },
    facts.label,
    needed && element("span", { class: "needed" }, " (needed)"),
  );
  const unit = facts.unit !== "" && element("span", { class: "unit" }, facts.unit);
  const aside = element("output", { class: "unit aside", for: id });
  const box = facts.kind === "file" ? [input, pickerOf(facts, input, events)] : [input];
  const root = element(
    "div",
    { class: "field parameter" },
    element("div", { class: "about" }, label, name),
    element("div", { class: "value" }, ...box, unit, aside),
    wrong,
  );
  return {
    facts,
    root,
    show: (text, usual) => showIn(input, facts, text, usual),
    aside: (text) => setText(aside, text && `= ${text}`),
    wrong(text) {
      wrong.hidden = text === undefined;
      setText(wrong, text ?? "");
      setAttribute(input, "aria-invalid", text !== undefined && "true");
      setAttribute(input, "aria-describedby", text !== undefined && wrong.id);
    },
  };
}

function inputOf(facts: FormField, id: string, events: FieldEvents): Input {
  if (facts.kind === "choice") return choiceInput(facts, id, events);
  if (facts.kind === "switch") return switchInput(facts, id, events);
  const isNumber = facts.parameter.kinds.every((kind) => kind === "number");
  const input = element("input", {
    id,
    type: "text",
    autocomplete: "off",
    spellcheck: "false",
    inputmode: isNumber ? "decimal" : "text",
    placeholder: facts.preset ?? "",
    input: () => events.changed(facts.name, input.value),
    keydown: (event: KeyboardEvent) => isNumber && step(event, input, facts, events),
  });
  return input;
}

/** Arrow keys change a number by 1, with Shift by 10, with Alt by a tenth. */
function step(event: KeyboardEvent, input: HTMLInputElement, { name }: FormField, events: FieldEvents): void {
  const sign = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
  const value = Number(input.value);
  if (sign === 0 || input.value.trim() === "" || !Number.isFinite(value)) return;
  event.preventDefault();
  const size = event.shiftKey ? 10 : event.altKey ? 0.1 : 1;
  input.value = String(Number((value + sign * size).toFixed(6)));
  events.changed(name, input.value);
}

function choiceInput(
  { name, parameter: { words = [] }, preset }: FormField,
  id: string,
  events: FieldEvents,
): Input {
  const first = preset === undefined || preset === "" ? "Choose…" : `${preset} (default)`;
  const others = words.filter((word) => word !== preset);
  const input = element(
    "select",
    { id, change: () => events.changed(name, input.value) },
    element("option", { value: "" }, first),
    ...others.map((word) => element("option", { value: word }, word)),
  );
  return input;
}

function switchInput({ name, preset }: FormField, id: string, events: FieldEvents): Input {
  const input = element("input", {
    id,
    type: "checkbox",
    change: () => events.changed(name, String(input.checked) === preset ? "" : String(input.checked)),
  });
  return input;
}

/** A button that asks for a file. */
function pickerOf(facts: FormField, input: Input, events: FieldEvents): HTMLElement {
  const picker = element("input", {
    type: "file",
    accept: ".npy",
    hidden: true,
    "aria-label": `File for ${facts.label}`,
    change: () => {
      const file = picker.files?.[0];
      if (!file) return;
      input.value = events.picked(facts, file);
      events.changed(facts.name, input.value);
      picker.value = "";
    },
  });
  const button = element(
    "button",
    { type: "button", class: "button small", click: () => picker.click() },
    "File…",
  );
  button.setAttribute("aria-label", `Choose a file: ${facts.label}`);
  return element("span", { class: "picker" }, button, picker);
}

function showIn(input: Input, { preset }: FormField, text: string, usual: string = preset ?? ""): void {
  if (input instanceof HTMLInputElement && input.placeholder !== usual) input.placeholder = usual;
  if (input instanceof HTMLInputElement && input.type === "checkbox") {
    input.checked = (text === "" ? preset : text) === "true";
  } else if (document.activeElement !== input || input instanceof HTMLSelectElement) {
    if (input.value !== text) input.value = text;
  }
}
