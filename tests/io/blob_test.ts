import { assert, assertEquals, assertRejects } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { BlobSource } from "../../src/io/source/blob.ts";
import { openSource } from "../../src/io/open.ts";
import { readBytes } from "../../src/io/source/source.ts";
import { byteSourceConformance } from "./conformance.ts";
import { pattern } from "./pattern.ts";

const nothing = () => Promise.resolve();

byteSourceConformance("blob", (bytes) => {
  const blob = new Blob([bytes]);
  return Promise.resolve({ open: () => openSource(blob), [Symbol.asyncDispose]: nothing });
});

byteSourceConformance("file of a user", (bytes) => {
  const file = new File([bytes.slice(0, 9), bytes.slice(9)], "scan.mib");
  return Promise.resolve({ open: () => openSource(file), [Symbol.asyncDispose]: nothing });
});

Deno.test("a blob is read slice by slice", async () => {
  const bytes = pattern(17 * 2 ** 20);
  const source = new BlobSource(new Blob([bytes]));
  const read = await readBytes(source, 5, bytes.length - 5);
  assert(read.every((byte, i) => byte === bytes[i + 5]));
});

Deno.test("what a browser says about a blob becomes a typed error", async () => {
  for (
    const [name, code] of [["NotReadableError", "changed"], ["NotFoundError", "not-found"], ["Other", "io"]]
  ) {
    const failing = {
      size: 9,
      slice: () => ({ arrayBuffer: () => Promise.reject(new DOMException("no", name)) }),
    };
    const source = new BlobSource(failing as unknown as Blob, "scan.mib");
    const error = await assertRejects(() => source.readInto(new Uint8Array(4), 2), TilewiseError, "scan.mib");
    assertEquals([String(error.code), error.details.offset], [code, 2]);
    assertEquals((error.cause as Error).name, name);
  }
});

Deno.test("cancelling does not wait for a slow blob", async () => {
  const never = { size: 9, slice: () => ({ arrayBuffer: () => new Promise(() => {}) }) };
  const controller = new AbortController();
  const reading = new BlobSource(never as unknown as Blob).readInto(new Uint8Array(4), 2, controller.signal);
  controller.abort();
  assertEquals((await assertRejects(() => reading, TilewiseError)).code, "aborted");
});
