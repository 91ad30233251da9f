/**
 * Checks of a negotiation: refuses invalid requests, and tile shapes that break a promise.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { checkedProduct, type Shape, showShape } from "../../space/shape.ts";
import { formatBytes } from "../../space/size.ts";
import type { NegotiationRequest } from "./tiling_scheme.ts";

/** Refuses requests that no scheme can answer. */
export function checkRequest(request: NegotiationRequest): void {
  const { sigShape, partitionFrames, baseShape, udfs, excluded = [] } = request;
  if (udfs.length === 0) throw refusal("Cannot negotiate tiles: at least one UDF is required");
  if (sigShape.length === 0 || !sigShape.every(isCount)) {
    throw refusal(`Cannot tile frames of ${showShape(sigShape)}: every size must be 1 or more`);
  }
  if (!isCount(partitionFrames)) {
    throw refusal(`Cannot tile partitions of ${partitionFrames} frames; they need 1 or more`);
  }
  if (baseShape && (baseShape.length !== sigShape.length || !baseShape.every(isCount))) {
    throw refusal(`Cannot use base shape ${showShape(baseShape)} for frames of ${showShape(sigShape)}`);
  }
  for (const { name, depth = 1, totalBytes = 1 } of udfs) {
    const wishes = [depth, totalBytes].filter((wish) => typeof wish === "number");
    const wrong = wishes.find((wish) => !(wish >= 1));
    if (wrong !== undefined) {
      throw refusal(`Cannot tile for ${name}: depth and bytes must be 1 or more, not ${wrong}`);
    }
  }
  const outside = excluded.find((at) =>
    at.length !== sigShape.length || !at.every((c, d) => c >= 0 && c < sigShape[d]!)
  );
  if (outside) {
    throw refusal(`Excluded pixel (${outside.join(", ")}) is not in a frame of ${showShape(sigShape)}`);
  }
}

/** Refuses or reports signal sizes that a veto made up: neither the negotiated nor the full ones. */
export function checkVeto(
  request: NegotiationRequest,
  before: Shape,
  after: Shape,
  warnings: string[],
): void {
  const { sigShape, excluded = [] } = request;
  if (after.length !== before.length || !after.every(isCount)) {
    throw refusal(
      `The data set changed tiles of ${showShape(before)} to ${showShape(after)}, which is not a tile shape`,
    );
  }
  const odd = sigShape.findIndex((full, d) => after[d + 1] !== before[d + 1] && after[d + 1] !== full);
  if (odd < 0) return;
  const message =
    `The data set changed tiles of ${showShape(before)} to ${showShape(after)}: size ${after[odd + 1]} ` +
    `in dimension ${odd} is neither the negotiated nor the full one`;
  if (excluded.length > 0) throw refusal(`${message}, so that a border may touch an excluded pixel`);
  warnings.push(message);
}

/** Refuses tiles that do not fit into the frame, are too large, or are not a multiple of `base`. */
export function checkTile(
  request: NegotiationRequest,
  tileShape: Shape,
  limit: number,
  base: Shape,
  warnings: string[],
): void {
  const { sigShape, readDType, excluded = [] } = request;
  const shown = showShape(tileShape);
  const tooWide = sigShape.findIndex((full, d) => tileShape[d + 1]! > full);
  if (tooWide >= 0) {
    throw refusal(
      `Tiles of ${shown} do not fit into frames of ${showShape(sigShape)} in dimension ${tooWide}`,
    );
  }
  const itemSize = dtypeInfo(readDType).itemSize;
  const pixels = checkedProduct(tileShape, "a tile");
  if (pixels > Math.floor(limit / itemSize)) {
    const message = `Tiles of ${shown} ${readDType} have ${formatBytes(pixels * itemSize)}, ` +
      `more than the limit of ${formatBytes(limit)}`;
    if (excluded.length === 0 || tileShape[0] !== 1) throw refusal(message, limit, pixels * itemSize);
    warnings.push(`${message}: excluded pixels leave no smaller ones`);
  }
  const odd = base.findIndex((unit, d) => tileShape[d + 1]! % unit !== 0 && tileShape[d + 1] !== sigShape[d]);
  if (odd >= 0) {
    throw refusal(`Tiles of ${shown} are not a multiple of blocks of ${showShape(base)} in dimension ${odd}`);
  }
}

/** Most tiles of a frame: they are listed. */
const MOST_SLICES = 2 ** 16;

/** Refuses to cut frames into more tiles than can be listed; `counts`: tiles per signal dimension. */
export function checkSlices({ sigShape }: NegotiationRequest, counts: Shape): void {
  const slices = checkedProduct(counts, "the tiles of a frame");
  if (slices <= MOST_SLICES) return;
  const text =
    `Cannot cut frames of ${showShape(sigShape)} into ${slices} tiles: at most ${MOST_SLICES} can be ` +
    "listed; ask for larger ones with the option tileBytes";
  throw new TilewiseError("invalid", text, { option: "tileBytes", expected: MOST_SLICES, found: slices });
}

function isCount(n: number): boolean {
  return Number.isSafeInteger(n) && n >= 1;
}

function refusal(message: string, expected?: number, found?: number): TilewiseError {
  const details = expected === undefined || found === undefined ? {} : { expected, found };
  return new TilewiseError("invalid", message, details);
}
