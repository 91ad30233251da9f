/** In a page: what kernels do with the private files of its origin. A runner of the host uses them, the page itself cannot. */

import { opfsFiles } from "@tilewise/tilewise/unstable/channels";
import { channels, type PlatformFiles } from "./channels.ts";

/** The part of the file system of a page that is used. */
interface Folder {
  getDirectoryHandle(name: string, options: { readonly create: true }): Promise<Folder>;
  getFileHandle(name: string, options: { readonly create: true }): Promise<{
    createWritable(): Promise<{ write(bytes: Uint8Array): Promise<void>; close(): Promise<void> }>;
    getFile(): Promise<Blob>;
  }>;
}

/** What the kernels at `/data/kernels` find. */
export async function channelsOfPage(): Promise<Record<string, string>> {
  const { storage } = navigator as unknown as { storage: { getDirectory(): Promise<Folder> } };
  const folder = await (await storage.getDirectory()).getDirectoryHandle("walk", { create: true });
  const kernels = await (await fetch("/data/kernels")).json();
  const platform: PlatformFiles = {
    options: { backEnd: opfsFiles({ folder: "walk" }) },
    async put(name, bytes) {
      const file = await (await folder.getFileHandle(name, { create: true })).createWritable();
      await file.write(bytes);
      await file.close();
    },
    async get(name) {
      const file = await (await folder.getFileHandle(name, { create: true })).getFile();
      return new Uint8Array(await file.arrayBuffer());
    },
  };
  return await channels(kernels, platform, new URL("/own_functions.js", location.href).href);
}
