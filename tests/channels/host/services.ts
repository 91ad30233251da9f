/** Functions that the tests of hosts call. */

import type { Answer } from "../../../src/channels/protocol/runner.ts";
import type { Service, ServicePlace, ServiceSource } from "../../../src/channels/host/services.ts";

/** Numbers of the functions. */
export const FN = {
  add: 64,
  later: 65,
  block: 66,
  fail: 67,
  failLater: 68,
  crash: 69,
  runner: 70,
  count: 71,
  slowWrite: 72,
} as const;

/** The service for a host of a test. */
export function testSource(shared: { readonly broken?: boolean } = {}): ServiceSource {
  return { module: import.meta.url, export: "testService", shared };
}

export function testService({ broken }: { broken?: boolean }, { memory, runner }: ServicePlace): Service {
  if (broken) throw new RangeError("this service is broken");
  const never = new Int32Array(new SharedArrayBuffer(4));
  const words = new Int32Array(memory.buffer);
  const functions = new Map<number, Answer>([
    [FN.add, (call) => call.arg(0) + call.arg(1)],
    [FN.later, async (call) => {
      const value = call.arg(0);
      await new Promise((resolve) => setTimeout(resolve, call.arg(1)));
      return value;
    }],
    [FN.block, (call) => {
      Atomics.wait(never, 0, 0, call.arg(0));
      return runner;
    }],
    [FN.fail, (call) => {
      throw new RangeError(`no ${call.arg(0)}`);
    }],
    [FN.failLater, async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      throw new RangeError("no more");
    }],
    [FN.crash, () => {
      setTimeout(() => {
        throw new RangeError("outside of all calls");
      });
      return new Promise<number>(() => {});
    }],
    [FN.slowWrite, (call) => {
      Atomics.wait(never, 0, 0, call.arg(1));
      words[call.arg(0) / 4] = 0x5a5a5a5a;
      return 0;
    }],
    [FN.runner, () => runner],
    [FN.count, (call) => {
      call.moved(8);
      return Atomics.add(words, call.arg(0) / 4, 1);
    }],
  ]);
  return { functions };
}
