/**
 * How all verbs say what files do not hold of what is known of their arrays: in one line, in rows of JSON, in manifests.
 *
 * @module
 */

import { isKind } from "../../sinks/registry.ts";
import type { DType } from "../../space/dtype.ts";
import { lossesIn } from "../../pictures/save.ts";
import { type DescribedArray, lossesOf } from "../../sinks/losses.ts";

/** What is lost, for a row of JSON or a manifest; nothing is said where nothing is lost. */
export interface Losses {
  /** In words. */
  readonly losses?: string;
}

/** What the file at `path` loses, if it is something; a picture is a look, which says nothing. `asked`: what samples have become. */
export function said(losses: string, path: string, asked: DType | undefined): Losses {
  const rounded = asked === undefined
    ? ""
    : `samples that ${asked} does not have, in place of which are the nearest`;
  const all = [losses, rounded].filter((text) => text !== "").join("; ");
  return all === "" || isKind(path, "png") ? {} : { losses: all };
}

/** The line that says what is lost. */
export function lossRows({ losses }: Losses): (readonly [name: string, value: string])[] {
  return losses === undefined ? [] : [["not kept", losses]];
}

/** What is lost of several results, on one line; where it is not that of all, it says of which. */
export function lossesTogether(
  all: readonly (Losses & { readonly label: string })[],
): (readonly [name: string, value: string])[] {
  const texts = new Set(all.map(({ losses }) => losses));
  const told = [...texts].flatMap((losses) => {
    if (losses === undefined) return [];
    const own = all.filter((one) => one.losses === losses).map(({ label }) => label);
    return [own.length === all.length ? losses : `of ${own.join(", ")}: ${losses}`];
  });
  return told.length === 0 ? [] : lossRows({ losses: told.join("; ") });
}

/** What the file that `save` writes at `path` loses; `asked`: the type that samples have become. */
export async function lossesSaved(
  path: string,
  array: Parameters<typeof lossesIn>[0],
  asked?: DType,
): Promise<Losses> {
  return said(await lossesIn(array, path), path, asked);
}

/** What the file or folder that a sink writes at `path` loses. */
export async function lossesStored(path: string, array: DescribedArray, asked?: DType): Promise<Losses> {
  const { keptBy } = await import("../../sinks/stored/registry.ts"); // with all targets of chunks
  return said(lossesOf(await keptBy(path), array), path, asked);
}
