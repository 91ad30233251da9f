/** Kept results over reloads: what is kept while older ones are still read does not take their names, and files go in order. */

import { assertEquals } from "@std/assert";
import type { ShownImage } from "../../../web/draw/image.ts";
import { type Kept, keptFile } from "../../../web/panels/compare/kept_file.ts";
import { forget, keep, keptResults, restoreKept } from "../../../web/panels/compare/kept.ts";
import { START } from "../../../web/state/state.ts";

const AXES = [{ name: "y", step: 1, unit: "px" }, { name: "x", step: 1, unit: "px" }] as const;
const IMAGE = {
  array: { data: Float64Array.of(1, 2), shape: [1, 2], stride: [2, 1], dtype: "float64" },
  title: "one",
  axes: AXES,
} as ShownImage;

const RESULT = { name: "intensity", channel: 0 };

/** A folder of a browser, whose reading and writing last until the test lets them end. */
class SlowFolder {
  readonly files = new Map<string, Blob>();
  readonly reading = Promise.withResolvers<void>();
  readonly writing = Promise.withResolvers<void>();

  getDirectory = () => Promise.resolve(this);
  getDirectoryHandle = () => Promise.resolve(this);

  async *values() {
    await this.reading.promise;
    for (const file of this.files.values()) yield { kind: "file", getFile: () => Promise.resolve(file) };
  }

  getFileHandle = (name: string) =>
    Promise.resolve({
      createWritable: () => {
        let written: Blob;
        return Promise.resolve({
          write: (file: Blob) => Promise.resolve(void (written = file)),
          close: async () => {
            await this.writing.promise;
            this.files.set(name, written);
          },
        });
      },
    });

  removeEntry(name: string): Promise<void> {
    return this.files.delete(name) ? Promise.resolve() : Promise.reject(new Error(name));
  }
}

Deno.test("results that are kept while older ones are read get names of their own; one that is forgotten while it is written does not come back", async () => {
  const folder = new SlowFolder();
  const old: Kept = {
    id: "kept-1",
    title: "1: older",
    image: IMAGE,
    display: START.scan,
    analysis: START.analysis,
    result: RESULT,
    of: "",
  };
  folder.files.set(old.id, keptFile(old));
  Object.defineProperty(navigator, "storage", { value: folder, configurable: true });
  void restoreKept();
  const keeping = [keep(IMAGE, RESULT, START, ""), keep(IMAGE, RESULT, START, "")];
  folder.reading.resolve();
  await Promise.all(keeping);
  assertEquals(keptResults().map(({ id, title }) => [id, title.slice(0, 2)]), [
    ["kept-1", "1:"],
    ["kept-2", "2:"],
    ["kept-3", "3:"],
  ]);
  assertEquals(keptResults()[0]!.title, "1: older");
  forget("kept-2"); // its file is not written yet
  const last = Promise.withResolvers<void>();
  const remove = folder.removeEntry.bind(folder);
  folder.removeEntry = (name) => remove(name).finally(last.resolve);
  folder.writing.resolve();
  await last.promise;
  assertEquals([...folder.files.keys()], ["kept-1", "kept-3"]);
});
