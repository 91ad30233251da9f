/**
 * The service of files.
 *
 * @module
 */

import { nodeFiles } from "../backends/node.ts";
import { fileFunctions } from "../files/calls.ts";
import { FileTable } from "../files/file_table.ts";
import type { Service, ServicePlace, ServiceSource } from "./services.ts";

/** Where runners find it. */
export function fileSource(): ServiceSource {
  return {
    name: "tilewise:channel-files",
    module: import.meta.resolve("./file_service.ts"),
    export: "fileService",
    shared: undefined,
  };
}

/** The files of one runner. They are closed when it stops. */
export function fileService(_shared: undefined, { memory, layout }: ServicePlace): Service {
  const files = new FileTable(memory, layout, nodeFiles);
  return { functions: fileFunctions(files), close: () => files.closeAll() };
}
