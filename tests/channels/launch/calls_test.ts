/** Launched kernels that call functions of their host and load images, in TypeScript and in AssemblyScript. */

import "../../fences/mod.ts";
import { assertEquals, assertRejects } from "@std/assert";
import { images } from "../../../src/channel_images/mod.ts";
import { openImage } from "../../../src/channel_images/service.ts";
import { launchKernel, startHost } from "@tilewise/tilewise/channels";
import { remoteNumbers } from "@tilewise/tilewise/unstable/channels";
import { TilewiseError } from "../../../src/errors.ts";
import { createContext } from "../../../src/runner/context.ts";
import {
  type calls,
  functions,
  type loads,
  type naps,
  type refused,
  type stuck,
  type waits,
} from "./calls_kernels.ts";

const module = import.meta.resolve("./calls_kernels.ts");
const COUNTS = { channels: 4, bufferLength: 64, elementSize: 1, functions: { module, export: "functions" } };
const PICTURE = new URL("../../channel_images/data/rgba8.png", import.meta.url).pathname;

const SOURCE = `
import { argF64, callFunction, channel, failureMessage, groupId, imageFacts, loadImage } from "tilewise/channels";

export function square(fn: i32): f64 {
  const words = memory.data(24);
  argF64(words, 0, <f64>groupId());
  const status = callFunction(channel(), fn, words, 1, words + 8);
  return status < 0 ? <f64>status : load<f64>(words + 8);
}
export function message(fn: i32, text: usize, capacity: i32): i32 {
  const status = callFunction(channel(), fn, 0, 0);
  return status < 0 ? failureMessage(channel(), text, capacity) : 0;
}
export function picture(name: usize, nameLength: i32, pixels: usize, length: i32): i32 {
  const facts = memory.data(16);
  const status = imageFacts(channel(), name, nameLength, facts);
  if (status < 0) return status;
  const height = load<i32>(facts), width = load<i32>(facts, 4);
  if (4 * width * height > length) return -1;
  const loaded = loadImage(channel(), name, nameLength, pixels, width, height, 4 * width);
  return loaded < 0 ? loaded : height * 1000 + width;
}
`;

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const numbers = remoteNumbers(functions);

/** The pixels of the picture, which has four samples of a byte. */
async function expectedPixels(): Promise<Uint8Array> {
  const image = await openImage(Deno.readFileSync(PICTURE)), stride = 4 * image.width;
  const all = new Uint8Array(stride * image.height);
  await image.decode((y, row) => all.set(row, y * stride));
  return all;
}

Deno.test("members in TypeScript call functions of their host by name", async () => {
  await using context = createContext({ memory: "1MiB", workers: 2 });
  await using host = await startHost(context, COUNTS);
  const { groups } = await launchKernel<typeof calls>(host, { module, export: "calls" }, { groups: 6 });
  assertEquals(groups.flatMap(({ values }) => values), [0, 1, 2, 3, 4, 5].map((g) => `${g}.0: ${g * g}!`));
});

Deno.test("what a host function throws ends the launch with its message", async () => {
  await using context = createContext({ memory: "1MiB", workers: 1 });
  await using host = await startHost(context, COUNTS);
  const launch = launchKernel<typeof refused>(host, { module, export: "refused" }, {});
  const error = await assertRejects(() => launch, TilewiseError);
  assertEquals([error.code, error.message.includes("not on a Monday")], ["udf", true], error.message);
});

Deno.test("members in AssemblyScript call functions of their host by number, and read why one failed", async () => {
  await using context = createContext({ memory: "1MiB", workers: 2 });
  await using host = await startHost(context, COUNTS);
  const run = (name: string, args: (number | Uint8Array)[], groups = 1) =>
    launchKernel(host, { source: SOURCE, export: name }, { groups, args });
  const { groups } = await run("square", [numbers.square], 5);
  assertEquals(groups.flatMap(({ values }) => values), [0, 1, 4, 9, 16]);
  const text = new Uint8Array(32);
  const failed = await run("message", [numbers.refuse, text]);
  const length = failed.groups[0]!.values[0] as number;
  assertEquals(new TextDecoder().decode(text.subarray(0, length)), "not on a Monday");
});

for (const workers of [1, 2]) {
  Deno.test(`members load images to where they need them, ${workers} workers`, async () => {
    await using context = createContext({ memory: "1MiB", workers });
    await using host = await startHost(context, { ...COUNTS, images: images(), runners: workers });
    const expected = await expectedPixels();
    const pixels = new Uint8Array(expected.length);
    const typed = await launchKernel<typeof loads>(host, { module, export: "loads" }, {
      args: [PICTURE, pixels],
    });
    assertEquals(typed.groups[0]!.values, [[23, 37]]);
    assertEquals(pixels, expected);
    pixels.fill(0);
    const plain = await launchKernel(host, { source: SOURCE, export: "picture" }, {
      args: [PICTURE, pixels],
    });
    assertEquals([plain.groups[0]!.values, pixels], [[23037], expected]);
  });
}

Deno.test("images are found below the roots of a host", async () => {
  await using context = createContext({ memory: "1MiB", workers: 1 });
  const folder = new URL("../../channel_images/data/", import.meta.url).pathname;
  await using host = await startHost(context, { ...COUNTS, images: images(), roots: [folder] });
  const run = (name: string) =>
    launchKernel<typeof loads>(host, { module, export: "loads" }, {
      args: [name, new Uint8Array(37 * 23 * 4)],
    });
  assertEquals((await run("rgba8.png")).groups[0]!.values, [[23, 37]]);
  const error = await assertRejects(() => run("../decode_test.ts"), TilewiseError);
  assertEquals(error.code, "permission");
});

Deno.test("a launch whose kernel waits for a function that never answers can be cancelled", async () => {
  await using context = createContext({ memory: "1MiB", workers: 1 });
  await using host = await startHost(context, { ...COUNTS, grace: 100 });
  const stop = new AbortController();
  const launch = launchKernel<typeof stuck>(host, { module, export: "stuck" }, { signal: stop.signal });
  const failed = assertRejects(() => launch, TilewiseError);
  while (host.statistics().channels.every(({ calls }) => calls === 0)) await pause(5); // it has asked for the table
  stop.abort();
  assertEquals((await failed).code, "aborted");
});

Deno.test("a kernel that waits for its host does not count as hung", async () => {
  await using context = createContext({ memory: "1MiB", workers: 1 });
  await using host = await startHost(context, COUNTS);
  const settings = { stallTimeout: 500 };
  const { groups } = await launchKernel<typeof waits>(host, { module, export: "waits" }, settings);
  assertEquals(groups.length, 1);
});

Deno.test("a host that is closed ends a launch that waits for a function that never answers", async () => {
  await using context = createContext({ memory: "1MiB", workers: 1 });
  const host = await startHost(context, { ...COUNTS, grace: 100 });
  const launch = launchKernel<typeof stuck>(host, { module, export: "stuck" }, {});
  const failed = assertRejects(() => launch, TilewiseError);
  while (host.statistics().channels.every(({ calls }) => calls === 0)) await pause(5);
  await host.close();
  assertEquals((await failed).code, "aborted");
});

Deno.test("a channel whose worker was ended inside of a call is used again", async () => {
  await using context = createContext({ memory: "1MiB", workers: 1 });
  await using host = await startHost(context, { ...COUNTS, channels: 1 });
  const stop = new AbortController();
  const launch = launchKernel<typeof naps>(host, { module, export: "naps" }, { signal: stop.signal });
  const failed = assertRejects(() => launch, TilewiseError);
  while (host.statistics().channels[0]!.calls === 0) await pause(5);
  stop.abort();
  assertEquals((await failed).code, "aborted");
  const { groups } = await launchKernel<typeof calls>(host, { module, export: "calls" }, { groups: 2 });
  assertEquals(groups.flatMap(({ values }) => values), ["0.0: 0!", "1.0: 1!"]);
});
