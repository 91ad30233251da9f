/**
 * The field for an expression, checked while it is typed.
 *
 * @module
 */

/// <reference lib="dom" />

import type { TilewiseError } from "@tilewise/tilewise";
import { expressionPairs, wordOf } from "../../../src/analyses/mod.ts";
import { element, setAttribute, setText } from "../../parts/dom.ts";
import { Newest } from "../../state/newest.ts";
import type { AnalysisChoice } from "../../state/state.ts";

/** Milliseconds without a key before the text is checked. */
const PAUSE = 200;

/** Expressions that show what can be written, and what they are. */
const EXAMPLES: readonly (readonly [text: string, meaning: string])[] = [
  ["sum(x)", "Sum of each frame"],
  ["count(x > t); t=10", "Pixels above a number"],
  ["max(x) - mean(x)", "Peak above the mean"],
  ["sum(x * row) / sum(x)", "Centre of mass along rows"],
  ["frames.mean(sqrt(x))", "Mean over frames"],
];

/** The name of the analysis. */
const NAME = "expression";

/** The text of the values of an expression, as one would type it. */
export function expressionText(choice: AnalysisChoice): string {
  const { value, ...others } = choice.values;
  const named = wordOf({ name: NAME, values: others }).slice(NAME.length + 1);
  return [value ?? "", named].filter((part) => part !== "").join("; ").replaceAll(/;(?! )/g, "; ");
}

/** The values that a text means; `undefined` if two parts have the same name. */
export function expressionChoice(text: string): AnalysisChoice | undefined {
  const pairs = expressionPairs(text);
  const values = Object.fromEntries(pairs.map(([name, part]) => [name, part.trim()]));
  return Object.keys(values).length === pairs.length ? { name: NAME, values } : undefined;
}

/** What the field tells, and whom it asks. */
export interface ExpressionEvents {
  /** An expression without mistakes. */
  changed(choice: AnalysisChoice): void;
  /** What is wrong with an expression. */
  check(choice: AnalysisChoice): Promise<TilewiseError | undefined>;
}

/** The field. */
export class ExpressionField {
  /** The element. */
  readonly root: HTMLElement;
  readonly #text = element("textarea", {
    id: "expression",
    rows: 2,
    spellcheck: "false",
    autocapitalize: "off",
  });
  readonly #wrong = element("p", { class: "wrong", id: "expression-wrong", hidden: true });
  readonly #newest = new Newest();

  /** A field that tells its changes. */
  constructor(private readonly events: ExpressionEvents) {
    const hint = element(
      "p",
      { class: "hint", id: "expression-hint" },
      "x is a sample. sum, mean, min, max and count give one number per frame; frames.sum and so on one per pixel. " +
        "Parts are separated by a semicolon: t=10 is a number, name=… a result of its own.",
    );
    setAttribute(this.#text, "aria-describedby", hint.id);
    this.#text.addEventListener("input", () => this.#check(PAUSE));
    this.root = element(
      "div",
      { class: "field expression" },
      element("label", { for: this.#text.id }, "Expression"),
      this.#text,
      this.#wrong,
      hint,
      element(
        "div",
        { class: "chips", role: "group", "aria-label": "Examples" },
        ...EXAMPLES.map((one) => this.#chip(one)),
      ),
    );
  }

  /** Shows a choice, unless the user is typing. */
  show(choice: AnalysisChoice): void {
    if (document.activeElement === this.#text) return;
    const text = expressionText(choice);
    if (this.#text.value !== text) this.#text.value = text;
  }

  /** Says what is wrong; `undefined`: nothing. */
  fail(error: Error | undefined): void {
    const isEmpty = this.#text.value.trim() === "";
    const text = isEmpty ? "Type an expression, or choose an example." : error?.message;
    this.#wrong.hidden = text === undefined;
    setText(this.#wrong, text ?? "");
    setAttribute(this.#text, "aria-invalid", text !== undefined && !isEmpty && "true");
    const about = text === undefined ? "expression-hint" : "expression-wrong expression-hint";
    setAttribute(this.#text, "aria-describedby", about);
  }

  #chip([text, meaning]: readonly [string, string]): HTMLElement {
    const take = () => {
      this.#text.value = text;
      this.#check(0);
    };
    return element("button", { type: "button", class: "chip mono", title: meaning, click: take }, text);
  }

  /** Another analysis is chosen: what was typed before is not looked at any more. */
  stop(): void {
    this.#newest.stop();
  }

  /** Checks the text after a pause, unless one types on. */
  #check(pause: number): void {
    void this.#newest.begin(
      async (signal) => {
        if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
        signal.throwIfAborted();
        const choice = expressionChoice(this.#text.value);
        if (!choice) throw new RangeError("Two parts have the same name.");
        const error = await this.events.check(choice);
        if (error) throw error;
        return choice;
      },
      (choice) => {
        this.fail(undefined);
        this.events.changed(choice);
      },
      (error) => this.fail(error as Error),
    );
  }
}
