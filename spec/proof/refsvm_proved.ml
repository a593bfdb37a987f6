(* refsvm-proved PROBLEM CERTIFICATE: says what the certificate proves, or refuses it.

   refsvm-proved - reads pairs of lines, a problem and its certificate, and answers each by a word.
   Exit status: 0 proved, 1 refused, 2 a file that cannot be read.  That what is said is so is the
   theorem `checked` of Checker.v; reader.ml is what stands between the files and it. *)
module Big = Z (* zarith's; Checker has a Z of its own *)
open Checker

let contents path =
  let file = open_in_bin path in
  let text = really_input_string file (in_channel_length file) in
  close_in file;
  let rec kept n = if n > 0 && text.[n - 1] = '\n' then kept (n - 1) else n in
  String.sub text 0 (kept (String.length text))

(* a fraction with 12 decimals, rounded down or up *)
let decimal round { qnum; qden } =
  let scale = Big.pow (Big.of_int 10) 12 in
  let v = round (Big.mul qnum scale) qden in
  let size = Big.abs v in
  Printf.sprintf "%s%s.%012d" (if Big.sign v < 0 then "-" else "") (Big.to_string (Big.div size scale))
    (Big.to_int (Big.rem size scale))
let below = decimal Big.fdiv
let above = decimal Big.cdiv

let machine = function
  | Classification (_, c, bias, squared) ->
      Printf.sprintf "C-SVC%s%s%s" (if squared then ", squared slack" else "")
        (if List.exists (( = ) None) c then ", hard margins" else "") (if bias then "" else ", no offset")
  | Nu _ -> "nu-SVC"
  | Regression _ -> "epsilon-SVR"
  | NuRegression _ -> "nu-SVR"
  | OneClass _ -> "one class"
  | Ball _ -> "smallest ball"
let kernel = function
  | Linear -> "the linear kernel"
  | Polynomial _ -> "a polynomial kernel"
  | Precomputed -> "the kernel matrix given"

let statement p c =
  Printf.printf "proved, of the %s on %d examples with %s:\n" (machine p.form_of) (List.length p.x)
    (kernel p.kernel_of);
  (match c.told_dual with
  | Number d -> Printf.printf "  no machine has a lower primal than        %s (rounded down)\n" (below d)
  | Infinite -> print_endline "  no machine keeps all margins that allow no slack"
  | Minus_infinite -> print_endline "  no multipliers have the sums that this machine asks for");
  match (c.told_dual, c.told_primal) with
  | Number d, Number v ->
      Printf.printf "  the machine of the certificate has        %s (rounded up)\n" (above v);
      if v = d then print_endline "  both are one number: it is optimal"
  | _, Number v -> Printf.printf "  the machine of the certificate has        %s (rounded up)\n" (above v)
  | Number _, Infinite -> print_endline "  the machine of the certificate keeps not all margins, nor does a multiple of it"
  | _, Infinite -> ()
  | _, Minus_infinite -> print_endline "  there are machines with primals as low as one likes"

(* the problem and the certificate, if that is proved *)
let proved problem certificate =
  let p = Reader.problem problem in
  let name, c = Reader.certificate p.form_of certificate in
  if name <> Sha256.hexadecimal problem then Reader.refuse "the certificate is of another problem";
  if not (check p c) then Reader.refuse "the certificate does not prove what it states";
  (p, c)
let answer problem certificate =
  match proved problem certificate with
  | found -> Ok found
  | exception Reader.Refused reason -> Error reason
  | exception (Stack_overflow | Out_of_memory) -> Error "the texts are too long"

let rec lines () =
  match input_line stdin with
  | exception End_of_file -> ()
  | problem ->
      print_endline (match answer problem (input_line stdin) with Ok _ -> "proved" | Error _ -> "refused");
      lines ()

let () =
  match Sys.argv with
  | [| _; "-" |] -> lines ()
  | [| _; problem; certificate |] -> (
      match (contents problem, contents certificate) with
      | exception Sys_error reason -> prerr_endline reason; exit 2
      | problem, certificate -> (
          match answer problem certificate with
          | Ok (p, c) -> statement p c
          | Error reason -> Printf.printf "refused: %s\n" reason; exit 1))
  | _ -> prerr_endline "usage: refsvm-proved PROBLEM CERTIFICATE"; exit 2
