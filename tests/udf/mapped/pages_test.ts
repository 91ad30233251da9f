/** Plans that map files: what they say, which formats they reach, and what happens without the permission. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { FORMATS } from "../../../src/formats/registry.ts";
import { open } from "../../../src/formats/open.ts";
import { whyNoPages } from "../../../src/io/map/windows.ts";
import { createContext } from "../../../src/runner/context.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { sumPixels } from "../../../src/udf/builtin/sum_pixels.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { cli, withFolder } from "../../cli/harness.ts";
import { formatIdOf, needSamples, optionsOf, pathOf, READABLE } from "../../formats/conformance/samples.ts";
import { cases } from "../../suite/cases.ts";
import { digests, scanOf } from "../builtin/every_builtin.ts";
import { inFile } from "./mapped_scan.ts";

const here = { ignore: whyNoPages() !== undefined, sanitizeResources: false };
const UDFS = { frames: sumFrames(), pixels: sumPixels() };

Deno.test({
  name: "a plan says whether files are mapped, and if not, why",
  ...here,
  fn: () =>
    withFolder(async (folder) => {
      const scan = scanOf("float32");
      const file = inFile(scan, folder);
      const pages = async (data: typeof scan, map: boolean, memory = "256MiB") => {
        await using context = createContext({ memory, workers: 1, map });
        const { window, why, text } = await plan(data, UDFS, { context }).then((found) => ({
          window: found.memory.window,
          why: found.pages?.why,
          text: found.explain(),
        }));
        return [window > 0, why, text.split("\n").find((line) => line.startsWith("pages"))?.slice(11)];
      };
      const memory = "there is no memory for windows";
      const words = "mapped, 16 MiB per worker at a time: tiles are not copied";
      const elsewhere = "only files on this machine can be mapped";
      assertEquals(await pages(file, false), [false, undefined, undefined]);
      assertEquals(await pages(file, true), [true, memory, words]);
      assertEquals(await pages(file, true, "8MiB"), [false, memory, `not mapped, but read: ${memory}`]);
      assertEquals(await pages(scan, true), [false, elsewhere, `not mapped, but read: ${elsewhere}`]);
    }),
});

Deno.test({
  name: "without the permission files are read, and the plan names it",
  permissions: { read: true, write: true, env: true, sys: true, ffi: false },
  fn: () =>
    withFolder(async (folder) => {
      await using context = createContext({ workers: 0, map: true });
      const planned = await plan(inFile(scanOf("uint16"), folder), UDFS, { context });
      assertEquals(planned.memory.window, 0);
      if (Deno.build.os === "linux" && Deno.build.arch === "x86_64") {
        assertStringIncludes(planned.explain(), "this needs a permission of Deno; add --allow-ffi");
      }
      await run(planned);
    }),
});

/** Samples of a format. */
const MOST = cases(1, 3);

needSamples("mapped formats");

Deno.test({
  name:
    "mapped samples of all formats give the bits of those that are read; most formats of plain frames are mapped",
  ...here,
  ignore: here.ignore || READABLE.length === 0,
  async fn() {
    await using read = createContext({ workers: 0 });
    await using mapped = createContext({ workers: 0, map: true });
    const met = new Map<string, number>();
    for (const entry of READABLE) {
      const id = formatIdOf(entry);
      if ((met.get(id) ?? 0) >= MOST) continue;
      const dataset = await open(pathOf(entry), { ...optionsOf(entry), format: id }).catch(() => undefined);
      if (!dataset || dataset.frames * dataset.pixels === 0 || dataset.sigShape.length === 0) continue;
      const planned = await plan(dataset, UDFS, { context: mapped });
      if (planned.memory.window === 0) continue;
      met.set(id, (met.get(id) ?? 0) + 1);
      const expected = await digests(await run(await plan(dataset, UDFS, { context: read })));
      assertEquals(await digests(await run(planned)), expected, entry.file);
    }
    const known = FORMATS.map(({ id }) => id);
    assert([...met.keys()].every((id) => known.includes(id)));
    const plain = ["npy", "raw", "mrc", "dm", "mib", "hdf5", "seq", "empad", "blo", "ser", "tvips"];
    assertEquals(plain.filter((id) => !met.has(id) && known.includes(id)), []);
  },
});

Deno.test({
  name: "run --map says if files are not mapped, and goes on",
  ...here,
  fn: () =>
    withFolder(async (folder) => {
      const path = `${folder}/scan.raw`;
      await Deno.writeFile(path, new Uint8Array(64).fill(3));
      const words = ["run", "sumsig", path, "--dtype", "uint8", "--nav", "4", "--sig", "4x4", "--map"];
      const dry = await cli([...words, "--dry-run", "--json"]);
      const { mapped, explain } = JSON.parse(dry.out);
      assertEquals([dry.code, mapped], [0, true]);
      assertStringIncludes(explain, "\npages      mapped, ");
      const small = await cli([...words, "--memory", "1MiB"]);
      assertEquals(small.code, 0);
      assertStringIncludes(small.err, "files are read, not mapped: there is no memory for windows");
    }),
});
