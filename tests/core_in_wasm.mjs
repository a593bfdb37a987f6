// The quick tests of the core, run by Python in WebAssembly, under node:
//
//   node tests/core_in_wasm.mjs PYODIDE TOOLS [TEST ..]
//
// PYODIDE: the folder of Pyodide's files; TOOLS: that of pytest and hypothesis, of pure Python.

import { resolve } from "node:path";

const [pyodide, tools, ...tests] = process.argv.slice(2);
const { loadPyodide } = await import(resolve(pyodide, "pyodide.mjs"));
const python = await loadPyodide({ indexURL: resolve(pyodide) + "/" });
for (const [name, folder] of [["/tools", tools], ["/house", "."]]) {
  python.FS.mkdir(name);
  python.FS.mount(python.FS.filesystems.NODEFS, { root: resolve(folder) }, name);
}
python.globals.set("words", python.toPy(tests));
const status = await python.runPythonAsync(`
import os, sys
sys.path[:0] = ["/house", "/house/tests", "/tools"]
sys.dont_write_bytecode = True
os.chdir("/house")
import pytest
int(pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:faulthandler", *words]))
`);
process.exit(status ? 1 : 0);
