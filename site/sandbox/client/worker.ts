/**
 * The worker that runs one program of the sandbox; the page ends it to stop the program.
 *
 * @module
 */

import type { Program } from "./messages.ts";
import { moduleOf, runModule } from "./program.ts";
import { shown } from "./shown.ts";
import { silently, tell } from "./tell.ts";

const base = import.meta.url;

for (const name of ["log", "info", "warn", "error", "debug"] as const) {
  console[name] = (...values: unknown[]) => tell({ kind: "text", text: shown(values) });
}

globalThis.addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  failed(event.reason);
});

globalThis.addEventListener("message", ({ data }: MessageEvent<Program>) => void start(data), { once: true });

async function start({ code, cells }: Program): Promise<void> {
  try {
    if (/\bopen\(\s*["']cells\.ome\.tif/.test(code)) {
      await silently(async () => await runModule(await moduleOf(cells, base)));
    }
    const module = await moduleOf(code, base);
    const begin = performance.now();
    await runModule(module);
    tell({ kind: "done", milliseconds: performance.now() - begin });
  } catch (error) {
    failed(error);
  }
}

function failed(error: unknown): void {
  tell({ kind: "failed", text: error instanceof Error ? error.message : String(error) });
}
