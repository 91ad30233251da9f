/** Windows over files: what they show, what becomes of the memory, and that nothing a file does ends the process. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import { isTilewiseError } from "../../../src/errors.ts";
import { FileSource } from "../../../src/io/file/file.ts";
import { FileWindow } from "../../../src/io/map/window.ts";
import { whyNoPages, Windows } from "../../../src/io/map/windows.ts";
import { Leases } from "../../../src/runner/leases.ts";
import { Arena } from "../../../src/memory/arena.ts";

const WINDOW = 1 << 20;
const PAGE = 4096;

const why = whyNoPages();
const here = { ignore: why !== undefined, sanitizeResources: false };

interface Place extends Disposable {
  readonly arena: Arena;
  readonly leases: Leases;
  readonly window: FileWindow;
  readonly folder: string;
  readonly path: string;
  readonly bytes: Uint8Array;
  /** What is shown of the file; `undefined`: it must be read. */
  show(at: number, length: number): Uint8Array | undefined;
}

/** A file, and two windows in an arena; the second one is used. */
function place({ size = 3 * WINDOW, dir = undefined as string | undefined } = {}): Place {
  const folder = Deno.makeTempDirSync(dir === undefined ? {} : { dir });
  const path = `${folder}/file`;
  const bytes = Uint8Array.from({ length: size }, (_, i) => (i * 7 + (i >> 8)) % 251);
  Deno.writeFileSync(path, bytes);
  const source = FileSource.open(path);
  const arena = new Arena({ budget: 8 * WINDOW, shared: true });
  const leases = new Leases(arena);
  const windows = Windows.in(leases, 2, WINDOW + 2 ** 17)!;
  const window = new FileWindow(arena.memory, windows.places[1]!);
  return {
    arena,
    leases,
    window,
    folder,
    path,
    bytes,
    show(at, length) {
      const pointer = window.show(source, at, length);
      return pointer === undefined ? undefined : new Uint8Array(arena.memory.buffer, pointer, length);
    },
    [Symbol.dispose]() {
      window[Symbol.dispose]();
      leases[Symbol.dispose]();
      Deno.removeSync(folder, { recursive: true });
    },
  };
}

const equal = (found: Uint8Array | undefined, expected: Uint8Array) =>
  assert(found?.every((byte, i) => byte === expected[i]) && found.length === expected.length);

Deno.test({
  name: "a window shows any stretch that fits, moves on, and goes back",
  ...here,
  fn() {
    using file = place();
    const stretches: readonly (readonly [number, number])[] = [
      [0, 10],
      [PAGE - 3, 7],
      [13, 2 * PAGE],
      [WINDOW - 1, 2],
      [WINDOW + 5 * PAGE + 1, WINDOW - PAGE],
      [3 * WINDOW - 1, 1],
      [0, WINDOW],
    ];
    for (const [at, length] of stretches) equal(file.show(at, length), file.bytes.subarray(at, at + length));
    assertEquals(file.show(1, WINDOW), undefined, "it has no room");
    assertEquals(file.show(3 * WINDOW - 1, 2), undefined, "the file ends before");
    file.window.check();
  },
});

Deno.test({
  name: "the memory is zeros again when windows are returned, and may be leased again",
  ...here,
  fn() {
    using file = place();
    const shown = file.show(100, 1000)!;
    assert(shown.some((byte) => byte !== 0));
    file.leases[Symbol.dispose]();
    assert(shown.every((byte) => byte === 0));
    shown.fill(9);
    assertEquals(file.arena.used, 0);
    using all = file.arena.lease(8 * WINDOW, "everything");
    all.bytes().fill(1);
    assertEquals(Deno.readFileSync(file.path), file.bytes);
  },
});

Deno.test({
  name:
    "what is written to a window stays in the process, and is forgotten before the samples are shown again",
  ...here,
  fn() {
    using file = place();
    file.show(50, 100)!.fill(1);
    assertEquals(Deno.readFileSync(file.path), file.bytes);
    equal(file.show(50, 100), file.bytes.subarray(50, 150));
    file.window.check();
  },
});

for (const dir of [undefined, "/dev/shm"]) {
  const ignore = here.ignore || dir !== undefined && !isFolder(dir);
  Deno.test({
    name: `a file that ends while it is shown${
      dir ? ` on ${dir}` : ""
    } gives zeros and is told; it is not shown again`,
    ...here,
    ignore,
    fn() {
      using file = place({ ...(dir === undefined ? {} : { dir }) });
      const shown = file.show(0, WINDOW)!;
      Deno.truncateSync(file.path, 3 * PAGE);
      assert(shown.subarray(3 * PAGE).every((byte) => byte === 0));
      shown[WINDOW - 1] = 1; // a store is as harmless
      equal(shown.subarray(0, 3 * PAGE), file.bytes.subarray(0, 3 * PAGE));
      const error = assertThrows(() => file.window.check(), Error, "pages of it went away");
      assert(isTilewiseError(error, "io"));
      assertEquals(file.show(WINDOW, 10), undefined, "it ends before");
    },
  });
}

Deno.test({
  name: "a file that ended before is not shown, and neither is another one of the same name",
  ...here,
  fn() {
    using file = place();
    Deno.renameSync(file.path, `${file.folder}/older`);
    Deno.writeFileSync(file.path, file.bytes);
    assertEquals(file.show(0, 10), undefined);
    Deno.removeSync(file.path);
    assertEquals(file.show(0, 10), undefined);
    Deno.renameSync(`${file.folder}/older`, file.path);
    equal(file.show(0, 10), file.bytes.subarray(0, 10));
    Deno.truncateSync(file.path, 0);
    assertEquals(file.show(20, 10), undefined);
    file.window.check();
  },
});

Deno.test({
  name: "a file that was removed is shown to its end",
  ...here,
  fn() {
    using file = place();
    file.show(0, 10);
    Deno.removeSync(file.path);
    equal(file.show(2 * WINDOW, 100), file.bytes.subarray(2 * WINDOW, 2 * WINDOW + 100));
  },
});

Deno.test({
  name: "bytes beyond 4 GiB are shown",
  ...here,
  fn() {
    using file = place({ size: 1 });
    const path = `${file.folder}/large`;
    const at = 5 * 2 ** 30 + 4321;
    using large = Deno.openSync(path, { write: true, create: true });
    large.seekSync(at, Deno.SeekMode.Start);
    large.writeSync(Uint8Array.of(1, 2, 3));
    const pointer = file.window.show(FileSource.open(path), at - 1, 4)!;
    assertEquals([...new Uint8Array(file.arena.memory.buffer, pointer, 4)], [0, 1, 2, 3]);
  },
});

Deno.test({
  name: "more windows than the guard can hold are refused, and others come back",
  ...here,
  fn() {
    const arena = new Arena({ budget: 256 * WINDOW, shared: true });
    const leases = new Leases(arena);
    const one = () => Windows.in(leases, 1, WINDOW);
    const given = Array.from({ length: 64 }, one).filter((windows) => windows !== undefined);
    assertEquals(one(), undefined);
    assert(given.length > 60);
    leases[Symbol.dispose]();
    assertEquals(arena.used, 0);
    using again = new Leases(arena);
    assert(Windows.in(again, 1, WINDOW));
  },
});

Deno.test({
  name: "pages that go away elsewhere in the process end it, as without windows",
  ...here,
  async fn() {
    const script = `
      import { system } from ${JSON.stringify(import.meta.resolve("../../../src/io/map/system.ts"))};
      import { whyNoPages } from ${JSON.stringify(import.meta.resolve("../../../src/io/map/windows.ts"))};
      if (whyNoPages() !== undefined) throw new Error("no pages");
      const path = Deno.makeTempFileSync();
      Deno.writeFileSync(path, new Uint8Array(8192));
      const fd = system().open(new TextEncoder().encode(path + "\\0"), 0);
      const place = system().mmap(null, 8192n, 3, 2, fd, 0n);
      Deno.truncateSync(path, 0);
      Deno.removeSync(path);
      console.log("before");
      new Deno.UnsafePointerView(place).getUint8(0);
      console.log("after");`;
    const command = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", `data:text/javascript,${encodeURIComponent(script)}`],
    });
    const { signal, stdout } = await command.output();
    assertEquals([signal, new TextDecoder().decode(stdout)], ["SIGBUS", "before\n"]);
  },
});

function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}
