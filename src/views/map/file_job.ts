/**
 * The worker side of a result that workers write to one file: computes tiles, and writes complete bands to their places.
 *
 * @module
 */

import type { JobHandler, WorkerContext } from "../../executor/task.ts";
import { writerAt } from "../../io/write/part_file.ts";
import { mapJob, type MapShared, type MapTask } from "./job.ts";

/** What all tasks of a run share. */
export interface FileShared {
  /** The operation that computes tiles. */
  readonly map: MapShared;
  /** The file, by the name that it has until it is complete. */
  readonly part: string;
  /** The name that it will have. */
  readonly path: string;
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

/** Makes the handler of one worker. */
export async function fileJob(
  { map, part, path }: FileShared,
  worker: WorkerContext,
): Promise<JobHandler<MapTask | WriteTask, void>> {
  const job = await mapJob(map, worker);
  const write = await writerAt(part, path);
  return {
    ...job,
    run(task) {
      if (!("from" in task)) return job.run(task);
      write(new Uint8Array(worker.memory.buffer, task.from, task.bytes), task.position);
    },
  };
}
