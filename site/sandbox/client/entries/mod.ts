/** The entry `@tilewise/tilewise` of the sandbox: files are those of the program. */

export * from "@tilewise/tilewise";
export { open } from "../files.ts";
export { save } from "../../../../src/pictures/save.ts";
