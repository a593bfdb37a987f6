(* The two texts, read by the letter.

   A document has one canonical text: its keys sorted, no spaces, each number in one spelling.  So
   each part of a text is either exactly what is expected here, or the text is refused.  There is no
   second spelling, no key that is missing, doubled or unknown, and nothing behind the end. *)
module Big = Z (* zarith's; Checker has a Z of its own *)
open Checker

exception Refused of string
let refuse reason = raise (Refused reason)

type source = { text : string; mutable at : int }
let not_canonical = "a text is not the canonical one"

(* exactly this word stands here *)
let word source expected =
  let n = String.length expected in
  if source.at + n > String.length source.text || String.sub source.text source.at n <> expected then
    refuse not_canonical;
  source.at <- source.at + n
(* one of these words stands here; it stands for a value *)
let one_of source pairs =
  let rec first = function
    | [] -> refuse not_canonical
    | (expected, value) :: rest -> (try word source expected; value with Refused _ -> first rest) in
  first pairs
let next source = if source.at < String.length source.text then source.text.[source.at] else ' '
let list item source =
  word source "[";
  if next source = ']' then (word source "]"; [])
  else
    let rec more found =
      let found = item source :: found in
      if one_of source [ (",", true); ("]", false) ] then more found else List.rev found in
    more []

(* ** numbers *)

(* digits without a zero in front *)
let natural digits =
  if digits = "" || (String.length digits > 1 && digits.[0] = '0')
     || String.exists (fun c -> c < '0' || c > '9') digits then refuse not_canonical;
  Big.of_string digits
let integer digits =
  if digits <> "" && digits.[0] = '-' then
    let size = natural (String.sub digits 1 (String.length digits - 1)) in
    if Big.sign size = 0 then refuse not_canonical else Big.neg size
  else natural digits
(* p, or p/q in lowest terms with q > 1 *)
let fraction digits =
  match String.split_on_char '/' digits with
  | [ p ] -> { qnum = integer p; qden = Big.one }
  | [ p; q ] ->
      let p = integer p and q = natural q in
      if Big.leq q Big.one || not (Big.equal (Big.gcd p q) Big.one) then refuse not_canonical;
      { qnum = p; qden = q }
  | _ -> refuse not_canonical
let quoted source =
  word source "\"";
  match String.index_from_opt source.text source.at '"' with
  | None -> refuse not_canonical
  | Some last ->
      let inside = String.sub source.text source.at (last - source.at) in
      source.at <- last + 1;
      inside
let number source = fraction (quoted source)
let whole source = integer (quoted source)
let limit source = match quoted source with "inf" -> None | digits -> Some (fraction digits)
let value source =
  match quoted source with
  | "inf" -> Infinite
  | "-inf" -> Minus_infinite
  | digits -> Number (fraction digits)
let one = { qnum = Big.one; qden = Big.one }
let label source = one_of source [ ("1", one); ("-1", { one with qnum = Big.minus_one }) ]
let rec unary n = if n = 0 then O else S (unary (n - 1))
let degree source =
  let start = source.at in
  while next source >= '0' && next source <= '9' do source.at <- source.at + 1 done;
  let digits = String.sub source.text start (source.at - start) in
  if String.length digits > 3 then refuse "the degree is no whole number from 0 to 999";
  unary (Big.to_int (natural digits))

(* ** the problem: a reader for each form, in the order of its keys *)

let kernel source =
  word source "\"kernel\":{";
  let name = one_of source [ ("\"name\":\"linear\"}", `Linear); ("\"name\":\"precomputed\"}", `Precomputed);
                             ("\"coef0\":", `Polynomial) ] in
  match name with
  | `Linear -> Linear
  | `Precomputed -> Precomputed
  | `Polynomial ->
      let coef0 = number source in
      word source ",\"degree\":";
      let degree = degree source in
      word source ",\"gamma\":";
      let gamma = number source in
      word source ",\"name\":\"polynomial\"}";
      Polynomial (degree, gamma, coef0)
let after key item source = word source ("\"" ^ key ^ "\":"); item source
let comma source = word source ","
let rows = after "X" (list (list number))
let weights = after "weights" (list number)
let form name source = word source ("\"form\":\"" ^ name ^ "\"")
let boolean = fun source -> one_of source [ ("true", true); ("false", false) ]
let squared = fun source -> one_of source [ ("\"hinge\"", false); ("\"squared\"", true) ]

let classification s =
  let c = after "C" (list limit) s in
  comma s; let x = rows s in
  comma s; let bias = after "bias" boolean s in
  comma s; let kernel = kernel s in
  comma s; let squared = after "slack" squared s in
  comma s; let y = after "y" (list label) s in
  { x; kernel_of = kernel; form_of = Classification (y, c, bias, squared) }
let nu s =
  let x = rows s in
  comma s; form "nu" s;
  comma s; let kernel = kernel s in
  comma s; let nu = after "nu" number s in
  comma s; let weights = weights s in
  comma s; let y = after "y" (list label) s in
  { x; kernel_of = kernel; form_of = Nu (y, weights, nu) }
let regression s =
  let c = after "C" number s in
  comma s; let x = rows s in
  comma s; let epsilon = after "epsilon" number s in
  comma s; form "regression" s;
  comma s; let kernel = kernel s in
  comma s; let weights = weights s in
  comma s; let y = after "y" (list number) s in
  { x; kernel_of = kernel; form_of = Regression (y, weights, c, epsilon) }
let nu_regression s =
  let c = after "C" number s in
  comma s; let x = rows s in
  comma s; form "nu_regression" s;
  comma s; let kernel = kernel s in
  comma s; let nu = after "nu" number s in
  comma s; let weights = weights s in
  comma s; let y = after "y" (list number) s in
  { x; kernel_of = kernel; form_of = NuRegression (y, weights, c, nu) }
let one_class s =
  let x = rows s in
  comma s; form "one_class" s;
  comma s; let kernel = kernel s in
  comma s; let nu = after "nu" number s in
  comma s; let weights = weights s in
  { x; kernel_of = kernel; form_of = OneClass (weights, nu) }
let ball s =
  let c = after "C" limit s in
  comma s; let x = rows s in
  comma s; form "ball" s;
  comma s; let kernel = kernel s in
  comma s; let weights = weights s in
  { x; kernel_of = kernel; form_of = Ball (weights, c) }

let entire text read =
  let source = { text; at = 0 } in
  word source "{";
  let found = read source in
  word source "}";
  if source.at < String.length text then refuse not_canonical;
  found
let problem text =
  let rec first = function
    | [] -> refuse not_canonical
    | read :: rest -> (try entire text read with Refused _ -> first rest) in
  first [ classification; nu; regression; nu_regression; one_class; ball ]

(* ** the certificate: its offsets are those of the form *)

let certificate form text =
  let has_b, has_epsilon, has_rho, has_radius2 =
    match form with
    | Classification _ | Regression _ -> (true, false, false, false)
    | Nu _ -> (true, false, true, false)
    | NuRegression _ -> (true, true, false, false)
    | OneClass _ -> (false, false, true, false)
    | Ball _ -> (false, false, false, true) in
  let zero = { qnum = Big.zero; qden = Big.one } in
  entire text (fun s ->
      let offset present key = if present then (let v = after key number s in comma s; v) else zero in
      let numerators = after "alpha" (list whole) s in
      comma s; let b = offset has_b "b" in
      let denominator = after "denominator" whole s in
      comma s; let dual = after "dual" value s in
      comma s; let epsilon = offset has_epsilon "epsilon" in
      let primal = after "primal" value s in
      comma s; let name = after "problem_sha256" quoted s in
      let last present key = if present then (comma s; after key number s) else zero in
      let radius2 = last has_radius2 "radius2" in
      let rho = last has_rho "rho" in
      if Big.sign denominator < 1 then refuse "the denominator is no whole number above 0";
      let alpha = List.map (fun a -> { qnum = a; qden = denominator }) numerators in
      (name, { alpha; given = { b; rho; epsilon; radius2 }; told_dual = dual; told_primal = primal }))
