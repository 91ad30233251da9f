/**
 * The button that finds rotation and flip of centres of mass: it asks with `guess`, and puts what was found into the form.
 *
 * @module
 */

/// <reference lib="dom" />

import type { Dataset } from "@tilewise/tilewise";
import { findAnalysis } from "../../../src/analyses/mod.ts";
import type { Answer } from "../../engine/session.ts";
import { element, setText } from "../../parts/dom.ts";
import type { AnalysisChoice, PageState } from "../../state/state.ts";
import { answers } from "./result_list.ts";

/** The button, with what the file says beside it. */
export class GuessRotation {
  /** The element. */
  readonly root: HTMLElement;
  readonly #said = element("span", { class: "hint" });

  /** A button that asks with another choice. */
  constructor(press: () => void) {
    const button = element(
      "button",
      { type: "button", class: "button", click: press },
      "Guess rotation and flip",
    );
    this.root = element("div", { class: "actions", hidden: true }, button, this.#said);
  }

  /** Shows it for the analysis that it is for. */
  show({ name }: AnalysisChoice, dataset: Dataset | undefined): void {
    this.root.hidden = findAnalysis(name)?.name !== "centre_of_mass" || dataset?.navShape.length !== 2;
    const { scanRotation } = dataset?.instrument ?? {};
    setText(this.#said, scanRotation === undefined ? "" : `The file says: scan rotated by ${scanRotation}°`);
  }
}

/** The choice that makes a guess, instead of what was guessed or typed before. */
export function guessing({ name, values }: AnalysisChoice): AnalysisChoice {
  const { scanRotation: _r, flipY: _f, ...others } = values;
  return { name, values: { ...others, guess: "true" } };
}

/** The choice with what an answer has guessed in it; nothing, if it is not the answer to such a question. */
export function withGuess(answer: Answer, state: PageState): AnalysisChoice | undefined {
  const { name, values: { guess, ...values } } = answer.question.analysis;
  const { found } = answer;
  if (guess !== "true" || answer.state !== "done" || !found.guess || !answers(answer, state)) {
    return undefined;
  }
  const texts = Object.entries(found.guess).map(([key, value]) => [key, `${short(value)}`]);
  return { name, values: { ...Object.fromEntries(texts), ...values } };
}

function short(value: number | boolean): number | boolean {
  return typeof value === "number" ? Number(value.toFixed(4)) : value;
}
