/** The cache folder: used where it may be, silent where not. */

import { assertEquals } from "@std/assert";
import { readCache, setCacheFolder, writeCache } from "../../src/io/write/cache.ts";

const SCRIPT = `
  import { readCache, writeCache } from ${
  JSON.stringify(new URL("../../src/io/write/cache.ts", import.meta.url).href)
};
  console.log(await writeCache("x.bin", Uint8Array.of(1, 2)), [...(await readCache("x.bin") ?? [])].join());
`;

async function inProcess(flags: readonly string[], env: Record<string, string>): Promise<string> {
  const args = ["run", "--no-prompt", ...flags, "-"];
  const command = new Deno.Command(Deno.execPath(), {
    args,
    env,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  });
  const child = command.spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(SCRIPT));
  await writer.close();
  const { stdout, stderr } = await child.output();
  return new TextDecoder().decode(stdout).trim() || new TextDecoder().decode(stderr);
}

Deno.test("entries come back, from a folder that is made when it is needed", async () => {
  const folder = await Deno.makeTempDir();
  try {
    setCacheFolder(`${folder}/deep/cache`);
    assertEquals(await readCache("a.json"), undefined);
    assertEquals(await writeCache("a.json", Uint8Array.of(7)), true);
    assertEquals([...(await readCache("a.json"))!], [7]);
    setCacheFolder("");
    assertEquals(await writeCache("a.json", Uint8Array.of(7)), false);
    setCacheFolder(`${folder}/deep/cache/a.json`); // a file: no folder can be made there
    assertEquals(await writeCache("b.json", Uint8Array.of(7)), false);
  } finally {
    setCacheFolder("");
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("without permissions there is no cache, and no question", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const env = { XDG_CACHE_HOME: folder, HOME: Deno.env.get("HOME") ?? folder };
    const sources = `--allow-read=${new URL("../../src", import.meta.url).pathname}`;
    assertEquals(await inProcess([sources], env), "false");
    assertEquals(
      await inProcess([sources, "--allow-env=XDG_CACHE_HOME,TILEWISE_CACHE"], env),
      "false",
    );
    assertEquals(await inProcess(["-A"], env), "true 1,2");
    assertEquals([...Deno.readDirSync(`${folder}/tilewise`)].map(({ name }) => name), ["x.bin"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
