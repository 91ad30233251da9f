/** Turns: the folders of a set are locked for one program, and nobody waits for one that has stopped for ever. */

import { assertEquals, assertRejects } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { inTurn } from "../../../src/io/write/together.ts";

Deno.test("who cannot lock a folder says so after a minute, and has changed nothing", async () => {
  const folder = await Deno.makeTempDir();
  const holder = await Deno.open(folder);
  await holder.lock(true);
  let now = 0, worked = 0;
  const clock = { now: () => now, sleep: (time: number) => Promise.resolve(void (now += time)) };
  const turn = () => inTurn([`${folder}/a`, `${folder}/b`], () => Promise.resolve(++worked), clock);
  const error = await assertRejects(turn, TilewiseError, folder);
  assertEquals([error.code, worked, Math.round(now / 1000)], ["conflict", 0, 60]);
  holder.close();
  assertEquals(await turn(), 1);
  assertEquals(await inTurn([`${folder}/none/a`], () => Promise.resolve(7)), 7, "the folder is not there");
  await Deno.remove(folder, { recursive: true });
});

Deno.test("turns come one after another, also after one that fails", async () => {
  const folder = await Deno.makeTempDir();
  const seen: string[] = [];
  const turn = (name: string) =>
    inTurn([`${folder}/x`], async () => {
      seen.push(`${name}+`);
      await Promise.resolve();
      seen.push(`${name}-`);
      if (name === "b") throw new Error(name);
    });
  await Promise.allSettled(["a", "b", "c"].map(turn));
  assertEquals(seen, ["a+", "a-", "b+", "b-", "c+", "c-"]);
  await Deno.remove(folder, { recursive: true });
});
