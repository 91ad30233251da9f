/**
 * Gives several complete files their names, and takes away old ones that belong to none of them: all of this, or, when one step
 * fails, nothing.
 *
 * Meanwhile each old file has a second name, a hard link that is named like a part file. At every moment each path leads to a
 * complete file, the old or the new one. The links of a killed process are removed like its part files.
 *
 * @module
 */

import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { holdPart, partPath, releasePart } from "./part_files.ts";
import { isDenied } from "../source/permission.ts";
import { writeCalls } from "./calls.ts";
import { NO_LINKS, writeError } from "./error.ts";
import { inTurn } from "./turn.ts";

/** A step of giving files their names: at `path` there is a new file afterwards, or none. */
export interface Naming {
  /** The path. */
  readonly path: string;
  /** Does it. */
  finish(): Promise<void>;
}

/**
 * Called when a result is complete, with the path that it has until it gets its name: makes what lies beside it, and says what
 * gets its name with it. If it throws, the result gets no name.
 */
export type Beside = (path: string) => Promise<readonly Naming[]>;

/** Takes the file at `path` away, if there is one. */
export function removal(path: string): Naming {
  const finish = async () => {
    try {
      await (await writeCalls()).remove(path);
    } catch (error) {
      throw writeError(path, error);
    }
  };
  return { path, finish };
}

/** The second name of an old file; `none`: there is no old file; `unkept`: it cannot have one. */
type Old = { readonly link: string } | "none" | "unkept";

/**
 * Takes all steps. When one fails, the old files before it get their names back, as far as the file system allows it; the error
 * names the files that are new nevertheless.
 */
export function finishTogether(parts: readonly Naming[]): Promise<void> {
  return inTurn(parts.map(({ path }) => path), () => takeSteps(parts)); // steps of two sets of the same names must not mix
}

/** The same inside of a turn, see {@link inTurn}. */
export async function takeSteps(parts: readonly Naming[]): Promise<void> {
  if (parts.length < 2) {
    for (const part of parts) await part.finish();
    return;
  }
  const old: Old[] = [];
  let done = 0;
  try {
    for (const { path } of parts) old.push(await keepOld(path));
    for (; done < parts.length; done++) await parts[done]!.finish();
  } catch (error) {
    throw told(error, await takeBack(parts.slice(0, done), old));
  } finally {
    for (const one of old) await forget(one);
  }
}

async function keepOld(path: string): Promise<Old> {
  const link = await partPath(path);
  try {
    await (await writeCalls()).link(path, link);
  } catch (error) {
    const { code = "" } = error as { code?: string };
    if (code === "ENOENT") return "none";
    if (isDenied(error) || NO_LINKS.includes(code)) return "unkept";
    throw writeError(path, error);
  }
  holdPart(link, { touch: false }); // that would change the time of the old file
  return { link };
}

/** Gives the old files their names back; returns the paths where this is impossible. */
async function takeBack(parts: readonly Naming[], old: readonly Old[]): Promise<string[]> {
  const { rename, remove } = await writeCalls();
  const left: string[] = [];
  for (const [i, { path }] of parts.entries()) {
    const one = old[i]!;
    try {
      if (one === "none") await remove(path);
      else if (one === "unkept") left.push(path);
      else await rename(one.link, path);
    } catch {
      left.push(path);
    }
  }
  return left;
}

async function forget(old: Old): Promise<void> {
  if (typeof old === "string") return;
  const { remove } = await writeCalls();
  await remove(old.link).catch(() => {}); // a later write removes it
  releasePart(old.link);
}

/** The error, with the paths that are new nevertheless. */
function told(error: unknown, left: readonly string[]): unknown {
  if (left.length === 0 || !isTilewiseError(error)) return error;
  const text = `${error.message}; these are new already: ${left.join(", ")}`;
  return new TilewiseError(error.code, text, { ...error.details, replaced: left.join(", ") }, {
    cause: error,
  });
}
