/** TOML: sound documents are read, others refused with file and line, and none takes long. */

import { assert, assertEquals } from "@std/assert";
import { parseToml } from "../../../src/formats/raw/csr_sidecar.ts";
import { MOST_TOML_BYTES } from "../../../src/formats/raw/format.ts";
import { ascii, failure } from "../helpers.ts";
import { INVALID, LATER, VALID } from "./toml_documents.ts";

const parse = (text: string) => parseToml(ascii(text), "t.toml");
const failing = (text: string) => failure(parse(text), "malformed");

Deno.test("there are enough documents, and each is there once", () => {
  assert(VALID.length >= 40 && INVALID.length >= 37);
  for (const list of [[...VALID, ...LATER], INVALID]) {
    assertEquals(new Set(list.map(([, text]) => text)).size, list.length);
  }
});

for (const [name, text, values] of [...VALID, ...LATER]) {
  Deno.test(`TOML with ${name} is read`, async () => {
    assertEquals(JSON.stringify(await parse(text)), JSON.stringify(values));
  });
}

for (const [problem, text] of INVALID) {
  Deno.test(`TOML with ${problem} is refused, with its line`, async () => {
    const error = await failing(`first = 0\n\n${text}`);
    const lines = text.split(/\r?\n/).length;
    const { line, file } = error.details as { line: number; file: string };
    assert(
      file === "t.toml" && line >= 3 && line <= 2 + lines,
      `line ${line} of ${2 + lines}: ${error.message}`,
    );
    assert(error.message.startsWith("Cannot read t.toml: ") && error.message.endsWith(` in line ${line}`));
    assert(!error.message.includes("\n"));
  });
}

Deno.test("infinities and what is not a number", async () => {
  const found = await parse("a = inf\nb = -inf\nc = nan\nd = +nan");
  assertEquals(Object.values(found), [Infinity, -Infinity, NaN, NaN]);
});

Deno.test("whole numbers beyond 2^53 stay what they are", async () => {
  const found = await parse("a = 9223372036854775807\nb = 9007199254740992\nc = 5");
  assertEquals(Object.values(found), [9223372036854775807n, 9007199254740992n, 5]);
});

Deno.test("days that there are not are refused with their line, also with a time and in an array", async () => {
  for (const day of ["2021-02-29", "2021-04-31T00:00:00Z", "2021-02-30 10:00:00+02:00", "1900-02-29"]) {
    const { message } = await failing(`a = 2021-01-01 # 2021-99-99\nb = [2000-02-29, ${day}]`);
    assertEquals(message, `Cannot read t.toml: there is no day ${day.slice(0, 10)} in line 2`);
  }
});

Deno.test("bytes that are no UTF-8, and descriptions that are too long, are refused", async () => {
  await failure(parseToml(Uint8Array.of(0x61, 0x3d, 0x22, 0xff, 0x22), "t.toml"), "malformed");
  const { message } = await failure(parse(`#${"x".repeat(MOST_TOML_BYTES)}`), "unsupported");
  assert(message.includes("up to 1 MiB"), message);
  assertEquals(Object.keys(await parse(`a=1#${"x".repeat(MOST_TOML_BYTES - 4)}`)), ["a"]);
});

Deno.test("tables and arrays inside of each other by the hundred thousand end in an error", async () => {
  for (
    const deep of ["a = ".padEnd(2 ** 19, "["), `${"a.".repeat(2 ** 18)}a = 1`, `[${"a.".repeat(2 ** 18)}a]`]
  ) {
    await failing(deep);
  }
  assertEquals(JSON.stringify(await parse(`a = ${"[".repeat(60)}${"]".repeat(60)}`)).length, 6 + 120);
});

Deno.test("names that objects have anyway are keys like others", async () => {
  const found = await parse('__proto__ = { x = 1 }\n[constructor]\nprototype = "y"');
  assertEquals(Object.keys(found), ["__proto__", "constructor"]);
  assertEquals(({} as Record<string, unknown>).x, undefined);
});
