/**
 * Calls of code of users for a tile: what goes wrong in it becomes an error with the place of the tile.
 *
 * @module
 */

import { type Activity, during } from "../../activity.ts";
import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { withoutExits } from "../../executor/exits.ts";
import { mustBeOver } from "../../options.ts";
import { reasonOf } from "../../reason.ts";
import { type Box, showBox } from "../../space/box.ts";
import type { SourcePosition } from "../../user_kernels/instance.ts";

/** Code of a user. */
interface Callee {
  /** What it is in messages, such as `Function "edges"`. */
  readonly who: string;
  /** What watchers of the thread are told. */
  readonly doing: Activity;
  /** Where in its source an error comes from, if that is known. */
  readonly placeOf?: (error: unknown) => SourcePosition | undefined;
}

/** Calls code for a tile. Errors of Tilewise pass; others become `udf`, with the details of `doing` and the place of the tile. */
export function calledFor(callee: Callee, tile: Box, work: () => unknown): void {
  try {
    mustBeOver(during(callee.doing, () => withoutExits(work)));
  } catch (error) {
    throw failure(callee, tile, error);
  }
}

function failure({ who, doing, placeOf }: Callee, tile: Box, error: unknown): TilewiseError {
  if (isTilewiseError(error)) return error;
  const at = showBox(tile);
  const place = placeOf?.(error);
  const source = place ? ` (${place.file}:${place.line}:${place.column})` : "";
  const message = `${who} failed for the tile ${at}: ${reasonOf(error)}${source}`;
  return new TilewiseError("udf", message, { ...doing.details, tile: at, ...place }, { cause: error });
}
