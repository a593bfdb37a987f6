(** What is proved: no machine is better than what the certificate says.

    A support vector machine is a vector w of a space with an inner product, and its offsets.  Of
    the example i it sees the score s_i = <w, phi(x_i)>.  It is to have a low _primal_:

        half |w|^2, what the offsets are charged, and what each example costs

    Multipliers alpha_i, one for each example, are feasible if they keep to their bounds and sums.
    From them a number is computed, the _dual_.  The theorem of weak duality (Duality.v):

        Theorem weak_duality : forall (H : space) f alpha (points : list H),
          length points = length (limits f) -> feasible f alpha ->
          let norms := map norm2 points in
          forall w u, allowed f norms (norm2 w) (scores w points) u ->
          dual f norms alpha (norm2 (machine_of f alpha points))
            <= primal f norms (norm2 w) (scores w points) u.

    In words: in every space H, whatever the points phi(x_i) in it, the dual of feasible multipliers
    is a lower bound of the primal of every machine that the problem allows.  A certificate holds
    such multipliers and a machine.  What it says is [states], at the end of this file, and
    Checker.v proves it of each certificate that the program [check] accepts:

        Theorem checked : forall p c, check p c = true -> has_points p /\ states p c.

    Example.v has optima of small problems, where dual and primal are one number: the statement is
    true of something, and no bound can be higher.

    All numbers are rational, and so are the coordinates of w.  A machine with real coordinates has
    no lower primal either: rational ones come as near to it as one likes, and the primal is
    continuous (where no slack is allowed, after w and b have grown by a little).

        f      the form of the machine: nu-SVC ..      y_i    label, or value, of an example
        C_i    the largest |alpha_i|; None: no bound   s_i    its score <w, phi(x_i)>
        u      the offsets                             norms  the |phi(x_i)|^2
        ww     |w|^2                                   a      a multiplier alpha_i *)
Require Import QArith Qabs List.
Import ListNotations.
Open Scope Q_scope.

(** * Spaces with an inner product *)

Record space := {
  vector :> Type;
  zero : vector;
  plus : vector -> vector -> vector;
  times : Q -> vector -> vector;
  ip : vector -> vector -> Q;
  ip_zero : forall w, ip zero w == 0;
  ip_plus : forall v w z, ip (plus v w) z == ip v z + ip w z;
  ip_times : forall a v z, ip (times a v) z == a * ip v z;
  ip_sym : forall v w, ip v w == ip w v;
  ip_pos : forall w, 0 <= ip w w }.
Arguments zero {_}. Arguments plus {_}. Arguments times {_}. Arguments ip {_}.

Definition norm2 {H : space} (w : H) : Q := ip w w.
Definition scores {H : space} (w : H) (points : list H) : list Q := map (ip w) points.
Fixpoint combination {H : space} (coefficients : list Q) (points : list H) : H :=
  match coefficients, points with
  | c :: cs, p :: ps => plus (times c p) (combination cs ps)
  | _, _ => zero
  end.

(** * The problems, as their documents say them (problem.md, nu.md, regression.md ..) *)

Inductive form :=
| Classification (y : list Q) (C : list (option Q)) (bias squared : bool)
| Nu (y weights : list Q) (nu : Q)
| Regression (y weights : list Q) (C epsilon : Q)
| NuRegression (y weights : list Q) (C nu : Q)
| OneClass (weights : list Q) (nu : Q)
| Ball (weights : list Q) (C : option Q).
Record offsets := { b : Q; rho : Q; epsilon : Q; radius2 : Q }.

Definition limits (f : form) : list (option Q) :=
  match f with
  | Classification _ C _ _ => C
  | Nu _ weights _ | OneClass weights _ => map Some weights
  | Regression _ weights C _ | NuRegression _ weights C _ => map (fun v => Some (C * v)) weights
  | Ball weights C => map (fun v => option_map (fun C => C * v) C) weights
  end.
(** y_i, or 1 where there are none; in the primal of the ball |phi(x_i)|^2 takes its place *)
Definition labels (f : form) : list Q :=
  match f with
  | Classification y _ _ _ | Nu y _ _ | Regression y _ _ _ | NuRegression y _ _ _ => y
  | OneClass weights _ | Ball weights _ => map (fun _ => 1) weights
  end.
Definition targets (f : form) (norms : list Q) : list Q :=
  match f with Ball _ _ => norms | _ => labels f end.

Definition total (values : list Q) : Q := fold_right Qplus 0 values.
Fixpoint zip3 {A B C D} (g : A -> B -> C -> D) (x : list A) (y : list B) (z : list C) : list D :=
  match x, y, z with
  | a :: x', b :: y', c :: z' => g a b c :: zip3 g x' y' z'
  | _, _, _ => []
  end.
Definition finite (C : option Q) : Q := match C with Some c => c | None => 0 end.
Definition sum_C (f : form) : Q := total (map finite (limits f)).  (* C W, or W *)

(** * The primal *)

Definition pos (t : Q) : Q := if Qle_bool t 0 then 0 else t.       (* max(0, t) *)
Definition penalty (squared : bool) (C : option Q) (xi : Q) : Q :=
  match C with Some c => if squared then (1#2) * (c * (xi * xi)) else c * xi | None => 0 end.
Definition slack (f : form) (ww : Q) (u : offsets) (y s : Q) : Q :=
  match f with
  | Classification _ _ _ _ => pos (1 - y * (s + b u))
  | Nu _ _ _ => pos (rho u - y * (s + b u))
  | Regression _ _ _ epsilon => pos (y - s - b u - epsilon) + pos (s + b u - y - epsilon)
  | NuRegression _ _ _ _ => pos (y - s - b u - epsilon u) + pos (s + b u - y - epsilon u)
  | OneClass _ _ => pos (rho u - s)
  | Ball _ _ => pos (y - 2 * s + ww - radius2 u)    (* |phi(x_i) - w|^2 - R^2 *)
  end.
Definition is_squared (f : form) : bool :=
  match f with Classification _ _ _ squared => squared | _ => false end.
Definition cost (f : form) (ww : Q) (u : offsets) (C : option Q) (y s : Q) : Q :=
  penalty (is_squared f) C (slack f ww u y s).
(** what does not depend on a single example *)
Definition charge (f : form) (ww : Q) (u : offsets) : Q :=
  match f with
  | Classification _ _ _ _ | Regression _ _ _ _ => (1#2) * ww
  | Nu _ _ nu | OneClass _ nu => (1#2) * ww - nu * sum_C f * rho u
  | NuRegression _ _ _ nu => (1#2) * ww + nu * sum_C f * epsilon u
  | Ball _ _ => radius2 u
  end.
Definition primal (f : form) (norms : list Q) (ww : Q) (s : list Q) (u : offsets) : Q :=
  charge f ww u + total (zip3 (cost f ww u) (limits f) (targets f norms) s).

(** Where C_i is infinite no slack is allowed; without an offset b is 0. *)
Definition allows (f : form) (ww : Q) (u : offsets) (C : option Q) (y s : Q) : Prop :=
  C = None -> slack f ww u y s == 0.
Definition no_offset (f : form) : bool :=
  match f with Classification _ _ bias _ => negb bias | _ => false end.
Definition allowed (f : form) (norms : list Q) (ww : Q) (s : list Q) (u : offsets) : Prop :=
  (no_offset f = true -> b u == 0) /\
  Forall id (zip3 (allows f ww u) (limits f) (targets f norms) s).

(** * The dual *)

(** how many times phi(x_i) is in w *)
Definition beta (f : form) (C : option Q) (y a : Q) : Q :=
  match f with Classification _ _ _ _ | Nu _ _ _ => y * a | _ => a end.
Definition gain (f : form) (C : option Q) (y a : Q) : Q :=
  match f with
  | Classification _ _ _ squared =>
      a - match C with Some c => if squared then (1#2) * (a * a / c) else 0 | None => 0 end
  | Nu _ _ _ | OneClass _ _ => 0
  | Regression _ _ _ epsilon => y * a - epsilon * Qabs a
  | NuRegression _ _ _ _ | Ball _ _ => y * a
  end.
Definition within (f : form) (C : option Q) (a : Q) : Prop :=
  match f, C with
  | Classification _ _ _ true, Some c => 0 <= a /\ 0 < c
  | (Regression _ _ _ _ | NuRegression _ _ _ _), Some c => Qabs a <= c
  | _, Some c => 0 <= a /\ a <= c
  | _, None => 0 <= a
  end.
Definition betas (f : form) (alpha : list Q) : list Q :=
  zip3 (beta f) (limits f) (labels f) alpha.
Definition sums (f : form) (alpha : list Q) : Prop :=
  let balance := total (betas f alpha) in
  match f with
  | Classification _ _ bias _ => bias = true -> balance == 0
  | Nu _ _ nu => balance == 0 /\ total alpha == nu * sum_C f
  | Regression _ _ _ _ => balance == 0
  | NuRegression _ _ _ nu =>
      balance == 0 /\ nu <= 1 /\ total (map Qabs alpha) <= nu * sum_C f
  | OneClass _ nu => total alpha == nu * sum_C f
  | Ball _ _ => total alpha == 1
  end.
(** one label or value, one multiplier, within its bounds, for each example *)
Definition feasible (f : form) (alpha : list Q) : Prop :=
  length (labels f) = length (limits f) /\ Forall2 (within f) (limits f) alpha /\ sums f alpha.
Definition scale (f : form) : Q := match f with Ball _ _ => 2 | _ => 1 end.
Definition dual (f : form) (norms alpha : list Q) (vv : Q) : Q :=
  total (zip3 (gain f) (limits f) (targets f norms) alpha) - scale f * ((1#2) * vv).
Definition machine_of (f : form) (alpha : list Q) {H : space} (points : list H) : H :=
  combination (betas f alpha) points.

(** * Kernels, and what a certificate states *)

Inductive kernel := Linear | Polynomial (degree : nat) (gamma coef0 : Q) | Precomputed.
Record problem := { X : list (list Q); kernel_of : kernel; form_of : form }.

Fixpoint dot (x z : list Q) : Q :=
  match x, z with v :: x', t :: z' => v * t + dot x' z' | _, _ => 0 end.
Fixpoint power (v : Q) (n : nat) : Q := match n with O => 1 | S m => v * power v m end.
Definition gram (p : problem) : list (list Q) :=
  match kernel_of p with
  | Linear => map (fun x => map (dot x) (X p)) (X p)
  | Polynomial n gamma coef0 =>
      map (fun x => map (fun z => power (gamma * dot x z + coef0) n) (X p)) (X p)
  | Precomputed => X p
  end.
(** points are the phi(x_i): their inner products are the kernel's values *)
Definition are_points (p : problem) {H : space} (points : list H) : Prop :=
  Forall2 (fun v row => Forall2 (fun z k => ip v z == k) points row) points (gram p).
Definition has_points (p : problem) : Prop := exists (H : space) (points : list H), are_points p points.

Inductive value := Number (v : Q) | Infinite | Minus_infinite.
Record certificate := { alpha : list Q; given : offsets; told_dual : value; told_primal : value }.

Definition grown (k : Q) (u : offsets) : offsets :=
  {| b := k * b u; rho := k * rho u; epsilon := k * epsilon u; radius2 := k * radius2 u |}.
Definition soft (f : form) : Prop := Forall (fun C => C <> None) (limits f).

(** A dual is a lower bound of every primal; an infinite one: no machine is allowed.  A primal is that
    of the machine that is kept, made longer if that is needed to keep hard margins; an infinite one
    says nothing; if it is minus infinite there are machines with primals as low as one likes. *)
Definition states (p : problem) (c : certificate) : Prop :=
  forall (H : space) (points : list H), are_points p points ->
  let f := form_of p in
  let norms := map norm2 points in
  let allows w u := allowed f norms (norm2 w) (scores w points) u in
  let value w u := primal f norms (norm2 w) (scores w points) u in
  match told_dual c with
  | Number d => forall w u, allows w u -> d <= value w u
  | Infinite => forall w u, ~ allows w u
  | Minus_infinite => True
  end /\
  match told_primal c with
  | Number v => exists k, 1 <= k /\ (soft f -> k == 1) /\
      let w := times k (machine_of f (alpha c) points) in
      let u := grown k (given c) in allows w u /\ value w u == v
  | Infinite => True
  | Minus_infinite => forall v, exists w u, allows w u /\ value w u <= v
  end.
