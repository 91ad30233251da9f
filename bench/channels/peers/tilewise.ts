/**
 * Ours: the program of the peers, and a kernel in AssemblyScript that does the same, by both routes.
 *
 * @module
 */

import { join } from "@std/path";
import { createContext } from "@tilewise/tilewise";
import { launchKernel, startHost } from "@tilewise/tilewise/channels";
import { type Route, runWasi } from "@tilewise/tilewise/unstable/channels";
import { here, type MakePeer, NUMBERS, toldBy, type Work } from "./peer.ts";

const BLOCK = 2 ** 20;

/** The numbers of works for the kernel. */
const WORK_NUMBERS: Readonly<Record<Work["work"], number>> = { small: 0, walk: 1, blocks: 2 };

/** A context with a host for one program or kernel at a time. */
async function started(folder: string) {
  const context = createContext({ memory: "16MiB", workers: 1 });
  const host = await startHost(context, {
    channels: 1,
    bufferLength: BLOCK,
    elementSize: 1,
    roots: [folder],
  });
  const close = async () => {
    await host.close();
    await context[Symbol.asyncDispose]();
  };
  return { host, [Symbol.asyncDispose]: close };
}

/** The program, as WebAssembly for WASI. */
export const program = (route: Route): MakePeer => async (folder) => {
  const { host, ...end } = await started(folder);
  const run = async ({ work, count }: Work) => {
    const args = [work, `/${NUMBERS}`, `${count}`];
    const given = { args, route, roots: { "/": "." }, memory: "4MiB" };
    const { stdout } = await runWasi(host, { file: here("reads.wasm") }, given);
    return toldBy(new TextDecoder().decode(stdout));
  };
  return { name: `tilewise, the program, ${route}`, run, ...end };
};

/** The same in AssemblyScript. */
export const kernel = (route: Route): MakePeer => async (folder) => {
  const { host, ...end } = await started(folder);
  const source = { file: new URL("reads.as.ts", import.meta.url) };
  const path = join(folder, NUMBERS);
  const run = async ({ work, count }: Work) => {
    const [told, room] = [new BigInt64Array(2), new Uint8Array(BLOCK)];
    const args = [path, told, room, WORK_NUMBERS[work], count];
    const { status } = await launchKernel(host, source, { route, args });
    if (status !== 0) throw new Error(`the kernel has returned ${status}`);
    const [sum, nanoseconds] = told;
    return { seconds: Number(nanoseconds) / 1e9, sum: BigInt.asUintN(64, sum!).toString(16) };
  };
  return { name: `tilewise, a kernel, ${route}`, run, ...end };
};
