/** The entry `@tilewise/tilewise/unstable/results` of the sandbox: files are those of the program. */

export * from "@tilewise/tilewise/unstable/results";
export { saveVectors } from "../../../../src/pictures/save.ts";
