/**
 * Manifests of verbs whose results are files, such as `convert`: what is read, the digest of the samples, the command. Such a command
 * is said again into a hidden folder beside its manifest, and the digests of the two manifests are compared.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { mkdir, readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { throwIfAborted } from "../../errors.ts";
import { logOpened } from "../../io/file/error.ts";
import { writeError } from "../../io/write/calls.ts";
import { holdPart, partPath, releasePart } from "../../io/write/part_files.ts";
import { type Naming, removal } from "../../io/write/together.ts";
import type { PartFiles, PendingFile } from "../../io/write/write.ts";
import type { Glance } from "../../udf/results/digest.ts";
import { leftOver, type NewSet } from "../outputs/older_sets.ts";
import { prepareSet } from "../outputs/outputs.ts";
import { NO_MANIFEST } from "../flags/run_flags.ts";
import type { Arguments } from "../shell/args.ts";
import type { CliIo } from "../shell/io.ts";
import { changed } from "../shell/parse_arguments.ts";
import type { Verb } from "../shell/verb.ts";
import {
  type Again,
  type Form,
  formOf,
  type Kind,
  manifestBytes,
  manifestOf,
  manifestPath,
  readManifestFile,
  type Recorded,
  type RecordedResult,
  type Said,
} from "./file.ts";
import type { Checks } from "./fields.ts";

/** Where results and their manifest go. */
export interface OutputFiles {
  /** The results, without what lies beside them. */
  readonly results: readonly string[];
  /** The manifest; absent: there is none. */
  readonly manifest?: string;
  /** Stops the command, until names are given. */
  readonly signal: AbortSignal;
}

/** The place for results in `out`, checked before any work is done; `beside`: what else is written, or may be. */
export async function preparedPlace(
  out: string,
  { results, beside = [], folders = false }: Pick<OutputFiles, "results"> & {
    readonly beside?: readonly string[];
    readonly folders?: boolean;
  },
  args: Arguments,
  { signal }: CliIo,
): Promise<OutputFiles> {
  const manifest = args.has(NO_MANIFEST.name) ? [] : [manifestPath(out, out)];
  await prepareSet({ results, files: [...results, ...beside, ...manifest] }, args, folders);
  return { results, signal, ...(manifest.length > 0 ? { manifest: manifest[0]! } : {}) };
}

/** Where the manifest is, for a row of JSON. */
export function manifestIn({ manifest }: Pick<OutputFiles, "manifest">): Pick<OutputFiles, "manifest"> {
  return defined({ manifest });
}

/** The line that says it. */
export function manifestRows({ manifest }: Pick<OutputFiles, "manifest">): (readonly [string, string])[] {
  return manifest === undefined ? [] : [["manifest", manifest]];
}

/** What a manifest says of the command of a {@link filesKind}. */
interface Made {
  /** The result; its files are all that were written. */
  readonly result: RecordedResult & Required<Pick<RecordedResult, "files">>;
  /** What was read. */
  readonly inputs: readonly Glance[];
}

/** What is written beside results, and the files of older ones that go; see {@link leftOver}. */
export interface BesideResults {
  /** The files. */
  readonly pending: readonly PendingFile[];
  /** Paths of the older ones. */
  readonly gone: readonly string[];
}

/** The manifest, if there is to be one. `made` is called when all files before the manifest are written. */
export async function manifestBeside(
  verb: string,
  place: OutputFiles,
  files: readonly string[],
  made: () => Promise<Made>,
  args: Arguments,
): Promise<BesideResults> {
  return await manifestOfForm(formOf(verb, {}), place, files, async () => {
    const { result, inputs } = await made();
    const { ALL_KERNELS } = await import("../../kernels/kernels_digest.ts");
    return { kernels: ALL_KERNELS, inputs, own: {}, results: [result] };
  }, args);
}

/** The same for manifests with fields of their own. */
export async function manifestOfForm<F extends Checks>(
  form: Form<F>,
  { results, manifest, signal }: OutputFiles,
  files: readonly string[],
  said: () => Promise<Said<F>>,
  args: Arguments,
): Promise<BesideResults> {
  const set: NewSet = { results, files: [...files, ...(manifest === undefined ? [] : [manifest])] };
  const gone = await leftOver(set);
  if (manifest === undefined) return { pending: [], gone };
  const content = async () => lastly(signal, manifestBytes(await manifestOf(form, await said(), args)));
  return { pending: [{ path: manifest, content }], gone };
}

/** The bytes, unless a signal has come by the time when they are written. */
function* lastly(signal: AbortSignal, bytes: Uint8Array): Generator<Uint8Array> {
  throwIfAborted(signal);
  yield bytes;
}

/** The same as what gets its name with a result that is written otherwise. */
export async function namesBeside(
  parts: PartFiles,
  ...manifest: Parameters<typeof manifestBeside>
): Promise<Naming[]> {
  const { pending, gone } = await manifestBeside(...manifest);
  await parts.fill(pending);
  return [...parts.all, ...gone.map(removal)];
}

/** The kind of manifest that a verb writes. */
export function filesKind(verb: Verb): Kind {
  return {
    verb,
    form: formOf(verb.name, {}),
    modules: () => [],
    again: (args, { path, recorded, io, tellInputs }) =>
      inHiddenFolder(dirname(path), async (folder) => {
        const made = await saidAgain(verb, args, recorded, folder, io);
        tellInputs(made.inputs);
        const digestOf: Again["digestOf"] = ({ result }) =>
          made.results.find((other) => other.result === result)?.sha256;
        return { kernels: made.kernels, digestOf };
      }),
  };
}

/** Says a command again with its result in `folder`; returns the manifest that it writes there. */
async function saidAgain(
  verb: Verb,
  args: Arguments,
  { manifest, results }: Recorded,
  folder: string,
  io: CliIo,
): Promise<Recorded> {
  const isLast = verb.several?.out === "argument";
  const asked = isLast ? args.positionals.at(-1)! : args.text("output") ?? results[0]?.files?.[0] ?? "result";
  const out = join(folder, basename(asked));
  const command = changed(
    verb,
    args,
    isLast ? { positionals: [...args.positionals.slice(0, -1), out] } : { flags: [`--output=${out}`] },
  );
  using _reading = logOpened(command.inputs);
  await verb.run(command, { ...io, out: () => {} });
  const name = (await readdir(folder)).find((name) => name.endsWith(".run.json"));
  return await readManifestFile(join(folder, name ?? "none.run.json"), [manifest]) as Recorded;
}

/** Calls `body` with a folder in `parent` that is removed then. */
async function inHiddenFolder<T>(parent: string, body: (folder: string) => Promise<T>): Promise<T> {
  const folder = await partPath(join(parent, "replay"));
  await mkdir(folder).catch((error) => {
    throw writeError(folder, error);
  });
  holdPart(folder, { touch: false });
  try {
    return await body(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
    releasePart(folder);
  }
}
