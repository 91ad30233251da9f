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

const FUNCTIONS = [
  "open",
  "close",
  "size",
  "read",
  "write",
  "flush",
  "truncate",
  "stat",
  "list",
  "remove",
  "mkdir",
] as const satisfies readonly (keyof BackEnd)[];

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
  return new CheckedFiles(checkedFunctions(files, made), files);
}

function checkedFunctions(files: UserFiles, made: unknown): BackEnd {
  const found = (made ?? {}) as Readonly<Record<string, unknown>>;
  const missing = FUNCTIONS.filter((name) => typeof found[name] !== "function");
  if (missing.length > 0) throw userError(files, `what it returns has no ${missing.join(", ")}`);
  if (typeof found["synchronous"] === "boolean") return made as BackEnd;
  throw userError(files, "what it returns must say synchronous: true or false");
}

function userError({ module, export: name }: UserFiles, why: string, cause?: unknown): TilewiseError {
  const text = `Cannot use the back end "${name}" of ${module}: ${why}`;
  return new TilewiseError("udf", text, { file: module, export: name }, defined({ cause }));
}

/** Calls that a back end may leave out. */
type OptionalCall = "rename" | "look" | "setTimes" | "link" | "symlink" | "readLink";

/** A back end whose answers are checked: a count that is too large would give a kernel bytes that nobody read. */
export class CheckedFiles implements BackEnd {
  readonly synchronous: boolean;

  readonly rename?: Required<BackEnd>["rename"];
  readonly look?: Required<BackEnd>["look"];
  readonly setTimes?: Required<BackEnd>["setTimes"];
  readonly link?: Required<BackEnd>["link"];
  readonly symlink?: Required<BackEnd>["symlink"];
  readonly readLink?: Required<BackEnd>["readLink"];

  constructor(private readonly own: BackEnd, private readonly files: UserFiles) {
    this.synchronous = own.synchronous;
    const optional = <K extends OptionalCall>(name: K, test: (value: unknown) => boolean) => {
      if (typeof own[name] !== "function") return {};
      const act = (...words: unknown[]) =>
        this.#checked(name, (own[name] as (...words: unknown[]) => Awaitable<unknown>)(...words), test);
      return { [name]: act };
    };
    Object.assign(
      this,
      ...(["rename", "setTimes", "link", "symlink"] as const).map((name) => optional(name, () => true)),
      optional("look", isNode),
      optional("readLink", (text) => typeof text === "string"),
    );
  }

  open(...words: Parameters<BackEnd["open"]>): Awaitable<number> {
    return this.#checked("open", this.own.open(...words), isCount);
  }

  close(file: number): Awaitable<void> {
    return this.#checked("close", this.own.close(file), () => true);
  }

  size(file: number): Awaitable<number> {
    return this.#checked("size", this.own.size(file), (bytes) => bytes === Infinity || isCount(bytes));
  }

  read(...words: Parameters<BackEnd["read"]>): Awaitable<number> {
    return this.#checked("read", this.own.read(...words), (got) => isCount(got) && got <= words[3]);
  }

  write(...words: Parameters<BackEnd["write"]>): Awaitable<number> {
    return this.#checked("write", this.own.write(...words), (put) => isCount(put) && put <= words[3]);
  }

  flush(file: number): Awaitable<void> {
    return this.#checked("flush", this.own.flush(file), () => true);
  }

  truncate(file: number, bytes: number): Awaitable<void> {
    return this.#checked("truncate", this.own.truncate(file, bytes), () => true);
  }

  stat(name: string): Awaitable<FileFacts> {
    return this.#checked("stat", this.own.stat(name), isFacts);
  }

  list(name: string): Awaitable<readonly string[]> {
    return this.#checked("list", this.own.list(name), isNames);
  }

  remove(name: string): Awaitable<void> {
    return this.#checked("remove", this.own.remove(name), () => true);
  }

  mkdir(name: string): Awaitable<void> {
    return this.#checked("mkdir", this.own.mkdir(name), () => true);
  }

  #checked<T>(name: string, answer: Awaitable<T>, test: (value: T) => boolean): Awaitable<T> {
    const check = (value: T) => {
      if (test(value)) return value;
      throw userError(this.files, `${name}() answered ${JSON.stringify(value) ?? String(value)}`);
    };
    if (!isThenable(answer)) return check(answer as T);
    if (!this.synchronous) return (answer as Promise<T>).then(check);
    (answer as Promise<T>).catch(() => {});
    throw userError(this.files, `${name}() returned a promise, but it says synchronous: true`);
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
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

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}
