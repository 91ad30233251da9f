/** Gzip files that hold much: opened without unpacking, unpacked to a temporary file when samples are read. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { gzipSync } from "node:zlib";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { processExecutor } from "../../../src/executor/process/executor.ts";
import { openStored as open } from "../../../src/formats/open.ts";
import { temporary as own } from "../../../src/io/unpack.ts";
import { heldParts } from "../../../src/io/write/part_files.ts";
import { sumPixels } from "../../../src/udf/builtin/sum_pixels.ts";
import { type ContextOptions, createContext } from "../../../src/runner/context.ts";
import { glance } from "../../../src/udf/results/digest.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { failWrite } from "../../io/failing_writes.ts";
import { encodeFits } from "../fits/encode.ts";
import { ascii, failure } from "../helpers.ts";

const [SECTIONS, SIDE] = [70, 1024];

/** A stack of 70 MiB, of which each section has its own value, packed in two members; `promised` sections in its header. */
function packedStack(promised = SECTIONS): Uint8Array {
  const mrc = new Uint8Array(1024 + SECTIONS * SIDE * SIDE);
  const view = new DataView(mrc.buffer);
  [SIDE, SIDE, promised, 0].forEach((value, i) => view.setInt32(4 * i, value, true));
  mrc.set(ascii("MAP DD"), 208);
  for (let i = 0; i < SECTIONS; i++) mrc.fill(i, 1024 + i * SIDE * SIDE, 1024 + (i + 1) * SIDE * SIDE);
  const half = mrc.length >> 1;
  const [a, b] = [mrc.subarray(0, half), mrc.subarray(half)].map((part) => gzipSync(part, { level: 1 }));
  return new Uint8Array([...a!, ...b!]);
}

const PACKED = packedStack();

/** A folder for temporary files, and one with a packed stack. */
async function withFolders(
  body: (path: string, temporary: string) => Promise<void>,
  packed = PACKED,
): Promise<void> {
  const [folder, temporary] = [await Deno.makeTempDir(), await Deno.makeTempDir()];
  const before = own.folder;
  own.folder = () => temporary;
  try {
    await Deno.writeFile(`${folder}/stack.mrc.gz`, packed);
    await body(`${folder}/stack.mrc.gz`, temporary);
  } finally {
    own.folder = before;
    for (const each of [folder, temporary]) await Deno.remove(each, { recursive: true });
  }
}

const names = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name);

/** Some of them are summed: looking at every access takes its time. */
const maskOf = (sections: number) =>
  Uint8Array.from({ length: sections }, (_, i) => [3, 40, 69].includes(i) ? 1 : 0);

async function sums(path: string, options: ContextOptions): Promise<number[]> {
  const dataset = await open(path);
  await using context = createContext({ ...options, memory: 2 ** 26 });
  const mask = maskOf(dataset.frames);
  const planned = await plan(dataset, { sum: sumPixels() }, { context, roi: mask });
  const { sum } = await run(planned);
  return Array.from(sum!.intensity!.data, Number).filter((_, i) => mask[i]);
}

const RIGHT = [3, 40, 69].map((i) => i * SIDE * SIDE);

Deno.test("a large compressed stack is described without being unpacked, and computed on any number of workers", async () => {
  await withFolders(async (path, temporary) => {
    const dataset = await open(path);
    assertEquals(dataset.shape, [SECTIONS, SIDE, SIDE]);
    assertStringIncludes(
      dataset.warnings.join(),
      `70.0 MiB are unpacked to a temporary file in ${temporary}`,
    );
    assertEquals(names(temporary), []);
    for (const workers of [0, 2]) assertEquals(await sums(path, { workers }), RIGHT);
    await using executor = processExecutor({ workers: 2 });
    assertEquals(await sums(path, { executor }), RIGHT);
    assertEquals(names(temporary).length, 1, "of those that nobody uses the last one stays");
    assertMatch(names(temporary)[0]!, /^\.stack\.mrc\.gz\.tw-\d+-[0-9a-f]{16}\.part$/);
    const { name, bytes } = await glance(dataset.layout.files[0]!.source); // as manifests have it
    assertEquals([name, bytes], [path, 1024 + SECTIONS * SIDE * SIDE]);
    const { mode, size } = await Deno.stat(`${temporary}/${names(temporary)[0]}`);
    assertEquals([mode! & 0o777, size], [0o600, 1024 + SECTIONS * SIDE * SIDE]);
  });
});

Deno.test("a large compressed FITS file is unpacked when it is opened: its headers may lie anywhere", async () => {
  const samples = new Uint8Array(SECTIONS * SIDE * SIDE).map((_, i) => Math.floor(i / SIDE ** 2));
  const fits = encodeFits(samples, [SECTIONS, SIDE, SIDE], "uint8");
  await withFolders(async (path, temporary) => {
    for (const workers of [0, 2]) assertEquals(await sums(path, { workers }), RIGHT);
    assertEquals(names(temporary).length, 1);
  }, new Uint8Array(gzipSync(fits, { level: 1 })));
});

Deno.test("many may read it at once, and one that is cancelled does not stop the others", async () => {
  await withFolders(async (path) => {
    const dataset = await open(path);
    const box = { origin: [69, 0, 0], shape: [1, 1, 2] };
    const read = async () => [...(await readBox(dataset, box)).data as Int8Array];
    await using context = createContext({ workers: 0 });
    const cancelled = run(await plan(dataset, { sum: sumPixels() }, { context }), {
      signal: AbortSignal.timeout(1),
    });
    const [first, ...others] = await Promise.allSettled([cancelled, read(), read()]);
    assertEquals(first.status, "rejected");
    assertEquals(others.map((one) => one.status === "fulfilled" && one.value), [[69, 69], [69, 69]]);
  });
});

Deno.test("what is damaged, or holds less or more than its header promises, is refused, and nothing of it stays", async () => {
  const flipped = PACKED.map((byte, i) => i === PACKED.length - 8 ? byte ^ 1 : byte);
  const cases = [
    [flipped, "malformed", "its gzip stream is damaged"],
    [PACKED.subarray(0, -1000), "malformed", "unexpected end of file"],
    [packedStack(SECTIONS + 1), "truncated", "and its header promises 74449920"],
    [packedStack(SECTIONS - 2), "unsupported", "unpacks to more than"],
  ] as const;
  for (const [packed, code, text] of cases) {
    await withFolders(async (path, temporary) => {
      const { message } = await failure(sums(path, { workers: 0 }), code);
      assertStringIncludes(message, text);
      assertStringIncludes(message, path);
      assertEquals(names(temporary), []);
    }, packed);
  }
});

Deno.test("where the folder for temporary files is full, the error says what to do, and nothing stays", async () => {
  await withFolders(async (path, temporary) => {
    for (const n of [1, 2, 70]) {
      using _full = await failWrite(n, "ENOSPC");
      const { message, details } = await failure(sums(path, { workers: 0 }), "io");
      assertMatch(message, /^Cannot unpack \S*stack\.mrc\.gz to a temporary file: .* is full.*TMPDIR/);
      assertEquals(details.found, "ENOSPC");
      assertEquals(names(temporary), []);
    }
    assertEquals(heldParts().filter((part) => part.startsWith(temporary)), []);
    assertEquals(await sums(path, { workers: 0 }), RIGHT);
  });
});

/** What a process prints that sums the stack, and what it leaves. */
async function alone(
  path: string,
  temporary: string,
  flags: readonly string[],
  end = "",
): Promise<[printed: string, code: number]> {
  const module = (name: string) => JSON.stringify(new URL(`../../../src/${name}`, import.meta.url).href);
  const text = `import { open } from ${module("formats/open.ts")};
    import { readBox } from ${module("cli/inputs/frames.ts")};
    try {
      const { data } = await readBox(await open(${
    JSON.stringify(path)
  }), { origin: [3, 0, 0], shape: [1, 1, 1] });
      console.log(data[0]);
    } catch ({ code, message }) { console.log(code, message); }
    ${end}`;
  const script = path.replace(/[^/]*$/, "alone.ts");
  await Deno.writeTextFile(script, text);
  const config = fromFileUrl(new URL("../../../deno.json", import.meta.url));
  const { stdout, stderr, code } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", "--config", config, ...flags, script],
    env: { TMPDIR: temporary },
    stdout: "piped",
    stderr: "piped",
  }).output();
  const said = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  return [said.trim(), code];
}

Deno.test("a temporary file goes with its process", async () => {
  await withFolders(async (path, temporary) => {
    for (const [end, code] of [["", 0], ["Deno.exit(3)", 3]] as const) {
      const [said, found] = await alone(path, temporary, ["-A"], end);
      assertEquals([said.slice(0, 1), found], ["3", code]);
      assertEquals(names(temporary), [], end);
    }
  });
});

Deno.test("a command that is ended by a signal leaves no temporary file", async () => {
  await withFolders(async (path, temporary) => {
    const main = fromFileUrl(new URL("../../../src/cli/main.ts", import.meta.url));
    const args = ["run", "-A", main, "run", "sum", path, "--workers", "1"];
    await using command = new Deno.Command(Deno.execPath(), {
      args,
      env: { TMPDIR: temporary },
      stdout: "null",
      stderr: "null",
    }).spawn();
    while (names(temporary).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    command.kill("SIGTERM");
    assertEquals((await command.status).code, 143);
    assertEquals(names(temporary), []);
  });
});

Deno.test("where Deno may write no temporary files it unpacks into memory", async () => {
  await withFolders(async (path, temporary) => {
    assertEquals(await alone(path, temporary, ["--allow-read", "--allow-env"]), ["3", 0]);
    assert(names(temporary).length === 0);
  });
});
