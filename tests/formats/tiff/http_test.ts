/**
 * TIFF over HTTP: directories and tables come in blocks, tiles that lie together with one request.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { openAllStored as openAll, openStored as open } from "../../../src/formats/open.ts";
import { box } from "../../../src/space/box.ts";
import { rightAnswer, serve } from "../../io/range_server.ts";
import { makeTiff, sampleAt } from "./make.ts";

Deno.test("a pyramid is opened with a few requests, and a part of it takes one or two more", async () => {
  const level = (height: number, width: number, subfile: number) =>
    ({ height, width, tile: [64, 64], compression: 8, entries: [[254, 4, [subfile]]] }) as const;
  const image = level(640, 640, 0);
  const bytes = makeTiff([image, level(320, 320, 1), level(160, 160, 1)]);
  let requests = 0;
  await using server = serve((question) => {
    requests++;
    return rightAnswer(bytes, question);
  });
  const dataset = await open(new URL("pyramid.tif", server.url));
  assertEquals(dataset.levels.length, 3);
  const opening = requests;
  assert(opening <= 6, `${opening} requests`);
  const { data } = await readBox(dataset, box([100, 100], [90, 90]));
  assertEquals(data[0], sampleAt(100 * 640 + 100, image));
  assert(requests - opening <= 4, `${requests - opening} requests`);
});

Deno.test("the directories of many pages that lie together come with one request", async () => {
  const bytes = makeTiff(Array.from({ length: 60 }, () => ({ height: 4, width: 5 })));
  let requests = 0;
  await using server = serve((question) => {
    requests++;
    return rightAnswer(bytes, question);
  });
  assertEquals((await openAll(new URL("pages.tif", server.url))).length, 60);
  assert(requests <= 4, `${requests} requests`);
});
