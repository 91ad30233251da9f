/** A page that has its worker check the rules, and tells where it comes from what came of them. */

const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
const tell = (answer: object) => fetch("/found", { method: "POST", body: JSON.stringify(answer) });
worker.onmessage = ({ data }) => tell({ digests: data });
worker.onerror = ({ message }) => tell({ error: message });
