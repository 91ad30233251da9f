/** The pattern that is shown is that of the newest wish: late ones, and those of which a result took the place, are not. */

import { assertEquals } from "@std/assert";
import type { ShownImage } from "../../../web/draw/image.ts";
import { PatternReader } from "../../../web/panels/explore/pattern_reader.ts";
import type { Workbench } from "../../../web/panels/workbench.ts";
import type { Position } from "../../../web/state/state.ts";

/** A reader whose patterns come when `come` is called with their position. */
function reading() {
  const waiting = new Map<string, (image: ShownImage) => void>();
  const shown: string[] = [];
  const session = {
    sum: {},
    frame: (position: Position) =>
      new Promise<ShownImage>((resolve) => waiting.set(position.join(), resolve)),
  };
  const reader = new PatternReader({ session } as unknown as Workbench, ({ title }) => shown.push(title));
  const come = async (title: string) => {
    waiting.get(title)!({ title } as ShownImage);
    await Promise.all(begun);
  };
  const begun: Promise<void>[] = [];
  const read = (...position: [number, number]) => begun.push(reader.read(position));
  return { reader, read, come, shown };
}

Deno.test("a pattern that comes after a newer one is not shown", async () => {
  const { read, come, shown } = reading();
  read(1, 1);
  read(2, 2);
  const late = come("1,1");
  await come("2,2");
  await late;
  assertEquals(shown, ["2,2"]);
});

Deno.test("a pattern that comes after a result took its place is not shown, and is read again when it is wanted", async () => {
  const { reader, read, come, shown } = reading();
  read(1, 1);
  reader.stop();
  await come("1,1");
  assertEquals(shown, []);
  read(1, 1);
  await come("1,1");
  assertEquals(shown, ["1,1"]);
});
