/** A source is read once, by whatever needs its bytes first: sum, analysis, frames, memory. */

import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { plan, run, sumFrames } from "../../../mod.ts";
import { type MibFrame, writeMib } from "../../formats/mib/mib_files.ts";
import { openSession } from "../../../web/engine/open.ts";
import type { Opened } from "../../../web/engine/opened.ts";
import { rangeOf } from "../../browser/setup/ranges.ts";
import { answerTo, arraysOf, ask, bitsOf, plainResults } from "./sessions.ts";

const NAV = [16, 16] as const, SIG = [64, 64] as const;
const FRAME = 2 * 64 * 64;

function* frames(): Generator<MibFrame> {
  for (let f = 0; f < NAV[0] * NAV[1]; f++) {
    yield Uint16Array.from(
      { length: SIG[0] * SIG[1] },
      (_, p) => (Math.imul(f * 4096 + p, 2654435761) >>> 24) + f % 9,
    );
  }
}

/** A scan that is little-endian samples and nothing else, and one with headers whose samples must be decoded. */
async function writeScans(folder: string): Promise<{ name: string; options: object; files: string[] }[]> {
  const plain = new Uint8Array(NAV[0] * NAV[1] * FRAME);
  let at = 0;
  for (const frame of frames()) {
    plain.set(new Uint8Array(frame.buffer), at);
    at += FRAME;
  }
  await Deno.writeFile(join(folder, "scan.raw"), plain);
  const { files, hdr } = await writeMib(join(folder, "scan.mib"), [...frames()], { sig: SIG, nav: NAV });
  const options = { format: "raw", dtype: "uint16", nav: NAV, sig: SIG };
  return [
    { name: "scan.raw", options, files: [join(folder, "scan.raw")] },
    { name: "scan.mib", options: { format: "mib", nav: NAV }, files: [hdr, ...files] },
  ];
}

/** A server of a folder that counts the bytes that it sends. */
function counting(folder: string) {
  const sent = new Map<string, number>();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    const name = new URL(request.url).pathname.slice(1);
    const answer = await rangeOf(request, join(folder, name), {}).catch(() =>
      new Response(null, { status: 404 })
    );
    if (answer.ok) sent.set(name, (sent.get(name) ?? 0) + Number(answer.headers.get("content-length")));
    return answer;
  });
  const url = (name: string) => `http://127.0.0.1:${(server.addr as Deno.NetAddr).port}/${name}`;
  return { url, sent, [Symbol.asyncDispose]: () => server.shutdown() };
}

const SETTINGS = { budget: { samples: 2 ** 26, runs: 2 ** 26 }, workers: 2 };

/** Everything that a page asks for when it opens a scan, and a second analysis. */
async function useAll(opened: Opened): Promise<void> {
  const [sum, answer, frame] = await Promise.all([
    opened.frame(undefined),
    answerTo(opened, ask("com")),
    opened.frame([3, 4]),
  ]);
  assertEquals(answer.state, "done", answer.error?.message);
  assertEquals(bitsOf(arraysOf(answer)), bitsOf(await plainResults(ask("com"), opened.dataset)));
  const { it } = await run(await plan(opened.dataset, { it: sumFrames() }));
  assertEquals(sum.array.data, it.intensity.data);
  assertEquals(frame.array.shape, [64, 64]);
}

Deno.test("sum, first analysis and frames read a remote file once; a frame reads only itself", async () => {
  const folder = await Deno.makeTempDir();
  await using server = counting(folder);
  try {
    for (const { name, options, files } of await writeScans(folder)) {
      const size = (await Deno.stat(files.at(-1)!)).size;
      const url = server.url(name);
      const keepsNothing = { ...SETTINGS, budget: { ...SETTINGS.budget, samples: 0 } }; // else it reads on when it has time
      const one = await openSession(url, options, undefined, keepsNothing) as Opened;
      const before = server.sent.get(name)!;
      assert(before <= 100_000, `${before} bytes to open ${name}`);
      await one.frame([7, 9]);
      const read = server.sent.get(name)! - before;
      assert(read >= FRAME && read <= FRAME + 1024, `${read} bytes for a frame of ${FRAME} of ${name}`);
      await one.close();
      server.sent.clear();
      const opened = await openSession(url, options, undefined, SETTINGS) as Opened;
      const frames = Promise.all([opened.frame(undefined), opened.frame([3, 4])]);
      assertEquals((await answerTo(opened, ask("com"))).state, "done");
      await frames;
      await opened.keeping.settled;
      assertEquals(opened.keeping.state, "yes");
      await answerTo(opened, ask("ring", { ri: "3", ro: "9" }));
      await opened.frame([15, 15]);
      const sent = server.sent.get(name)!;
      assert(sent >= size && sent <= 1.02 * size, `${sent} bytes were sent of the ${size} of ${name}`);
      await opened.close();
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("the bytes of files that were picked are read once too, and the bits are the same", async () => {
  const folder = await Deno.makeTempDir();
  const slice = Blob.prototype.slice;
  let read = 0;
  try {
    for (const { name, options, files } of await writeScans(folder)) {
      const picked = await Promise.all(
        files.map(async (path) => new File([await Deno.readFile(path)], path.replace(/^.*\//, ""))),
      );
      const opened = await openSession(picked, options, undefined, { ...SETTINGS, workers: 0 }) as Opened;
      read = 0;
      Blob.prototype.slice = function (this: Blob, start = 0, end = this.size, type?: string) {
        read += end - start;
        return slice.call(this, start, end, type);
      };
      await Promise.all([opened.frame(undefined), answerTo(opened, ask("com")), opened.frame([3, 4])]);
      await opened.keeping.settled;
      await answerTo(opened, ask("disk", { r: "5" }));
      Blob.prototype.slice = slice;
      const { size } = picked.at(-1)!;
      assert(read >= size && read <= 1.02 * size, `${read} bytes were read of the ${size} of ${name}`);
      await useAll(opened);
      await opened.close();
    }
  } finally {
    Blob.prototype.slice = slice;
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a lattice is looked for in the sum of all frames that is there, and nothing is read for it", async () => {
  const folder = await Deno.makeTempDir();
  await using server = counting(folder);
  try {
    const [plain] = await writeScans(folder);
    const { name, options } = plain!;
    const keepsNothing = { ...SETTINGS, budget: { ...SETTINGS.budget, samples: 0 } };
    const opened = await openSession(server.url(name), options, undefined, keepsNothing) as Opened;
    await opened.frame(undefined);
    const before = server.sent.get(name)!;
    await opened.made(ask("refinelattice", { radius: "3" })).catch(() => {}); // noise may have no lattice
    assertEquals(server.sent.get(name), before);
    await opened.close();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
