/**
 * Sinks that write the result of an operation over views to one file with samples in rows, such as `.npy` and `.hspy`.
 *
 * @module
 */

import type { ArrayToWrite } from "../../sinks/array.ts";
import { framesOf, type FramesToWrite, sizesOf, type WrittenLayout } from "../../sinks/rows/layout.ts";
import { besideRows, filesOfRows, RowStream } from "../../sinks/rows/stream.ts";
import type { FileTarget } from "../../sinks/registry.ts";
import { rowTarget } from "../../sinks/rows/registry.ts";
import { mustNotBeRead } from "../../io/file/same_file.ts";
import { stemOf } from "../../io/file/names.ts";
import { PartFile, type WriteAt, writerAt } from "../../io/write/part_file.ts";
import { finishTogether } from "../../io/write/together.ts";
import { PartFiles } from "../../io/write/write.ts";
import { bytesOf } from "../../space/bytes.ts";
import type { DType } from "../../space/dtype.ts";
import { discard } from "../../portable.ts";
import { storedShape } from "../array.ts";
import type { MapBlock } from "./blocks.ts";
import { mapInto } from "./run.ts";
import { arrayOfPlan, type MapPlan, type MapSink } from "./map_plan.ts";
import { type SeeSamples, shown, type StoreSettings, type StoringSink } from "./sink.ts";

/** What rows are written with. */
interface RowSettings extends Pick<StoreSettings, "beside" | "see"> {
  /** How many of the first dimensions are the scan, as the array says. */
  readonly nav?: number | undefined;
}

/**
 * The sink that writes the file `path`, of a kind with samples in rows. It appears when it is complete and replaces an older file of
 * that name; if the run fails, the older file is not changed. Errors: `invalid` for a file that is being read, and errors of writing.
 */
export function rowsFile(target: FileTarget, path: string): MapSink & StoringSink {
  const stem = stemOf(path.replace(/^.*[/\\]/, ""));
  const files = filesOfRows(target, path), [main] = files as [string];
  const frames = (array: Omit<ArrayToWrite, "stem">) => framesOf({ ...array, stem });
  const bands = ({ beside, see, nav }: RowSettings = {}): MapSink => ({
    takes: "bands",
    async write(facts, blocks) {
      await mustNotBeRead(files, facts.sources);
      const own = frames({ ...facts, ...(nav === undefined ? {} : { nav }) });
      const layout = (await rowTarget(target.id)).layout(own);
      await using file = await PartFile.at(main);
      await using parts = new PartFiles();
      await file.create(layout.head, sizesOf(own, layout).total);
      await putRows(await writerAt(file.part, main), layout, own, blocks, see);
      await parts.fill(besideRows(layout, path));
      await finishTogether([file, ...parts.all, ...await beside?.(file.part) ?? []]);
    },
  });
  const store = async (plan: MapPlan, { beside, see, ...settings }: StoreSettings) =>
    await mapInto(plan, settings, bands({ beside, see, nav: plan.views.array.nav }));
  return { ...bands(), store };
}

/** How the result of a plan lies in a file; `unsupported` where it cannot. */
export async function layoutOfPlan(
  { id }: FileTarget,
  plan: MapPlan,
  stem: string,
): Promise<WrittenLayout> {
  const shape = storedShape(plan.shape, plan.views.array);
  return (await rowTarget(id)).layout(framesOf({ ...arrayOfPlan(plan, stem), shape }));
}

/** Writes bands as they come, straight from the memory of the run. */
async function putRows(
  write: WriteAt,
  layout: WrittenLayout,
  frames: FramesToWrite,
  blocks: AsyncIterable<MapBlock<DType>>,
  see: SeeSamples = () => {},
): Promise<void> {
  const stream = new RowStream(layout, frames);
  let at = layout.head.length;
  const put = (piece: Uint8Array) => {
    see(piece);
    for (const bytes of stream.put(piece)) {
      write(bytes, at);
      at += bytes.length;
      if (bytes.buffer !== piece.buffer) discard(bytes); // or 64 MiB of them would wait to be collected
    }
  };
  using _ = write.hold();
  for await (const { data } of blocks) {
    await shown(bytesOf(data), put);
  }
}
