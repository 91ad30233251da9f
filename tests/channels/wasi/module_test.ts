/** What is not a program for a host is refused before it runs, with a reason; directories are those of the host. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { createContext } from "../../../src/runner/context.ts";
import { memoryFiles } from "../../../src/channels/backends/stores.ts";
import { startHost } from "../../../src/channels/host/host.ts";
import { checkProgram } from "../../../src/channels/wasi/module.ts";
import { runWasi } from "../../../src/channels/wasi/run.ts";
import { sha256 } from "../../../src/io/hash.ts";
import { isTilewiseError, type TilewiseError } from "../../../src/errors.ts";
import { programFile, ROUTES, textOf, withSide } from "./wasi_side.ts";

async function failureOf(run: Promise<unknown>): Promise<TilewiseError> {
  const error = await assertRejects(() => run);
  assert(isTilewiseError(error), `${error}`);
  return error;
}

const section = (id: number, ...body: number[]) => [id, body.length, ...body];
const text = (word: string) => [word.length, ...new TextEncoder().encode(word)];

/** A module with one function `() -> ()` that does nothing. */
function moduleOf(
  { memory = [1, 0, 1], start = "_start", exported = "memory", imports = [] as number[] },
): Uint8Array {
  const names = section(7, 2, ...text(exported), 2, 0, ...text(start), 0, imports.length > 0 ? 1 : 0);
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, 1, 0x60, 0, 0),
    ...(imports.length > 0 ? section(2, ...imports) : []),
    ...section(3, 1, 0),
    ...(memory.length > 0 ? section(5, ...memory) : []),
    ...names,
    ...section(10, 1, 2, 0, 0x0b),
  ]);
}

const PAGE = 65536;
const check = (wasm: Uint8Array, limit = 16 * PAGE) => checkProgram(wasm, limit, "it");

Deno.test("a module without a maximum gets the limit as its maximum, one with a maximum keeps it", async () => {
  const { module, memory } = await check(moduleOf({}), 5 * PAGE + 1);
  const { exports } = new WebAssembly.Instance(module);
  const grown = exports["memory"] as WebAssembly.Memory;
  assertEquals(memory, 5 * PAGE);
  assertEquals(grown.grow(4), 1);
  await assertRejects(() => Promise.resolve().then(() => grown.grow(1)));
  assertEquals((await check(moduleOf({ memory: [1, 1, 1, 3] }))).memory, 3 * PAGE);
});

Deno.test("a module with more memory than it may have is refused", async () => {
  for (const memory of [[1, 0, 17], [1, 1, 1, 17]]) {
    const error = await failureOf(check(moduleOf({ memory })));
    assertEquals([error.code, error.details.found, error.details.expected], [
      "over-budget",
      17 * PAGE,
      16 * PAGE,
    ]);
  }
});

const ODD: Readonly<
  Record<string, { readonly wasm: Uint8Array; readonly code: string; readonly word: string }>
> = {
  "no module": { wasm: Uint8Array.of(1, 2, 3), code: "malformed", word: "not a WebAssembly module" },
  "a component": {
    wasm: Uint8Array.of(0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0),
    code: "unsupported",
    word: "it is a component, as of WASI preview 2 and 3",
  },
  "nothing": { wasm: new Uint8Array(0), code: "malformed", word: "not a WebAssembly module" },
  "half a module": { wasm: moduleOf({}).slice(0, -3), code: "malformed", word: "not a WebAssembly module" },
  "no start": { wasm: moduleOf({ start: "run" }), code: "unsupported", word: "_start" },
  "no memory": { wasm: moduleOf({ exported: "other" }), code: "unsupported", word: "memory" },
  "shared memory": { wasm: moduleOf({ memory: [1, 3, 1, 2] }), code: "unsupported", word: "not shared" },
  "a foreign import": {
    wasm: moduleOf({ imports: [1, ...text("env"), ...text("fly"), 0, 0] }),
    code: "unsupported",
    word: "env.fly",
  },
  "an unknown call": {
    wasm: moduleOf({ imports: [1, ...text("wasi_snapshot_preview1"), ...text("fd_fly"), 0, 0] }),
    code: "unsupported",
    word: "fd_fly",
  },
};

for (const [what, { wasm, code, word }] of Object.entries(ODD)) {
  Deno.test(`refused: ${what}`, async () => {
    const error = await failureOf(check(wasm));
    assertEquals(error.code, code);
    assert(error.message.includes(word), error.message);
  });
}

Deno.test("wrong ways to give a program, its instances and its host", () =>
  withSide(async ({ host, run }) => {
    const wasm = moduleOf({});
    const optionOf = async (run: Promise<unknown>) => {
      const { code, details } = await failureOf(run);
      return [code, details.option ?? details.found];
    };
    assertEquals(await optionOf(runWasi(host, {})), ["invalid", "wasm"]);
    assertEquals(await optionOf(runWasi(host, { wasm, file: "x.wasm" })), ["invalid", "wasm"]);
    assertEquals(await optionOf(runWasi(host, { wasm: [] as never })), ["invalid", "wasm"]);
    assertEquals(await optionOf(runWasi({} as never, { wasm })), ["invalid", "an object"]);
    assertEquals(await optionOf(run("ends", ["a\0b"])), ["invalid", "args"]);
    assertEquals(await optionOf(run("ends", [], { env: { A: 1 as never } })), ["invalid", "env.A"]);
    assertEquals(await optionOf(run("ends", [], { env: { "A=B": "1" } })), ["invalid", "env"]);
    assertEquals(await optionOf(run("ends", [], { route: "both" as never })), ["invalid", "route"]);
    assertEquals((await failureOf(runWasi(host, { file: "missing.wasm" }))).code, "not-found");
  }));

Deno.test("programs see the roots of the host by the names with which they were declared", async () => {
  const folder = await Deno.makeTempDir();
  await using context = createContext({ memory: "8MiB", workers: 1 });
  try {
    await Deno.writeTextFile(`${folder}/names`, "");
    const settings = { channels: 1, bufferLength: 64, elementSize: 1, roots: [folder] };
    await using host = await startHost(context, settings);
    const ends = { file: programFile("ends.wasm") };
    const declared = await runWasi(host, { file: programFile("show.wasm") }, {
      args: [`${folder}/names`],
      memory: "1MiB",
    });
    assertEquals(textOf(declared.stdout), "0\n");
    const none = await runWasi(host, ends, { args: ["log", "1"], roots: {}, memory: "1MiB" });
    assertEquals(none.code, 1, "a program without directories opens no files");
    const other = await runWasi(host, ends, { args: ["log", "1"], roots: { "/": ".." }, memory: "1MiB" });
    assertEquals(other.code, 1, "a directory above the roots is refused by the host");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a host without declared roots gives a program no files", async () => {
  await using context = createContext({ memory: "8MiB", workers: 1 });
  await using host = await startHost(context, { channels: 1, bufferLength: 64, elementSize: 1 });
  const ends = { file: programFile("ends.wasm") };
  assertEquals((await runWasi(host, ends, { args: ["log", "1"], memory: "1MiB" })).code, 1);
  const error = await failureOf(runWasi(host, ends, { roots: { "/": "." }, memory: "1MiB" }));
  assertEquals([error.code, error.details.option], ["invalid", "roots"]);
});

for (const route of ROUTES) {
  Deno.test(`${route}: files in the memory of the context serve programs, too`, async () => {
    await using context = createContext({ memory: "8MiB", workers: 1 });
    const backEnd = memoryFiles({ contents: { "names": new TextEncoder().encode("four") } });
    await using host = await startHost(context, { channels: 1, bufferLength: 64, elementSize: 4, backEnd });
    const shown = await runWasi(host, { file: programFile("show.wasm") }, {
      args: ["/names"],
      memory: "1MiB",
      route,
    });
    assertEquals(textOf(shown.stdout), "4\nfour");
    const ends = { file: programFile("ends.wasm") };
    for (const line of ["1", "2"]) {
      assertEquals((await runWasi(host, ends, { args: ["log", line], memory: "1MiB", route })).code, 0);
    }
    const log = await runWasi(host, { file: programFile("show.wasm") }, {
      args: ["log"],
      memory: "1MiB",
      route,
    });
    assertEquals(textOf(log.stdout), "20\nline of 1\nline of 2\n");
  });
}

Deno.test("the programs of the tests were made from the sources that lie beside them", async () => {
  const sums = Deno.readTextFileSync(programFile("SHA256SUMS")).trim().split("\n").map((row) =>
    row.split("  ")
  );
  const files = [...Deno.readDirSync(programFile("."))].map(({ name }) => name);
  assertEquals(sums.map(([, name]) => name), files.filter((name) => name !== "SHA256SUMS").toSorted());
  for (const [sum, name] of sums) {
    assertEquals(await sha256(Deno.readFileSync(programFile(name!))), sum, `${name}: run build.sh`);
  }
});
