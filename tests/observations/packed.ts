/**
 * Archives (`.tgz`) with folders such as tables, unpacked for a test.
 *
 * @module
 */

import { dirname, fromFileUrl, join } from "@std/path";

/** Unpacks an archive to a new folder, which is removed when it is disposed of. */
export async function unpacked(archive: URL): Promise<{ readonly folder: string } & AsyncDisposable> {
  const stream = (await Deno.open(archive)).readable.pipeThrough(new DecompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const folder = await Deno.makeTempDir();
  for (let at = 0; at + 512 <= bytes.length && bytes[at] !== 0;) {
    const text = (from: number, length: number) =>
      new TextDecoder().decode(bytes.subarray(at + from, at + from + length)).replace(/\0[^]*$/, "");
    const [name, size, type] = [text(0, 100), parseInt(text(124, 12), 8), text(156, 1)];
    const path = join(folder, name);
    if (type === "5") await Deno.mkdir(path, { recursive: true });
    else if (type === "0" || type === "") {
      await Deno.mkdir(dirname(path), { recursive: true });
      await Deno.writeFile(path, bytes.subarray(at + 512, at + 512 + size));
    }
    at += 512 * (1 + Math.ceil(size / 512));
  }
  return { folder, [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }) };
}

/** Where reports with right values lie, beside the checkout. */
const REPORTS = new URL("../../../shared/reports/radio/", import.meta.url);

/** A reported file. */
export function reportedPath(name: string): string {
  return fromFileUrl(new URL(name, REPORTS));
}

/** Whether the reports are there. */
export function hasReports(): boolean {
  try {
    return Deno.statSync(new URL("cases.json", REPORTS)).isFile;
  } catch {
    return false;
  }
}

/** A reported table. */
export async function reportedTable(name: string): Promise<{ readonly path: string } & AsyncDisposable> {
  const { folder, ...rest } = await unpacked(new URL(`${name}.tgz`, REPORTS));
  return { path: join(folder, name), ...rest };
}
