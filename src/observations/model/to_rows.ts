/**
 * A sink of predicted visibilities that writes a `.npy` of rows, channels and correlations.
 *
 * @module
 */

import { npyHeader } from "../../sinks/npy/npy_header.ts";
import type { SinkContext } from "../../hypercube/providers/context.ts";
import type { Provider } from "../../hypercube/providers/provider.ts";
import { writing } from "../../hypercube/providers/sinks/under_way.ts";
import { GatheredWrites } from "../../io/write/gathered.ts";
import { PartFile, type WriteAt, writerAt } from "../../io/write/part_file.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { sizeOf } from "../../space/shape.ts";
import { stored } from "./chunks.ts";
import type { ToMsv4Options } from "./to_msv4.ts";

/** What is written. */
export interface ToRowsOptions extends Omit<ToMsv4Options, "interval"> {
  /** Rows and channels of the observation. */
  readonly shape: readonly [rows: number, channels: number];
}

/** A provider with a sink for `model_vis`, whose rows are those of the observation. The file appears when the run is complete. */
export function toRows(
  path: string,
  { shape: [rows, channels], dtype, select, uvw }: ToRowsOptions,
): Provider {
  const shape = [rows, channels, select.length];
  const { itemSize } = dtypeInfo(dtype);
  const head = npyHeader(dtype, shape);
  let part: PartFile | undefined;
  let write: WriteAt = () => {};
  const gathered = new GatheredWrites();
  const put = async ({ data, extents }: SinkContext) => {
    const [[firstRow, lastRow] = [0, 0], [firstChannel] = [0]] = extents;
    const [count = 0, own = 0] = data.shape;
    const samples = stored({ data, select, uvw: await uvw(firstRow, lastRow) }, count, own);
    const bytes = new Uint8Array(samples.buffer);
    const isWhole = own === channels;
    const each = (isWhole ? count * own : own) * select.length * itemSize;
    for (let n = 0; n < (isWhole ? 1 : count); n++) {
      const place = ((firstRow + n) * channels + firstChannel) * select.length * itemSize;
      gathered.add(write, bytes.subarray(n * each, (n + 1) * each), head.length + place);
    }
  };
  return writing({
    name: `file ${path}`,
    outputs: ["model_vis"],
    put,
    async start() {
      part = await PartFile.at(path);
      await part.create(head, head.length + sizeOf([...shape, itemSize]));
      write = await writerAt(part.part, path);
    },
    async stop({ error }) {
      try {
        if (error === undefined) {
          gathered.flush();
          await part?.finish();
        }
      } finally {
        await part?.[Symbol.asyncDispose]();
      }
    },
  });
}
