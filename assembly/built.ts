/**
 * What the committed packs were built from, as digests in `built.json`: compiling all kernels takes minutes of processor time,
 * comparing digests a moment.
 *
 * @module
 */

import { createHash } from "node:crypto";

const HERE = new URL("./", import.meta.url);
const PACKS = new URL("../src/kernels/packs/", import.meta.url);
const RECORD = new URL("built.json", HERE);

/** Digests of sources and packs. */
interface Built {
  /** That of all that decides the bytes of the packs. */
  readonly sources: string;
  /** That of each file of packs, by its name. */
  readonly packs: Readonly<Record<string, string>>;
}

/** SHA-256 of the parts; where one ends is part of it. */
function digest(parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** Names of all files of TypeScript below `folder`, in order. */
function filesBelow(folder: URL): string[] {
  const found = [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesBelow(new URL(`${name}/`, folder)).map((file) => `${name}/${file}`) : [name]
  );
  return found.filter((name) => name.endsWith(".ts")).sort();
}

/** The versions of the compiler and of the packages that it and this program use. */
function versions(): string {
  const { imports } = JSON.parse(Deno.readTextFileSync(new URL("../deno.json", HERE)));
  return ["assemblyscript/asc", "binaryen", "fflate"].map((name) => String(imports[name])).join(" ");
}

/** The digest of the kernels, of what else is compiled, of the flags, of the compiler, and of the program that cuts packs. */
function sourcesDigest(compiled: readonly string[]): string {
  const kernels = filesBelow(new URL("kernels/", HERE)).map((name) => `kernels/${name}`);
  const files = [...kernels, "packs.ts", "describe.ts"];
  const texts = files.map((name) => Deno.readTextFileSync(new URL(name, HERE)));
  return digest([versions(), ...compiled, ...files, ...texts]);
}

function packDigests(): Record<string, string> {
  const digestOf = (name: string) => digest([Deno.readTextFileSync(new URL(name, PACKS))]);
  return Object.fromEntries(filesBelow(PACKS).map((name) => [name, digestOf(name)]));
}

function textNow(compiled: readonly string[]): string {
  const built: Built = { sources: sourcesDigest(compiled), packs: packDigests() };
  return `${JSON.stringify(built, null, 2)}\n`;
}

/** Whether the packs are those of the last full build, and their sources too; `compiled` is what is compiled and stands in no file. */
export function isBuilt(compiled: readonly string[]): boolean {
  return Deno.readTextFileSync(RECORD) === textNow(compiled);
}

/** Writes down that the packs are those of their sources. */
export function recordBuilt(compiled: readonly string[]): void {
  Deno.writeTextFileSync(RECORD, textNow(compiled));
}
