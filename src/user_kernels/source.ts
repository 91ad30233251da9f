/**
 * The sources of kernels as users give them: text, or a file.
 *
 * @module
 */

import { openSource } from "../io/open.ts";
import { readBytes } from "../io/source/source.ts";
import { type DType, resultType } from "../space/dtype.ts";
import { TilewiseError } from "../errors.ts";
import type { Source } from "./asc.ts";
import { isGeneric } from "./prelude.ts";

/** How users give a kernel: one of `source` and `file`. */
export interface GivenSource {
  /** Its name in messages and results. Default: the name of the file. */
  readonly name?: string;
  /** The source. */
  readonly source?: string;
  /** A path or URL of the source. Give either `source` or `file`. */
  readonly file?: string | URL;
}

/** The name of a kernel. */
export function nameOf({ name, file }: GivenSource): string {
  return name ?? (file === undefined ? "kernel" : fileName(file).replace(/(\.as)?\.ts$/, ""));
}

function fileName(file: string | URL): string {
  return decodeURIComponent(String(file).replace(/[?#].*$/, "").replace(/^.*[/\\]/, ""));
}

/** What is wrong with how a kernel is given, or with its parameters; undefined if nothing is. */
export function sourceProblem(
  { source, file }: GivenSource,
  params: Readonly<Record<string, unknown>> = {},
): string | undefined {
  if ((source === undefined) === (file === undefined)) return "give one of source and file";
  const odd = Object.entries(params).find(([, value]) => typeof value !== "number");
  return odd && `parameter "${odd[0]}" is ${typeof odd[1]}, not a number`;
}

/** Refuses a kernel that is given otherwise; `cannot` begins the message. Errors: `invalid`. */
export function checkSource(
  cannot: string,
  kernel: string,
  given: GivenSource,
  params: Readonly<Record<string, unknown>> | undefined,
): void {
  const wrong = sourceProblem(given, params);
  if (wrong !== undefined) throw new TilewiseError("invalid", `${cannot}: ${wrong}`, { kernel });
}

/** The source of a kernel, read from its file if it has one. */
export async function sourceOf(given: GivenSource): Promise<Source> {
  const name = nameOf(given);
  if (given.source !== undefined) return { name, file: "kernel.ts", text: given.source };
  const file = fileName(given.file!).replace(/(\.ts)?$/, ".ts");
  await using source = await openSource(given.file!);
  return { name, file, text: new TextDecoder().decode(await readBytes(source, 0, source.size)) };
}

/** The type to compile for, if the source imports `Sample`. */
export function generic({ text }: Source, dtype: DType): { sample?: DType } {
  return isGeneric(text) ? { sample: dtype } : {};
}

/** The type of the samples that a kernel will get; refused if the kernel was written for another type. */
export function sampleDType(source: Source, input: DType | "native" | undefined, nativeDType: DType): DType {
  const wish = input ?? (isGeneric(source.text) ? "native" : "float32");
  const dtype = wish === "native" ? nativeDType : resultType(wish, nativeDType);
  if (isGeneric(source.text) || dtype === wish) return dtype;
  const reason = wish === "native"
    ? `it takes samples as they are (${dtype} here), but does not say for which type it was written`
    : `it takes ${wish}, but the data are ${nativeDType}, which would lose digits; together they make ${dtype}`;
  const text = `Cannot use kernel "${source.name}": ${reason}; load<Sample> after import { Sample } from ` +
    `"tilewise" fits every type` + (wish === "native" ? "" : `, or declare input: "${dtype}"`);
  throw new TilewiseError("udf", text, { kernel: source.name, expected: wish, found: dtype });
}
