/**
 * Culling: rows of the frames that no UDF of a run needs are not read.
 *
 * A small detector on a large frame needs only a few of its rows. If every UDF of a run says which pixels it needs,
 * only the smallest range of rows that contains all of them is read and shown. Results have the same bits with and
 * without culling.
 *
 * @module
 */

import type { Corrections } from "../../dataset/corrections.ts";
import type { StoredDataset } from "../../dataset/dataset.ts";
import { framePart } from "../../dataset/layout/frame_part.ts";
import { sourcesOf } from "../../dataset/layout/layout.ts";
import { kindOf } from "../../dataset/storage/kinds.ts";
import { TilewiseError } from "../../errors.ts";
import type { Box } from "../../space/box.ts";
import { showShape } from "../../space/shape.ts";
import { declaredBuffers } from "../buffers/buffers.ts";
import { guarded } from "../interface/guard.ts";
import type { Culling } from "./plan_facts.ts";
import type { PreparedUdf } from "./plan_udf.ts";
import type { Udf, UdfMeta } from "../interface/udf.ts";

/** Gaps of a blob up to this size are read rather than skipped: a message for one more slice costs as much. */
const BLOB_GAP = 128 * 1024;

/** What culling depends on. */
interface CullingInput {
  /** The data set that is read. */
  readonly dataset: StoredDataset;
  /** The UDFs that are computed. */
  readonly udfs: readonly PreparedUdf[];
  /** The corrections that are applied. */
  readonly corrections?: Corrections;
}

/** The part of each frame that the UDFs of a run need, if reading only that part is possible and faster. */
export function cullingOf(input: CullingInput): Culling {
  const { layout, sigShape } = input.dataset;
  const whole = { frameBytes: layout.storedBytes };
  const box = neededRows(input.udfs, sigShape.slice(1));
  if (!box) return whole;
  const why = obstacle(input);
  if (why) return { ...whole, why };
  const { bytes, joined } = framePart(layout, box);
  const least = sourcesOf(layout).some(({ kind }) => kind === "blob") ? BLOB_GAP : 0;
  if (!joined && layout.storedBytes - bytes >= least) return { box, frameBytes: bytes };
  if (bytes === layout.storedBytes) return whole;
  return { ...whole, why: "the other rows are too few to be worth a read of its own for each frame" };
}

/** Whether all rows that `udf` needs are read with `culling`. */
export function coversPixels({ box }: Culling, { udf, meta }: PreparedUdf): boolean {
  if (!box) return true;
  const needed = partOf(udf, meta);
  return needed !== undefined && needed.origin[0]! >= box.origin[0]! &&
    needed.origin[0]! + needed.shape[0]! <= box.origin[0]! + box.shape[0]!;
}

/** The range of rows (of the first signal dimension) that contains all pixels that the UDFs need; `undefined`: all rows. */
function neededRows(udfs: readonly PreparedUdf[], rest: readonly number[]): Box | undefined {
  const boxes = udfs.map(({ udf, meta }) => partOf(udf, meta));
  if (boxes.some((box) => !box)) return undefined;
  const first = Math.min(...boxes.map((box) => box!.origin[0]!));
  const end = Math.max(...boxes.map((box) => box!.origin[0]! + box!.shape[0]!));
  return { origin: [first, ...rest.map(() => 0)], shape: [end - first, ...rest] };
}

function partOf(udf: Udf, meta: UdfMeta): Box | undefined {
  const box = guarded(udf.name, "pixels()", () => udf.pixels?.(meta));
  return box && checked(udf.name, box, meta.sigShape);
}

function checked(udf: string, box: Box, sigShape: readonly number[]): Box {
  const { origin, shape } = box;
  const fits = origin.length === sigShape.length && shape.length === sigShape.length &&
    sigShape.every((n, d) =>
      Number.isInteger(origin[d]) && Number.isInteger(shape[d]) && origin[d]! >= 0 &&
      shape[d]! >= 1 && origin[d]! + shape[d]! <= n
    );
  if (fits) return box;
  const found = `${showShape(shape)} at (${origin.join(", ")})`;
  const text = `UDF "${udf}": pixels() gave a box of ${found}; frames are ${showShape(sigShape)}`;
  throw new TilewiseError("udf", text, { udf, expected: showShape(sigShape), found });
}

/** Why all of each frame must be read, although UDFs need only a part. */
function obstacle({ dataset, udfs, corrections }: CullingInput): string | undefined {
  const { layout } = dataset;
  const why = kindOf(layout).whole(layout);
  if (why) return why;
  if (sourcesOf(layout).some(({ kind }) => kind === "http")) {
    return "a request for each frame would take longer than the bytes in between";
  }
  if (corrections?.excluded?.length) return "dead pixels are replaced by their neighbours";
  const sig = udfs.find(({ udf, meta }) => declaredBuffers(udf, meta).some(([, { kind }]) => kind === "sig"));
  if (sig) return `${sig.udf.name} has results for every pixel`;
  const sparse = udfs.find(({ backend }) => backend !== "dense");
  return sparse && `${sparse.udf.name} takes ${sparse.backend} tiles`;
}
