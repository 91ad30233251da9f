/**
 * The service of files.
 *
 * @module
 */

import { registerJobs } from "../../executor/handler.ts";
import { fileFunctions } from "../files/calls.ts";
import { FileTable } from "../files/file_table.ts";
import { filesOf } from "./files.ts";
import type { Service, ServicePlace, ServiceSource } from "./services.ts";

const NAME = "tilewise:channel-files";

registerJobs({ [NAME]: () => Promise.resolve({ fileService }) });

/** Where runners find it. */
export function fileSource(): ServiceSource {
  return {
    name: NAME,
    module: import.meta.resolve("./file_service.ts"),
    export: "fileService",
    shared: undefined,
  };
}

/** The files of one runner, where the layout says they are. They are closed when it stops. */
export async function fileService(
  _shared: undefined,
  { memory, layout }: ServicePlace,
): Promise<Service> {
  const files = new FileTable(memory, layout, await filesOf(memory, layout));
  return { functions: fileFunctions(files), close: () => files.closeAll() };
}
