(* SHA-256 of a string (FIPS 180-4), in small hexadecimal digits.  It names a problem; no proof rests on it. *)
let primes = (* the first 64 *)
  let is_prime n = List.for_all (fun d -> d < 2 || n mod d > 0) (List.init (n - 2) (fun d -> d + 2)) in
  Array.of_list (List.filter is_prime (List.init 310 (fun n -> n + 2)))

(* the first 32 bits of the fraction of the root of a prime: floor(root(p 2^(32 k), k)) *)
let constant k p = Z.to_int (Z.logand (Z.root (Z.shift_left (Z.of_int p) (32 * k)) k) (Z.of_int 0xffffffff))
let start = Array.init 8 (fun i -> constant 2 primes.(i))
let constants = Array.init 64 (fun i -> constant 3 primes.(i))

let mask v = v land 0xffffffff
let turn v n = mask ((v lsr n) lor (v lsl (32 - n)))
let padded text =
  let n = String.length text in
  let zeros = (119 - n mod 64) mod 64 in
  let length = String.init 8 (fun i -> Char.chr ((n * 8) lsr (8 * (7 - i)) land 255)) in
  text ^ "\x80" ^ String.make zeros '\000' ^ length

let block state text at =
  let w = Array.make 64 0 in
  for t = 0 to 15 do
    w.(t) <- Int32.to_int (String.get_int32_be text (at + 4 * t)) land 0xffffffff
  done;
  for t = 16 to 63 do
    let x = w.(t - 15) and z = w.(t - 2) in
    let small = turn x 7 lxor turn x 18 lxor (x lsr 3) and large = turn z 17 lxor turn z 19 lxor (z lsr 10) in
    w.(t) <- mask (w.(t - 16) + small + w.(t - 7) + large)
  done;
  let v = Array.copy state in
  for t = 0 to 63 do
    let a = v.(0) and e = v.(4) in
    let choice = (e land v.(5)) lxor (lnot e land v.(6)) and most = (a land v.(1)) lxor (a land v.(2)) lxor (v.(1) land v.(2)) in
    let one = v.(7) + (turn e 6 lxor turn e 11 lxor turn e 25) + mask choice + constants.(t) + w.(t) in
    let two = (turn a 2 lxor turn a 13 lxor turn a 22) + most in
    Array.blit v 0 v 1 7;
    v.(4) <- mask (v.(4) + one);
    v.(0) <- mask (one + two)
  done;
  Array.map2 (fun s c -> mask (s + c)) state v

let hexadecimal text =
  let whole = padded text in
  let rec from state at = if at = String.length whole then state else from (block state whole at) (at + 64) in
  String.concat "" (Array.to_list (Array.map (Printf.sprintf "%08x") (from start 0)))
