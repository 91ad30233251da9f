/** A dedicated worker of a page: checks the rules on its private files. */

import { opfsFiles } from "../../../../src/channels/backends/opfs.ts";
import { alone } from "../subject.ts";
import { checked } from "./found.ts";

const scope = self as unknown as { postMessage(found: object): void };

scope.postMessage(await checked(async (number) => alone(await opfsFiles(`suite/${number}`), true)));
