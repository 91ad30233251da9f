/** Programs end in every way there is: with a code, by a trap, by their callers, for lack of memory. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { createContext } from "../../../src/runner/context.ts";
import { type ChannelHost, startHost } from "../../../src/channels/host/host.ts";
import type { WasiProgress } from "../../../src/channels/wasi/options.ts";
import { launchWasi, runWasi } from "../../../src/channels/wasi/run.ts";
import { isTilewiseError, type TilewiseError } from "../../../src/errors.ts";
import { programFile, ROUTES, textOf, withSide } from "./wasi_side.ts";

const ENDS = { file: programFile("ends.wasm") };

/** The typed error of a run that must fail. */
async function failureOf(run: Promise<unknown>): Promise<TilewiseError> {
  const error = await assertRejects(() => run);
  assert(isTilewiseError(error), `${error}`);
  return error;
}

Deno.test("the exit code is the result, however it comes", () =>
  withSide(async ({ run }) => {
    assertEquals((await run("ends", ["exit", "7"])).code, 7);
    assertEquals((await run("ends", ["return", "3"])).code, 3);
    assertEquals((await run("ends", ["return", "0"])).code, 0);
    assertEquals((await run("ends", ["exit", "-1"])).code, 2 ** 32 - 1);
  }));

Deno.test("arguments and environment arrive as they were given, and no others", () =>
  withSide(async ({ run }) => {
    const { stdout } = await run("ends", ["args", "two words", "", "é"], { env: { NAME: "a=b", EMPTY: "" } });
    assertEquals(textOf(stdout), "ends\nargs\ntwo words\n\né\nNAME=a=b\nEMPTY=\n");
    assertEquals(textOf((await run("ends", ["args"])).stdout), "ends\nargs\n");
  }));

Deno.test("standard input and output carry any bytes", () =>
  withSide(async ({ run }) => {
    const stdin = Uint8Array.from({ length: 100_000 }, (_, i) => i * 7 >> 3);
    const { stdout, stderr } = await run("ends", ["cat"], { stdin });
    assertEquals(stdout, stdin);
    assertEquals(textOf(stderr), "end of input: 1\n");
    assertEquals(textOf((await run("ends", ["cat"], { stdin: "text é\n" })).stdout), "text é\n");
  }));

Deno.test("output is handed over while the program runs, all of it and in order", () =>
  withSide(async ({ run }) => {
    const [parts, errors]: [Uint8Array[], Uint8Array[]] = [[], []];
    const lines = 30_000; // more than any buffer on the way
    const { stdout } = await run("ends", ["print", `${lines}`], { stdout: (bytes) => parts.push(bytes) });
    const text = parts.map(textOf).join("");
    assertEquals(stdout.length, 0);
    assertEquals(text.length, 16 * lines);
    assert(text.split("\n").slice(0, lines).every((line, i) => Number(line) === i));
    assert(parts.length > 1);
    await run("ends", ["cat"], { stderr: (bytes) => errors.push(bytes) });
    assertEquals(errors.map(textOf).join(""), "end of input: 1\n");
  }));

Deno.test("what a receiver of output throws ends the run", () =>
  withSide(async ({ run }) => {
    const stdout = () => {
      throw new Error("the disk of the receiver is full");
    };
    const error = await assertRejects(() => run("ends", ["print", "30000"], { stdout }), Error);
    assertEquals((error as Error).message, "the disk of the receiver is full");
  }));

Deno.test("output that is kept has a limit", () =>
  withSide(async ({ run }) => {
    const error = await failureOf(run("ends", ["print", "1000"], { outputLimit: 1000 }));
    assertEquals([error.code, error.details.option], ["over-budget", "outputLimit"]);
    assertEquals((await run("ends", ["print", "1000"], { outputLimit: 16_000 })).stdout.length, 16_000);
  }));

const TRAPS = {
  abort: "unreachable",
  assert: "unreachable",
  outside: "out of bounds",
  deep: "stack overflow",
  zero: "division by zero",
  wrong: "bad call",
} as const;

Deno.test("a trap is a typed error, and the worker goes on", () =>
  withSide(async ({ run }) => {
    for (const [what, trap] of Object.entries(TRAPS)) {
      const error = await failureOf(run("ends", [what, "0"]));
      const found = error.details["trap"];
      assertEquals(error.code, "udf");
      if (what === "deep") assert(found === trap || found === "out of bounds", `${found}`); // either stack may be full first
      else if (what === "wrong") assert(found === trap || found === "unreachable", `${found}`); // compilers may see it
      else assertEquals(found, trap);
      if (what === "abort") {
        assert(error.message.endsWith("its last words: these are the last words"), error.message);
      }
      assertEquals((await run("ends", ["exit", "5"])).code, 5);
    }
  }));

for (const what of ["spin", "calls"]) {
  Deno.test(`a program that never ends is ended by its caller: ${what}`, () =>
    withSide(async ({ run }) => {
      const stop = new AbortController();
      setTimeout(() => stop.abort(), 200);
      assertEquals((await failureOf(run("ends", [what], { signal: stop.signal }))).code, "aborted");
      assertEquals((await run("ends", ["exit", "5"])).code, 5);
    }));

  Deno.test(`a program that never ends is ended after its time: ${what}`, () =>
    withSide(async ({ run }) => {
      const error = await failureOf(run("ends", [what], { timeout: 200 }));
      assertEquals([error.code, error.details.expected], ["timeout", 200]);
      assertEquals((await run("ends", ["exit", "5"])).code, 5);
    }));
}

Deno.test("a program that gives no sign of life is ended, and not started again", () =>
  withSide(async ({ run }) => {
    assertEquals((await failureOf(run("ends", ["spin"], { stallTimeout: 300 }))).code, "timeout");
  }));

Deno.test("a sleeping program sleeps as long as it asked, gives signs of life, and can be ended", () =>
  withSide(async ({ run }) => {
    const { stdout } = await run("ends", ["sleep", "400"], { stallTimeout: 200 });
    assertEquals(textOf(stdout), "slept\n");
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 50);
    assertEquals(
      (await failureOf(run("ends", ["sleep", "100000"], { signal: stop.signal }))).code,
      "aborted",
    );
  }));

Deno.test("the memory of a program ends where the option says, and it is told so", () =>
  withSide(async ({ run }) => {
    const { stdout } = await run("ends", ["memory", "1000000"], { memory: "2MiB" });
    assertEquals(textOf(stdout), "enough\n");
    assertEquals(
      textOf((await run("ends", ["memory", "1000000"], { memory: "512KiB" })).stdout),
      "not enough\n",
    );
    const error = await failureOf(run("ends", ["exit"], { memory: 65536 }));
    assertEquals([error.code, error.details.option], ["over-budget", "memory"]);
    const more = await failureOf(run("ends", ["exit"], { memory: "64MiB", wait: false }));
    assertEquals(more.code, "over-budget", "the context has only 12 MiB");
  }));

Deno.test("instances run at the same time, append to one file without loss, and come in order", () =>
  withSide(async ({ host, folder }) => {
    const count = 24, instances = Array.from({ length: count }, (_, i) => ({ args: ["log", `${i}`] }));
    for (const route of ROUTES) {
      const seen: number[] = [];
      const results = await launchWasi(host, ENDS, instances, {
        memory: "1MiB",
        roots: { "/": "." },
        route,
        onProgress: ({ instances, total }) => seen.push(instances / total),
      });
      assertEquals(results.map(({ code }) => code), instances.map(() => 0));
      assertEquals(seen.at(-1), 1);
      const lines = Deno.readTextFileSync(`${folder}/log`).trimEnd().split("\n").sort();
      assertEquals(lines, instances.map((_, i) => `line of ${i}`).sort());
      Deno.removeSync(`${folder}/log`);
    }
    const given = Array.from({ length: 5 }, (_, i) => ({ args: ["cat"], stdin: `input ${i}` }));
    const results = await launchWasi(host, ENDS, given, { memory: "1MiB", roots: {} });
    assertEquals(results.map(({ stdout }) => textOf(stdout)), given.map(({ stdin }) => stdin));
    assertEquals(await launchWasi(host, ENDS, [], { memory: "1MiB" }), []);
  }, { workers: 2 }));

/** A program that calls its host nearly for ever, and says when it has begun to. */
function endless(host: ChannelHost): { begun: Promise<void>; failure: Promise<TilewiseError> } {
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const onProgress = ({ calls }: WasiProgress) => void (calls > 0 && resolve());
  const settings = { args: ["1", "1000000000"], memory: "1MiB", roots: { "/": "." }, onProgress };
  return { begun, failure: failureOf(runWasi(host, { file: programFile("ops.wasm") }, settings)) };
}

for (const when of ["at once", "while it runs"]) {
  Deno.test(`a host that is closed or aborted ends programs that call it: ${when}`, async () => {
    const folder = await Deno.makeTempDir();
    await using context = createContext({ memory: "4MiB", workers: 1 });
    for (const end of ["close", "abort"] as const) {
      const host = await startHost(context, {
        channels: 1,
        bufferLength: 64,
        elementSize: 1,
        roots: [folder],
      });
      const { begun, failure } = endless(host);
      if (when !== "at once") await begun;
      host[end]();
      assertEquals((await failure).code, "aborted", end);
      await host.close();
    }
    await Deno.remove(folder, { recursive: true });
  });

  Deno.test(`a context that is disposed of ends its programs: ${when}`, async () => {
    const folder = await Deno.makeTempDir();
    await using context = createContext({ memory: "4MiB", workers: 1 });
    const host = await startHost(context, { channels: 1, bufferLength: 64, elementSize: 1, roots: [folder] });
    const { begun, failure } = endless(host);
    if (when !== "at once") await begun;
    await context[Symbol.asyncDispose]();
    assertEquals((await failure).code, "aborted");
    await host.close();
    await Deno.remove(folder, { recursive: true });
  });
}
