// Python in the browser: the same function that the server calls, in a worker of its own, so that
// the page is never held up.

import { loadPyodide } from "./pyodide/pyodide.mjs";

async function start() {
  const [python, modules] = await Promise.all([
    loadPyodide(),
    fetch(new URL("refsvm.zip", import.meta.url)).then((response) => response.arrayBuffer()),
  ]);
  python.unpackArchive(modules, "zip");
  return python.runPython("from refsvm.play.answers import reply; reply");
}

const reply = start();
reply.catch((error) => { console.error(String(error).slice(-300)); });

onmessage = async ({ data }) => { postMessage((await reply)(data)); };
