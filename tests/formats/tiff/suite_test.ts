/**
 * TIFF arrays of every kind of storage pass the conformance suite of formats: from a file, a blob and a server.
 *
 * @module
 */

import { fromFileUrl } from "@std/path";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { type OpenOptions, openStored as open } from "../../../src/formats/open.ts";
import { createContext } from "../../../src/runner/context.ts";
import { wholeBox } from "../../../src/space/box.ts";
import { rightAnswer, serve } from "../../io/range_server.ts";
import { formatConformance, type OpenArray } from "../conformance/conformance.ts";
import { FOLDER, needSamples, TIFFS } from "../conformance/samples.ts";

/** Files, and the array of each: their samples are compared with those of other programs by `expectations_test.ts`. */
const FILES: readonly (readonly [file: string, array: string])[] = [
  ["test_loading_image_saved_with_imageJ_stack.tif", "series0"], // plain samples
  ["w_tiffcp_rgb_planar_lzw2_tiles.tif", "ifd0"], // planes of tiles
  ["uint16_LZW_predictor_2.tif", "ifd0"],
  ["mri.tif", "series0"], // strips of several pages
];

needSamples("TIFF files in the conformance suite");
Deno.test({
  name: "TIFF files of every kind of storage pass the conformance suite",
  ignore: TIFFS.length === 0, // ../shared is not beside this checkout
  fn: async (test) => {
    await using inline = createContext({ memory: 2 ** 28, workers: 0 });
    await using workers = createContext({ memory: 2 ** 28, workers: 2 });
    for (const [name, array] of FILES) {
      const bytes = Deno.readFileSync(new URL(`tiff/${name}`, FOLDER));
      await using server = serve((question) => rightAnswer(bytes, question));
      const opener = (source: Parameters<typeof open>[0]): OpenArray => (options: OpenOptions) =>
        open(source, { ...options, array });
      const sources = {
        file: opener(fromFileUrl(new URL(`tiff/${name}`, FOLDER))),
        blob: opener(new File([bytes], name)),
        http: opener(new URL(name, server.url)),
      };
      await test.step(name, async () => {
        const dataset = await sources.file({});
        const { data } = await readBox(dataset, wholeBox(dataset.shape));
        const decoded = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
        await formatConformance(sources.file, decoded, { inline, workers, sources });
      });
    }
  },
});
