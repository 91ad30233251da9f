/** Scripts, notebooks and commands that the page exports give the bits that it shows. */

import { assert, assertEquals } from "@std/assert";
import { toFileUrl } from "@std/path";
import type { NDArray } from "../../../mod.ts";
import { commandOf } from "../../../web/export/code/command.ts";
import { literal } from "../../../web/export/code/literal.ts";
import { notebookOf } from "../../../web/export/code/notebook.ts";
import { scriptOf } from "../../../web/export/code/script.ts";
import { arrayFiles } from "../../../web/export/data.ts";
import { fileName, type Recipe } from "../../../web/export/recipe.ts";
import { makeRecipe } from "../../../web/export/make_recipe.ts";
import type { Question } from "../../../web/engine/session.ts";
import { cli, runScript } from "../../cli/harness.ts";
import { answerTo, arraysOf, ask, bytes, OPTIONS, session } from "../engine/sessions.ts";

const CHOICES = { format: "raw", dtype: "uint16", byteOrder: "big", nav: "12 × 10", sig: "16x18" };

/** One question per way in which code is made. */
const QUESTIONS: readonly Question[] = [
  ask("disk_detector", { cy: "7.3", cx: "8", r: "4.2" }),
  ask("haadf", { r: "3" }, { kind: "rectangle", y: 1.5, x: 2, height: 6, width: 4 }),
  ask("standard_deviation", {}, { kind: "disk", cy: 5, cx: 4, r: 3.3 }),
  ask("centre_of_mass", { guess: "true", r: "7" }, { kind: "ring", cy: 5.5, cx: 4.5, ri: 1, ro: 4 }),
  ask("centre_of_mass", { regression: "@plane.npy" }),
  ask("apply_masks", { file: "masks.npy" }),
  ask("apply_masks", { make: "radialBins", bins: "3" }),
  ask("radial_fourier", { bins: "2", maxOrder: "3" }),
  ask("crystallinity", { ri: "1", ro: "5", cy: "8", cx: "9", r: "2" }),
  ask("fft_of_sum"),
  ask("strain_map", { radius: "2", zero: "8:9", a: "0:5", b: "5:0" }),
  ask("feature_vector", { radius: "2", peaks: "8:9;3:4" }),
  ask("cluster_frames", { n: "3", features: "5", ri: "1", ro: "7" }),
  ask("expression", { value: "sum(x > t) * k", mean: "frames.mean(x)", t: "100", k: "0.1" }),
  ask("pixel_values", { at: "3:4;8:9" }, { kind: "point", y: 3, x: 4 }),
];

async function npyOf(array: NDArray): Promise<Uint8Array> {
  const [file] = await arrayFiles(array, "a.npy");
  return new Uint8Array(await file!.blob.arrayBuffer());
}

/** Every `.npy` of a folder by the name of its result. */
function written(folder: string, base: string): Record<string, Uint8Array> {
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) =>
    name.startsWith(`${base}-`)
  );
  return Object.fromEntries(
    names.filter((name) => name.endsWith(".npy") && !name.endsWith(".valid.npy")).map((
      name,
    ) => [name.slice(base.length + 1, -4), Deno.readFileSync(`${folder}/${name}`)]),
  );
}

async function inFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  const plane: NDArray = {
    data: Float64Array.of(0.5, -1, 0.25, 0.1, 0, -0.05),
    shape: [3, 2],
    stride: [2, 1],
    dtype: "float64",
  };
  const masks: NDArray = {
    data: Float64Array.from({ length: 2 * 288 }, (_, i) => i % 7 - 2),
    shape: [2, 16, 18],
    stride: [288, 18, 1],
    dtype: "float64",
  };
  try {
    await Deno.writeFile(`${folder}/scan one's.raw`, bytes());
    await Deno.writeFile(`${folder}/plane.npy`, await npyOf(plane));
    await Deno.writeFile(`${folder}/masks.npy`, await npyOf(masks));
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Recipes and the bytes of what the session shows, by result. */
async function recipes(folder: string): Promise<(readonly [Recipe, Record<string, Uint8Array>])[]> {
  const opened = await session(true);
  for (const name of ["plane.npy", "masks.npy"]) {
    opened.files.set(name, new Blob([await Deno.readFile(`${folder}/${name}`)]));
  }
  const all: (readonly [Recipe, Record<string, Uint8Array>])[] = [];
  for (const question of QUESTIONS) {
    const answer = await answerTo(opened, question);
    assertEquals(answer.state, "done", `${JSON.stringify(question)}: ${answer.error?.message}`);
    const source = { kind: "files", names: ["scan one's.raw"] } as const;
    const recipe = await makeRecipe(opened, question, { source, choices: CHOICES, options: OPTIONS });
    const files = Object.entries(arraysOf(answer)).map(async ([name, array]) =>
      [name, await npyOf(array)] as const
    );
    all.push([recipe, Object.fromEntries(await Promise.all(files))]);
  }
  await opened.close();
  return all;
}

Deno.test("scripts and notebooks compute the same bits", async () => {
  await inFolder(async (folder) => {
    const made = await recipes(folder);
    const bodies = made.map(([recipe], i) => {
      const notebook = JSON.parse(notebookOf(recipe, "@tilewise/tilewise"));
      const cells = notebook.cells.filter((cell: { cell_type: string }) => cell.cell_type === "code");
      const text = i % 2 === 0
        ? scriptOf(recipe, "@tilewise/tilewise")
        : cells.map((cell: { source: string[] }) => cell.source.join("")).join("\n");
      Deno.mkdirSync(`${folder}/${i}`);
      Deno.writeTextFileSync(`${folder}/${i}/made.ts`, text);
      return `Deno.chdir(${JSON.stringify(`${folder}/${i}`)}); await import(${
        JSON.stringify(toFileUrl(`${folder}/${i}/made.ts`).href)
      });`;
    });
    for (const i of made.keys()) {
      for (const file of ["scan one's.raw", "plane.npy", "masks.npy"]) {
        await Deno.symlink(`${folder}/${file}`, `${folder}/${i}/${file}`);
      }
    }
    await Deno.writeTextFile(`${folder}/all.ts`, bodies.join("\n"));
    await runScript(`${folder}/all.ts`, folder);
    for (const [i, [recipe, expected]] of made.entries()) {
      const found = written(`${folder}/${i}`, fileName(recipe));
      const { pixels: _, ...same } = expected; // positions of pixels are a list in the library
      const wanted = recipe.analysis.name === "cluster_frames" ? same : expected;
      assertEquals(Object.keys(found).sort(), Object.keys(wanted).sort(), recipe.analysis.name);
      for (const name of Object.keys(wanted)) {
        assertEquals(found[name], wanted[name], `${recipe.analysis.name} ${name}`);
      }
    }
  });
});

Deno.test("commands compute the same bits", async () => {
  await inFolder(async (folder) => {
    for (const [recipe, expected] of await recipes(folder)) {
      const { words, text } = commandOf(recipe);
      assert(text.startsWith("tilewise run "));
      const out = `${folder}/${fileName(recipe)}-out`;
      await Deno.mkdir(out, { recursive: true });
      const here = words.map((word) =>
        word === recipe.source ? `${folder}/${word}` : word.replace(/(@|file=)(?=\w+\.npy)/, `$1${folder}/`)
      );
      const { code, err } = await cli([...here.slice(0, -1), `${out}/r.npy`, "--quiet"]);
      assertEquals(code, 0, `${text}\n${err}`);
      const names = Object.keys(expected);
      for (const name of names) {
        const path = names.length === 1 ? `${out}/r.npy` : `${out}/r-${name}.npy`;
        assertEquals(await Deno.readFile(path), expected[name], `${text}: ${name}`);
      }
      await Deno.remove(out, { recursive: true });
    }
  });
});

Deno.test("a shell passes the words of a command on as they are", async () => {
  const recipe = {
    source: 'it\'s $HOME; `x` \\ "y".raw',
    choices: { nav: "4 x 4", syncOffset: "-1", allowTruncated: "true", noSeries: "false", byteOrder: "big" },
    analysis: { name: "expr", values: { value: "sum(x > t)", t: "3" } },
    navShape: [4, 4],
    roi: { kind: "disk", cy: 1, cx: 1, r: 1 },
  } as unknown as Recipe;
  const { text, words } = commandOf(recipe);
  const script = `for word in ${text.replace(/^tilewise /, "")}; do printf '%s\\n' "$word"; done`;
  const { stdout } = await new Deno.Command("sh", { args: ["-c", script] }).output();
  assertEquals(new TextDecoder().decode(stdout).split("\n").slice(0, -1), [...words]);
  assertEquals(words.slice(3, 9), [
    "--nav",
    "4x4",
    "--sync-offset",
    "-1",
    "--allow-truncated",
    "--byte-order",
  ]);
  assertEquals(words.slice(10, 12), ["--roi", "0,1;1,0;1,1;1,2;2,1"]);
});

Deno.test("a literal is the same value again", () => {
  const values = [
    -0,
    1 / 3,
    1e300,
    NaN,
    -Infinity,
    "a\u2028\n\"'</script>",
    { "a b": [true, null], __c: { d: Float32Array.of(0.1, NaN) } },
    Uint8Array.of(),
  ];
  for (const value of values) assertEquals((0, eval)(`(${literal(value)})`), value);
});
