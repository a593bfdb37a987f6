(** The checker as a program of OCaml, whose whole numbers are those of zarith. *)
Require Import Checker Extraction ExtrOcamlBasic ExtrOcamlZBigInt.
Extraction "checker.ml" check.
