import { assertEquals } from "@std/assert";
import config from "../deno.json" with { type: "json" };
import { VERSION } from "../src/version.ts";

Deno.test("the version is that of deno.json", () => assertEquals(VERSION, config.version));
