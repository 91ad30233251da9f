/**
 * Outputs under `kill -9`: a process that writes a pyramid is killed at a random moment. Its target is absent, or the old
 * one, or complete; and a second run that resumes ends with the same bytes as one that was not disturbed.
 *
 * @module
 */

import { join } from "@std/path";
import { sha256Of } from "../../../src/io/hash.ts";
import { Random } from "../../compare/data/random.ts";
import type { Part } from "../part.ts";
import { Tally, withFolder } from "../part.ts";
import { write } from "./write.ts";

/** Images of the source: enough for about a second. */
const SHAPE = [6, 500, 700] as const;
const KINDS = ["ome.zarr", "ome.tif"] as const;

/** The part. */
export const KILLS: Part = {
  name: "kills",
  help: "outputs whose process is killed: absent, old or complete; and the same bytes after going on",
  run: ({ seed, quick }) =>
    withFolder(async (folder) => {
      const random = new Random(seed);
      const tally = new Tally();
      const source = await makeSource(folder);
      for (const kind of KINDS) {
        const full = await undisturbed(folder, source, kind);
        for (let n = 0; n < (quick ? 1 : 25); n++) {
          const delay = Math.floor(random.next() * 1.1 * full.milliseconds);
          const isOld = n % 2 === 1;
          await tally.add(`${kind}, ${n}, killed after ${delay} ms${isOld ? ", over an old one" : ""}`, () =>
            killed(folder, source, { kind, delay, isOld, expected: full.digest }));
        }
      }
      return tally;
    }),
};

async function makeSource(folder: string): Promise<string> {
  const { npyHeader } = await import("../../../src/sinks/npy/npy_header.ts");
  const samples = Uint16Array.from(
    { length: SHAPE[0] * SHAPE[1] * SHAPE[2] },
    (_, i) => 500 + 300 * Math.sin(i / 97) + (i * 7919) % 61,
  );
  const head = npyHeader("uint16", SHAPE);
  const bytes = new Uint8Array(head.length + samples.byteLength);
  bytes.set(head);
  bytes.set(new Uint8Array(samples.buffer), head.length);
  await Deno.writeFile(join(folder, "source.npy"), bytes);
  return join(folder, "source.npy");
}

/** The digest of a result, and how long it takes to write. */
async function undisturbed(folder: string, source: string, kind: string) {
  const out = join(folder, "full", `out.${kind}`);
  await Deno.mkdir(join(folder, "full"), { recursive: true });
  const started = performance.now();
  await write(source, out, 2);
  return { digest: await digestOf(out), milliseconds: performance.now() - started };
}

interface Kill {
  readonly kind: string;
  readonly delay: number;
  readonly isOld: boolean;
  readonly expected: string;
}

async function killed(
  folder: string,
  source: string,
  { kind, delay, isOld, expected }: Kill,
): Promise<string | undefined> {
  const place = await Deno.makeTempDir({ dir: folder });
  const out = join(place, `out.${kind}`);
  const old = isOld ? await makeOld(out) : "absent";
  await killAfter(delay, [source, out]);
  const found = await digestOf(out);
  if (![old, "absent", expected].includes(found)) {
    return "the target is neither absent, nor old, nor complete";
  }
  if (found === "absent" && isOld && kind === "ome.tif") return "the old file is gone";
  await write(source, out, 0);
  if (await digestOf(out) !== expected) return "the bytes differ after going on";
  const left = [...Deno.readDirSync(place)].map(({ name }) => name).filter((name) => name !== `out.${kind}`);
  await Deno.remove(place, { recursive: true });
  return left.length > 0 ? `files are left: ${left.join(", ")}` : undefined;
}

/** An older result that is smaller. */
async function makeOld(out: string): Promise<string> {
  if (out.endsWith(".tif")) await Deno.writeTextFile(out, "old");
  else {
    await Deno.mkdir(out);
    await Deno.writeTextFile(join(out, "zarr.json"), "{}");
  }
  return await digestOf(out);
}

/** Runs the program and kills it `delay` milliseconds after it has begun to write. */
async function killAfter(delay: number, words: readonly string[]): Promise<void> {
  const program = new URL("write.ts", import.meta.url).pathname;
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", program, ...words],
    stdout: "piped",
    stderr: "null",
  });
  await using child = command.spawn();
  const reader = child.stdout.getReader();
  await reader.read(); // "go"
  await new Promise((resolve) => setTimeout(resolve, delay));
  try {
    child.kill("SIGKILL");
  } catch {
    // it has ended
  }
  await reader.cancel();
  await child.status;
}

/** The digest of a file, or of all files of a folder; `absent` if there is none. */
async function digestOf(path: string): Promise<string> {
  const facts = await Deno.stat(path).catch(() => undefined);
  if (!facts) return "absent";
  if (facts.isFile) return await sha256Of([await Deno.readFile(path)]);
  const parts: Uint8Array[] = [];
  for (const { name } of [...Deno.readDirSync(path)].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    parts.push(new TextEncoder().encode(`${name} ${await digestOf(join(path, name))}\n`));
  }
  return await sha256Of(parts);
}
