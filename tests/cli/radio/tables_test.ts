/** Every verb of observations reads tables as people get them: with Dysco, of old programs, and with rows of another table. */

import { assertEquals } from "@std/assert";
import { hasReports, reportedPath, reportedTable } from "../../observations/packed.ts";
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
