/**
 * The table of sections: a line each. A module is loaded when its section is run.
 *
 * @module
 */

import type { Section } from "./section.ts";

/** A section by name. */
export interface SectionEntry {
  /** The `--set` that runs it. */
  readonly set: "views" | "decode" | "channels";
  /** Its name: rows are kept under `<set> <name>`. */
  readonly name: string;
  /** Loads it. */
  readonly load: () => Promise<Section>;
}

/** All sections. */
export const SECTIONS: readonly SectionEntry[] = [
  { set: "views", name: "filters", load: async () => (await import("../views/main.ts")).filterSection },
  { set: "views", name: "labels", load: async () => (await import("../views/labels.ts")).labelSection },
  {
    set: "views",
    name: "assembly",
    load: async () => (await import("../views/assembly.ts")).assemblySection,
  },
  { set: "views", name: "loading", load: async () => (await import("../views/loading.ts")).loadingSection },
  {
    set: "channels",
    name: "calls",
    load: async () => (await import("../channels/section.ts")).channelSection,
  },
  { set: "decode", name: "tiles", load: async () => (await import("./decode.ts")).decodeSection },
];
