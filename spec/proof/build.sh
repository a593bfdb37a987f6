#!/bin/sh
# Builds the proof and the program in a folder:  sh spec/proof/build.sh build/proof
#
# Needs Coq 8.16 or later and OCaml with zarith; on Debian: apt-get install --no-install-recommends
# coq ocaml-nox ocaml-findlib libzarith-ocaml-dev.  What each main theorem rests on is printed.
set -eu
from=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cd "$1"
cp "$from"/*.v "$from"/*.ml .
for file in Statement Duality Kernels Scores Checker Plain Example Extract; do
    coqc -q -R . RefsvmProof "$file.v"
done
rm -f checker.mli
ocamlfind ocamlopt -package zarith -linkpkg checker.ml sha256.ml reader.ml refsvm_proved.ml -o refsvm-proved
