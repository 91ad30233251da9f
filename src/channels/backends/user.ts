/**
 * Back ends that users define: loaded from a module of theirs, and their answers checked.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { defined, isThenable } from "../../options.ts";
import { reasonOf } from "../../reason.ts";
import { usersCodeComes } from "../../executor/exits.ts";
import type { Awaitable, BackEnd, FileFacts, NodeFacts } from "./back_end.ts";

/**
 * A back end of a user: the function `export` of `module` is called with `shared` in every thread that does I/O, and returns a
 * {@link BackEnd} or a promise of one.
 * @category Channels
 */
export interface UserFiles {
  /** URL of the module; write `import.meta.url`, or the URL of another module. */
  readonly module: string;
  /** Name of the function. */
  readonly export: string;
  /** Plain data for it. */
  readonly shared?: unknown;
}

/** Loads a back end of a user. Errors: `udf`, naming module and export. */
export async function loadUserFiles(files: UserFiles): Promise<BackEnd> {
  usersCodeComes();
  let made: unknown;
  try {
    const module = await import(files.module) as Readonly<Record<string, unknown>>;
    const factory = module[files.export];
    if (typeof factory !== "function") throw new Error(`it exports no function of that name`);
    made = await factory(files.shared);
  } catch (error) {
    throw userError(files, reasonOf(error), error);
  }
  return checkedFiles((made ?? {}) as BackEnd, files);
}

function userError({ module, export: name }: UserFiles, why: string, cause?: unknown): TilewiseError {
  const text = `Cannot use the back end "${name}" of ${module}: ${why}`;
  return new TilewiseError("udf", text, { file: module, export: name }, defined({ cause }));
}

type Calls = Omit<BackEnd, "synchronous">;
type AnyCall = (...words: unknown[]) => Awaitable<unknown>;

const anything = () => true;

/** Per call what its answer must be. */
const ANSWERS: { readonly [K in keyof Calls]-?: (answer: unknown, words: readonly unknown[]) => boolean } = {
  open: isCount,
  close: anything,
  size: (bytes) => bytes === Infinity || isCount(bytes),
  read: isPart,
  write: isPart,
  flush: anything,
  truncate: anything,
  stat: isFacts,
  list: (names) => Array.isArray(names) && names.every((name) => typeof name === "string"),
  remove: anything,
  mkdir: anything,
  rename: anything,
  look: isNode,
  setTimes: anything,
  link: anything,
  symlink: anything,
  readLink: (text) => typeof text === "string",
};

/** Calls that a back end may leave out. */
const OPTIONAL = ["rename", "look", "setTimes", "link", "symlink", "readLink"];

/** A back end whose answers are checked: a count that is too large would give a kernel bytes that nobody read. */
export function checkedFiles(own: BackEnd, files: UserFiles): BackEnd {
  const names = Object.keys(ANSWERS) as (keyof Calls)[];
  const there = names.filter((name) => typeof own[name] === "function");
  const missing = names.filter((name) => !there.includes(name) && !OPTIONAL.includes(name));
  if (missing.length > 0) throw userError(files, `what it returns has no ${missing.join(", ")}`);
  const { synchronous } = own;
  if (typeof synchronous !== "boolean") {
    throw userError(files, "what it returns must say synchronous: true or false");
  }
  const checked = (name: keyof Calls): AnyCall => (...words) => {
    const check = (value: unknown) => {
      if (ANSWERS[name](value, words)) return value;
      throw userError(files, `${name}() answered ${JSON.stringify(value) ?? String(value)}`);
    };
    const answer = (own[name] as AnyCall)(...words);
    if (!isThenable(answer)) return check(answer);
    if (!synchronous) return (answer as Promise<unknown>).then(check);
    (answer as Promise<unknown>).catch(() => {});
    throw userError(files, `${name}() returned a promise, but it says synchronous: true`);
  };
  return { synchronous, ...Object.fromEntries(there.map((name) => [name, checked(name)])) } as BackEnd;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Whether a count of bytes is at most the `length` that was asked for. */
function isPart(value: unknown, words: readonly unknown[]): boolean {
  return isCount(value) && value <= (words[3] as number);
}

function isFacts(value: unknown): boolean {
  const { bytes, kind } = (value ?? {}) as Partial<FileFacts>;
  return (isCount(bytes) || bytes === Infinity) && (kind === "file" || kind === "directory");
}

function isNode(value: unknown): boolean {
  const { kind, number, links, times } = (value ?? {}) as Partial<NodeFacts>;
  const { accessed, modified, changed } = (times ?? {}) as Partial<NodeFacts["times"]>;
  return isFacts({ ...(value as object), kind: kind === "link" ? "file" : kind }) && isCount(links) &&
    [number, accessed, modified, changed].every((value) => typeof value === "bigint");
}
