(** Weak duality of every machine, by one inequality for each example:

        gain - scale * beta * s - share  <=  cost           [fenchel]

    beta and gain are what the multiplier adds to w and to the dual, and share is what the sums of
    the multipliers make of the offsets.  Added up, it says that no primal is below the dual. *)
Require Import QArith Qabs List Lqa.
Require Import Statement.
Import ListNotations.
Open Scope Q_scope.

(** * Numbers *)

Lemma square_pos t : 0 <= t * t.
Proof. nra. Qed.
Lemma pos_cases t : (t <= 0 /\ pos t = 0) \/ (0 < t /\ pos t = t).
Proof.
  unfold pos. destruct (Qle_bool t 0) eqn:E.
  - left. split; [now apply Qle_bool_iff | reflexivity].
  - right. split; [|reflexivity]. apply Qnot_le_lt. intro L. apply Qle_bool_iff in L. congruence.
Qed.
Lemma abs_cases a : (0 <= a /\ Qabs a == a) \/ (a <= 0 /\ Qabs a == - a).
Proof.
  destruct (Qlt_le_dec a 0); [right | left]; split; try lra; [apply Qabs_neg | apply Qabs_pos]; lra.
Qed.
(** a line of slope between 0 and c is nowhere above c max(0, t) *)
Lemma below_pos a c t : 0 <= a -> a <= c -> a * t <= c * pos t.
Proof. intros. destruct (pos_cases t) as [[? ->]|[? ->]]; nra. Qed.
Lemma below_square a c t :
  0 < c -> 0 <= a -> a * t - (1#2) * (a * a / c) <= (1#2) * (c * (pos t * pos t)).
Proof.
  intros P N. set (r := a / c).
  assert (E : a == r * c) by (unfold r; field; lra).
  assert (F : a * a / c == r * r * c) by (unfold r; field; lra). rewrite F, E in *. clearbody r.
  assert (R : 0 <= r) by nra.
  destruct (pos_cases t) as [[L ->]|[L ->]].
  - assert (0 <= r * c * - t) by (apply Qmult_le_0_compat; lra).
    pose proof (Qmult_le_0_compat c _ (Qlt_le_weak _ _ P) (square_pos r)). lra.
  - pose proof (Qmult_le_0_compat c _ (Qlt_le_weak _ _ P) (square_pos (t - r))). lra.
Qed.

Lemma total_abs x : 0 <= total (map Qabs x).
Proof. induction x as [|a x IH]; simpl; [lra|]. pose proof (Qabs_nonneg a). lra. Qed.

(** * One example *)

(** What the multiplier makes of the offsets; theta is 0 unless the width of a tube is one: then
    as much is added on both of its sides, that all sides together have what they are to have. *)
Definition share (f : form) (theta ww : Q) (u : offsets) (C : option Q) (y a : Q) : Q :=
  match f with
  | Classification _ _ _ _ => b u * (y * a)
  | Nu _ _ _ => b u * (y * a) - rho u * a
  | Regression _ _ _ _ => b u * a
  | NuRegression _ _ _ _ => b u * a + epsilon u * ((1 - 2 * theta) * Qabs a + 2 * theta * finite C)
  | OneClass _ _ => - rho u * a
  | Ball _ _ => (radius2 u - ww) * a
  end.
Lemma no_slack t : pos t == 0 -> t <= 0.
Proof. destruct (pos_cases t) as [[? ->]|[? ->]]; lra. Qed.

Definition always_finite (f : form) (C : option Q) : Prop :=
  match f with Classification _ _ _ _ | Ball _ _ => True | _ => C <> None end.

Lemma fenchel f theta ww u C y a s :
  0 <= theta -> theta <= 1 # 2 -> always_finite f C ->
  within f C a -> allows f ww u C y s ->
  gain f C y a - scale f * (beta f C y a * s) - share f theta ww u C y a <= cost f ww u C y s.
Proof.
  intros T0 T1 F W A. unfold allows, cost in *.
  destruct f as [? ? ? sq|? ? ?|? ? ? eps|? ? ? ?|? ?|? ?], C as [c|]; simpl in *;
    try (destruct (F eq_refl)).
  - destruct sq; simpl in *; destruct W as [P Q].
    + pose proof (below_square a c (1 - y * (s + b u)) Q P). lra.
    + pose proof (below_pos a c (1 - y * (s + b u)) P Q). lra.
  - specialize (A eq_refl). apply no_slack in A. destruct sq; simpl in W; nra.
  - destruct W as [P Q]. pose proof (below_pos a c (rho u - y * (s + b u)) P Q). lra.
  - destruct (abs_cases a) as [[P E]|[P E]]; rewrite E in *.
    + pose proof (below_pos a c (y - s - b u - eps) P W).
      pose proof (below_pos 0 c (s + b u - y - eps)). lra.
    + pose proof (below_pos (- a) c (s + b u - y - eps)).
      pose proof (below_pos 0 c (y - s - b u - eps)). lra.
  - destruct (abs_cases a) as [[P E]|[P E]]; rewrite E in *.
    + pose proof (below_pos (a + theta * (c - a)) c (y - s - b u - epsilon u)) as U.
      pose proof (below_pos (theta * (c - a)) c (s + b u - y - epsilon u)) as V.
      assert (0 <= theta * (c - a)) by nra. assert (theta * (c - a) <= (1#2) * (c - a)) by nra.
      specialize (U ltac:(lra) ltac:(lra)). specialize (V ltac:(lra) ltac:(lra)). lra.
    + pose proof (below_pos (theta * (c + a)) c (y - s - b u - epsilon u)) as U.
      pose proof (below_pos (- a + theta * (c + a)) c (s + b u - y - epsilon u)) as V.
      assert (0 <= theta * (c + a)) by nra. assert (theta * (c + a) <= (1#2) * (c + a)) by nra.
      specialize (U ltac:(lra) ltac:(lra)). specialize (V ltac:(lra) ltac:(lra)). lra.
  - destruct W as [P Q]. pose proof (below_pos a c (rho u - s) P Q). lra.
  - destruct W as [P Q]. pose proof (below_pos a c (y - 2 * s + ww - radius2 u) P Q). lra.
  - specialize (A eq_refl). apply no_slack in A. nra.
Qed.

(** * Sums over the examples *)

Section Sums.
Context {A B D : Type}.
Implicit Types (x : list A) (y : list B) (z : list D).
Lemma total_ext (g h : A -> B -> D -> Q) : (forall p q r, g p q r == h p q r) ->
  forall x y z, total (zip3 g x y z) == total (zip3 h x y z).
Proof.
  intro E. induction x as [|p x IH]; intros [|q y] [|r z]; simpl; try reflexivity.
  now rewrite E, IH.
Qed.
Lemma total_linear (j k : Q) (g h : A -> B -> D -> Q) : forall x y z,
  total (zip3 (fun p q r => j * g p q r + k * h p q r) x y z)
  == j * total (zip3 g x y z) + k * total (zip3 h x y z).
Proof.
  induction x as [|p x IH]; intros [|q y] [|r z]; simpl; try rewrite IH; ring.
Qed.
Lemma zip3_third {E} (g : D -> E) : forall x y z, length y = length x -> length z = length x ->
  zip3 (fun _ _ r => g r) x y z = map g z.
Proof.
  induction x as [|p x IH]; intros [|q y] [|r z] L M; try discriminate; simpl in *;
    [reflexivity | f_equal; apply IH; congruence].
Qed.
Lemma zip3_first {E} (g : A -> E) : forall x y z, length y = length x -> length z = length x ->
  zip3 (fun p _ _ => g p) x y z = map g x.
Proof.
  induction x as [|p x IH]; intros [|q y] [|r z] L M; try discriminate; simpl in *;
    [reflexivity | f_equal; apply IH; congruence].
Qed.
End Sums.
Lemma lengths {A B} (P : A -> B -> Prop) x y : Forall2 P x y -> length y = length x.
Proof. induction 1; simpl; congruence. Qed.
Lemma map_same (x : list Q) : map (fun v => v) x = x.
Proof. induction x; simpl; congruence. Qed.

(** * What the offsets are charged is what the multipliers make of them *)

Section Machine.
Variables (f : form) (norms al : list Q).
Hypothesis feasible_al : feasible f al.
Hypothesis all_norms : length norms = length (limits f).
Let Cs := limits f.
Let ys := targets f norms.

Lemma target_for_each : length ys = length Cs.
Proof. destruct feasible_al as [L _]. unfold ys, Cs. destruct f; assumption. Qed.
Lemma betas_by_targets : betas f al = zip3 (beta f) Cs ys al.
Proof.
  destruct feasible_al as [L [W _]]. apply lengths in W.
  unfold betas, ys, Cs. destruct f as [| | | | |v C]; try reflexivity.
  transitivity (map (fun a : Q => a) al); [|symmetry]; apply (zip3_third (fun a => a)); assumption.
Qed.

Lemma sum_of (g : Q -> Q) : total (zip3 (fun _ _ a => g a) Cs ys al) == total (map g al).
Proof.
  destruct feasible_al as [_ [W _]]. rewrite zip3_third; [reflexivity|exact target_for_each|].
  now rewrite (lengths _ _ _ W).
Qed.
Lemma sum_of_C : total (zip3 (fun C _ _ => finite C) Cs ys al) == sum_C f.
Proof.
  destruct feasible_al as [_ [W _]]. rewrite zip3_first; [reflexivity|exact target_for_each|].
  now rewrite (lengths _ _ _ W).
Qed.
Lemma size_at_most : match f with NuRegression _ _ _ _ => total (map Qabs al) <= sum_C f | _ => True end.
Proof.
  destruct feasible_al as [_ [W _]]. destruct f as [| | |y weights C nu| |]; auto. unfold sum_C.
  clear - W. revert al W. simpl. induction weights as [|v weights IH]; intros al W;
    inversion W; subst; simpl in *; [lra|]. specialize (IH _ H3). lra.
Qed.

(** theta such that all sides of tubes together have nu C W *)
Definition theta : Q :=
  match f with
  | NuRegression _ _ _ nu =>
      (nu * sum_C f - total (map Qabs al)) / ((2#1) * (sum_C f - total (map Qabs al)))
  | _ => 0
  end.
Lemma over_zero v : v / 0 == 0.
Proof. unfold Qdiv. change (/ 0) with 0. ring. Qed.
Lemma theta_within : 0 <= theta /\ theta <= 1#2.
Proof.
  pose proof size_at_most as S. destruct feasible_al as [_ [_ F]]. unfold theta.
  destruct f as [| | |y weights C nu| |]; try (split; lra). destruct F as [_ [N F]]. cbv beta iota in S.
  pose proof (total_abs al) as P. revert S F P.
  generalize (sum_C (NuRegression y weights C nu)), (total (map Qabs al)). intros W z S F P.
  destruct (Qlt_le_dec 0 (W - z)) as [L|L].
  - assert (0 <= (1 - nu) * W) by (apply Qmult_le_0_compat; lra).
    split; [apply Qle_shift_div_l | apply Qle_shift_div_r]; lra.
  - assert (E : (2#1) * (W - z) == 0) by lra. rewrite E, over_zero. split; lra.
Qed.

(** The three sums that all shares are made of: those of beta, of a function of alpha, and of C. *)
Lemma shares ww u : (no_offset f = true -> b u == 0) ->
  scale f * ((1#2) * ww) + total (zip3 (share f theta ww u) Cs ys al) == charge f ww u.
Proof.
  intro B. destruct theta_within as [T0 T1]. pose proof size_at_most as Z.
  destruct feasible_al as [_ [_ S]]. unfold sums in S. rewrite betas_by_targets in S.
  set (SB := total (zip3 (beta f) Cs ys al)) in *.
  assert (E : forall k g, total (zip3 (fun C y a => b u * beta f C y a + k * g C y a) Cs ys al)
                          == b u * SB + k * total (zip3 g Cs ys al))
    by (intros; apply total_linear).
  assert (SA : total (zip3 (fun _ _ a => a) Cs ys al) == total al)
    by (rewrite (sum_of (fun a => a)), map_same; reflexivity).
  pose proof (sum_of Qabs) as SQ. pose proof sum_of_C as SC.
  revert B Z S E SA SQ SC. unfold theta. generalize SB. clearbody Cs ys. clear.
  destruct f as [y C bias sq|y v nu|y v C eps|y v C nu|v nu|v C];
    cbn [no_offset charge scale share beta]; intros SB B Z S E SA SQ SC.
  - rewrite (total_ext _ (fun (_ : option Q) y a => b u * (y * a) + 0 * 0)) by (intros; simpl; ring).
    rewrite (E 0 (fun _ _ _ => 0)).
    destruct bias; [rewrite (S eq_refl) | rewrite (B eq_refl)]; ring.
  - destruct S as [S1 S2].
    rewrite (total_ext _ (fun (_ : option Q) y a => b u * (y * a) + - rho u * a)) by (intros; simpl; ring).
    rewrite (E (- rho u) (fun _ _ a => a)), SA, S1, S2. ring.
  - rewrite (total_ext _ (fun (_ : option Q) (_ : Q) a => b u * a + 0 * 0)) by (intros; simpl; ring).
    rewrite (E 0 (fun _ _ _ => 0)), S. ring.
  - destruct S as [S1 [N S2]]. set (t := _ / _).
    rewrite (E (epsilon u) (fun C _ a => (1 - 2 * t) * Qabs a + 2 * t * finite C)).
    rewrite (total_linear (1 - 2 * t) (2 * t) (fun _ _ a => Qabs a) (fun C _ _ => finite C)).
    rewrite S1, SQ, SC. unfold t. pose proof (total_abs al) as P. revert N S2 Z P.
    generalize (sum_C (NuRegression y v C nu)), (total (map Qabs al)). intros W z N S2 Z P.
    destruct (Qlt_le_dec z W) as [L|L]; [field; lra|].
    assert (G : (2#1) * (W - z) == 0) by lra. rewrite G, over_zero.
    assert (0 <= (1 - nu) * W) by (apply Qmult_le_0_compat; lra).
    assert (F : nu * W == z) by lra. rewrite F. ring.
  - rewrite (total_ext _ (fun (_ : option Q) (_ : Q) a => - rho u * a + 0 * 0)) by (intros; simpl; ring).
    rewrite (total_linear _ _ (fun _ _ a => a) (fun _ _ _ => 0)), SA, S. ring.
  - rewrite (total_ext _ (fun (_ : option Q) (_ : Q) a => (radius2 u - ww) * a + 0 * 0)) by (intros; simpl; ring).
    rewrite (total_linear _ _ (fun _ _ a => a) (fun _ _ _ => 0)), SA, S. ring.
Qed.
End Machine.

(** * All examples together *)

Lemma all_finite f : Forall (always_finite f) (limits f).
Proof.
  destruct f as [y C bias sq|y v nu|y v C eps|y v C nu|v nu|v C]; simpl;
    apply Forall_forall; try (intros; exact I);
    intros c I; apply in_map_iff in I; destruct I as [? [<- _]]; discriminate.
Qed.

Section Space.
Context {H : space}.
Implicit Types (v w : H) (points : list H).

Lemma costs_above f th ww u w : 0 <= th -> th <= 1#2 ->
  forall Cs al, Forall2 (within f) Cs al -> Forall (always_finite f) Cs ->
  forall ys points, length ys = length Cs -> length points = length Cs ->
  Forall id (zip3 (allows f ww u) Cs ys (scores w points)) ->
  total (zip3 (gain f) Cs ys al) - scale f * ip w (combination (zip3 (beta f) Cs ys al) points)
    - total (zip3 (share f th ww u) Cs ys al)
  <= total (zip3 (cost f ww u) Cs ys (scores w points)).
Proof.
  intros T0 T1 Cs al W. induction W as [|C a Cs al W _ IH]; intros F ys points L M A.
  - simpl. rewrite ip_sym, ip_zero. lra.
  - destruct ys as [|y ys], points as [|p points]; try discriminate.
    inversion F as [|? ? F1 F2]; subst. simpl in A. inversion A as [|? ? A1 A2]; subst.
    simpl in L, M. specialize (IH F2 ys points ltac:(congruence) ltac:(congruence) A2).
    pose proof (fenchel f th ww u C y a (ip w p) T0 T1 F1 W A1) as G. simpl.
    rewrite (ip_sym H w (plus _ _)), ip_plus, ip_times, (ip_sym H p w), (ip_sym H (combination _ _) w).
    lra.
Qed.

Theorem weak_duality f al points : length points = length (limits f) -> feasible f al ->
  let norms := map norm2 points in
  forall w u, allowed f norms (norm2 w) (scores w points) u ->
  dual f norms al (norm2 (machine_of f al points)) <= primal f norms (norm2 w) (scores w points) u.
Proof.
  intros L S norms w u [B A].
  assert (N : length norms = length (limits f)) by (unfold norms; now rewrite map_length).
  pose proof (theta_within f norms al S N) as [T0 T1]. pose proof (shares f norms al S N (norm2 w) u B) as E.
  pose proof (target_for_each f norms al S N) as M. destruct (S) as [_ [W _]].
  pose proof (costs_above f _ (norm2 w) u w T0 T1 _ _ W (all_finite _) _ _ M L A) as G.
  unfold dual, primal, machine_of. rewrite <- (betas_by_targets f norms al S N) in G.
  set (v := combination _ points) in *. pose proof (ip_pos H (plus w (times (-1) v))) as P.
  assert (D : ip (plus w (times (-1) v)) (plus w (times (-1) v)) == ip w w - 2 * ip w v + ip v v).
  { set (z := plus w _). unfold z at 1. rewrite ip_plus, ip_times, (ip_sym H w z), (ip_sym H v z).
    unfold z. rewrite !ip_plus, !ip_times, (ip_sym H v w). ring. }
  rewrite D in P. unfold norm2 in *. rewrite <- E. assert (K : scale f == 1 \/ scale f == 2)
    by (destruct f; simpl; (left; reflexivity) || (right; reflexivity)).
  destruct K as [K|K]; rewrite K in *; lra.
Qed.
End Space.
