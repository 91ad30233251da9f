/**
 * Arrays in memory as one file of chunks, without a file system: what a page hands over to its user.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { crc32 } from "../../space/crc32.ts";
import { unshared } from "../../space/bytes.ts";
import { type NDArray, ndarray } from "../../space/ndarray.ts";
import { stemOfResult } from "../chunks/file.ts";
import { chunkEncoder, FileOfChunks } from "../chunks/placing.ts";
import type { LevelCount } from "../chunks/levels.ts";
import { reduced } from "../chunks/reduce.ts";
import type { PlacedBytes } from "../chunks/target.ts";
import { mustBeTarget } from "../registry.ts";
import { chunkKind } from "./registry.ts";

/**
 * The bytes of the file `path` with an array, as pieces that follow each other: its ending says the format, such as `.ome.tif` or
 * `.ome.zarr.zip`. It is not compressed, as browsers do that in streams only.
 *
 * Errors: `unsupported` for folders, and for arrays that the format cannot hold.
 */
export async function storedPieces(
  array: NDArray,
  path: string,
  levels: LevelCount = 1,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const { dtype } = array, options = { levels, compression: "none" };
  const file = chunkKind(mustBeTarget(path, "results"))?.file(path, options);
  const target = file?.target({ ...array, ...file.chunked(array), stem: stemOfResult(path) });
  if (target?.kind !== "file") {
    throw new TilewiseError("unsupported", `Cannot store an array in memory as ${path}: it is not one file`);
  }
  const encode = await chunkEncoder({ ...target, dtype }), placed: PlacedBytes[] = [];
  const whole = new FileOfChunks(target, ""), origin = array.shape.map(() => 0);
  let data = array, own = 0;
  for (const place of target.places()) {
    for (; own < place.level; own++) {
      const { factors } = target.levels[own]!, { shape } = target.levels[own + 1]!;
      data = ndarray(reduced(data.data, dtype, data.shape, factors, target.reduction), shape, dtype);
    }
    const bytes = (await encode({ origin, data }, place.index))?.slice();
    placed.push(...whole.put(place, bytes ?? 0, bytes ? crc32(bytes) : 0));
  }
  return joined(placed);
}

/** Pieces in the order of their places, with zeros between those that do not touch. */
function joined(placed: readonly PlacedBytes[]): Uint8Array<ArrayBuffer>[] {
  let end = 0;
  return placed.toSorted((a, b) => a.position - b.position).flatMap(({ position, bytes }) => {
    const gap = position > end ? [new Uint8Array(position - end)] : [];
    end = position + bytes.length;
    return [...gap, unshared(bytes)];
  });
}
