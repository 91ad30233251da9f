/** A disk that is full, at whichever write: the old results and their manifest stay, nothing else is left, and it is said. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { contents, failWrite } from "../../io/failing_writes.ts";
import { succeeds } from "../../installed.ts";
import { cli, TILEWISE, withFolder, writeNpy } from "../harness.ts";

async function withOld(body: (folder: string, out: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const samples = Uint16Array.from({ length: 4 * 6 * 25 }, (_, i) => (i * i) % 97);
    await writeNpy(`${folder}/scan.npy`, "<u2", [4, 6, 5, 5], new Uint8Array(samples.buffer));
    const out = `${folder}/out`;
    await Deno.mkdir(out);
    for (
      const name of ["x.npy", "x.png", "x.run.json", "x-sum.npy", "x-sum.png", "x.csv", "x.mib", "x.hdr"]
    ) {
      await Deno.writeTextFile(`${out}/${name}`, `old ${name}`);
    }
    await body(folder, out);
  });
}

const COMMANDS: Readonly<Record<string, (scan: string, out: string) => string[]>> = {
  "run, several results": (
    scan,
    out,
  ) => ["run", "sum", "sumsig", scan, "--workers", "0", "-o", `${out}/x.npy`],
  "run, an archive": (scan, out) => ["run", "sum", "sumsig", scan, "--workers", "0", "-o", `${out}/x.npz`],
  "pick with a picture": (scan, out) => ["pick", scan, "--at", "1,1", "-o", `${out}/x.npy`],
  "pick as text": (scan, out) => ["pick", scan, "--at", "1,1", "-o", `${out}/x.csv`],
  "convert with a description": (scan, out) => ["convert", scan, `${out}/x.mib`, "--workers", "0"],
};

for (const [name, words] of Object.entries(COMMANDS)) {
  Deno.test(`${name}: a write that fails, the n-th for every n, leaves all old files`, async () => {
    await withOld(async (folder, out) => {
      const before = contents(out);
      for (let n = 1;; n++) {
        assert(n < 200);
        using fault = await failWrite(n, "ENOSPC");
        const { code, err } = await cli([...words(`${folder}/scan.npy`, out), "--quiet"]);
        if (fault.calls < n) {
          assertEquals(code, 0, err);
          assert(n > 5);
          break;
        }
        assertEquals(code, 1);
        assertMatch(err, /^tilewise: \[io\] Cannot write \S+\/out\/x\S*: the disk is full; /);
        const after = contents(out);
        assertEquals(Object.keys(after).filter((name) => name.startsWith(".")), []);
        if (fault.renamed === 0) assertEquals(after, before); // else all is written, and a name could not be given
        for (const name of Object.keys(after)) if (!(name in before)) await Deno.remove(`${out}/${name}`);
        for (const name of Object.keys(before)) await Deno.writeTextFile(`${out}/${name}`, `old ${name}`);
      }
    });
  });
}

/** Whether this user may mount: a small file system of its own is a disk that gets full in earnest. */
function mount(folder: string, bytes: number): boolean {
  return succeeds("mount", "-t", "tmpfs", "-o", `size=${bytes}`, "none", folder);
}

Deno.test("on a file system that gets full, or a file that gets too large, nothing of the old is lost", async () => {
  await withFolder(async (folder) => {
    const disk = `${folder}/disk`;
    await Deno.mkdir(disk);
    const isMounted = mount(disk, 512 * 1024);
    try {
      await Deno.writeFile(`${folder}/scan.raw`, new Uint8Array(2 ** 20));
      const flags = ["--dtype", "uint8", "--nav", "16x16", "--sig", "64x64", "--quiet"];
      const old = ["x.npy", "x.csv", "x.raw", "x.rpl", "x.run.json"];
      for (const name of old) await Deno.writeTextFile(`${disk}/${name}`, `old ${name}`);
      const before = contents(disk);
      const scan = `${folder}/scan.raw`;
      const commands = [
        ["pick", scan, "--box", ":,:,:,:", "-o", `${disk}/x.csv`],
        ["pick", scan, "--box", ":,:,:,:", "-o", `${disk}/x.npy`],
        ["convert", scan, `${disk}/x.raw`],
        ["run", "expr:x*1.0", scan, "-o", `${disk}/x.npy`],
      ];
      for (const words of commands) {
        const { code, err } = await limited([...words, ...flags], isMounted ? "unlimited" : "256");
        assertEquals(code, 1, `${words}: ${err}`);
        assertMatch(
          err,
          /^tilewise: \[io\] Cannot write \S+\/disk\/x\.\w+: (the disk is full|the file would be)/,
        );
        assertEquals(contents(disk), before, words.join(" "));
      }
    } finally {
      if (isMounted) await new Deno.Command("umount", { args: [disk] }).output();
    }
  });
});

/** Runs the command where files may have so many KiB. */
async function limited(words: readonly string[], kib: string): Promise<{ code: number; err: string }> {
  const { code, stderr } = await new Deno.Command("bash", {
    args: [
      "-c",
      `trap '' XFSZ; ulimit -f ${kib}; exec "$0" "$@"`,
      Deno.execPath(),
      ...TILEWISE,
      ...words,
    ],
    stdout: "null",
    stderr: "piped",
  }).output();
  return { code, err: new TextDecoder().decode(stderr) };
}
