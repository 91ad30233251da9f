/** One member of a work group: does what it is told with its group, and reports each result. */

import { Group, type GroupAt } from "../../../src/channels/files/group.ts";
import { fileImports } from "../../../src/channels/files/imports.ts";
import { fileCalls, type Route } from "../../../src/channels/host/route.ts";
import { type ChannelLayout, Channels, HOST } from "../../../src/channels/protocol/channel.ts";

/** What a member gets. */
export interface Member {
  readonly memory: WebAssembly.Memory;
  readonly layout: ChannelLayout;
  readonly at: GroupAt;
  readonly local: number;
  readonly route: Route;
  /** Calls: the name of an import and its arguments; `h` stands for the latest handle. */
  readonly calls: readonly (readonly [string, ...(number | "h")[]])[];
}

const scope = self as unknown as {
  onmessage: (event: MessageEvent<Member>) => void;
  postMessage(message: unknown): void;
};

scope.onmessage = ({ data: { memory, layout, at, local, route, calls } }) => {
  const channels = new Channels(memory, layout);
  const group = new Group(memory, at, local, () => channels.host !== HOST.open);
  const files = fileCalls(route, memory, layout);
  const imports: Record<string, (...args: number[]) => number> = {
    ...fileImports(memory, layout, files, { group, id: 0, count: 1 }),
  };
  let handle = 0;
  const results = calls.map(([name, ...args]) => {
    if (name === "stop") return scope.postMessage("stopped"), sleepForEver();
    const result = imports[name]!(...args.map((arg) => arg === "h" ? handle : arg));
    if (name === "fs_open") handle = result;
    return result;
  });
  files.closeAll();
  scope.postMessage(results);
};

/** As a kernel in an endless loop: it ends with its worker. */
function sleepForEver(): never {
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
