/**
 * Imports of packages that bundlers see.
 *
 * @module
 */

/** What stands for `src/import_package.ts`: bundlers see plain imports, and fail where a package is not there. */
export function packageImports(specifiers: readonly string[]): string {
  const rows = specifiers.map((specifier) =>
    `  ${JSON.stringify(specifier)}: () => import(${JSON.stringify(specifier)}),\n`
  );
  return `const PACKAGES = {\n${rows.join("")}};

// Deno asks for npm:name@version, which packages of npm may not do.
export function importPackage(specifier) {
  const name = specifier.replace(/^npm:([^@]+)@[^/]+/, "$1");
  return PACKAGES[name]?.() ?? import(name);
}
`;
}
