/**
 * Whether two paths lead to the same file: after links of both kinds, `.` and `..`, and whatever else a file system does to
 * names.
 *
 * @module
 */

/** Whether two paths lead to the same existing file. */
export async function isSameFile(a: string, b: string): Promise<boolean> {
  return await firstSame([a], [b]) !== undefined;
}

/** The first of `outputs` that leads to the same existing file as one of `inputs`, and that input. */
export async function firstSame(
  outputs: Iterable<string>,
  inputs: Iterable<string>,
): Promise<readonly [output: string, input: string] | undefined> {
  const known = new Map<string, string>();
  for (const input of inputs) for (const key of await keysOf(input)) known.set(key, input);
  for (const output of outputs) {
    for (const key of await keysOf(output)) if (known.has(key)) return [output, known.get(key)!];
  }
  return undefined;
}

/** The first of `paths` at which a file would replace that of an earlier one, and the earlier one. */
export async function firstTwice(
  paths: Iterable<string>,
): Promise<readonly [path: string, earlier: string] | undefined> {
  const known = new Map<string, string[]>();
  for (const path of paths) {
    const place = await placeOf(path);
    const alike = known.get(folded(place)) ?? [];
    for (const earlier of alike) if (await isSamePlace(place, earlier)) return [path, earlier];
    known.set(folded(place), [...alike, place]);
  }
  return undefined;
}

/** What tells an existing file from all others: its numbers, and its path without links. None where there is no file. */
async function keysOf(path: string): Promise<string[]> {
  const [{ realpath, stat }] = await nodeModules();
  const facts = await stat(path, { bigint: true }).catch(() => undefined);
  const real = await realpath(path).catch(() => undefined);
  return [
    ...(facts && facts.ino !== 0n ? [`${facts.dev}:${facts.ino}`] : []), // some systems have no numbers
    ...(real === undefined ? [] : [real]),
  ];
}

/** Where a file of that name is or would be: its folder without links. A link of that name would itself be replaced. */
async function placeOf(path: string): Promise<string> {
  const [{ realpath }, { basename, dirname, join, resolve }] = await nodeModules();
  const whole = resolve(path);
  const folder = await realpath(dirname(whole)).catch(() => dirname(whole));
  return join(folder, basename(whole));
}

/** Some file systems do not tell capital letters from small ones, or two ways to write an accent. */
function folded(place: string): string {
  return place.normalize("NFC").toLowerCase();
}

async function isSamePlace(a: string, b: string): Promise<boolean> {
  if (a === b) return true;
  const [fs, { dirname, join }] = await nodeModules();
  const probe = join(dirname(a), `.tilewise-${crypto.randomUUID()}.tmp`);
  try {
    await (await fs.open(probe, "wx")).close();
    return await isSameFile(probe, probe.replace(".tilewise-", ".TILEWISE-"));
  } catch {
    return false; // no folder yet, so no file either
  } finally {
    await fs.rm(probe, { force: true }).catch(() => {});
  }
}

/** Loaded when first needed, so that browsers can import this file. */
function nodeModules() {
  return Promise.all([import("node:fs/promises"), import("node:path")]);
}
