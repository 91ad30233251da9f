/**
 * The recipe of what the page shows.
 *
 * @module
 */

import { VERSION } from "@tilewise/tilewise/run";
import type { OpenOptions } from "@tilewise/tilewise/formats";
import type { Question, Session } from "../engine/session.ts";
import type { OpenChoices, SourceChoice } from "../state/state.ts";
import { type Recipe, sourceText } from "./recipe.ts";

/** How the source was opened, as texts and as options. */
export interface OpenedAs {
  /** Where it is. */
  readonly source: SourceChoice;
  /** Texts of the form. */
  readonly choices: OpenChoices;
  /** What they mean. */
  readonly options: OpenOptions;
}

/** The recipe of the answer to `question`. First passes that the session has made are not made again. */
export async function makeRecipe(session: Session, question: Question, opened: OpenedAs): Promise<Recipe> {
  const { analysis, roi } = question;
  const made = await session.made(question);
  const { array } = session.dataset;
  const named = session.datasets.length > 1 && array !== "" && opened.choices.array === undefined;
  return {
    version: VERSION,
    ...sourceText(opened.source, session.dataset.source),
    options: { ...opened.options, ...(named ? { array } : {}) },
    choices: { ...opened.choices, ...(named ? { array } : {}) },
    analysis,
    ...made,
    navShape: session.dataset.navShape,
    ...(roi ? { roi } : {}),
  };
}
