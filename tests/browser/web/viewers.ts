/**
 * Viewers of others that Tilewise feeds: fetched once by npm, into a folder of the user's cache. They are not dependencies of
 * `deno.json`, as everybody would fetch them.
 *
 * @module
 */

import { join } from "@std/path";
import { cacheFolder, npmInstall } from "../../../assembly/tools.ts";
import { browserTest, HAS_CHROMIUM } from "../setup/mod.ts";

/** A viewer: its packages, the first is its own; what npm takes for packages that it cannot have. */
interface Viewer {
  readonly packages: readonly string[];
  readonly overrides?: Readonly<Record<string, string>>;
}

const VIEWERS = {
  viv: {
    packages: [
      "@vivjs/layers@0.21.0",
      "@deck.gl/core@9.2.9",
      "@deck.gl/geo-layers@9.2.9",
      "@deck.gl/layers@9.2.9",
    ],
    overrides: { "@luma.gl/gltf": "9.2.6" }, // deck.gl names no version; the newest does not fit the others
  },
  neuroglancer: {
    packages: ["neuroglancer@2.41.2"],
    overrides: { ikonate: "npm:crc-32@1.2.2" }, // icons, at a place that is not npm's
  },
} satisfies Readonly<Record<string, Viewer>>;

/** A test with the packages of a viewer in Chromium; ignored where npm cannot get them. `body` gets their `node_modules`. */
export async function viewerTest(
  viewer: keyof typeof VIEWERS,
  name: string,
  body: (modules: string) => Promise<void>,
): Promise<void> {
  const modules = HAS_CHROMIUM ? await installed(VIEWERS[viewer]) : "";
  if (modules === undefined) Deno.test.ignore(`${name}: npm cannot get ${viewer}`, () => {});
  else browserTest(name, () => body(modules));
}

/** The folder `node_modules` with a viewer; nothing without npm or its registry. */
async function installed({ packages, overrides }: Viewer): Promise<string | undefined> {
  const folder = join(cacheFolder(), packages[0]!.replaceAll("/", "-"));
  const modules = join(folder, "node_modules");
  const isThere = await Deno.stat(join(modules, ".package-lock.json")).then(() => true, () => false); // written at the end
  if (isThere) return modules;
  try {
    await npmInstall(folder, packages, overrides);
    return modules;
  } catch (error) {
    console.error(String(error));
    return undefined;
  }
}
