/** Where the page is built to; Tilewise needs no configuration. */
export default { build: { outDir: "vite" } };
