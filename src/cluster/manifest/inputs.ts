/**
 * Who an input is: name, size, digest of both ends, time of change or entity tag.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { sha256 } from "../../io/hash.ts";
import { openSource } from "../../io/open.ts";
import { type ByteSource, ownSpecs, type SourceSpec } from "../../io/source/source.ts";
import { glance } from "../../udf/results/digest.ts";
import { absolute, filesIn } from "./here.ts";
import type { InputIdentity } from "./manifest.ts";

/** The identities of sources, each once, in their order. Errors: `unsupported` for samples in the memory of a process. */
export async function identitiesOf(sources: readonly SourceSpec[]): Promise<InputIdentity[]> {
  const found = new Map<string, InputIdentity>();
  for (const spec of sources.flatMap(ownSpecs)) {
    const name = await nameOf(spec);
    if (!found.has(name)) found.set(name, await identityOf(spec, name)); // one file open at a time
  }
  return [...found.values()];
}

/** Documents of Zarr on servers, which cannot be listed. */
const DOCUMENTS = ["zarr.json", ".zmetadata", ".zgroup"];

/**
 * The identities of files, folders and URLs by their names. Of a folder it is the list of its files with their sizes and times.
 * Errors: `not-found`.
 */
export async function identitiesOfNames(names: readonly string[]): Promise<InputIdentity[]> {
  const found: InputIdentity[][] = [];
  for (const name of names) found.push(await identitiesOfName(name));
  return found.flat();
}

async function identitiesOfName(name: string): Promise<InputIdentity[]> {
  const isUrl = /^https?:/i.test(name);
  const path = await absolute(name);
  const folder = isUrl ? undefined : await filesIn(path);
  if (folder) return [{ name: path, bytes: folder.bytes, ends: await sha256(folder.list) }];
  const documents = isUrl && /\.zarr\/?$/i.test(path);
  const [main = path, ...others] = documents
    ? DOCUMENTS.map((one) => `${path.replace(/\/$/, "")}/${one}`)
    : [path];
  await using source = await firstThere(main, others);
  return await identitiesOf([source.describe()]);
}

async function firstThere(name: string, others: readonly string[]): Promise<ByteSource> {
  try {
    return await openSource(name);
  } catch (error) {
    const [next, ...rest] = others;
    if (next === undefined || !isTilewiseError(error, "not-found")) throw error;
    return await firstThere(next, rest);
  }
}

async function nameOf(spec: SourceSpec): Promise<string> {
  if (spec.kind === "file") return await absolute(spec.path);
  if (spec.kind === "http") return spec.url;
  const text =
    `"${
      "name" in spec ? spec.name : "a source"
    }" lies in the memory of this process, where other machines cannot read it; ` +
    "write it to a file or put it on a server";
  throw new TilewiseError("unsupported", text, { found: spec.kind });
}

async function identityOf(spec: SourceSpec, name: string): Promise<InputIdentity> {
  const { bytes, ends } = await glance(spec);
  const stamp = stampOf(spec);
  return { name, bytes, ends, ...defined({ stamp }) };
}

function stampOf(spec: SourceSpec): string | undefined {
  if (spec.kind === "file") return spec.modified === undefined ? undefined : String(spec.modified);
  return spec.kind === "http" ? spec.etag ?? spec.lastModified : undefined;
}

const FACTS = { bytes: "size", ends: "content at its ends", stamp: "time of change or entity tag" } as const;

/** Refuses inputs that are not those of the manifest: `changed`, with name and what differs. */
export function mustBeSameInputs(
  recorded: readonly InputIdentity[],
  found: readonly InputIdentity[],
): void {
  const now = new Map(found.map((one) => [one.name, one]));
  for (const was of recorded) {
    const is = now.get(was.name);
    if (!is) throw changed(was.name, "it", "an input of the run", "not one any more");
    for (const fact of ["bytes", "ends", "stamp"] as const) {
      if (was[fact] !== is[fact]) {
        throw changed(was.name, FACTS[fact], was[fact] ?? "none", is[fact] ?? "none");
      }
    }
  }
  const more = found.find(({ name }) => !recorded.some((was) => was.name === name));
  if (more) throw changed(more.name, "it", "no input of the run", "one");
}

function changed(
  file: string,
  what: string,
  expected: string | number,
  found: string | number,
): TilewiseError {
  const text =
    `${file} is not the input that the run was planned with: ${what} was ${expected}, is ${found}. ` +
    "Nothing was computed; bring the input back (copies keep their time with cp -p), or plan a new run in a new store";
  return new TilewiseError("changed", text, { file, what, expected, found });
}
