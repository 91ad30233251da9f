/**
 * Manifests as files: where they lie, what all of them say, and how they are read.
 *
 * @module
 */

import { besideKind } from "../../sinks/registry.ts";
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { cwd } from "node:process";
import { cannot, TilewiseError } from "../../errors.ts";
import { fileError, noteOpened } from "../../io/file/error.ts";
import { type Glance, type ManifestHead, manifestHead } from "../../udf/results/digest.ts";
import type { ManifestCommand, ManifestResult } from "../../udf/results/manifest.ts";
import type { Arguments } from "../shell/args.ts";
import type { CliIo } from "../shell/io.ts";
import type { Verb } from "../shell/verb.ts";
import { type Checks, COMMON, type Fields, fields, list, mustHaveFields, result, rule } from "./fields.ts";
import { moduleDigests } from "./modules.ts";

/**
 * The manifest of results, named after them: that of `com.npy` is `com.run.json`, that of `com.tif` is `com.tif.run.json`, and that
 * of the analyses `com` and `sum` in a folder is `com+sum.run.json` there.
 *
 * @param out what was asked for
 * @param first the path of the first result, if there is one
 * @param keys the analyses
 */
export function manifestPath(out: string, first: string | undefined, keys: readonly string[] = []): string {
  const inFolder = first !== undefined && (dirname(first) !== dirname(out) || basename(out) === ".");
  return `${inFolder ? join(dirname(first), nameOf(keys)) : stemOf(out)}.run.json`;
}

/** The path of a result without the ending `.npy`; others stay, so that each kind of file has a manifest and a picture of its own. */
export function stemOf(out: string): string {
  return besideKind(out, "npy", "");
}

/** Characters of the names of analyses in that of a manifest, at most. */
const MOST = 80;

function nameOf(keys: readonly string[]): string {
  const name = keys.join("+");
  return name.length <= MOST ? name : `${keys[0]!.slice(0, MOST)}+${keys.length - 1}`;
}

/** The command, with digests of the modules that it names. */
export async function manifestCommand(
  { words }: Arguments,
  modules: readonly string[],
): Promise<ManifestCommand> {
  const digests = await moduleDigests(modules);
  return {
    arguments: words,
    folder: cwd(),
    ...(Object.keys(digests).length > 0 ? { modules: digests } : {}),
  };
}

/** What is known of any manifest before its fields are checked. */
interface AnyManifest {
  /** Its kind and version. */
  readonly manifest: string;
}

/** A result; only those of UDFs have the key of one. */
export type RecordedResult = Omit<ManifestResult, "udf"> & Partial<Pick<ManifestResult, "udf">>;

/** What every manifest says that can be replayed, beside the fields of its form. */
export interface Recorded extends ManifestHead<string> {
  /** The results. */
  readonly results: readonly RecordedResult[];
  /** The command. */
  readonly command: ManifestCommand;
}

/** The form of the manifests of one verb. */
export interface Form<F extends Checks = Checks> {
  /** Their kind, and its version. */
  readonly kind: string;
  /** Their own fields. */
  readonly own: F;
  /** Fields of their results that not all results have. */
  readonly ofResults: Checks;
}

/** The form of the manifests of a verb, whose own fields are these. */
export function formOf<F extends Checks>(verb: string, own: F, ofResults: Checks = {}): Form<F> {
  return { kind: `tilewise-${verb}-1`, own, ofResults };
}

/** A manifest of a form with every field checked; `malformed`, with the first that is wrong, if it is not one. */
export function checkedManifest(
  { kind, own, ofResults }: Form,
  path: string,
  manifest: AnyManifest,
): Recorded {
  mustHaveFields(path, manifest, {
    manifest: rule(kind, (value) => value === kind),
    ...COMMON,
    ...own,
    results: list(fields({ ...ofResults, ...result })),
  });
  return manifest as Recorded;
}

/** What a manifest says of a command. */
export interface Said<F extends Checks> {
  /** SHA-256 of the kernels. */
  readonly kernels: string;
  /** What was read. */
  readonly inputs: readonly Glance[];
  /** The fields of its form. */
  readonly own: Fields<F>;
  /** The results. */
  readonly results: readonly RecordedResult[];
  /** The modules that the command names. */
  readonly modules?: readonly string[];
}

/** The manifest of a command. */
export async function manifestOf<F extends Checks>(
  { kind }: Form<F>,
  { kernels, inputs, own, results, modules = [] }: Said<F>,
  args: Arguments,
): Promise<Recorded> {
  const command = await manifestCommand(args, modules);
  return { ...manifestHead(kind, kernels, inputs), ...own, results, command };
}

/** What a command gives when it is said again. */
export interface Again {
  /** SHA-256 of the kernels. */
  readonly kernels: string;
  /** The digest that a recorded result has now; absent: there is no such result. */
  digestOf(result: RecordedResult): string | undefined;
}

/** A manifest whose command is said again. */
interface ToldAgain {
  /** Its path. */
  readonly path: string;
  /** What it says. */
  readonly recorded: Recorded;
  /** Where progress and warnings go. */
  readonly io: CliIo;
  /** Compares what is read now with what was read. */
  tellInputs(inputs: readonly Glance[]): void;
}

/** A kind of manifest: the verb whose commands it records, and how one is said again. */
export interface Kind {
  /** The verb. */
  readonly verb: Verb;
  /** The form of its manifests. */
  readonly form: Form;
  /** Refuses a manifest whose command cannot be said again; its fields have not been checked. */
  mustRepeat?(path: string, manifest: AnyManifest): void;
  /** The modules that a command names, each once. */
  modules(args: Arguments): string[];
  /** Computes the results of a command again, and leaves no file. */
  again(args: Arguments, told: ToldAgain): Promise<Again>;
}

/** Reads a manifest; `malformed` if the file is none of the `kinds`. */
export async function readManifestFile(path: string, kinds: readonly string[]): Promise<AnyManifest> {
  const found = await parsed(path);
  const { manifest, results } = (found ?? {}) as { manifest?: unknown; results?: unknown };
  if (typeof manifest === "string" && kinds.includes(manifest) && Array.isArray(results)) {
    return found as AnyManifest;
  }
  const text = "it is not a run manifest; give the .run.json beside a saved result";
  throw cannot("replay", path, "malformed", text, { expected: kinds.join(", ") });
}

async function parsed(path: string): Promise<unknown> {
  let text: string;
  noteOpened(path);
  try {
    text = await readFile(path, "utf8");
  } catch (cause) {
    const { code, message, details } = fileError(path, cause);
    const hint = code === "not-a-file" ? "; give the .run.json beside a saved result" : "";
    throw new TilewiseError(code, `${message}${hint}`, details, { cause });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = "it is not JSON; give the .run.json beside a saved result";
    throw cannot("replay", path, "malformed", message, { expected: "JSON" }, { cause });
  }
}

/** A manifest as the bytes of its file. */
export function manifestBytes(manifest: object): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${JSON.stringify(manifest, null, 2)}\n`);
}
