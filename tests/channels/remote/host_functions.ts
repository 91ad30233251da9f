/** Functions of a host for tests: some answer late, some never, one ends its thread. */

import { remote } from "../../../src/channels/remote/function.ts";

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

const asleep = new Int32Array(new SharedArrayBuffer(4));

/** What the factory gets. */
export interface Shared {
  readonly factor: number;
  /** A number that `meets` counts, and one that ends `spins` where it is not 0. */
  readonly count: SharedArrayBuffer;
}

export const plain = {
  twice: remote(["f64"], "f64", (x) => 2 * x),
};

export function functions({ factor, count }: Shared) {
  let calls = 0;
  const inside = new Int32Array(count);
  return {
    times: remote(["f64"], "f64", (x) => factor * x),
    later: remote(["f64", "i64"], "i64", async (milliseconds, value) => {
      await pause(milliseconds);
      return value;
    }),
    blocking: remote(["f64"], "f64", (milliseconds) => {
      Atomics.wait(asleep, 0, 0, milliseconds);
      return milliseconds;
    }),
    meets: remote(["f64"], "f64", (others) => {
      Atomics.add(inside, 0, 1);
      Atomics.notify(inside, 0);
      for (let left = 50; left > 0; left--) {
        const found = Atomics.load(inside, 0);
        if (found >= others) return found;
        Atomics.wait(inside, 0, found, 100);
      }
      return -1;
    }),
    enters: remote(["f64"], "f64", (milliseconds) => {
      Atomics.add(inside, 0, 1);
      Atomics.wait(asleep, 0, 0, milliseconds);
      return milliseconds;
    }),
    never: remote([], "f64", () => new Promise<number>(() => {})),
    spins: remote([], "f64", () => {
      while (Atomics.load(inside, 1) === 0);
      return 0;
    }),
    rejects: remote(["text"], "void", async (why): Promise<void> => {
      await pause(1);
      throw new Error(why);
    }),
    rejectsValue: remote([], "void", () => Promise.reject(42)),
    wrongLater: remote([], "bytes", () => Promise.resolve("text") as unknown as Promise<Uint8Array>),
    count: remote([], "f64", () => ++calls),
    reversed: remote(["bytes"], "bytes", async (bytes) => {
      await pause(1);
      return bytes.toReversed();
    }),
    ends: remote([], "void", () => self.close()),
  };
}

export const noRecord = 5;

export function throwing(): never {
  throw new Error("no licence");
}
