/**
 * Runs an export, and follows its rows from the first to the last while workers write them: where the data set has no image, what
 * a file holds there is written, and then who wants to sees the samples. They are read where they were written a moment ago, so
 * that no file is read again when it is complete.
 *
 * ```
 * written      ████████░░██░░░░     partitions end in any order, and are merged in theirs
 * shown        ████████             as far as they are merged
 * ```
 *
 * @module
 */

import { throwIfAborted } from "../../errors.ts";
import { writerAt } from "../../io/write/part_file.ts";
import { readerAt } from "../../io/write/scratch.ts";
import type { RunSettings } from "../../runner/runner.ts";
import { selectedBefore } from "../../dataset/roi/selected.ts";
import { storedBytes } from "../../sinks/rows/layout.ts";
import { rowsReader } from "../../sinks/rows/read_back.ts";
import { lowerBound } from "../../space/search.ts";
import { Turns } from "../../turns.ts";
import { countIn, positionsIn } from "../buffers/positions.ts";
import { type RecordSpec, startOf } from "../builtin/record_frames.ts";
import type { Progress, UdfPlan } from "../plan/plan_facts.ts";

/** Is called with the samples of a file, from the first to the last, in pieces; it must not keep them. */
export type SeeRows = (bytes: Uint8Array) => void;

/** The file. */
interface RowsFile {
  /** Path that it has until it is complete. */
  readonly part: string;
  /** Path that it will have. */
  readonly path: string;
  /** Who sees its samples. */
  readonly see: SeeRows | undefined;
}

/** Does something with rows `start` to `end`. */
type Step = (start: number, end: number) => Promise<void>;

/** Runs the plan of an export. */
export async function runInOrder(
  plan: UdfPlan,
  spec: RecordSpec,
  file: RowsFile,
  settings: RunSettings<Progress>,
): Promise<void> {
  const { partitions, selection, roi } = plan;
  const busy = partitions.filter(({ start, stop }) => countIn(selection, start, stop) > 0);
  const steps = [await blankWriter(plan, spec, file), await shower(spec, file, settings.signal)];
  let row = 0;
  const goOnTo = async (end: number) => {
    for (const step of steps) await step?.(row, end);
    row = end;
  };
  for await (const { progress } of plan.run(settings)) {
    const last = busy[progress.partitions - 1];
    if (last) await goOnTo(selectedBefore(roi, last.stop));
  }
  await goOnTo(roi.count);
}

/** Shows the samples. */
async function shower(
  { frames, layout }: RecordSpec,
  { part, path, see }: RowsFile,
  signal: AbortSignal | undefined,
): Promise<Step | undefined> {
  if (!see) return undefined;
  const rows = rowsReader(await readerAt(part, path), frames, layout), turns = new Turns();
  return async (start, end) => {
    for (const piece of rows(start, end)) {
      see(piece);
      if (!turns.due) continue;
      await turns.give();
      throwIfAborted(signal);
    }
  };
}

/** Bytes of zeros in one write. */
const PIECE = 2 ** 20;

/** Workers do not see positions without an image, so their headers are written here, and zeros that are not stored as such. */
async function blankWriter(
  { roi, selection, dataset }: UdfPlan,
  spec: RecordSpec,
  { part, path }: RowsFile,
): Promise<Step | undefined> {
  const { frame, frames: { dtype }, layout } = spec, { header, headerBytes, isShifted } = layout;
  if (!header && !isShifted) return undefined;
  const write = await writerAt(part, path);
  const zeros = isShifted ? storedBytes(new Uint8Array(Math.min(frame, PIECE)), layout, dtype) : undefined;
  const seen = positionsIn(selection, 0, dataset.frames);
  return async (start, end) => {
    for (let row = start; row < end; row++) {
      const position = roi.indices ? roi.indices[row]! : row;
      if (seen[lowerBound(seen, position)] !== position) {
        if (header) write(header(row), startOf(spec, row));
        for (let at = 0; zeros && at < frame; at += PIECE) {
          write(zeros.subarray(0, frame - at), startOf(spec, row) + headerBytes + at);
        }
      }
      if (row % 4096 === 4095) await new Promise((resolve) => setTimeout(resolve)); // lets other tasks run
    }
  };
}
