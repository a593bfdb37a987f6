// Python in the browser: the same function that the server calls, in a worker of its own, so that
// the page is never held up. Who starts it may name another module that has a reply(), and archives
// that it needs besides: worker.js?module=docs.run_blocks&with=course.zip

import { loadPyodide } from "./pyodide/pyodide.mjs";

const asked = new URL(import.meta.url).searchParams;

/** The memory of Python with play's modules read, as docs/play.py made it; nothing in old browsers. */
async function started() {
  if (!globalThis.DecompressionStream) return undefined;
  const { body } = await fetch(new URL("started.bin", import.meta.url));
  return new Response(body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

async function start() {
  const archives = ["refsvm.zip", ...asked.getAll("with")].map((name) => new URL(name, import.meta.url));
  const [python, ...modules] = await Promise.all([
    loadPyodide({ _loadSnapshot: started() }),
    ...archives.map((url) => fetch(url).then((response) => response.arrayBuffer())),
  ]);
  for (const each of modules) python.unpackArchive(each, "zip");
  return python.pyimport(asked.get("module") ?? "refsvm.play.answers").reply;
}

const reply = start();

onmessage = async ({ data }) => {
  try {
    postMessage((await reply)(data));
  } catch (error) {  // Python has not started, or has ended: told to the page as the worker's end
    console.error(String(error).slice(-300));
    reportError(error);
  }
};
