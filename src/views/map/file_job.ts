/**
 * The worker side of a result that workers write to one file: computes tiles, and writes complete bands to their places.
 *
 * @module
 */

import type { JobHandler, WorkerContext } from "../../executor/task.ts";
import { writerAt } from "../../io/write/part_file.ts";
import { isAsInMemory, storedBytes, type StoredSamples } from "../../sinks/rows/layout.ts";
import type { DType } from "../../space/dtype.ts";
import { mapJob, type MapShared, type MapTask } from "./job.ts";

/** What all tasks of a run share. */
export interface FileShared {
  /** The operation that computes tiles. */
  readonly map: MapShared;
  /** The file, by the name that it has until it is complete. */
  readonly part: string;
  /** The name that it will have. */
  readonly path: string;
  /** How samples are stored, and their type. */
  readonly stored: StoredSamples & { readonly dtype: DType };
}

/** A complete band to write. */
export interface WriteTask {
  /** Its address. */
  readonly from: number;
  /** Its bytes. */
  readonly bytes: number;
  /** Its place in the file. */
  readonly position: number;
}

/** Bytes that are put into the order of the file for one write. */
const PIECE = 2 ** 20;

/** Makes the handler of one worker. */
export async function fileJob(
  { map, part, path, stored }: FileShared,
  worker: WorkerContext,
): Promise<JobHandler<MapTask | WriteTask, void>> {
  const job = await mapJob(map, worker);
  const write = await writerAt(part, path);
  const isPlain = isAsInMemory(stored, stored.dtype);
  const room = new Uint8Array(isPlain ? 0 : PIECE);
  return {
    ...job,
    run(task) {
      if (!("from" in task)) return job.run(task);
      const bytes = new Uint8Array(worker.memory.buffer, task.from, task.bytes);
      if (isPlain) return write(bytes, task.position);
      for (let at = 0; at < bytes.length; at += PIECE) {
        const piece = bytes.subarray(at, at + PIECE), out = room.subarray(0, piece.length);
        write(storedBytes(piece, stored, stored.dtype, out), task.position + at);
      }
    },
  };
}
