/** Names below roots: no name, no link and no replacement in between leads out of them. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import { dirname, join } from "@std/path";
import type { OpenFlags, SynchronousBackEnd } from "../../../src/channels/backends/back_end.ts";
import { systemFiles } from "../../../src/channels/backends/node.ts";
import { replaceNodeFs } from "../../../src/channels/backends/platform.ts";
import type { TilewiseError } from "../../../src/errors.ts";
import { errnoOf } from "./subject.ts";

interface Folders {
  readonly files: SynchronousBackEnd;
  readonly inside: string;
  readonly outside: string;
}

/** `inside` is the root; `outside/secret` must stay as it is. */
async function withFolders(work: (folders: Folders) => void | Promise<void>): Promise<void> {
  const top = await Deno.realPath(await Deno.makeTempDir());
  const [inside, outside] = [join(top, "inside"), join(top, "outside")];
  try {
    await Deno.mkdir(join(inside, "sub"), { recursive: true });
    await Deno.mkdir(outside);
    await Deno.writeTextFile(join(outside, "secret"), "secret");
    await Deno.writeTextFile(join(inside, "sub/file"), "fine");
    await work({ files: systemFiles([inside]), inside, outside });
    assertEquals(await Deno.readTextFile(join(outside, "secret")), "secret");
    assertEquals([...Deno.readDirSync(outside)].map(({ name }) => name), ["secret"]);
  } finally {
    await Deno.remove(top, { recursive: true });
  }
}

const FLAGS: readonly OpenFlags[] = ["r", "w", "a", "r+", "w+", "a+"];

async function refused(files: SynchronousBackEnd, name: string): Promise<void> {
  for (const flags of FLAGS) {
    assertEquals(await errnoOf(() => files.open(name, flags)), "EACCES", `${flags} ${name}`);
  }
  assertEquals(await errnoOf(() => files.stat(name)), "EACCES", name);
}

Deno.test("names with .. and absolute names outside are refused, and the message names the root", () =>
  withFolders(async ({ files, inside, outside }) => {
    const names = [
      "../outside/secret",
      "sub/../../outside/secret",
      "..",
      "sub/..",
      join(outside, "secret"),
      "/",
      "/etc/passwd",
    ];
    for (const name of [...names, `${inside}/../outside/secret`, `${inside}x`, `${inside}x/y`]) {
      await refused(files, name);
      for (const act of [files.list, files.remove, files.mkdir]) {
        assertEquals(await errnoOf(() => act(name)), "EACCES", name);
      }
    }
    const error = assertThrows(() => files.open("../x", "r"), Error, inside) as TilewiseError;
    assertEquals([error.code, error.details["root"]], ["permission", inside]);
  }));

Deno.test("names inside are found by relative, dotted and absolute names", () =>
  withFolders(({ files, inside }) => {
    for (const name of ["sub/file", "./sub/./file", "sub//file", join(inside, "sub/file"), "...", "..x"]) {
      const file = files.open(name, name.startsWith("..") ? "w" : "r");
      files.close(file);
    }
    assertEquals(files.list("."), ["...", "..x", "sub"]);
    assertEquals(files.list(inside), ["...", "..x", "sub"]);
  }));

Deno.test("links that lead out are refused wherever they stand, links inside are followed", () =>
  withFolders(async ({ files, inside, outside }) => {
    await Deno.symlink(join(outside, "secret"), join(inside, "last"));
    await Deno.symlink("../../outside/secret", join(inside, "sub/relative"));
    await Deno.symlink(outside, join(inside, "middle"));
    await Deno.symlink("middle", join(inside, "chain"));
    await Deno.symlink(join(outside, "new"), join(inside, "dangling"));
    await Deno.symlink("round", join(inside, "round"));
    for (const name of ["last", "sub/relative", "middle/secret", "chain/secret", "chain"]) {
      await refused(files, name);
    }
    for (const name of ["middle/new", "chain/new"]) {
      assertEquals(await errnoOf(() => files.open(name, "w")), "EACCES");
      assertEquals(await errnoOf(() => files.mkdir(name)), "EACCES");
    }
    assertEquals([
      await errnoOf(() => files.list("middle")),
      await errnoOf(() => files.remove("middle/secret")),
    ], ["EACCES", "EACCES"]);
    for (const name of ["dangling", "round"]) assert(await errnoOf(() => files.open(name, "w")) !== "", name);
    await Deno.symlink("sub/file", join(inside, "good"));
    await Deno.symlink("sub", join(inside, "way"));
    for (const name of ["good", "way/file"]) files.close(files.open(name, "r+"));
    files.remove("last"); // the link, not what it leads to
    assertEquals(await errnoOf(() => files.stat("last")), "ENOENT");
  }));

Deno.test("a root may be a link, and several roots are used by absolute names", () =>
  withFolders(async ({ inside, outside }) => {
    const link = `${inside}-link`;
    await Deno.symlink(inside, link);
    const files = systemFiles([link, outside]);
    for (
      const name of ["sub/file", join(link, "sub/file"), join(inside, "sub/file"), join(outside, "secret")]
    ) {
      files.close(files.open(name, "r"));
    }
    await Deno.symlink(join(outside, "secret"), join(inside, "across"));
    files.close(files.open("across", "r"));
  }));

Deno.test("a root itself is neither removed nor made nor opened", () =>
  withFolders(async ({ files, inside }) => {
    assertEquals(await errnoOf(() => files.remove(inside)), "EEXIST");
    assertEquals(await errnoOf(() => files.mkdir(".")), "EEXIST");
    assertEquals(await errnoOf(() => files.open(".", "r")), "EISDIR");
    assertEquals(files.stat(".").kind, "directory");
  }));

Deno.test("roots that are missing or no folders are refused when the host starts", () =>
  withFolders(({ inside }) => {
    assertThrows(() => systemFiles([join(inside, "none")]), Error, "Cannot use the root");
    assertThrows(() => systemFiles([join(inside, "sub/file")]), Error, "it is not a folder");
  }));

/** Between the check of a name and its opening, `swap` happens; `hide`: Linux does not say where an open file lies. */
async function race(
  folders: Folders,
  flags: OpenFlags,
  hide: boolean,
  swap: () => void,
  back = () => {},
): Promise<string> {
  const { openSync, realpathSync } = await import("node:fs");
  using _calls = replaceNodeFs({
    openSync: (path, ...rest) => {
      swap();
      const file = openSync(path, ...rest);
      back();
      return file;
    },
    realpathSync,
    ...(hide ? { readlinkSync: (() => assertThrows(() => {})) as never } : {}),
  });
  const found = await errnoOf(() => folders.files.open("sub/secret", flags));
  assertEquals(openFilesBelow(dirname(folders.inside)), [], "a refused file stays open");
  return found;
}

/** Only those below `folder`: tests that run beside this one in the same process open files of their own. */
function openFilesBelow(folder: string): string[] {
  return [...Deno.readDirSync("/proc/self/fd")].flatMap(({ name }) => {
    try {
      const path = Deno.readLinkSync(`/proc/self/fd/${name}`);
      return path.startsWith(`${folder}/`) ? [path] : [];
    } catch {
      return []; // closed meanwhile, as the listing of this folder itself is
    }
  });
}

for (const hide of [false, true]) {
  for (const flags of ["r", "w", "r+", "a+"] as const) {
    const name = `a folder that is replaced by a link before the opening, ${flags}${
      hide ? ", by its number" : ""
    }`;
    Deno.test({
      name,
      ignore: Deno.build.os !== "linux",
      fn: () =>
        withFolders(async (folders) => {
          const sub = join(folders.inside, "sub");
          await Deno.writeTextFile(join(sub, "secret"), "bait");
          const swap = () => {
            Deno.renameSync(sub, `${sub}-before`);
            Deno.symlinkSync(folders.outside, sub);
          };
          const back = () => {
            Deno.removeSync(sub);
            Deno.renameSync(`${sub}-before`, sub);
          };
          assertEquals(await race(folders, flags, hide, swap, back), "EACCES", "replaced, and put back");
          assertEquals(await race(folders, flags, hide, swap), "EACCES");
        }),
    });
  }
}

Deno.test("a file that is replaced by a link before the opening is not followed", () =>
  withFolders(async (folders) => {
    const path = join(folders.inside, "sub/secret");
    await Deno.writeTextFile(path, "bait");
    const swap = () => {
      Deno.removeSync(path);
      Deno.symlinkSync(join(folders.outside, "secret"), path);
    };
    assertEquals(await race(folders, "w", false, swap), "EACCES");
  }));

Deno.test("permissions are those of the runtime: a root does not widen them", async () => {
  const top = await Deno.realPath(await Deno.makeTempDir());
  await Deno.mkdir(join(top, "in"));
  await Deno.writeTextFile(join(top, "in/file"), "fine");
  const code = `
    import { systemFiles } from ${
    JSON.stringify(import.meta.resolve("../../../src/channels/backends/node.ts"))
  };
    const files = systemFiles([${JSON.stringify(join(top, "in"))}]);
    const tries = [() => files.open("file", "r"), () => files.open("file", "r+"), () => files.open("new", "w"), () => files.mkdir("d")];
    console.log(tries.map((act) => { try { return typeof act(); } catch (error) { return error.name; } }).join());
    try { systemFiles([${
    JSON.stringify(top)
  }]); } catch (error) { console.log(error.code, error.message.includes(${JSON.stringify(top)})); }
  `;
  await Deno.writeTextFile(join(top, "program.ts"), code);
  const source = new URL("../../../src", import.meta.url).pathname;
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-check",
      "--no-prompt",
      `--allow-read=${join(top, "in")},${source}`,
      join(top, "program.ts"),
    ],
  }).output();
  assertEquals(
    new TextDecoder().decode(stdout),
    "number,NotCapable,NotCapable,NotCapable\npermission true\n",
    new TextDecoder().decode(stderr),
  );
  await Deno.remove(top, { recursive: true });
});
