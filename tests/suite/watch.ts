/**
 * Whether tests touch what is not theirs: anything but the temporary folder and the caches.
 *
 * Other programs make files at the same time. So that what tests make can be told from it, they run with rights for new files that
 * nobody else uses: `rw----r--`. Programs that tests start inherit that.
 *
 * @module
 */

import { dirname, join } from "@std/path";

/** Keeps the group of its owner from a new file, and lets all others read it. */
const MARK = 0o073;

/** The rights of folders and programs, and of files, that were made under this mark. */
const RIGHTS = [0o777 & ~MARK, 0o666 & ~MARK];

/** From now on, what this process and its children make is marked. Nothing is marked where there are no such rights. */
export function marked(): Disposable {
  if (Deno.build.os === "windows") return { [Symbol.dispose]() {} };
  const before = Deno.umask(MARK);
  return { [Symbol.dispose]: () => void Deno.umask(before) };
}

/** What there is at one moment. */
export interface Look {
  /** Paths with the rights of {@link marked}. */
  readonly made: ReadonlySet<string>;
  /** How the files of the checkout differ from those that were committed. */
  readonly changes: string;
  /** What was made or changed since an earlier look: a line for each. */
  since(before: Look): string[];
}

/** Folders where only tools write, `dist` of the page too, and those that keep caches: of the system, of Deno, npm and Tilewise. */
const OF_TOOLS = new Set([".git", "node_modules", "dist", ".cache", ".npm", "Library"]);
const CACHES = new Set(
  ["XDG_CACHE_HOME", "DENO_DIR", "NPM_CONFIG_CACHE", "TILEWISE_CACHE"].map((name) => Deno.env.get(name)),
);

function* entries(folder: string, depth: number): Generator<string> {
  let found: Deno.DirEntry[];
  try {
    found = [...Deno.readDirSync(folder)];
  } catch {
    return; // it is not there, or is not ours to read
  }
  for (const { name, isDirectory } of found) {
    const path = join(folder, name);
    if (OF_TOOLS.has(name) || CACHES.has(path)) continue;
    yield path;
    if (isDirectory && depth > 1) yield* entries(path, depth - 1);
  }
}

function isMarked(path: string): boolean {
  try {
    return RIGHTS.includes((Deno.lstatSync(path).mode ?? 0) & 0o777);
  } catch {
    return false; // somebody has removed it
  }
}

/** The folders above `path`, up to the root. */
function above(path: string): string[] {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...above(folder)];
}

/** What is looked at around a checkout, and how deep: names that are cut, joined wrongly, or made of the wrong folder end up here. */
function places(root: string): Map<string, number> {
  const home = Deno.env.get("HOME"), temporary = Deno.env.get("TMPDIR") ?? "/tmp";
  const found = new Map([...above(root), Deno.cwd()].map((folder) => [folder, 1]));
  for (const folder of home ? ["", ".config", ".local", ".local/share"] : []) {
    found.set(join(home!, folder), 1);
  }
  found.set(join(root, "../shared"), 3);
  found.set(root, Infinity);
  found.delete(Deno.realPathSync(temporary));
  return found;
}

async function git(root: string, ...args: string[]): Promise<string> {
  try {
    const { stdout } = await new Deno.Command("git", { args, cwd: root, stderr: "null" }).output();
    return new TextDecoder().decode(stdout);
  } catch {
    return ""; // sources without git
  }
}

/** Looks at the checkout at `root`, and at what is around it. */
export async function look(root: string): Promise<Look> {
  const folder = Deno.realPathSync(root), made = new Set<string>();
  for (const [place, depth] of places(folder)) {
    for (const path of entries(place, depth)) if (isMarked(path)) made.add(path);
  }
  const changes = await git(folder, "diff", "HEAD", "--binary");
  return {
    made,
    changes,
    since(before) {
      const lines = [...made].filter((path) => !before.made.has(path)).map((path) => `Tests made ${path}`);
      const isChanged = changes !== before.changes;
      if (isChanged) lines.push("Files of the checkout changed while the tests ran: see git diff");
      return lines;
    },
  };
}
