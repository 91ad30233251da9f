/** The entry `@tilewise/tilewise/results` of the sandbox: files are those of the program. */

export * from "@tilewise/tilewise/results";
export { save, saveAll } from "../../../../src/pictures/save.ts";
