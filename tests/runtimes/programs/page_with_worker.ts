/** The page, for bundlers that do not bundle workers by themselves. */

import { useWorker } from "./package_names.ts";

useWorker(new URL("worker.js", import.meta.url));
await import("./page.ts");
