(** The program that checks a certificate, and the theorem that what it accepts is so.

    It is Statement.v executed: each condition there is a function here that answers true or false,
    and sums are computed as in Scores.v. *)
Require Import QArith Qabs List Lqa Lia Bool.
Require Import Statement Duality Kernels Scores.
Import ListNotations.
Open Scope Q_scope.

(** * Comparisons *)

Definition le (x y : Q) : bool := Qle_bool x y.
Definition lt (x y : Q) : bool := negb (Qle_bool y x).
Definition eq (x y : Q) : bool := Qeq_bool x y.
Lemma le_ok x y : le x y = true -> x <= y.
Proof. apply Qle_bool_iff. Qed.
Lemma lt_ok x y : lt x y = true -> x < y.
Proof.
  unfold lt. intro N. apply Qnot_le_lt. intro L. apply Qle_bool_iff in L. now rewrite L in N.
Qed.
Lemma eq_ok x y : eq x y = true -> x == y.
Proof. apply Qeq_bool_iff. Qed.
Ltac booleans := repeat
  match goal with
  | K : _ && _ = true |- _ => apply andb_true_iff in K; destruct K
  | K : le _ _ = true |- _ => apply le_ok in K
  | K : lt _ _ = true |- _ => apply lt_ok in K
  | K : eq _ _ = true |- _ => apply eq_ok in K
  | K : Nat.eqb _ _ = true |- _ => apply Nat.eqb_eq in K
  end.
Fixpoint all2 {A B} (g : A -> B -> bool) (x : list A) (y : list B) : bool :=
  match x, y with [], [] => true | a :: x', c :: y' => g a c && all2 g x' y' | _, _ => false end.
Lemma all2_ok {A B} (g : A -> B -> bool) (P : A -> B -> Prop) :
  (forall a c, g a c = true -> P a c) -> forall x y, all2 g x y = true -> Forall2 P x y.
Proof.
  intro I. induction x as [|a x IH]; intros [|c y] E; try discriminate; constructor; simpl in E;
    booleans; auto.
Qed.

(** * The problem is one *)

Definition is_one_of_two (v : Q) : bool := eq v 1 || eq v (-1).
Definition two_classes (y : list Q) : bool :=
  forallb is_one_of_two y && existsb (eq 1) y && existsb (eq (-1)) y.
Definition positive_C (C : option Q) : bool := match C with Some c => lt 0 c | None => true end.
Definition is_nu (nu : Q) : bool := lt 0 nu && le nu 1.
Definition parameters (f : form) : bool :=
  match f with
  | Classification y C _ _ => two_classes y && forallb positive_C C
  | Nu y weights nu => two_classes y && forallb (lt 0) weights && is_nu nu
  | Regression _ weights C epsilon => forallb (lt 0) weights && lt 0 C && le 0 epsilon
  | NuRegression _ weights C nu => forallb (lt 0) weights && lt 0 C && is_nu nu
  | OneClass weights nu => forallb (lt 0) weights && is_nu nu
  | Ball weights C => forallb (lt 0) weights && positive_C C
  end.
Definition shape (p : problem) (alpha : list Q) : bool :=
  let n := length (X p) in
  Nat.eqb (length (labels (form_of p))) n && Nat.eqb (length (limits (form_of p))) n
  && Nat.eqb (length alpha) n.

(** * The multipliers are feasible *)

Definition in_bounds (f : form) (C : option Q) (a : Q) : bool :=
  match f, C with
  | Classification _ _ _ true, Some c => le 0 a && lt 0 c
  | (Regression _ _ _ _ | NuRegression _ _ _ _), Some c => le (Qabs a) c
  | _, Some c => le 0 a && le a c
  | _, None => le 0 a
  end.
Definition sums_hold (f : form) (al : list Q) : bool :=
  let balance := sum (betas f al) in
  match f with
  | Classification _ _ bias _ => negb bias || eq balance 0
  | Nu _ _ nu => eq balance 0 && eq (sum al) (nu * sum_C f)
  | Regression _ _ _ _ => eq balance 0
  | NuRegression _ _ _ nu => eq balance 0 && le nu 1 && le (sum (map Qabs al)) (nu * sum_C f)
  | OneClass _ nu => eq (sum al) (nu * sum_C f)
  | Ball _ _ => eq (sum al) 1
  end.
Definition is_feasible (f : form) (al : list Q) : bool :=
  Nat.eqb (length (labels f)) (length (limits f)) && all2 (in_bounds f) (limits f) al
  && sums_hold f al.
Lemma is_feasible_ok f al : is_feasible f al = true -> feasible f al.
Proof.
  unfold is_feasible. intro E. booleans. split; [assumption|]. split.
  - eapply all2_ok; [|eassumption]. intros C a W. unfold within. unfold in_bounds in W.
    destruct f as [? ? ? []| | | | |], C; booleans; auto.
  - unfold sums_hold in *. unfold sums. destruct f; cbv zeta in *; booleans;
      repeat split; try assumption; try (rewrite <- sum_ok; assumption).
    intros ->. rewrite <- sum_ok. now apply eq_ok.
Qed.

(** * The dual *)

Definition dual_value (f : form) (norms al : list Q) (vv : Q) : Q :=
  sum (zip3 (gain f) (limits f) (targets f norms) al) - scale f * ((1#2) * vv).
(** alpha grows without end, and with it the dual: w is 0, and only alpha without a bound are above 0 *)
Definition endless (f : form) (al : list Q) (vv : Q) : bool :=
  match f with
  | Classification _ C _ _ =>
      eq vv 0 && all2 (fun C a => match C with Some _ => eq a 0 | None => true end) C al
      && existsb (lt 0) al
  | _ => false
  end.
Definition dual_holds (f : form) (norms al : list Q) (vv : Q) (u : offsets) (told : value) : bool :=
  match told with
  | Number d => negb (endless f al vv) && eq d (dual_value f norms al vv)
  | Infinite => endless f al vv && eq (b u) 0
  | Minus_infinite => false
  end.

(** * The primal *)

Definition margin (u : offsets) (C : option Q) (y s : Q) : Q :=
  match C with None => y * (s + b u) | Some _ => 1 end.
Definition least (values : list Q) : Q := fold_right (fun m l => if le m l then m else l) 1 values.
(** the least margin that has to be 1; or 1, if that is less *)
Definition least_margin (f : form) (ss : list Q) (u : offsets) : Q :=
  match f with Classification y C _ _ => least (zip3 (margin u) C y ss) | _ => 1 end.
Definition keeps (f : form) (ww : Q) (u : offsets) (C : option Q) (y s : Q) : bool :=
  match C with None => eq (slack f ww u y s) 0 | Some _ => true end.
Definition offset_stays (f : form) (u : offsets) : bool := negb (no_offset f) || eq (b u) 0.
Definition is_allowed (f : form) (norms : list Q) (ww : Q) (ss : list Q) (u : offsets) : bool :=
  offset_stays f u && forallb id (zip3 (keeps f ww u) (limits f) (targets f norms) ss).
Definition primal_value (f : form) (norms : list Q) (ww : Q) (ss : list Q) (u : offsets) : Q :=
  charge f ww u + sum (zip3 (cost f ww u) (limits f) (targets f norms) ss).
Definition machine_value (f : form) (norms : list Q) (ww : Q) (ss : list Q) (u : offsets) : value :=
  let t := least_margin f ss u in
  if le t 0 then Infinite
  else
    let k := / t in
    let ww' := k * (k * ww) in
    let ss' := map (Qmult k) ss in
    let u' := grown k u in
    if is_allowed f norms ww' ss' u' then Number (primal_value f norms ww' ss' u') else Infinite.
Definition primal_holds (f : form) (norms : list Q) (ww : Q) (ss : list Q) (u : offsets) (told : value) : bool :=
  match told, machine_value f norms ww ss u with
  | Number v, Number v' => eq v v'
  | Infinite, Infinite => true
  | _, _ => false
  end.

(** * No multipliers have the sums *)

Definition marks (g : Q -> bool) (y al : list Q) : bool :=
  all2 (fun v a => eq a (if g v then 1 else 0) && Z.eqb (QDen a) 1) y al.
Definition no_multipliers (f : form) (al : list Q) (u : offsets) : bool :=
  eq (b u) 0 && eq (rho u) 0 && eq (radius2 u) 0 &&
  match f with
  | Nu y weights nu =>
      (marks (eq 1) y al || marks (eq (-1)) y al) && lt (dot al weights) ((1#2) * (nu * sum_C f))
  | Ball weights (Some _) => marks (fun _ => true) weights al && lt (sum_C f) 1
  | _ => false
  end.

(** * The whole check *)

Definition check (p : problem) (c : certificate) : bool :=
  let f := form_of p in
  let al := alpha c in
  let u := given c in
  shape p al && parameters f && points_exist p &&
  match told_dual c, told_primal c with
  | Minus_infinite, Minus_infinite => no_multipliers f al u
  | dual, primal =>
      is_feasible f al && offset_stays f u &&
      let e := evaluate p (betas f al) in
      dual_holds f (norms e) al (vv e) u dual && primal_holds f (norms e) (vv e) (ss e) u primal
  end.

(** * What is computed of equal numbers is equal *)

Lemma pos_same s t : s == t -> pos s == pos t.
Proof. intro E. destruct (pos_cases s) as [[? ->]|[? ->]], (pos_cases t) as [[? ->]|[? ->]]; lra. Qed.
Lemma slack_same f ww ww' u y y' s s' : ww == ww' -> y == y' -> s == s' ->
  slack f ww u y s == slack f ww' u y' s'.
Proof.
  intros E F G. destruct f; cbn [slack]; repeat apply Qplus_comp; apply pos_same; rewrite ?E, ?F, ?G; ring.
Qed.
Lemma cost_same f ww ww' u C y y' s s' : ww == ww' -> y == y' -> s == s' ->
  cost f ww u C y s == cost f ww' u C y' s'.
Proof.
  intros E F G. unfold cost. pose proof (slack_same f ww ww' u y y' s s' E F G) as S.
  destruct C; cbn [penalty]; [|reflexivity]. destruct (is_squared f); now rewrite S.
Qed.
Lemma allows_same f ww ww' u C y y' s s' : ww == ww' -> y == y' -> s == s' ->
  allows f ww u C y s -> allows f ww' u C y' s'.
Proof. intros E F G A N. now rewrite <- (slack_same f ww ww' u y y' s s' E F G), (A N). Qed.
Lemma gain_same f C y y' a : y == y' -> gain f C y a == gain f C y' a.
Proof. intro E. destruct f; cbn [gain]; rewrite ?E; reflexivity. Qed.
Lemma targets_same f x x' : same x x' -> same (targets f x) (targets f x').
Proof. intro E. destruct f; try apply same_list. exact E. Qed.
Lemma charge_same f ww ww' u : ww == ww' -> charge f ww u == charge f ww' u.
Proof. intro E. destruct f; cbn [charge]; now rewrite ?E. Qed.

Section Same.
Variables (f : form) (ww ww' : Q) (u : offsets).
Hypothesis W : ww == ww'.
Lemma costs_same : forall Cs ys ys' s s', same ys ys' -> same s s' ->
  total (zip3 (cost f ww u) Cs ys s) == total (zip3 (cost f ww' u) Cs ys' s').
Proof.
  induction Cs as [|C Cs IH]; intros ys ys' s s' E F; [reflexivity|].
  destruct E as [|y y' ys ys' E1 E]; [reflexivity|]. destruct F as [|t t' s s' F1 F]; [reflexivity|].
  simpl. rewrite (cost_same f ww ww' u C y y' t t' W E1 F1). apply Qplus_comp; [reflexivity|].
  now apply IH.
Qed.
Lemma all_allow_same : forall Cs ys ys' s s', same ys ys' -> same s s' ->
  Forall id (zip3 (allows f ww u) Cs ys s) -> Forall id (zip3 (allows f ww' u) Cs ys' s').
Proof.
  induction Cs as [|C Cs IH]; intros ys ys' s s' E F A; [constructor|].
  destruct E as [|y y' ys ys' E1 E]; [constructor|]. destruct F as [|t t' s s' F1 F]; [constructor|].
  simpl in *. inversion A; subst. constructor; [eapply allows_same; eassumption | eapply IH; eassumption].
Qed.
End Same.
Lemma gains_same f al : forall Cs ys ys', same ys ys' ->
  total (zip3 (gain f) Cs ys al) == total (zip3 (gain f) Cs ys' al).
Proof.
  induction al as [|a al IH]; intros [|C Cs] ys ys' E; destruct E as [|y y' ys ys' E1 E];
    try reflexivity. simpl. now rewrite (gain_same f C y y' a E1), (IH Cs _ _ E).
Qed.

(** * Multiples of alpha are feasible, and their duals have no upper bound *)

Lemma combination_times {H : space} t : forall be be' (ps : list H) (z : H),
  Forall2 (fun c c' => c' == t * c) be be' -> ip (combination be' ps) z == t * ip (combination be ps) z.
Proof.
  intros be be' ps z E. revert ps. induction E as [|c c' be be' F _ IH]; intros [|q ps]; simpl;
    try (rewrite ip_zero; ring). rewrite !ip_plus, !ip_times, IH, F. ring.
Qed.
Lemma total_times t x x' : Forall2 (fun c c' => c' == t * c) x x' -> total x' == t * total x.
Proof. induction 1 as [|c c' x x' E _ IH]; simpl; [ring|]. rewrite E, IH. ring. Qed.
Lemma positive_total al : Forall (Qle 0) al -> existsb (lt 0) al = true -> 0 < total al.
Proof.
  induction 1 as [|a x P R IH]; intro E; [discriminate|]. simpl in *.
  assert (N : 0 <= total x) by (clear - R; induction R; simpl; lra).
  apply orb_true_iff in E. destruct E as [E|E]; [apply lt_ok in E; lra|]. specialize (IH E). lra.
Qed.

Lemma multiples_of k : forall (Cs : list (option Q)) y al,
  Forall2 (fun c c' => c' == k * c) (zip3 (fun _ y a => y * a) Cs y al)
    (zip3 (fun _ y a => y * a) Cs y (map (Qmult k) al)).
Proof. induction Cs as [|c Cs IH]; intros [|v y] [|a al]; simpl; constructor; [ring | apply IH]. Qed.
Lemma gains_of_multiple k bias sq Y0 C0 : forall Cs al, Forall2 (fun C a => C <> None -> a == 0) Cs al ->
  forall y, length y = length Cs ->
  total (zip3 (gain (Classification Y0 C0 bias sq)) Cs y (map (Qmult k) al)) == k * total al.
Proof.
  induction 1 as [|c a Cs x Z _ IH]; intros [|v y] L; try discriminate; simpl; [ring|].
  simpl in IH. rewrite IH by (simpl in L; congruence). destruct c as [c|]; [|ring].
  assert (N : a == 0) by (apply Z; discriminate). destruct sq; rewrite N; [|ring].
  unfold Qdiv. ring.
Qed.

Lemma within_multiple k bias sq y C : 0 <= k -> let f := Classification y C bias sq in
  forall Cs al, Forall2 (within f) Cs al -> Forall2 (fun C a => C <> None -> a == 0) Cs al ->
  Forall2 (within f) Cs (map (Qmult k) al).
Proof.
  intros K f. induction 1 as [|c a Cs x W _ IH]; intro Z; inversion Z as [|? ? ? ? Z1 Z2]; subst;
    simpl; constructor; [|now apply IH].
  destruct c as [c|]; [|destruct sq; simpl in *; now apply Qmult_le_0_compat].
  assert (N : a == 0) by (apply Z1; discriminate).
  destruct sq; simpl in *; rewrite N in *; split; try tauto; lra.
Qed.

Section Endless.
Context {H : space}.
Variables (y : list Q) (C : list (option Q)) (bias sq : bool) (al : list Q) (points : list H).
Let f := Classification y C bias sq.
Hypothesis point_for_each : length points = length C.
Hypothesis feasible_al : feasible f al.
Hypothesis no_w : norm2 (machine_of f al points) == 0.
Hypothesis only_hard : Forall2 (fun C a => C <> None -> a == 0) C al.

Lemma multiples k : Forall2 (fun c c' => c' == k * c) (betas f al) (betas f (map (Qmult k) al)).
Proof. apply multiples_of. Qed.
Lemma feasible_multiple k : 0 <= k -> feasible f (map (Qmult k) al).
Proof.
  intro K. destruct feasible_al as [L [W S]]. split; [exact L|]. split.
  - now apply within_multiple.
  - intro B. rewrite (total_times k _ _ (multiples k)), (S B). ring.
Qed.
Lemma endless_unbounded : 0 < total al ->
  forall v t, ~ allowed f (map norm2 points) (norm2 v) (scores v points) t.
Proof.
  intros P v t A. set (top := primal f (map norm2 points) (norm2 v) (scores v points) t).
  assert (B : forall k, 0 <= k -> k * total al <= top).
  { intros k K. pose proof (weak_duality f _ points point_for_each (feasible_multiple k K) v t A) as D.
    pose proof (gains_of_multiple k bias sq y C C al only_hard y (proj1 feasible_al)) as G.
    assert (N : norm2 (machine_of f (map (Qmult k) al) points) == 0).
    { unfold norm2, machine_of in *. rewrite (combination_times k _ _ points _ (multiples k)), ip_sym,
        (combination_times k _ _ points _ (multiples k)), no_w. ring. }
    assert (E : dual f (map norm2 points) (map (Qmult k) al) (norm2 (machine_of f (map (Qmult k) al) points))
                == k * total al).
    { unfold dual. rewrite N. rewrite <- G. change (scale f) with 1. unfold f. cbn [limits targets labels]. ring. }
    rewrite <- E. exact D. }
  pose proof (B 0 ltac:(lra)) as Z. assert (T : 0 <= top) by lra.
  specialize (B ((top + 1) / total al)).
  assert (E : (top + 1) / total al * total al == top + 1) by (field; lra). rewrite E in B.
  assert (0 <= (top + 1) / total al) by (apply Qle_shift_div_l; lra). specialize (B H0). lra.
Qed.
End Endless.

(** * Where no multipliers have the sums, the primal falls without end *)

Section Falling.
Context {H : space}.
Lemma zero_norm : norm2 (@zero H) == 0.
Proof. apply ip_zero. Qed.
Lemma nothing_is_forbidden f norms ww u s : no_offset f = false -> soft f -> allowed f norms ww s u.
Proof.
  intros N S. split; [congruence|]. unfold soft in S. revert S.
  generalize (limits f), (targets f norms). intros Cs ys S. revert ys s.
  induction S as [|C Cs E _ IH]; intros [|y ys] [|r s]; simpl; constructor; [|apply IH].
  intro I. congruence.
Qed.
Lemma some_are_soft {A} (g : A -> Q) x : Forall (fun C => C <> None) (map (fun v => Some (g v)) x).
Proof. induction x; constructor; [discriminate | assumption]. Qed.

Lemma nu_costs v r Y0 W0 nu : v == 1 \/ v == -1 -> 0 <= r -> forall y weights al (ps : list H),
  forallb is_one_of_two y = true -> length ps = length weights -> marks (eq v) y al = true ->
  total (zip3 (cost (Nu Y0 W0 nu) 0 {| b := - v * r; rho := r; epsilon := 0; radius2 := 0 |})
           (map Some weights) y (scores zero ps))
  == 2 * r * dot al weights.
Proof.
  intros V P. unfold marks, scores.
  induction y as [|t y IH]; intros [|k weights] [|a al] [|p ps] T L M; try discriminate; simpl in *; try ring.
  booleans. rewrite (IH weights al ps) by (assumption || congruence). clear IH. unfold cost. cbn [penalty is_squared slack b rho].
  rewrite (pos_same _ (r - t * (- v * r))) by (rewrite ip_zero; ring).
  assert (T1 : t == 1 \/ t == -1).
  { match goal with K : is_one_of_two t = true |- _ => apply orb_true_iff in K; destruct K as [K|K];
      apply eq_ok in K; auto end. }
  match goal with K : a == _ |- _ => rename K into M1 end.
  destruct (eq v t) eqn:E; [apply eq_ok in E | assert (F : ~ v == t) by (intro F; apply Qeq_bool_iff in F; unfold eq in E; congruence)];
    rewrite M1.
  - rewrite (pos_same _ (2 * r)); [|rewrite <- E; destruct V as [->| ->]; ring].
    destruct (pos_cases (2 * r)) as [[G ->]|[G ->]]; [|ring]. assert (R : r == 0) by lra. rewrite R. ring.
  - rewrite (pos_same _ 0); [|]. { destruct (pos_cases 0) as [[G ->]|[G ->]]; ring. }
    destruct V as [V|V], T1 as [T1|T1]; rewrite V, T1 in *; try ring; exfalso; apply F; reflexivity.
Qed.
Lemma nu_falls y weights nu al (ps : list H) v q : v == 1 \/ v == -1 -> length ps = length weights ->
  forallb is_one_of_two y = true -> marks (eq v) y al = true ->
  dot al weights < (1#2) * (nu * sum_C (Nu y weights nu)) ->
  exists t, primal (Nu y weights nu) (map norm2 ps) (norm2 (@zero H)) (scores zero ps) t <= q.
Proof.
  intros V L T M D. set (N := nu * sum_C (Nu y weights nu)) in *. set (S := dot al weights) in *.
  set (r := Qabs q / (N - 2 * S)). assert (P : 0 <= r) by (apply Qle_shift_div_l; [lra|]; pose proof (Qabs_nonneg q); lra).
  exists {| b := - v * r; rho := r; epsilon := 0; radius2 := 0 |}. unfold primal.
  rewrite (charge_same _ _ 0 _ zero_norm),
    (costs_same _ _ 0 _ zero_norm _ _ _ _ _ (same_list _) (same_list _)).
  cbn [limits targets labels]. rewrite (nu_costs v r y weights nu V P y weights al ps T L M).
  cbn [charge rho]. fold N S.
  assert (E : r * (N - 2 * S) == Qabs q) by (unfold r; field; lra).
  pose proof (Qle_Qabs (- q)) as A. rewrite Qabs_opp in A. lra.
Qed.

Lemma ball_costs c W0 C0 r : 0 <= r -> 0 < c -> forall weights (ps : list H), length ps = length weights ->
  forallb (lt 0) weights = true ->
  total (zip3 (cost (Ball W0 C0) 0 {| b := 0; rho := 0; epsilon := 0; radius2 := - r |})
           (map (fun v => Some (c * v)) weights) (map norm2 ps) (scores zero ps))
  == total (zip3 (fun _ v k => c * v * k) weights weights (map norm2 ps))
     + r * total (map finite (map (fun v => Some (c * v)) weights)).
Proof.
  intros R P. unfold scores.
  induction weights as [|k weights IH]; intros [|p ps] L W; try discriminate; simpl in *; [ring|].
  booleans. rewrite IH by (assumption || congruence). unfold cost. cbn [penalty is_squared slack radius2].
  rewrite (pos_same _ (norm2 p + r)) by (rewrite ip_zero; ring). pose proof (ip_pos H p) as G.
  fold (norm2 p) in G. destruct (pos_cases (norm2 p + r)) as [[K ->]|[K ->]]; [|ring].
  assert (E : norm2 p == 0) by lra. assert (F : r == 0) by lra. rewrite E, F. ring.
Qed.
Lemma ball_falls weights c (ps : list H) q : 0 < c -> length ps = length weights ->
  forallb (lt 0) weights = true -> sum_C (Ball weights (Some c)) < 1 ->
  exists t, primal (Ball weights (Some c)) (map norm2 ps) (norm2 (@zero H)) (scores zero ps) t <= q.
Proof.
  intros P L W D. set (A := total (zip3 (fun _ v k => c * v * k) weights weights (map norm2 ps))).
  unfold sum_C in D. cbn [limits option_map] in D. set (S := total (map finite _)) in D.
  set (r := Qabs (A - q) / (1 - S)).
  assert (R : 0 <= r) by (apply Qle_shift_div_l; [lra|]; pose proof (Qabs_nonneg (A - q)); lra).
  exists {| b := 0; rho := 0; epsilon := 0; radius2 := - r |}. unfold primal.
  rewrite (charge_same _ _ 0 _ zero_norm),
    (costs_same _ _ 0 _ zero_norm _ _ _ _ _ (same_list _) (same_list _)).
  cbn [limits targets option_map]. rewrite (ball_costs c weights (Some c) r R P weights ps L W). fold A S.
  cbn [charge radius2]. assert (E : r * (1 - S) == Qabs (A - q)) by (unfold r; field; lra).
  pose proof (Qle_Qabs (A - q)). lra.
Qed.
End Falling.

(** * What each part proves *)

Section Sound.
Variables (p : problem) (al : list Q) (u : offsets) (e : evaluation) (H : space) (points : list H).
Let f := form_of p.
Let w := machine_of f al points.
Let true_norms := map norm2 points.
Let allows_ v t := allowed f true_norms (norm2 v) (scores v points) t.
Let value_of v t := primal f true_norms (norm2 v) (scores v points) t.
Hypothesis is_shape : shape p al = true.
Hypothesis parameters_hold : parameters f = true.
Hypothesis are_points_of : are_points p points.

Lemma point_for_each : length points = length (limits f).
Proof.
  unfold shape in is_shape. fold f in is_shape. booleans. rewrite H2. clear - are_points_of.
  unfold are_points in are_points_of. apply lengths in are_points_of. rewrite <- are_points_of.
  unfold gram. destruct (kernel_of p); now rewrite ?map_length.
Qed.

Section Feasible.
Hypothesis feasible_al : feasible f al.
Hypothesis evaluated : evaluates p (betas f al) e.

Lemma dual_number d : dual_holds f (norms e) al (vv e) u (Number d) = true ->
  forall v t, allows_ v t -> d <= value_of v t.
Proof.
  simpl. intros D v t A. booleans. destruct (evaluated H points are_points_of) as [_ [V N]].
  pose proof (weak_duality f al points point_for_each feasible_al v t A) as B.
  unfold dual_value in *. rewrite sum_ok in *. unfold dual in B. unfold value_of, true_norms.
  rewrite H1, V, (gains_same f al _ _ _ (targets_same f _ _ N)). exact B.
Qed.

Lemma dual_infinite : dual_holds f (norms e) al (vv e) u Infinite = true -> forall v t, ~ allows_ v t.
Proof.
  simpl. intro D. booleans. destruct (evaluated H points are_points_of) as [_ [V _]].
  pose proof point_for_each as L. pose proof feasible_al as G. unfold allows_, w in *.
  destruct f as [y C bias sq| | | | |]; try discriminate. cbn [endless] in *. booleans.
  apply (endless_unbounded y C bias sq al points L G).
  - now rewrite <- V.
  - eapply all2_ok; [|eassumption]. intros [c|] a E N; [now apply eq_ok | congruence].
  - apply positive_total; [|assumption]. destruct G as [_ [W _]]. clear - W. simpl in W.
    induction W as [|[c|] a Cs x W _ IH]; constructor; auto; destruct sq; simpl in W; tauto.
Qed.

Lemma least_ok values : least values <= 1 /\ (Forall (Qeq 1) values -> least values == 1).
Proof.
  induction values as [|m x [L E]]; simpl; [split; [lra | reflexivity]|]. split.
  - destruct (le m (least x)) eqn:B; [apply le_ok in B; lra | exact L].
  - intro A. inversion A as [|? ? M R]; subst. specialize (E R). destruct (le m (least x)); lra.
Qed.
Lemma least_margin_ok s t : least_margin f s t <= 1 /\ (soft f -> least_margin f s t == 1).
Proof.
  unfold least_margin, soft. destruct f as [y C bias sq| | | | |]; try (split; [lra | reflexivity]).
  destruct (least_ok (zip3 (margin t) C y s)) as [L E]. split; [exact L|]. intro S. apply E.
  simpl in S. clear - S. revert y s. induction S as [|c C N _ IH]; intros [|v y] [|r s]; simpl; constructor.
  - destruct c; [reflexivity | congruence].
  - apply IH.
Qed.
Lemma scores_times k (v : H) s : same s (scores v points) ->
  same (map (Qmult k) s) (scores (times k v) points).
Proof.
  unfold scores. generalize points. intros ps E. revert s E.
  induction ps as [|q ps IH]; intros s E; inversion E as [|r ? s' ? F G]; subst; simpl; constructor.
  - rewrite ip_times. now rewrite F.
  - now apply IH.
Qed.
Lemma is_allowed_ok n ww s t : is_allowed f n ww s t = true -> allowed f n ww s t.
Proof.
  unfold is_allowed, offset_stays. intro A. booleans. split.
  - intro N. rewrite N in *. simpl in *. now apply eq_ok.
  - revert H1. generalize (limits f), (targets f n). intros Cs ys. revert ys s.
    induction Cs as [|C Cs IH]; intros [|y ys] [|r s] A; simpl in *; constructor; booleans.
    + intros ->. simpl in *. now apply eq_ok.
    + now apply IH.
Qed.
Lemma primal_number v : primal_holds f (norms e) (vv e) (ss e) u (Number v) = true ->
  exists k, 1 <= k /\ (soft f -> k == 1) /\
    allows_ (times k w) (grown k u) /\ value_of (times k w) (grown k u) == v.
Proof.
  unfold primal_holds, machine_value. destruct (le _ 0) eqn:Z; [discriminate|].
  set (t := least_margin f (ss e) u) in *. destruct (least_margin_ok (ss e) u) as [L S]. fold t in L, S.
  assert (P : 0 < t). { apply Qnot_le_lt. intro B. apply Qle_bool_iff in B. unfold le in Z. congruence. }
  set (k := / t) in *. destruct (is_allowed _ _ _ _ _) eqn:A; [|discriminate]. intro E. booleans.
  apply is_allowed_ok in A. destruct (evaluated H points are_points_of) as [B [V N]].
  assert (W : k * (k * vv e) == norm2 (times k w)).
  { unfold norm2 in *. rewrite ip_times, ip_sym, ip_times, V. reflexivity. }
  pose proof (scores_times k w (ss e) B) as T. pose proof (targets_same f _ _ N) as M.
  exists k. assert (K : k * t == 1) by (unfold k; field; lra). split; [|split; [|split]].
  - unfold k. rewrite <- (Qmult_1_l (/ t)). apply Qle_shift_div_l; lra.
  - intro F. specialize (S F). rewrite S in K. lra.
  - destruct A as [A1 A2]. split; [exact A1|]. eapply all_allow_same; eassumption.
  - unfold value_of, primal, true_norms. rewrite E. unfold primal_value. rewrite sum_ok.
    rewrite (charge_same f _ _ _ W), (costs_same f _ _ _ W _ _ _ _ _ M T). reflexivity.
Qed.
End Feasible.

(** w is 0, and rho, or -radius2, grows: what it gains is more than what the slack costs *)
Lemma no_multipliers_unbounded : no_multipliers f al u = true ->
  forall q, exists v t, allows_ v t /\ value_of v t <= q.
Proof.
  unfold no_multipliers. intro N. booleans. pose proof point_for_each as L. unfold allows_, value_of.
  unfold true_norms. destruct f as [|y weights nu| | | |weights [c|]]; try discriminate; intro q.
  - unfold parameters, two_classes in *. booleans. simpl in L. rewrite map_length in L.
    assert (F : exists t, primal (Nu y weights nu) (map norm2 points) (norm2 (@zero H)) (scores zero points) t <= q).
    { match goal with K : _ || _ = true |- _ => apply orb_true_iff in K; destruct K as [M|M] end;
        [apply (nu_falls y weights nu al points 1) | apply (nu_falls y weights nu al points (-1))];
        try assumption; [left | right]; reflexivity. }
    destruct F as [t T]. exists zero, t. split; [|exact T].
    apply nothing_is_forbidden; [reflexivity | apply (some_are_soft (fun v => v))].
  - unfold parameters in *. booleans. simpl in L. rewrite map_length in L.
    assert (F : exists t, primal (Ball weights (Some c)) (map norm2 points) (norm2 (@zero H)) (scores zero points) t <= q)
      by (apply ball_falls; try assumption; now apply lt_ok).
    destruct F as [t T]. exists zero, t. split; [|exact T].
    apply nothing_is_forbidden; [reflexivity | apply (some_are_soft (Qmult c))].
Qed.
End Sound.

Theorem checked p c : check p c = true -> has_points p /\ states p c.
Proof.
  unfold check. intro C. booleans. split; [now apply points_exist_ok|]. intros G points A.
  assert (T : told_dual c = Minus_infinite /\ told_primal c = Minus_infinite /\
        no_multipliers (form_of p) (alpha c) (given c) = true \/
      is_feasible (form_of p) (alpha c) && offset_stays (form_of p) (given c) &&
      (let e := evaluate p (betas (form_of p) (alpha c)) in
       dual_holds (form_of p) (norms e) (alpha c) (vv e) (given c) (told_dual c)
       && primal_holds (form_of p) (norms e) (vv e) (ss e) (given c) (told_primal c)) = true) by (destruct (told_dual c), (told_primal c); auto).
  destruct T as [[D [P N]]|T]; cbv zeta.
  - rewrite D, P. split; [exact I|]. eapply no_multipliers_unbounded; eassumption.
  - cbv zeta in T. pose proof (evaluate_ok p (betas (form_of p) (alpha c))) as E.
    revert T E. generalize (evaluate p (betas (form_of p) (alpha c))). intros e T E. booleans.
    match goal with K : is_feasible _ _ = true |- _ => apply is_feasible_ok in K end. split.
    + destruct (told_dual c) as [d| |]; [|eapply dual_infinite; eassumption|exact I].
      eapply dual_number; eassumption.
    + destruct (told_primal c) as [v| |]; [|exact I|discriminate].
      eapply primal_number; eassumption.
Qed.
