/** In a page: what comes of servers, files and policies that refuse, as codes of errors; and what works all the same. */

import { createContext, open, plan, run, sumFrames, sumPixels, TilewiseError } from "@tilewise/tilewise";
import { launch } from "@tilewise/tilewise/unstable/run";
import { SCAN } from "./work.ts";

/** The part of the file system of a page that is used. */
interface Folder {
  getFileHandle(name: string, options: { readonly create: true }): Promise<Handle>;
  removeEntry(name: string): Promise<void>;
}

/** A file in it. */
interface Handle {
  readonly kind: "file";
  readonly name: string;
  createWritable(): Promise<{ write(bytes: Uint8Array<ArrayBuffer>): Promise<void>; close(): Promise<void> }>;
  getFile(): Promise<File>;
}

type Input = string | File | Handle;

/** What this page is to try: by the name of the visit. */
export async function refusals(visit: string, elsewhere: string): Promise<Record<string, string>> {
  switch (visit) {
    case "servers":
      return await servers(elsewhere);
    case "files":
      return await files();
    case "memory":
      return { full: await outcome(fillMemory) };
  }
  return { workers: await sumOf(`/data/raw`, 2), inline: await sumOf(`/data/raw`, 0) };
}

async function servers(elsewhere: string): Promise<Record<string, string>> {
  return {
    "without CORS": await sumOf(`${elsewhere}/closed`, 0),
    "without names of headers": await sumOf(`${elsewhere}/hidden`, 0),
    "with all headers": await sumOf(`${elsewhere}/shared`, 2),
    "nobody there": await sumOf("http://127.0.0.1:1/scan.raw", 0),
    "without ranges": await sumOf("/whole", 0),
    "without ranges, too large": await sumOf("/whole", 0, 1000),
    "with ranges": await sumOf("/ranges", 2),
  };
}

async function files(): Promise<Record<string, string>> {
  const { storage } = navigator as unknown as { storage: { getDirectory(): Promise<Folder> } };
  const folder = await storage.getDirectory();
  const bytes = new Uint8Array(await (await fetch("/data/raw")).arrayBuffer());
  const write = async (name: string) => {
    const handle = await folder.getFileHandle(name, { create: true });
    const file = await handle.createWritable();
    await file.write(bytes);
    await file.close();
    return handle;
  };
  const handle = await write("scan.raw");
  const before = await handle.getFile();
  const results = { handle: await sumOf(handle, 2), file: await sumOf(before, 0) };
  const changed = await outcome(async () => {
    const scan = await open(before, SCAN);
    await new Promise((resolve) => setTimeout(resolve, 1100)); // times of files are rounded
    await write("scan.raw");
    return await sum(scan, 2);
  });
  const gone = await (await write("gone.raw")).getFile();
  const removed = await outcome(async () => {
    const scan = await open(gone, SCAN);
    await folder.removeEntry("gone.raw");
    return await sum(scan, 0);
  });
  return { ...results, changed, removed, after: await sumOf(handle, 0) };
}

/** A task that needs more memory than the browser gives to one array. */
async function fillMemory(): Promise<string> {
  await using context = createContext({ workers: 1, memory: "1MiB" });
  const code =
    "export const fill = () => ({ run: () => { const all = []; for (;;) all.push(new Uint8Array(2 ** 32)) } })";
  const job = { module: `data:text/javascript,${encodeURIComponent(code)}`, export: "fill", shared: {} };
  return String(await launch(context, job, [1]));
}

async function sumOf(input: Input, workers: number, wholeLimit = 2 ** 30): Promise<string> {
  const http = { wholeLimit, retry: { attempts: 2 } };
  return await outcome(async () => await sum(await open(input, { ...SCAN, http }), workers));
}

async function sum(scan: Awaited<ReturnType<typeof open>>, workers: number): Promise<string> {
  await using context = createContext({ workers, memory: "64MiB" });
  const results = await run(await plan(scan, { dp: sumFrames(), bright: sumPixels() }, { context }));
  return String(results.dp.intensity.data[7]);
}

async function outcome(work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TilewiseError) return `${error.code}: ${error.message}`;
    throw error;
  }
}
