/** Kernels in WebAssembly: sources that are compiled, bytes that are given, their arguments, traps and files. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { launchKernel, startHost } from "@tilewise/tilewise/channels";
import { TilewiseError } from "../../../src/errors.ts";
import { createContext } from "../../../src/runner/context.ts";

async function failure(launch: Promise<unknown>): Promise<TilewiseError> {
  return await assertRejects(() => launch, TilewiseError) as TilewiseError;
}

/** Each member sums its share; member 0 adds the shares, after a barrier. */
const SUM = `
  import { groupId, localId, groupSize, groupCount, barrier, localMemory } from "tilewise/channels";
  export function sum(data: usize, length: i32, out: usize, groups: i32, factor: f64): i32 {
    const each = length / groupCount(), first = groupId() * each;
    let total = 0.0;
    for (let i = first + localId(); i < first + each; i += groupSize()) total += load<f64>(data + (i << 3));
    store<f64>(localMemory() + (localId() << 3), total);
    barrier();
    if (localId() != 0) return 0;
    let all = 0.0;
    for (let m = 0; m < groupSize(); m++) all += load<f64>(localMemory() + (m << 3));
    store<f64>(out + (groupId() << 3), all * factor);
    return groups;
  }`;

for (const workers of [0, 1, 3]) {
  Deno.test(`a source is compiled, and gets arrays in and out, with ${workers} workers`, async () => {
    await using context = createContext({ memory: "1MiB", workers });
    const data = Float64Array.from({ length: 24 }, (_, i) => i);
    for (const groupSize of [1, 2, 3].slice(0, Math.max(1, workers))) {
      const out = new Float64Array(4);
      const { groups } = await launchKernel(context, { source: SUM }, {
        groups: 4,
        groupSize,
        args: [data, out, 2],
        localMemory: 8 * groupSize,
      });
      const twin = [0, 1, 2, 3].map((g) => 2 * data.slice(6 * g, 6 * g + 6).reduce((a, b) => a + b));
      assertEquals([[...out], groups.map(({ values }) => values[0])], [twin, [4, 4, 4, 4]]);
    }
    await context.settled();
    assertEquals(context.used, 0);
  });
}

Deno.test("variables of a kernel begin anew with every member, and tables lie where nothing else does", async () => {
  const source = `
    import { groupId } from "tilewise/channels";
    const table: StaticArray<i32> = [10, 20, 30, 40];
    let calls = 0;
    export function count(): i32 {
      calls++;
      table[0] += 1;
      return calls * 1000 + table[0] + unchecked(table[groupId() & 3]);
    }`;
  for (const workers of [0, 2]) {
    await using context = createContext({ memory: "1MiB", workers });
    const { groups } = await launchKernel(context, { source }, { groups: 8 });
    const expected = [1022, 1031, 1041, 1051];
    assertEquals(groups.flatMap(({ values }) => values), [...expected, ...expected]);
  }
});

Deno.test("a trap names group, member, line and column, and ends the others", async () => {
  const source = `
    import { groupId, localId, barrier } from "tilewise/channels";
    export function trap(): i32 {
      barrier();
      if (groupId() == 2 && localId() == 1) unreachable();
      return barrier();
    }`;
  await using context = createContext({ memory: "1MiB", workers: 2 });
  const error = await failure(launchKernel(context, { name: "traps", source }, { groups: 5, groupSize: 2 }));
  const { kernel, group, member, line } = error.details;
  assertEquals([error.code, kernel, group, member, line], ["udf", "traps", 2, 1, 5]);
  assert(
    error.message.startsWith(`Kernel "traps" failed in group 2, member 1: unreachable (kernel.ts:5:`),
    error.message,
  );
  await context.settled();
  assertEquals(context.used, 0);
});

Deno.test("sources that do not compile, or cannot be called, are refused with their place", async () => {
  await using context = createContext({ memory: "1MiB", workers: 1 });
  const launch = (source: string, options = {}) => failure(launchKernel(context, { source }, options));
  const typed = await launch(`export function f(): i32 {\n  return "no";\n}`);
  assertEquals([typed.code, typed.details["line"], typed.details["column"]], ["udf", 2, 10]);
  const open = await launch(
    `import { nothing } from "tilewise/channels"; export function f(): void { nothing(); }`,
  );
  assertEquals([open.code, open.details["line"]], ["udf", 1]);
  const far = await launch(`import { a } from "elsewhere"; export function f(): void { a(); }`);
  assert(
    far.message.includes(`the imports are "tilewise", such as { Sample } and "tilewise/channels"`),
    far.message,
  );
  const own = await launch(
    `@external("env", "now") declare function now(): f64; export function f(): f64 { return now(); }`,
  );
  assert(own.message.includes("it needs env.now"), own.message);
  const two = await launch("export function f(): void {} export function g(): void {}");
  assertEquals(two.message, `Kernel "kernel" needs the option export: it exports f, g`);
  const big = await launch("export function f(): i64 { return 1; }");
  assert(big.message.includes("f returns i64; it may return one i32, f32 or f64"), big.message);
});

Deno.test("arguments are checked against the signature", async () => {
  await using context = createContext({ memory: "1MiB", workers: 0 });
  const source =
    "export function f(a: i32, b: i64, c: f64, d: usize, e: i32): f64 { return a + <f64>b + c + e; }";
  const launch = (...args: unknown[]) => launchKernel(context, { source }, { args } as never);
  assertEquals((await launch(1, 2n, 0.5, new Uint8Array(3))).groups[0]!.values, [6.5]);
  assertEquals((await launch(1, 2n, 0.5, "name")).groups[0]!.values, [7.5]);
  assertEquals((await launch(true, -2n, 0.5, "é")).groups[0]!.values, [1.5]);
  const table: [unknown[], RegExp][] = [
    [[1, 2, 0.5, "x"], /argument 1 does not fit/],
    [[1.5, 2n, 0.5, "x"], /argument 0 is 1.5; the kernel takes an i32 there/],
    [[2 ** 32, 2n, 0.5, "x"], /argument 0 is 4294967296/],
    [[1, 2n ** 64n, 0.5, "x"], /argument 1 is 18446744073709551616/],
    [[1, 2n, 0.5], /it takes more/],
    [[1, 2n, 0.5, "x", 1], /argument 4 does not fit/],
    [[1, 2n, 0.5, {}], /argument 3 is an object; arguments are numbers/],
    [[1, 2n, 0.5, null], /argument 3 is null/],
    [[1, 2n, 0.5, new DataView(new ArrayBuffer(8))], /argument 3 is/],
  ];
  for (const [args, message] of table) {
    const error = await failure(launch(...args));
    assertEquals(error.code, "invalid");
    assert(message.test(error.message), error.message);
  }
});

/** A module with these sections, by number. */
function module(...sections: [number, number[]][]): Uint8Array {
  const body = sections.flatMap(([id, bytes]) => [id, bytes.length, ...bytes]);
  return Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...body);
}

const text = (s: string) => [s.length, ...new TextEncoder().encode(s)];
const TYPE: [number, number[]] = [1, [1, 0x60, 0, 1, 0x7f]]; // () -> i32
const FUNCTION: [number, number[]] = [3, [1, 0]];
const CODE: [number, number[]] = [10, [1, 4, 0, 0x41, 7, 0x0b]]; // i32.const 7
const exported = (index: number): [number, number[]] => [7, [1, ...text("run"), 0, index]];
const MEMORY = [...text("env"), ...text("memory"), 2, 3, 1, 1];
const LOCAL = [...text("channels"), ...text("group_id"), 0, 0];

Deno.test("bytes are run as they are: with any memory, or with none", async () => {
  await using context = createContext({ memory: "1MiB", workers: 2 });
  for (
    const wasm of [
      module(TYPE, FUNCTION, exported(0), CODE),
      module(TYPE, [2, [1, ...MEMORY]], FUNCTION, exported(0), CODE),
      module(TYPE, [2, [2, ...MEMORY, ...LOCAL]], FUNCTION, exported(1), CODE),
    ]
  ) {
    const { groups } = await launchKernel(context, { wasm }, { groups: 3 });
    assertEquals(groups.flatMap(({ values }) => values), [7, 7, 7]);
  }
  const ids = module(TYPE, [2, [1, ...LOCAL]], FUNCTION, exported(1), [10, [1, 4, 0, 0x10, 0, 0x0b]]); // call group_id
  const { groups } = await launchKernel(context, { wasm: ids }, { groups: 3 });
  assertEquals(groups.flatMap(({ values }) => values), [0, 1, 2]);
});

Deno.test("bytes that would write where others lie, or call what nobody answers, are refused", async () => {
  await using context = createContext({ memory: "1MiB", workers: 1 });
  const data: [number, number[]] = [11, [1, 0, 0x41, 0x80, 8, 0x0b, 1, 9]]; // i32.const 1024: 9
  const stack: [number, number[]] = [6, [1, 0x7f, 1, 0x41, 0x80, 0x80, 4, 0x0b]]; // (mut i32) 65536
  const foreign = [...text("env"), ...text("exit"), 0, 0];
  const file = [...text("channels"), ...text("fs_channel_count"), 0, 0];
  const table: [Uint8Array, RegExp][] = [
    [Uint8Array.of(1, 2, 3), /not a module of WebAssembly/],
    [module(TYPE, FUNCTION, [5, [1, 0, 1]], exported(0), CODE), /memory of its own/],
    [module(TYPE, [2, [1, ...MEMORY]], FUNCTION, exported(0), CODE, data), /writes data to addresses/],
    [module(TYPE, [2, [1, ...MEMORY]], FUNCTION, stack, exported(0), CODE), /has a stack/],
    [module(TYPE, [2, [1, ...foreign]], FUNCTION, exported(1), CODE), /imports env.exit/],
    [
      module(TYPE, [2, [1, ...file]], FUNCTION, exported(1), CODE),
      /without a host: it calls fs_channel_count/,
    ],
    [module(TYPE, FUNCTION, CODE), /exports no function/],
  ];
  for (const [wasm, message] of table) {
    const { message: found } = await failure(launchKernel(context, { wasm }));
    assert(message.test(found), found);
  }
});

Deno.test("kernels of a host write files, and see its arrays; closing the host waits for the launch", async () => {
  const source = `
    import { groupId, channel, open, write, close, Mode, Whence } from "tilewise/channels";
    export function store(name: usize, length: i32, data: usize, count: i32): i32 {
      const file = open(channel(), Mode.READ_WRITE, name, length);
      if (file <= 0) return file;
      const wrote = write(file, data + (groupId() << 3), 1, Whence.BEGIN, groupId());
      close(file);
      return wrote;
    }`;
  const folder = await Deno.makeTempDir();
  const path = `${folder}/out`;
  await Deno.writeFile(path, new Uint8Array());
  for (const [workers, channels] of [[1, 1], [3, 3], [3, 2], [0, 1]] as const) {
    for (const route of ["rpc", "direct"] as const) {
      await using context = createContext({ memory: "1MiB", workers });
      await using host = await startHost(context, { channels, bufferLength: 8, elementSize: 8 });
      using array = host.array("float64", 20);
      array.data.set(Float64Array.from({ length: 20 }, (_, i) => Math.sqrt(i)));
      const args = [host.name(path), array];
      const { status, groups } = await launchKernel(host, { source }, { groups: 20, args, route });
      assertEquals([status, groups.map(({ values }) => values[0])], [0, new Array(20).fill(1)]);
      assertEquals(new Float64Array(Deno.readFileSync(path).buffer), array.data.slice());
      const missing = await launchKernel(host, { source }, { args: ["nowhere/at all", array], route });
      assertEquals(missing.status, -7);
      await Deno.truncate(path);
    }
  }
  await Deno.remove(folder, { recursive: true });
});
