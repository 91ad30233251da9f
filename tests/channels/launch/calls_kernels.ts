/** Kernels of the tests of host functions and images: functions that workers import, and the functions that they call. */

import { hostCalls } from "../../../src/channels/launch/host_calls.ts";
import type { Member } from "../../../src/channels/launch/module_kernel.ts";
import { remote } from "../../../src/channels/remote/function.ts";

export const functions = {
  square: remote(["f64"], "f64", (x) => x * x),
  later: remote(["text"], "text", async (text) => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    return `${text}!`;
  }),
  nap: remote([], "void", () => new Promise<void>((resolve) => setTimeout(resolve, 300))),
  long: remote([], "void", () => new Promise<void>((resolve) => setTimeout(resolve, 1500))),
  never: remote([], "void", () => new Promise<void>(() => {})),
  refuse: remote([], "void", (): void => {
    throw new Error("not on a Monday");
  }),
};

/** Calls both functions through the channel of the member. */
export function calls({ files, group, member }: Member): string {
  const { channel, functions: host } = hostCalls<typeof functions>(files);
  return host.call(channel, "later", `${group}.${member}: ${host.call(channel, "square", group)}`);
}

/** Fails as its host does. */
export function refused({ files }: Member): void {
  const { channel, functions: host } = hostCalls<typeof functions>(files);
  host.call(channel, "refuse");
}

/** Waits for its host. */
export function naps({ files }: Member): void {
  const { channel, functions: host } = hostCalls<typeof functions>(files);
  host.call(channel, "nap");
}

/** Waits for its host, which takes its time. */
export function waits({ files }: Member): void {
  const { channel, functions: host } = hostCalls<typeof functions>(files);
  host.call(channel, "long");
}

/** Waits for what never comes. */
export function stuck({ files }: Member): void {
  const { channel, functions: host } = hostCalls<typeof functions>(files);
  host.call(channel, "never");
}

/** Loads an image to an array that all members share; its facts. */
export function loads({ files, args: [name, pixels] }: Member<[string, Uint8Array]>): readonly number[] {
  const { channel, images } = hostCalls<typeof functions>(files);
  const { width, height } = images.facts(channel, name);
  images.load(channel, name, { offset: pixels.byteOffset, width, height, stride: 4 * width });
  return [height, width];
}
