/** A back end as a user would write it: files in a map, with promises or without. */

import type { Awaitable, BackEnd, OpenFlags } from "../../../src/channels/backends/back_end.ts";

const fail = (code: string): never => {
  throw Object.assign(new Error(code), { code });
};

/** `late`: whether its functions return promises. */
export function mapFiles({ late }: { readonly late: boolean }): BackEnd {
  const entries = new Map<string, Uint8Array | "folder">([["", "folder"]]);
  const opened = new Map<number, string>();
  let last = 0;
  const clean = (name: string) => {
    const parts = name.split("/").filter((part) => part !== "" && part !== ".");
    return parts.includes("..") ? fail("EACCES") : parts.join("/");
  };
  const above = (name: string) => name.split("/").slice(0, -1).join("/");
  const folder = (name: string) => {
    if (entries.get(name) === "folder") return name;
    return fail(
      entries.has(name) || entries.has(above(name)) && entries.get(above(name)) !== "folder"
        ? "ENOTDIR"
        : "ENOENT",
    );
  };
  const bytesOf = (file: number): Uint8Array => {
    const bytes = entries.get(opened.get(file) ?? fail("EBADF"));
    return bytes instanceof Uint8Array ? bytes : fail("EBADF");
  };
  const resize = (file: number, size: number) => {
    const grown = new Uint8Array(size);
    grown.set(bytesOf(file).subarray(0, size));
    entries.set(opened.get(file)!, grown);
    return grown;
  };
  const inside = (name: string) => [...entries.keys()].filter((own) => own !== "" && above(own) === name);
  const open = (given: string, flags: OpenFlags) => {
    const name = clean(given);
    const found = entries.get(name);
    if (found === "folder") fail("EISDIR");
    if (!found) {
      folder(above(name));
      if (flags.startsWith("r")) fail("ENOENT");
    }
    if (!found || flags.startsWith("w")) entries.set(name, new Uint8Array(0));
    opened.set(++last, name);
    return last;
  };
  const existing = (given: string) => {
    const name = clean(given);
    if (!entries.has(name)) folder(above(name));
    return { name, found: entries.get(name) ?? fail("ENOENT") };
  };
  const soon = <T>(work: () => T): Awaitable<T> => late ? Promise.resolve().then(work) : work();
  return {
    synchronous: !late,
    open: (name, flags) => soon(() => open(name, flags)),
    close: (file) => soon(() => opened.delete(file) ? undefined : fail("EBADF")),
    size: (file) => soon(() => bytesOf(file).length),
    read: (file, bytes, at, length, position) =>
      soon(() => {
        const part = bytesOf(file).subarray(position, position + length);
        bytes.set(part, at);
        return part.length;
      }),
    write: (file, bytes, at, length, position) =>
      soon(() => {
        const size = bytesOf(file).length, start = position ?? size;
        const own = length > 0 && start + length > size ? resize(file, start + length) : bytesOf(file);
        if (length > 0) own.set(bytes.subarray(at, at + length), start);
        return length;
      }),
    flush: (file) => soon(() => void bytesOf(file)),
    truncate: (file, bytes) => soon(() => void resize(file, bytes)),
    stat: (given) =>
      soon(() => {
        const { found } = existing(given);
        return found === "folder" ? { bytes: 0, kind: "directory" } : { bytes: found.length, kind: "file" };
      }),
    list: (given) => soon(() => inside(folder(clean(given))).map((own) => own.split("/").at(-1)!).sort()),
    remove: (given) =>
      soon(() => {
        const { name } = existing(given);
        if (inside(name).length > 0) fail("ENOTEMPTY");
        entries.delete(name);
      }),
    mkdir: (given) =>
      soon(() => {
        const name = clean(given);
        if (entries.has(name)) fail("EEXIST");
        folder(above(name));
        entries.set(name, "folder");
      }),
  };
}

/** Files that are never opened, until `gate` is not 0. */
export function stuckFiles(gate: Int32Array): BackEnd {
  const stuck = () => {
    Atomics.wait(gate, 0, 0);
    return fail("EIO");
  };
  return { ...mapFiles({ late: false }), open: stuck };
}

export function notFiles(): unknown {
  return { synchronous: true, open: () => 1, close: () => {} };
}

export function unclear(): unknown {
  return { ...mapFiles({ late: false }), synchronous: undefined };
}

export function throwing(): never {
  throw new Error("no disk today");
}

/** Files with `in.bin`, which has the samples. */
export function samples(
  { late, samples }: { readonly late: boolean; readonly samples: Uint16Array },
): BackEnd {
  const files = mapFiles({ late: false });
  const file = files.open("in.bin", "w") as number;
  files.write(file, new Uint8Array(samples.buffer), 0, samples.byteLength, 0);
  files.close(file);
  if (!late) return files;
  const slow = Object.entries(files).map(([name, act]) => {
    return [
      name,
      typeof act !== "function" ? false : async (...words: never[]) => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        return (act as (...words: never[]) => unknown)(...words);
      },
    ];
  });
  return Object.fromEntries(slow);
}
