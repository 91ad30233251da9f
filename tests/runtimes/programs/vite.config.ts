/** As the README says it. */
export default { base: "./", build: { outDir: "vite", target: "esnext" }, worker: { format: "es" } };
