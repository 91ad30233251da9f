/** `tilewise doctor` says what is there, what is missing, and what to do. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { kernelCheck, runtimeCheck, simdCheck, workerCheck } from "../../src/cli/doctor/machine.ts";
import { textOf } from "../../src/cli/doctor/doctor.ts";
import { reportOf } from "../../src/cli/flags/option_flags.ts";
import { PACKAGES } from "../../src/packages.ts";
import { cli, cliChild, withFolder } from "./harness.ts";

Deno.test("here nothing that is needed is missing, and every line says what it is about", async () => {
  const { code, out, err } = await cli(["doctor"]);
  assertEquals([code, err], [0, ""]);
  assert(out.includes(`✓ runtime `) && out.includes(`Deno ${Deno.version.deno} on ${Deno.build.os}`), out);
  for (const name of ["SIMD", "shared", "kernels", "worker", "cores", "read", "net"]) {
    assertMatch(out, new RegExp(`✓ ${name} +\\S`), name);
  }
  for (const name of Object.keys(PACKAGES)) assertMatch(out, new RegExp(`[✓–] ${name} +\\S`), name);
  assertEquals((await cli(["doctor", "--quiet"])).out, "");
});

Deno.test("with --json each is an object, and advice stands where something is missing", async () => {
  const rows = (await cli(["doctor", "--json"])).json();
  assert(rows.length > 15);
  for (const { name, ok, needed, found, advice } of rows) {
    assertEquals([typeof name, typeof ok, typeof needed, typeof found], [
      "string",
      "boolean",
      "boolean",
      "string",
    ]);
    assertEquals(typeof advice, ok ? "undefined" : "string", String(name));
  }
});

Deno.test("without permissions, and with packages that were never fetched, it says which flag or command helps", () =>
  withFolder(async (folder) => {
    const [bare] = await cliChild(folder, [], [["doctor"]]);
    assertEquals([bare!.code, bare!.err], [1, ""]);
    assertMatch(bare!.out, /✗ read .*; add --allow-read=/);
    assertMatch(bare!.out, /– write .*--allow-write=/);
    assertMatch(bare!.out, /– worker .*--allow-read=/);
    assertMatch(bare!.out, /✓ kernels .*\n/);
    assertMatch(bare!.out, /\nMissing: read\.\n$/);
    const some = ["--allow-read", "--allow-env"];
    const [unfetched] = await cliChild(folder, some, [["doctor"]], { DENO_DIR: `${folder}/none` });
    assertEquals(unfetched!.code, 0);
    assertMatch(unfetched!.out, /– h5wasm .*not there yet; .*"deno cache npm:h5wasm@/);
  }));

Deno.test("what no test machine lacks: SIMD, a new runtime, kernels that count right", async () => {
  const none = simdCheck(() => false);
  const modules: Uint8Array[] = [];
  simdCheck((module) => modules.push(module) > 0);
  assertEquals([none.ok, none.needed, WebAssembly.validate(modules[0] as Uint8Array<ArrayBuffer>)], [
    false,
    true,
    true,
  ]);
  assertEquals(WebAssembly.validate((modules[0] as Uint8Array<ArrayBuffer>).with(30, 254)), false);
  const old = runtimeCheck({ name: "Node", version: "20.9.1" });
  assertEquals([old.ok, old.advice], [false, "Node 20.9.1 is too old: install Node 20.16.0 or a later one"]);
  assertEquals([(await kernelCheck()).ok, (await workerCheck()).ok], [true, true]);
  assertMatch(textOf([none, old], true), /✗ SIMD .*lacks.*\n.*✗ runtime/);
});

Deno.test("an error under a runtime that is too old names that", () => {
  const { message } = reportOf(new TypeError("x.y is not a function"), { name: "Deno", version: "2.4.0" });
  assertEquals(message, "x.y is not a function; Deno 2.4.0 is too old: install Deno 2.7.0 or a later one");
  assertEquals(reportOf(new TypeError("x"), { name: "Bun", version: "1.4.0" }).message, "x");
});
