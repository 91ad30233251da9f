/**
 * Analyses and their parameters as forms show them: no element is made here.
 *
 * @module
 */

import {
  ANALYSES,
  type Analysis,
  findAnalysis,
  GROUPS,
  type Parameter,
  parseValue,
  TITLES,
  WordError,
  written,
} from "../../../src/analyses/mod.ts";
import type { AnalysisChoice } from "../../state/state.ts";
import { sentence } from "./plainly.ts";

/** Analyses that the page leaves out: it shows frames itself, and reading alone is for measuring. */
const LEFT_OUT = /^(pick_frames|fft_of_frames|noop)$/;

/** An analysis in the list. */
export interface ListedAnalysis {
  /** Its word. */
  readonly name: string;
  /** Its title. */
  readonly title: string;
  /** What it computes, in one line. */
  readonly help: string;
}

/** All analyses by group, without empty groups; with `search` only those that have each of its words. */
export function listed(
  search: string = "",
): readonly { readonly group: string; readonly analyses: readonly ListedAnalysis[] }[] {
  const words = search.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const matches = ({ name, title, help }: ListedAnalysis, group: string) => {
    const text = `${name} ${title} ${help} ${group}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return GROUPS.map((group) => ({
    group,
    analyses: ANALYSES.filter((one) => one.group === group && !LEFT_OUT.test(one.name))
      .map(({ name }) => ({ name, title: titleOf(name), help: helpOf(name) }))
      .filter((one) => matches(one, group)),
  })).filter(({ analyses }) => analyses.length > 0);
}

/** The title of an analysis; an unknown name is its own title. */
export function titleOf(name: string): string {
  return TITLES[findAnalysis(name)?.name ?? name] ?? name;
}

/** What an analysis computes, in one line, unless its title says the same. */
export function helpOf(name: string): string {
  const known = findAnalysis(name);
  if (!known) return "This analysis is unknown.";
  const title = titleOf(name).toLowerCase();
  const help = known.help.toLowerCase().startsWith(`${title}: `)
    ? known.help.slice(title.length + 2)
    : known.help;
  return help.toLowerCase() === title ? "" : sentence(help);
}

/** What kind of field a parameter has. */
export type FieldKind = "text" | "switch" | "choice" | "file";

/** A parameter as a field. */
export interface FormField {
  /** Its name. */
  readonly name: string;
  /** What its values may be. */
  readonly parameter: Parameter;
  /** How it is typed or chosen. */
  readonly kind: FieldKind;
  /** Its meaning, with a capital letter. */
  readonly label: string;
  /** Its unit; empty: none. */
  readonly unit: string;
  /** What it is if nothing is typed, for the empty field; `undefined`: it must be given. */
  readonly preset: string | undefined;
}

/** Fields that are shown at once; the others come after a click. */
const AT_ONCE = 4;

/** Fields that belong to one thing that is drawn over an image. */
export interface FormStep {
  /** What is to be placed. */
  readonly title: string;
  /** How. */
  readonly hint: string;
  /** The fields that say the same. */
  readonly fields: readonly FormField[];
}

const DISK = ["Disk", "Drag the edge of the circle until it fits the bright disk.", "radius"];
const LATTICE = [
  "Lattice",
  "Thin circles are where disks are looked for. If they miss, drag the tips of a and b onto two disks.",
  "zero",
  "a",
  "b",
];
const REFERENCE = [
  "Reference",
  "Strain is measured against the median of the map, or of a region: draw one where the crystal is not strained.",
  "region",
];

/** What is drawn first, of analyses that are made in steps: title, hint, parameters. */
const STEPS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  correlate_pattern: [DISK, LATTICE],
  feature_vector: [DISK, LATTICE],
  refine_lattice: [DISK, LATTICE],
  strain_map: [DISK, LATTICE, REFERENCE],
};

/** The fields of an analysis: those of its steps, those that are shown at once, and the others. */
export interface Form {
  /** Those that are drawn over the images. */
  readonly steps: readonly FormStep[];
  /** Those that must be given, that have a value, and the first ones. */
  readonly first: readonly FormField[];
  /** The others. */
  readonly more: readonly FormField[];
}

/** The form of an analysis with these values. */
export function formOf({ name, values }: AnalysisChoice): Form {
  const analysis = findAnalysis(name);
  if (!analysis) return { steps: [], first: [], more: [] };
  const used = analysis.uses?.(values);
  const order = used ?? Object.keys(analysis.parameters);
  const given = Object.keys(values).filter((key) =>
    Object.hasOwn(analysis.parameters, key) && !order.includes(key)
  );
  const steps = (STEPS[analysis.name] ?? []).map(([title, hint, ...keys]) => ({
    title: title!,
    hint: hint!,
    fields: keys.map((key) => fieldOf(key, analysis)),
  }));
  const drawn = steps.flatMap(({ fields }) => fields.map(({ name }) => name));
  const fields = [...order, ...given].filter((key) => !drawn.includes(key)).map((key) =>
    fieldOf(key, analysis)
  );
  const isFirst = ({ name, preset }: FormField, i: number) =>
    preset === undefined || (drawn.length === 0 && i < AT_ONCE) || Object.hasOwn(values, name);
  return { steps, first: fields.filter(isFirst), more: fields.filter((field, i) => !isFirst(field, i)) };
}

function fieldOf(name: string, { parameters }: Analysis): FormField {
  const parameter = parameters[name]!;
  const { meaning, unit = "", preset } = parameter;
  const label = sentence(
    meaning.replace(/, (or )?@FILE\.npy.*$|; @FILE\.npy.*$/, "").replace(/^@FILE\.npy of /, ""),
  );
  return { name, parameter, kind: fieldKind(parameter), label, unit, preset: preset === "–" ? "" : preset };
}

/** What kind of field fits the kinds of values. */
export function fieldKind({ kinds, preset }: Parameter): FieldKind {
  if (kinds.some((kind) => kind === "array" || kind === "path")) return "file";
  if (kinds.length > 1) return "text";
  if (kinds[0] === "word") return "choice";
  return kinds[0] === "truth" && (preset === "true" || preset === "false") ? "switch" : "text";
}

/** What is wrong with the text of a field, in words for people; `undefined`: nothing. */
export function wrongWith(analysis: string, field: FormField, text: string): string | undefined {
  if (text.trim() === "") return field.preset === undefined ? "This must be given." : undefined;
  try {
    parseValue(analysis, field.name, text, field.parameter);
    return undefined;
  } catch (error) {
    if (error instanceof WordError) return `Write ${written(field.parameter)}.`;
    throw error;
  }
}

/** The values with one of them changed; an empty text is not a value. */
export function withValue(choice: AnalysisChoice, name: string, text: string): AnalysisChoice {
  const { [name]: _, ...others } = choice.values;
  if (text.trim() === "") return { ...choice, values: others };
  return Object.hasOwn(choice.values, name)
    ? { ...choice, values: { ...choice.values, [name]: text.trim() } }
    : { ...choice, values: { ...others, [name]: text.trim() } };
}
