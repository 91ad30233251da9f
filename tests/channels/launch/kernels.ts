/** Kernels of the tests of launches: functions that workers import, and sources in AssemblyScript. */

import type { functions } from "../remote/host_functions.ts";
import type { Member } from "../../../src/channels/launch/module_kernel.ts";

/** Where each member ran, and the sum of its numbers. */
export function whereAmI(
  { group, member, groups, groupSize, args: [weights] }: Member<[Float64Array]>,
): number {
  return ((group * groupSize + member) * groups + weights[0]!) * 10 + groupSize;
}

/** A prefix sum over local memory: every step needs all members. */
export function prefix({ member, groupSize, group, local, barrier }: Member): number {
  const numbers = new Int32Array(local.buffer, local.byteOffset, groupSize);
  Atomics.store(numbers, member, group + member + 1);
  for (let step = 1; step < groupSize; step *= 2) {
    barrier();
    const other = member >= step ? Atomics.load(numbers, member - step) : 0;
    barrier();
    Atomics.add(numbers, member, other);
  }
  barrier();
  return Atomics.load(numbers, member);
}

/** Its twin: the sum of group + 1 … group + member + 1. */
export function prefixTwin(group: number, member: number): number {
  return Array.from({ length: member + 1 }, (_, m) => group + m + 1).reduce((a, b) => a + b);
}

/** Member `who` of group `where` fails in the way that `how` says; all others wait for it. */
export function fails(
  { group, member, args: [how, where, who], barrier }: Member<[string, number, number]>,
): number {
  barrier();
  if (group === where && member === who) {
    if (how === "throw") throw new RangeError("too far");
    if (how === "return") return 1;
    if (how === "loop") { for (let left = 5e9; left > 0; left--); } // long: no system ends such a thread in any case
    if (how === "heap") {
      const all: unknown[] = [];
      for (;;) all.push(new Array(1e5).fill(all.length));
    }
  }
  barrier();
  return 0;
}

/** Runs until it is told to stop; says where it has begun. */
export function polls({ cancelled, group, args: [begun] }: Member<[Int32Array?]>): number {
  if (begun) begun[group] = 1;
  let rounds = 0;
  while (!cancelled()) rounds++;
  return rounds;
}

/** Catches what the barrier throws, and goes on. */
export function stubborn({ member, barrier }: Member): number {
  if (member === 0) return 7;
  try {
    for (;;) barrier();
  } catch {
    return 8;
  }
}

/** A result that cannot be sent. */
export function unsendable(): unknown {
  return () => 1;
}

/** Later. */
export async function later({ group }: Member): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, 1));
  return `group ${group}`;
}

/** No function. */
export const seven = 7;

/** Barriers, `rounds` of them, with a counter that must be whole after each. */
export function rounds({ member, groupSize, local, args: [count], barrier }: Member<[number]>): number {
  const cell = new Int32Array(local.buffer, local.byteOffset, 1);
  let wrong = 0;
  for (let round = 1; round <= count; round++) {
    Atomics.add(cell, 0, member + 1);
    barrier();
    if (Atomics.load(cell, 0) !== round * groupSize * (groupSize + 1) / 2) wrong++;
    barrier();
  }
  return wrong;
}

/** Each group writes its numbers to the file, the members of a group each a part, after reading them from another file. */
export function copies(
  { group, member, groupSize, files, args: [from, to, each], barrier }: Member<[string, string, number]>,
): number {
  using source = files.open(from, "read_only", { elementSize: 4 });
  using target = files.open(to, "read_write", { elementSize: 4 });
  const part = new Int32Array(each);
  const first = (group * groupSize + member) * each;
  const got = source.read(part, { from: "begin", offset: first });
  barrier();
  target.write(part.map((n) => 2 * n), { from: "begin", offset: first });
  return got;
}

/** Counts itself in `begun`, then reads the size of a file until that fails. */
export function sizes({ files, args: [name, begun], cancelled }: Member<[string, Int32Array]>): string {
  using file = files.open(name, "read_only");
  Atomics.add(begun, 0, 1);
  let code = "";
  while (code === "" && !cancelled()) {
    try {
      void file.size;
    } catch (error) {
      code = (error as { code: string }).code;
    }
  }
  return code;
}

/** Writes to an array until it is told to stop. */
export function fills({ args: [data], cancelled }: Member<[Float64Array]>): number {
  for (let round = 1; !cancelled(); round++) data.fill(round);
  return 0;
}

/** Asks the host for the double of its number. */
export function asks({ group, call, submit }: Member<[], ReturnType<typeof functions>>): number {
  using ticket = submit("later", 5, BigInt(group));
  const later = Number(ticket.get());
  ticket.release();
  return call("times", group) * 100 + later;
}

/** Waits for its host, which takes so many milliseconds. */
export function naps({ args: [milliseconds], call }: Member<[number], ReturnType<typeof functions>>): number {
  return call("blocking", milliseconds);
}

/** Member 0 runs until it is told to stop, the other one waits for it. */
export function pollsAlone({ member, cancelled, barrier }: Member): number {
  while (member === 0 && !cancelled());
  barrier();
  return 0;
}
