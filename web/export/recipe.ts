/**
 * What is needed to compute a result again somewhere else: the source, how it is opened, what is computed over which positions.
 *
 * @module
 */

import type { OpenOptions } from "@tilewise/tilewise/formats";
import type { Made, Values } from "../../src/analyses/mod.ts";
import { openedName } from "../open/sources.ts";
import type { AnalysisChoice, OpenChoices, Region, SourceChoice } from "../state/state.ts";

/** A computation, as text can describe it. */
export interface Recipe {
  /** The version of Tilewise that made it. */
  readonly version: string;
  /** The path or URL of the source. */
  readonly source: string;
  /** Whether `source` is only a name: the page does not know the path of a user's file. */
  readonly isName: boolean;
  /** How it is opened. */
  readonly options: OpenOptions;
  /** The same as texts. */
  readonly choices: OpenChoices;
  /** The analysis, as it is written. */
  readonly analysis: AnalysisChoice;
  /** Its values, with files read. */
  readonly values: Values;
  /** The UDF that was made of it, first passes included. */
  readonly ref: Made["ref"];
  /** Names of the files that values were read from. */
  readonly files: ReadonlyMap<object, string>;
  /** Shape of the scan. */
  readonly navShape: readonly number[];
  /** Positions that were looked at; absent: all. */
  readonly roi?: Region;
}

/**
 * The source of a state as code names it; of files of the user, and of samples of the page, only a name is known. `opened` is the
 * source of the data set.
 */
export function sourceText(choice: SourceChoice, opened: string): Pick<Recipe, "source" | "isName"> {
  switch (choice.kind) {
    case "url":
      return { source: choice.url, isName: !/^https?:\/\//i.test(choice.url) };
    case "files":
      return { source: openedName(choice, opened), isName: true };
    case "sample":
      return { source: `${choice.name}.npy`, isName: true };
  }
}

/** A name for files of an analysis: `centre_of_mass`, `disk_detector`. */
export function fileName({ analysis: { name } }: Pick<Recipe, "analysis">): string {
  return name.replace(/[^\w-]+/g, "-");
}
