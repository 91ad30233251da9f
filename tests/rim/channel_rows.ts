/** Misspelt options of programs for WASI. */

import * as channels from "../../src/channels/mod.ts";
import { createContext } from "../../src/runner/context.ts";
import type { Row } from "./rows.ts";

const COUNTS = { channels: 1, bufferLength: 1, elementSize: 1 };

const WASI = { wasm: new Uint8Array() };

async function withHost(run: (host: channels.ChannelHost) => Promise<unknown>): Promise<unknown> {
  await using context = createContext({ memory: 2 ** 16, workers: 0 });
  await using host = await channels.startHost(context, COUNTS);
  return await run(host);
}

const CALLS: readonly (readonly [
  call: string,
  run: (options: never) => unknown,
  options: object,
  wrong: string,
  meant: string,
])[] = [
  ["runWasi", (o) => withHost((host) => channels.runWasi(host, WASI, o)), { arg: [] }, "arg", "args"],
  [
    "launchWasi",
    (o) => withHost((host) => channels.launchWasi(host, WASI, [], o)),
    { root: 1 },
    "root",
    "roots",
  ],
];

/** One misspelt option per call. */
export const CHANNEL_ROWS: readonly Row[] = CALLS.map(([call, run, options, wrong, meant]) => {
  return { call: `channels.${call}`, run, options, wrong, meant };
});
