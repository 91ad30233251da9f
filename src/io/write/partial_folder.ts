/**
 * The hidden folder of a result that is being written for a long time: it outlives its process, so that a later one can go
 * on.
 *
 * ```
 * .scan.zarr.tw-0f3c9a1b5d7e2468.partial/     beside the result; the digits are those of the plan
 *   owner      number of the process that writes
 *   journal    what is complete, see journal.ts
 *   result     the file or folder that gets the name in the end
 *   …          memory of the writer
 * ```
 * A result that replaces a folder takes two renames, because systems have no single one for that; the old folder has a
 * hidden name between them, and gets its name back from the next writer if a process is killed there.
 *
 * @module
 */

import { cannot, type TilewiseError } from "../../errors.ts";
import { isGranted } from "../source/permission.ts";
import { writeCalls, writeError } from "./calls.ts";
import { behindLinks, holdPart, releasePart } from "./part_files.ts";
import { finishTogether, inTurn, type Naming, takeSteps } from "./together.ts";

/** The targets that this thread is writing. */
const held = new Set<string>();

/** Options of {@link PartialFolder.open}. */
interface PartialOptions {
  /** Identifies everything that decides the bytes of the result; hexadecimal. */
  readonly digest: string;
  /** Whether to go on where an earlier process stopped, and to keep the folder if this one fails. */
  readonly resume: boolean;
  /** What the result is. */
  readonly kind: "file" | "folder";
}

/** A result that has no name yet. If it is disposed of before it has got its name, it is removed or kept. */
export class PartialFolder implements AsyncDisposable {
  #over = false;
  #isNamed = false;

  private constructor(
    /** Path that the result will have. */
    readonly path: string,
    /** The hidden folder. */
    readonly folder: string,
    private readonly options: PartialOptions,
  ) {}

  /** Makes the folder, or takes over that of an earlier process that had the same plan. */
  static async open(name: string, options: PartialOptions): Promise<PartialFolder> {
    const path = await behindLinks(name);
    if (held.has(path)) throw isBusy(path, "this process");
    held.add(path);
    try {
      const folder = await inTurn([path], () => makeFolder(path, options));
      if (!options.resume) holdPart(folder, { touch: false });
      return new PartialFolder(path, folder, options);
    } catch (error) {
      held.delete(path);
      throw writeError(path, error);
    }
  }

  /** Path of the result until it has got its name. */
  get result(): string {
    return `${this.folder}/result`;
  }

  /** Makes a folder in this one, unless it is there. */
  async makeFolder(path: string): Promise<void> {
    const [fs] = await nodeModules();
    await this.#told(() => fs.mkdir(path, { recursive: true }));
  }

  /** Makes the file `path` unless it is there; returns its size. */
  async makeFile(path: string): Promise<number> {
    const [fs] = await nodeModules();
    return await this.#told(async () => {
      const facts = await fs.stat(path).catch(() => undefined);
      if (facts) return facts.size;
      await (await (await writeCalls()).create(path)).close();
      return 0;
    });
  }

  /** Gives the file `path` this size; what is behind its end is zero. */
  async sizeFile(path: string, size: number): Promise<void> {
    const [fs] = await nodeModules();
    await this.#told(() => fs.truncate(path, size));
  }

  /** The step that gives a file its name, for {@link finish} of another one. */
  get naming(): Naming {
    const { path, result } = this;
    const finish = async () => {
      await (await writeCalls()).rename(result, path);
      this.#isNamed = true;
    };
    return { path, finish };
  }

  /**
   * Waits until these files of it, as far as they are there, are on the disk, then gives the result its name, and those beside it
   * theirs, all or none of them; and removes the rest.
   */
  async finish(
    files: AsyncIterable<string> | Iterable<string>,
    beside: readonly Naming[] = [],
  ): Promise<void> {
    const [fs] = await nodeModules();
    await this.#told(async () => {
      await syncAll(files);
      const { rename } = await writeCalls();
      const { result, path } = this;
      if (this.options.kind === "folder") {
        const replace = () => replaceFolder(result, path, rename, () => takeSteps(beside));
        await inTurn([path, ...beside.map((one) => one.path)], replace);
      } else await finishTogether([this.naming, ...beside]);
      this.#end();
      await fs.rm(this.folder, { recursive: true, force: true }).catch(() => {}); // the result is there
    });
  }

  /** Removes it unless it is complete, or to be resumed. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#over) return;
    this.#end();
    const [fs, { join }] = await nodeModules();
    if (this.options.resume && !this.#isNamed) {
      await fs.rm(join(this.folder, "owner"), { force: true }).catch(() => {});
    } else await fs.rm(this.folder, { recursive: true, force: true }).catch(() => {});
  }

  #end(): void {
    this.#over = true;
    held.delete(this.path);
    releasePart(this.folder);
  }

  async #told<T>(body: () => Promise<T>): Promise<T> {
    try {
      return await body();
    } catch (error) {
      throw writeError(this.path, error);
    }
  }
}

/** The name of the partial folder of `name`, up to the digits. */
function stemOf(name: string): string {
  return `.${[...name].slice(0, 40).join("")}.tw-`;
}

/** Where an old folder waits while the new one gets its name. */
async function hiddenOld(path: string): Promise<string> {
  const [, { basename, dirname, join }] = await nodeModules();
  return join(dirname(path), `.${[...basename(path)].slice(0, 40).join("")}.tw-old`);
}

/** Gives `folder` the name `path`; a folder of that name is removed after `then`, which goes with it: if it throws, nothing has changed. */
async function replaceFolder(
  folder: string,
  path: string,
  rename: (from: string, to: string) => Promise<void>,
  then: () => Promise<void>,
): Promise<void> {
  const [fs] = await nodeModules();
  const old = await hiddenOld(path);
  const isThere = await fs.lstat(path).then(() => true, () => false);
  if (isThere) {
    await fs.rm(old, { recursive: true, force: true });
    await rename(path, old);
  }
  try {
    await rename(folder, path);
    await then().catch(async (error) => {
      await rename(path, folder).catch(() => {});
      throw error;
    });
  } catch (error) {
    if (isThere) await rename(old, path).catch(() => {});
    throw error;
  }
  if (isThere) await fs.rm(old, { recursive: true, force: true }).catch(() => {});
}

/** Gives an old folder its name back if a process was killed between the two renames; removes it if only its removal is left. */
async function giveBack(path: string): Promise<void> {
  const [fs] = await nodeModules();
  const old = await hiddenOld(path);
  if (!await fs.lstat(old).then(() => true, () => false)) return;
  const isThere = await fs.lstat(path).then(() => true, () => false);
  if (isThere) await fs.rm(old, { recursive: true, force: true });
  else await fs.rename(old, path);
}

/** Makes the partial folder of `path`, and removes those of other plans. */
async function makeFolder(path: string, { digest, resume }: PartialOptions): Promise<string> {
  const [fs, { basename, dirname, join }] = await nodeModules();
  const place = dirname(path);
  const stem = stemOf(basename(path));
  const name = `${stem}${digest.slice(0, 16)}.partial`;
  const all = (await fs.readdir(place)).filter((one) =>
    one.startsWith(stem) && /^[0-9a-f]{16}\.partial$/.test(one.slice(stem.length))
  );
  for (const one of all) await mustBeFree(join(place, one), path);
  await giveBack(path);
  for (const one of all) {
    if (one !== name || !resume) await fs.rm(join(place, one), { recursive: true, force: true });
  }
  const folder = join(place, name);
  if (!all.includes(name) || !resume) await fs.mkdir(folder);
  await fs.writeFile(join(folder, "owner"), String(await ownNumber()));
  return folder;
}

/** Refuses a partial folder that another process is writing. */
async function mustBeFree(folder: string, path: string): Promise<void> {
  const [fs, { join }] = await nodeModules();
  const owner = Number(await fs.readFile(join(folder, "owner"), "utf8").catch(() => "0"));
  if (owner === await ownNumber() || !await isAlive(owner)) return;
  throw isBusy(path, `process ${owner}`, `. If there is no such process, remove ${folder}`);
}

function isBusy(path: string, who: string, more = ""): TilewiseError {
  return cannot("write", path, "invalid", `${who} is writing it; wait until it ends${more}`, { found: who });
}

async function ownNumber(): Promise<number> {
  return (await import("node:process")).pid;
}

/** Whether a process exists, as far as this one may find out. */
async function isAlive(owner: number): Promise<boolean> {
  if (!(owner > 0)) return false;
  const { kill } = await import("node:process");
  if (!isGranted({ name: "run" })) return false;
  try {
    kill(owner, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === "EPERM";
  }
}

/** Files that are synced at the same time: disks write several together. */
const TOGETHER = 16;

async function syncAll(files: AsyncIterable<string> | Iterable<string>): Promise<void> {
  const { sync } = await writeCalls();
  const under = new Set<Promise<void>>();
  for await (const file of files) {
    const one = sync(file).catch(unlessMissing).finally(() => under.delete(one));
    one.catch(() => {}); // told below
    under.add(one);
    if (under.size >= TOGETHER) await Promise.race(under);
  }
  await Promise.all(under);
}

function unlessMissing(error: { code?: string }): void {
  if (error.code !== "ENOENT") throw error;
}

/** Loaded when first needed, so that browsers can import this file. */
function nodeModules() {
  return Promise.all([import("node:fs/promises"), import("node:path")]);
}
