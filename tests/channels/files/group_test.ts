/** Work groups: barriers between threads, files that all members open, and groups that end early. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  breakGroup,
  Group,
  GROUP_BYTES,
  type GroupAt,
  resetGroup,
  TOGETHER,
} from "../../../src/channels/files/group.ts";
import { type ChannelHost, startHost } from "../../../src/channels/host/host.ts";
import type { Route } from "../../../src/channels/host/route.ts";
import { STATUS } from "../../../src/channels/protocol/status.ts";
import { RunContext } from "../../../src/runner/context.ts";
import { fileOf, ROUTES } from "../kernel_side.ts";
import type { Member } from "./member_worker.ts";
import { insideOfHost } from "../../../src/channels/host/inside.ts";

const MEMBERS = 3;

interface Ground {
  readonly memory: WebAssembly.Memory;
  readonly host: ChannelHost;
  readonly at: GroupAt;
  /** Address of 256 free bytes. */
  readonly room: number;
  /** Address and bytes of a name. */
  readonly name: (text: string) => [number, number];
  readonly folder: string;
}

async function withGround(body: (ground: Ground) => Promise<void>): Promise<void> {
  await using context = new RunContext({ memory: 1 << 18 });
  const folder = await Deno.makeTempDir();
  const { memory } = context.arena;
  try {
    await using host = await startHost(context, { channels: 4, bufferLength: 64, elementSize: 2 });
    using block = context.arena.lease(GROUP_BYTES, "group");
    using room = context.arena.lease(256, "room");
    const at = { offset: block.offset, members: MEMBERS };
    resetGroup(memory, at);
    room.bytes().fill(0xee);
    const name = (text: string): [number, number] => {
      const { offset, byteLength } = host.name(text);
      return [offset, byteLength];
    };
    await body({ memory, host, at, room: room.offset, name, folder });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

type Said = number[] | "stopped";

/** Starts the members; what each one says first. */
function start(ground: Ground, route: Route, calls: (local: number) => Member["calls"]) {
  const { memory, host, at } = ground, { layout } = insideOfHost(host)!;
  const workers = Array.from({ length: MEMBERS }, (_, local) => {
    const worker = new Worker(new URL("./member_worker.ts", import.meta.url), { type: "module" });
    const said = new Promise<Said>((resolve) => worker.onmessage = ({ data }) => resolve(data));
    worker.postMessage({ memory, layout, at, local, route, calls: calls(local) } satisfies Member);
    return { worker, said };
  });
  return { workers, said: () => Promise.all(workers.map(({ said }) => said)) };
}

async function run(ground: Ground, route: Route, calls: (local: number) => Member["calls"]) {
  const { workers, said } = start(ground, route, calls);
  const results = await said();
  for (const { worker } of workers) worker.terminate();
  return results;
}

for (const route of ROUTES) {
  Deno.test(`${route}: members share a file; the arguments of member 0 count, and all get the same`, () =>
    withGround(async (ground) => {
      const path = `${ground.folder}/file`, { memory, room } = ground;
      Deno.writeFileSync(path, fileOf(1, 2, 3, 4, 5));
      const [name, length] = ground.name(path);
      const results = await run(ground, route, (local) => {
        const own = (n: number) => local === 0 ? n : 0; // what the others pass does not matter
        return [
          [
            "fs_open",
            local === 0 ? 0 : -1,
            own(3) + TOGETHER,
            local === 0 ? name : -1,
            local === 0 ? length : -5,
            0,
          ],
          ["fs_read", "h", own(room), own(9), own(0), own(3)],
          ["fs_eof", 0],
          ["fs_write", "h", own(room), own(2), own(2), 0],
          ["fs_size", "h"],
          ["fs_seek", "h", own(0), own(1)],
          ["fs_read", "h", own(room), 0x7fffffff - own(0x7fffffff) + own(-1), own(2), 0],
          ["fs_last_error", 0],
          ["fs_truncate", "h", own(6)],
          ["fs_close", "h"],
          ["fs_close", "h"],
          ["fs_read", "h", own(room), own(1), own(0), 0],
        ];
      });
      const stale = -STATUS["bad-handle"];
      for (const result of results) {
        assert(Array.isArray(result) && result[0]! > 0);
        assertEquals(result.slice(1), [2, 1, 2, 7, 1, 0, STATUS.invalid, 0, 0, stale, 0]);
      }
      assertEquals(Deno.readFileSync(path), fileOf(1, 2, 3, 4, 5, 4));
      const rest = new Uint8Array(memory.buffer, room + 4, 252).slice();
      assert(rest.every((byte) => byte === 0xee), "nothing beyond the end of the file is written");
    }));

  Deno.test(`${route}: what member 0 cannot open, nobody has, and nobody waits`, () =>
    withGround(async (ground) => {
      const [name, length] = ground.name(`${ground.folder}/missing`);
      const results = await run(ground, route, () => [
        ["fs_open", 0, TOGETHER, name, length, 0],
        ["fs_last_error", 0],
        ["fs_read", "h", ground.room, 1, 0, 0],
        ["fs_close", "h"],
        ["group_barrier"],
        ["fs_open", 9, TOGETHER, name, length, 0],
        ["fs_open", 0, TOGETHER, -8, length, 0],
        ["fs_open", 0, TOGETHER + 7, name, length, 0],
      ]);
      const refused = [-STATUS["bad-channel"], -STATUS.invalid, -STATUS.invalid];
      const missing = -STATUS["not-found"], stale = -STATUS["bad-handle"];
      for (const result of results) {
        assertEquals(result, [missing, STATUS["not-found"], 0, stale, 0, ...refused]);
      }
    }));

  Deno.test(`${route}: files of one member and files of the group do not get mixed up`, () =>
    withGround(async (ground) => {
      const files = Array.from({ length: MEMBERS }, (_, i) => `${ground.folder}/${i}`);
      for (const [i, file] of files.entries()) Deno.writeFileSync(file, fileOf(i + 10, i + 20));
      const names = files.map(ground.name), shared = ground.name(files[0]!);
      const results = await run(ground, route, (local) => [
        ["fs_open", local, TOGETHER, ...shared, 0],
        ["fs_size", "h"],
        ["fs_open", local, 0, ...names[local]!, 0],
        ["fs_read", "h", ground.room + 16 * local, 1, 0, 1],
        ["fs_close", "h"],
        ["group_barrier"],
      ]);
      for (const result of results) {
        assertEquals((result as number[]).toSpliced(0, 1).toSpliced(1, 1), [2, 1, 0, 0]);
      }
      const found = files.map((_, i) => new Uint16Array(ground.memory.buffer, ground.room + 16 * i, 1)[0]);
      assertEquals(found, [20, 21, 22]);
    }));
}

Deno.test("ten thousand barriers let nobody pass early", () =>
  withGround(async (ground) => {
    const rounds = 10_000 / 4;
    const calls: Member["calls"] = Array.from({ length: rounds }, (_, i) => ["group_share", i] as const);
    const results = await run(ground, "direct", (local) =>
      local === 0 ? calls : calls.map(([name]) => [name, -1]));
    for (const result of results) {
      assertEquals(
        result,
        Array.from({ length: rounds }, (_, i) =>
          i),
      );
    }
  }));

Deno.test("a member that dies ends the waits of the others, when the group is broken", () =>
  withGround(async (ground) => {
    const { workers } = start(
      ground,
      "direct",
      (local) => [local === 1 ? ["stop"] : ["group_barrier"], ["group_barrier"]],
    );
    assertEquals(await workers[1]!.said, "stopped");
    workers[1]!.worker.terminate();
    breakGroup(ground.memory, ground.at, -STATUS.broken);
    breakGroup(ground.memory, ground.at, -STATUS.closed); // the first reason stays
    for (const i of [0, 2]) assertEquals(await workers[i]!.said, [-STATUS.broken, -STATUS.broken]);
    for (const { worker } of workers) worker.terminate();
  }));

Deno.test("a group whose host closes waits no more", () =>
  withGround(async (ground) => {
    const { workers } = start(ground, "rpc", (local) => [local === 1 ? ["stop"] : ["group_barrier"]]);
    await workers[1]!.said;
    await ground.host.close();
    for (const i of [0, 2]) assertEquals(await workers[i]!.said, [-STATUS.closed]);
    for (const { worker } of workers) worker.terminate();
  }));

Deno.test("what member 0 throws reaches it, and the others get a failure", () => {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  const at = { offset: 64, members: 1 };
  resetGroup(memory, at);
  const group = new Group(memory, at, 0);
  assertThrows(
    () =>
      group.share(() => {
        throw new Error("oh");
      }),
    Error,
    "oh",
  );
  assertEquals(new Float64Array(memory.buffer, 64 + 16, 1)[0], -STATUS.io);
  for (const odd of [{ offset: 4, members: 1 }, { offset: 64, members: 0 }, { offset: 64, members: 1.5 }]) {
    assertThrows(() => resetGroup(memory, odd), Error, "Cannot make a group");
  }
});
