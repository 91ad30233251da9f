/**
 * Checks that sources have not changed since they were opened: after reads, before results are given.
 *
 * @module
 */

import { defined } from "../options.ts";
import { isTilewiseError, throwIfAborted, TilewiseError } from "../errors.ts";
import { Turns } from "../turns.ts";
import { recheckSpec } from "./open.ts";
import { ownSpecs, type SourceSpec } from "./source/source.ts";

/**
 * Throws `changed` unless all sources are as `specs` describe them. Each file is checked once, each server is asked once.
 *
 * @example
 * ```ts
 * import { assertRejects } from "@std/assert";
 * import { openSource } from "./open.ts";
 * const path = await Deno.makeTempFile();
 * await using source = await openSource(path);
 * await mustBeUnchanged([source.describe()]);
 * await Deno.writeTextFile(path, "something else");
 * await assertRejects(() => mustBeUnchanged([source.describe()]), Error, "it changed after it was opened");
 * await Deno.remove(path);
 * ```
 */
export async function mustBeUnchanged(specs: Iterable<SourceSpec>, signal?: AbortSignal): Promise<void> {
  const turns = new Turns(); // a series may have very many files
  const options = defined({ signal });
  for (const spec of distinct(specs)) {
    if (turns.due) await turns.give();
    throwIfAborted(signal);
    await recheckSpec(spec, options);
  }
}

/** Every source once, as parts of a source often lie in the same file. Bytes in memory are left out: they cannot change. */
function distinct(specs: Iterable<SourceSpec>): SourceSpec[] {
  const found = new Map<unknown, SourceSpec>();
  for (const spec of specs) {
    for (const own of ownSpecs(spec)) {
      if (own.kind !== "bytes") found.set(keyOf(own), own);
    }
  }
  return [...found.values()];
}

/** Those of `specs` that are not among `known`, each once. */
export function otherThan(specs: Iterable<SourceSpec>, known: Iterable<SourceSpec>): SourceSpec[] {
  const keys = new Set(distinct(known).map(keyOf));
  return distinct(specs).filter((spec) => !keys.has(keyOf(spec)));
}

/** A key of a source; two descriptions of a file with different times have different keys. */
export function keyOf(spec: SourceSpec): unknown {
  if (spec.kind === "blob") return spec.blob;
  if (spec.kind === "file") return `${spec.size} ${spec.modified} ${spec.id} ${spec.path}`;
  return spec.kind === "http" ? `${spec.size} ${spec.etag} ${spec.lastModified} ${spec.url}` : spec;
}

/**
 * The error to report for `error`: `changed` if `recheck` finds that a source has changed, as this may be the reason; otherwise
 * `error` itself. The errors `aborted` and `changed` are never replaced.
 */
export function unlessChanged(error: unknown, recheck: () => void): unknown {
  if (isTilewiseError(error, "aborted") || isTilewiseError(error, "changed")) return error;
  try {
    recheck();
    return error;
  } catch (other) {
    if (!isTilewiseError(other, "changed")) return error;
    return new TilewiseError("changed", other.message, other.details, { cause: error });
  }
}
