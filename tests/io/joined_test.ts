import { assertEquals } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { BytesSource } from "../../src/io/source/bytes.ts";
import { JoinedSource } from "../../src/io/source/joined.ts";
import { openSpec } from "../../src/io/open.ts";
import { ownSpecs, readBytes } from "../../src/io/source/source.ts";
import { byteSourceConformance } from "./conformance.ts";
import { FaultySource, only } from "./faulty_source.ts";
import { pattern } from "./pattern.ts";

/** `bytes` cut at these places, each part in the middle of a source of its own. */
function cut(bytes: Uint8Array, ...at: number[]) {
  return [0, ...at].map((start, p) => {
    const part = bytes.subarray(start, at[p] ?? bytes.length);
    const held = new Uint8Array(part.length + 20).fill(1);
    held.set(part, 7);
    return { source: new BytesSource(held, `part ${p}`).describe(), offset: 7, size: part.length };
  });
}

byteSourceConformance("joined", (bytes) =>
  Promise.resolve({
    open: () =>
      Promise.resolve(
        new JoinedSource(
          "joined",
          cut(bytes, 1, 1, 20_000, 20_003, 65_000),
          ({ source }) => openSpec(source),
        ),
      ),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }));

Deno.test("parts that are open are read at once; a part that fails is opened again", async () => {
  const bytes = pattern(100);
  let opened = 0;
  await using source = new JoinedSource("joined", cut(bytes, 40), async ({ source }) => {
    if (opened++ === 0) throw new TilewiseError("io", "not yet");
    return await openSpec(source);
  });
  assertEquals(await Promise.resolve(source.readInto(new Uint8Array(1), 3)).catch(({ code }) => code), "io");
  assertEquals(await readBytes(source, 30, 20), bytes.slice(30, 50));
  const into = new Uint8Array(100);
  assertEquals(source.readInto(into, 0), undefined);
  assertEquals(into, bytes);
  assertEquals(opened, 3);
});

Deno.test("a fault of any part comes through; what is too short is refused", async () => {
  const bytes = pattern(100);
  for (const faulty of [0, 1, 2]) {
    let part = 0;
    await using source = new JoinedSource("joined", cut(bytes, 30, 60), async ({ source }) => {
      const inner = await openSpec(source);
      return part++ === faulty ? new FaultySource(inner, only(0)) : inner;
    });
    const failed = await readBytes(source, 0, 100).then(() => undefined, ({ code }) => code);
    assertEquals(failed, "io");
    assertEquals(await readBytes(source, 0, 100), bytes);
  }
});

Deno.test("a joined source names the sources that it stands for", () => {
  const spec = new JoinedSource("outer", cut(pattern(9), 3), () => Promise.reject()).describe();
  const nested = { kind: "joined", name: "more", parts: [{ source: spec, offset: 0, size: 9 }] } as const;
  assertEquals(ownSpecs(nested).map((own) => own.kind === "bytes" && own.name), ["part 0", "part 1"]);
});
