/** Every verb of observations reads tables as people get them: with Dysco, of old programs, and with rows of another table. */

import { assertEquals } from "@std/assert";
import { hasReports, reportedPath, reportedTable, unpacked } from "../../observations/packed.ts";
import { readPng } from "../../pictures/read_png.ts";
import { cli, withFolder } from "../harness.ts";

for (
  const [table, rows, needed] of [["dysco.ms", 18, []], ["aips.ms", 18, []], ["ref.ms", 9, [
    "plain.ms",
  ]]] as const
) {
  Deno.test({
    name: `${table} goes through info, predict, image and uvplot`,
    ignore: !hasReports(),
    fn: async () => {
      await withFolder(async (folder) => {
        for (const name of [table, ...needed]) {
          await using unpacked = await reportedTable(name);
          await Deno.rename(unpacked.path, `${folder}/${name}`);
        }
        const set = `${folder}/${table}`;
        for (
          const words of [
            ["info", set, "--json"],
            ["predict", reportedPath("sky.txt"), set, "-o", `${folder}/model.npy`, "--json"],
            ["image", set, "-o", `${folder}/image.npy`, "--no-picture", "--pixels", "32", "--json"],
            ["uvplot", set, "-o", `${folder}/uv.png`, "--json", "--pixels", "320"],
          ]
        ) {
          const told = await cli(words);
          assertEquals(told.code, 0, `${words[0]}: ${told.err}`);
          const facts = told.json();
          const shown = JSON.stringify(facts.at(words[0] === "info" ? 0 : -1));
          assertEquals(
            new RegExp(`"rows":${rows}\\b|"shape":\\[${rows},`).test(shown),
            true,
            `${words[0]}: ${shown}`,
          );
        }
      });
    },
  });
}

Deno.test("a table that joins two sets gives what the set with all rows gives, in every verb", async () => {
  await using opened = await unpacked(new URL("../../data/observations/joined.tgz", import.meta.url));
  const { folder } = opened, sky = `${folder}/sky.csv`;
  await Deno.writeTextFile(sky, "Name,Ra,Dec,I,Q,U,V\na,68.9,-28.75,2,0.2,0.1,-0.3\nb,68.6,-28.5,1,0,0,0\n");
  const size = ["--pixels", "48", "--cell", "30asec"];
  const results: Record<string, unknown>[] = [];
  await Deno.mkdir(`${folder}/one`);
  await Deno.rename(`${folder}/whole.ms`, `${folder}/one/both.ms`); // pictures have the name in them
  for (const [i, path] of [`${folder}/one/both.ms`, `${folder}/both.ms`].entries()) {
    const files = ["model.npy", "image.npy", "uv.png"].map((name) => `${folder}/${i}${name}`);
    const told = [
      await cli(["info", path, "--json"]),
      await cli(["predict", sky, path, "-o", files[0]!, "--json"]),
      await cli([
        "image",
        path,
        "-o",
        files[1]!,
        "--no-picture",
        ...size,
        "--correlation",
        "I,Q,U,V",
        "--json",
      ]),
      await cli(["uvplot", path, "-o", files[2]!, "--pixels", "320", "--json"]),
    ];
    for (const { code, err } of told) assertEquals(code, 0, err);
    const [info] = told[0]!.json() as { observation: Record<string, unknown> }[];
    const { columns: _, size: _size, source: _source, ...observation } = info!.observation;
    const bytes = files.map((file) => Deno.readFileSync(file));
    results.push({ observation, model: bytes[0], image: bytes[1], picture: readPng(bytes[2]!).samples });
  }
  const [whole, both] = results;
  assertEquals(both!["observation"], whole!["observation"]);
  for (const name of ["model", "image", "picture"]) assertEquals(both![name], whole![name], name);
});
