(** Scores, |w|^2 and |phi(x_i)|^2: of a linear kernel by w itself, which is n d multiplications, otherwise
    by the kernel matrix.  Numbers are first written over one denominator, so that sums are those of
    whole numbers.  What is computed is proved equal to what Statement.v defines. *)
Require Import QArith Qreduction List Lqa Lia Bool.
Require Import Statement Duality Kernels.
Import ListNotations.
Open Scope Q_scope.

(** * Sums over one denominator *)

Definition common (q : positive) (v : Q) : positive :=
  let d := Qden v in
  if Z.eqb (Zpos q mod Zpos d) 0 then q
  else if Z.eqb (Zpos d mod Zpos q) 0 then d
  else Z.to_pos (Zpos q * (Zpos d / Z.gcd (Zpos q) (Zpos d))).
Definition common_of (values : list Q) : positive := fold_left common values 1%positive.
Definition whole (q : positive) (v : Q) : Z :=
  if Z.eqb (Zpos q) (QDen v) then Qnum v else (Qnum v * (Zpos q / Zpos (Qden v)))%Z.
Definition is_whole (q : positive) (v : Q) : bool :=
  Z.eqb (Zpos q) (QDen v) || Z.eqb (Zpos q mod QDen v) 0.
Lemma whole_ok q v : is_whole q v = true -> v == whole q v # q.
Proof.
  unfold is_whole, whole. destruct (Z.eqb_spec (Zpos q) (QDen v)) as [E|_].
  { injection E as ->. now destruct v. }
  intro D. apply Z.eqb_eq in D. destruct v as [p d]. unfold Qeq. simpl in *.
  pose proof (Z.div_mod (Zpos q) (Zpos d) ltac:(discriminate)) as E. rewrite D in E. nia.
Qed.
(** a number that is not whole over q is added as it is *)
Fixpoint sum_over (q : positive) (values : list Q) : Q :=
  match values with
  | [] => 0 # q
  | v :: rest =>
      let r := sum_over q rest in
      if Z.eqb (QDen r) (Zpos q) && is_whole q v then (whole q v + Qnum r)%Z # q else Qred (v + r)
  end.
Definition sum (values : list Q) : Q := sum_over (common_of values) values.
Lemma sum_ok values : sum values == total values.
Proof.
  unfold sum. generalize (common_of values). intro q. induction values as [|v values IH]; [now simpl|].
  cbn [sum_over total fold_right]. fold (total values). rewrite <- IH.
  destruct (_ && _) eqn:B; [|apply Qred_correct].
  apply andb_true_iff in B. destruct B as [E W]. apply Z.eqb_eq in E. injection E as E.
  transitivity ((whole q v # q) + sum_over q values); [|now rewrite <- (whole_ok _ _ W)].
  destruct (sum_over q values) as [p d]. simpl in *. subst. unfold Qeq, Qplus. simpl. nia.
Qed.

(** the same number over q, if it is a whole number over q *)
Definition align (q : positive) (v : Q) : Q := if is_whole q v then whole q v # q else v.
Definition aligned (x : list Q) : list Q := map (align (common_of x)) x.
Definition aligned_rows (X : list (list Q)) : list (list Q) := map (map (align (common_of (concat X)))) X.
Lemma align_ok q v : align q v == v.
Proof. unfold align. destruct (is_whole q v) eqn:W; [symmetry; now apply whole_ok | reflexivity]. Qed.

Definition plus_over (x y : Q) : Q := if Z.eqb (QDen x) (QDen y) then (Qnum x + Qnum y)%Z # Qden x else Qred (x + y).
Lemma plus_over_ok x y : plus_over x y == x + y.
Proof.
  unfold plus_over. destruct (Z.eqb_spec (QDen x) (QDen y)) as [E|_]; [|apply Qred_correct].
  destruct x as [p q], y as [r s]. simpl in *. injection E as ->. unfold Qeq, Qplus. simpl. nia.
Qed.
Fixpoint dot_over (x z : list Q) : Q :=
  match x, z with
  | [v], [t] => v * t
  | v :: x', t :: z' => plus_over (v * t) (dot_over x' z')
  | _, _ => 0
  end.
Fixpoint add_over (x z : list Q) : list Q :=
  match x, z with v :: x', t :: z' => plus_over v t :: add_over x' z' | [], _ => z | _, [] => x end.
Fixpoint combination_over (be : list Q) (X : list (list Q)) : list Q :=
  match be, X with
  | [c], [x] => map (Qmult c) x
  | c :: be', x :: X' => add_over (map (Qmult c) x) (combination_over be' X')
  | _, _ => []
  end.

(** equal numbers, one by one *)
Notation same := (Forall2 Qeq).
Lemma same_list (x : list Q) : same x x.
Proof. induction x; constructor; [reflexivity | assumption]. Qed.
Lemma same_trans (x y z : list Q) : same x y -> same y z -> same x z.
Proof.
  intro P. revert z. induction P as [|v t x y E _ IH]; intros z R; inversion R; subst; constructor.
  - now rewrite E. - now apply IH.
Qed.
Lemma same_sym (x y : list Q) : same x y -> same y x.
Proof. induction 1; constructor; [now symmetry | assumption]. Qed.
Lemma same_align q x : same (map (align q) x) x.
Proof. induction x; constructor; [apply align_ok | assumption]. Qed.
Lemma dot_same : forall x x', same x x' -> forall z z', same z z' -> dot x z == dot x' z'.
Proof.
  induction 1 as [|v v' x x' E _ IH]; intros z z' F; [reflexivity|].
  inversion F as [|t t' z1 z2 G J]; subst; simpl; [reflexivity|]. now rewrite E, G, (IH _ _ J).
Qed.
Lemma dot_over_ok x : forall z, dot_over x z == dot x z.
Proof.
  induction x as [|v x IH]; intros [|t z]; try reflexivity; [now destruct x|].
  transitivity (v * t + dot x z); [|reflexivity].
  destruct x as [|v' x], z as [|t' z]; rewrite <- IH; cbn [dot_over]; rewrite ?plus_over_ok; ring.
Qed.
Lemma add_over_ok : forall x x', same x x' -> forall z z', same z z' -> same (add_over x z) (add x' z').
Proof.
  induction 1 as [|v v' x x' E F IH]; intros z z' G; [exact G|].
  destruct G as [|t t' z z' G1 G]; simpl; constructor; auto. now rewrite plus_over_ok, E, G1.
Qed.
Lemma times_same c c' x x' : c == c' -> same x x' -> same (map (Qmult c) x) (map (Qmult c') x').
Proof. intro E. induction 1 as [|v t x x' F _ IH]; simpl; constructor; [now rewrite E, F | assumption]. Qed.
Lemma add_nil x : add x [] = x.
Proof. now destruct x. Qed.
Lemma combination_over_ok : forall be be', same be be' -> forall X X', Forall2 same X X' ->
  same (combination_over be X) (combination (H := coordinates) be' X').
Proof.
  induction 1 as [|c c' be be' E F IH]; intros X X' G; [constructor|].
  destruct G as [|x x' X X' G1 G]; [destruct be; constructor|].
  assert (T : same (map (Qmult c) x) (map (Qmult c') x')) by now apply times_same.
  assert (S : same (add_over (map (Qmult c) x) (combination_over be X))
    (add (map (Qmult c') x') (combination (H := coordinates) be' X'))) by (apply add_over_ok; auto).
  destruct F as [|? ? ? ? F1 F], G as [|? ? ? ? G2 G]; try exact S. simpl. rewrite add_nil. exact T.
Qed.

(** * Scores *)

Record evaluation := { ss : list Q; vv : Q; norms : list Q }.
Fixpoint diagonal (n : nat) (K : list (list Q)) : list Q :=
  match K with [] => [] | row :: K' => nth n row 0 :: diagonal (S n) K' end.
Definition by_rows (X : list (list Q)) (be : list Q) : evaluation :=
  let w := combination_over be X in
  {| ss := map (fun x => dot_over x w) X; vv := dot_over w w; norms := map (fun x => dot_over x x) X |}.
Definition by_gram (K : list (list Q)) (be : list Q) : evaluation :=
  let s := map (fun row => dot_over row be) K in
  {| ss := s; vv := dot_over be s; norms := diagonal 0 K |}.
Definition gram_over (p : problem) : list (list Q) :=
  let X' := aligned_rows (X p) in
  match kernel_of p with
  | Polynomial n gamma coef0 =>
      map (fun x => map (fun z => power (gamma * dot_over x z + coef0) n) X') X'
  | _ => X'
  end.
Definition evaluate (p : problem) (be : list Q) : evaluation :=
  match kernel_of p with
  | Linear => by_rows (aligned_rows (X p)) (aligned be)
  | _ => by_gram (gram_over p) (aligned be)
  end.

Section Gram.
Context {H : space} (points : list H).
Lemma ip_combination (v : H) : forall be (ps : list H) row, Forall2 (fun z k => ip v z == k) ps row ->
  ip v (combination be ps) == dot row be.
Proof.
  induction be as [|c be IH]; intros ps row G; inversion G; subst; simpl;
    try (rewrite ip_sym, ip_zero; reflexivity).
  rewrite (ip_sym H v), ip_plus, ip_times, (ip_sym H x), (ip_sym H (combination _ _) v), (IH _ _ H1), H0.
  ring.
Qed.
Lemma scores_by_gram be : forall K ps,
  Forall2 (fun v row => Forall2 (fun z k => ip v z == k) points row) ps K ->
  same (map (fun row => dot row be) K) (scores (combination be points) ps).
Proof.
  induction 1 as [|v row ps K G _ IH]; simpl; constructor; [|exact IH].
  rewrite (ip_sym H _ v). symmetry. now apply ip_combination.
Qed.
Lemma norm2_by_scores be : forall (ps : list H) (w : H) s,
  same s (scores w ps) ->
  ip (combination be ps) w == dot be s.
Proof.
  induction be as [|c be IH]; intros [|p ps] w s E; simpl;
    try (inversion E; subst; apply ip_zero).
  inversion E as [|t ? s' ? F G]; subst.
  rewrite ip_plus, ip_times, (IH _ _ _ G), (ip_sym H p), F. reflexivity.
Qed.
End Gram.

(** what is evaluated is so, in one space with these points *)
Definition evaluates (p : problem) (be : list Q) (e : evaluation) : Prop :=
  forall (H : space) (points : list H), are_points p points ->
  let w := combination be points in
  same (ss e) (scores w points) /\ vv e == norm2 w /\ same (norms e) (map norm2 points).

Lemma Forall2_imp {A B} (P R : A -> B -> Prop) x z :
  (forall v t, P v t -> R v t) -> Forall2 P x z -> Forall2 R x z.
Proof. intro I. induction 1; constructor; auto. Qed.
Lemma diagonal_ok {H : space} : forall (later before : list H) K,
  Forall2 (fun v row => Forall2 (fun z k => ip v z == k) (before ++ later) row) later K ->
  same (diagonal (length before) K) (map norm2 later).
Proof.
  induction later as [|p later IH]; intros before K G; inversion G as [|? row ? K' E F]; subst;
    simpl; constructor.
  - clear - E. unfold norm2. symmetry. revert row E. induction before as [|z before IH];
      intros row E; inversion E; subst; simpl; [assumption|]. now apply IH.
  - replace (S (length before)) with (length (before ++ [p])) by (rewrite app_length; simpl; lia).
    apply IH. eapply Forall2_imp; [|exact F]. intros v r J. now rewrite <- app_assoc.
Qed.
Lemma norms_by_gram p {H : space} (points : list H) : are_points p points ->
  same (diagonal 0 (gram p)) (map norm2 points).
Proof. exact (diagonal_ok points [] _). Qed.
Lemma diagonal_same : forall K K', Forall2 same K K' -> forall n, same (diagonal n K) (diagonal n K').
Proof.
  induction 1 as [|x x' K K' E _ IH]; intro n; simpl; constructor; [|apply IH].
  clear - E. revert n. induction E as [|v v' x x' F _ IH]; intros [|n]; simpl; try reflexivity; [exact F | apply IH].
Qed.
Lemma rows_same (X : list (list Q)) : Forall2 same (aligned_rows X) X.
Proof.
  unfold aligned_rows. generalize (common_of (concat X)). intro q.
  induction X; constructor; [apply same_align | assumption].
Qed.
Lemma power_same x z n : x == z -> power x n == power z n.
Proof. intro E. induction n as [|n IH]; [reflexivity|]. simpl. now apply Qmult_comp. Qed.
Lemma map_same2 {A B} (R : A -> A -> Prop) (P : B -> B -> Prop) (g h : A -> B) x x' :
  (forall v t, R v t -> P (g v) (h t)) -> Forall2 R x x' -> Forall2 P (map g x) (map h x').
Proof. intros I. induction 1; simpl; constructor; auto. Qed.
Lemma gram_same p : kernel_of p <> Linear -> Forall2 same (gram_over p) (gram p).
Proof.
  intro N. unfold gram_over, gram. pose proof (rows_same (X p)) as R.
  destruct (kernel_of p) as [|n gamma coef0|]; [congruence| |exact R].
  apply map_same2 with same; [|exact R]. intros x x' E. apply map_same2 with same; [|exact R].
  intros z z' F. apply power_same. now rewrite dot_over_ok, (dot_same _ _ E _ _ F).
Qed.
Lemma rows_are_points p : kernel_of p = Linear -> are_points p (H := coordinates) (X p).
Proof.
  intro L. unfold are_points, gram. rewrite L. pose proof (points_by_map coordinates (fun x => x) dot
    (fun _ => True) (fun x z _ _ => Qeq_refl _) (X p)) as M. rewrite map_id in M. apply M.
  apply Forall_forall. auto.
Qed.
Theorem evaluate_ok p be : evaluates p be (evaluate p be).
Proof.
  intros H points A w. pose proof (scores_by_gram points be _ _ A) as S. fold w in S.
  pose proof (same_align (common_of be) be) as B. fold (aligned be) in B.
  pose proof (rows_same (X p)) as R. pose proof (norms_by_gram p points A) as N.
  unfold evaluate. destruct (kernel_of p) eqn:K; cycle 1.
  1-2: pose proof (gram_same p ltac:(congruence)) as G; cbn [by_gram ss vv norms];
    assert (T : same (map (fun row => dot_over row (aligned be)) (gram_over p)) (scores w points))
      by (eapply same_trans; [|exact S]; apply map_same2 with same; [|exact G];
          intros x x' E; now rewrite dot_over_ok, (dot_same _ _ E _ _ B));
    split; [exact T|]; split;
      [rewrite dot_over_ok, (dot_same _ _ B _ _ T); symmetry;
        exact (norm2_by_scores be points w _ (same_list _))
      |eapply same_trans; [apply (diagonal_same _ _ G) | exact N]].
  pose proof (rows_are_points p K) as C. pose proof (scores_by_gram _ be _ _ C) as S'.
  set (v := combination (H := coordinates) be (X p)) in *.
  pose proof (combination_over_ok _ _ B _ _ R) as V. fold v in V.
  assert (T : same (scores v (X p)) (scores w points)) by (eapply same_trans; [apply same_sym; exact S' | exact S]).
  split; [|split]; cbn [by_rows ss vv norms].
  - eapply same_trans; [|exact T]. apply map_same2 with same; [|exact R]. intros x x' E.
    rewrite dot_over_ok, (dot_same _ _ E _ _ V). apply dot_sym.
  - rewrite dot_over_ok, (dot_same _ _ V _ _ V). unfold norm2. symmetry. unfold w at 1.
    rewrite (norm2_by_scores be points w _ T).
    symmetry. apply (norm2_by_scores (H := coordinates) be (X p) v _ (same_list _)).
  - eapply same_trans; [|eapply same_trans; [apply same_sym, (norms_by_gram p _ C) | exact N]].
    apply map_same2 with same; [|exact R]. intros x x' E. rewrite dot_over_ok. now apply dot_same.
Qed.

(** * That there are points whose inner products are the kernel's values *)

Definition rows_alike (p : problem) : bool :=
  match X p with
  | [] => false
  | x :: _ => negb (Nat.eqb (length x) 0) && forallb (fun z => Nat.eqb (length z) (length x)) (X p)
  end.
Definition points_exist (p : problem) : bool :=
  rows_alike p &&
  match kernel_of p with
  | Linear => true
  | Polynomial n gamma coef0 => Nat.leb n 999 && Qle_bool 0 gamma && Qle_bool 0 coef0
  | Precomputed =>
      let q := common_of (concat (X p)) in
      forallb (forallb (is_whole q)) (X p) && definite (length (X p)) 1 (map (map (whole q)) (X p))
  end.
Lemma rows_over_ok q X : forallb (forallb (is_whole q)) X = true ->
  Forall2 (Forall2 (fun v k => v == k # q)) X (map (map (whole q)) X).
Proof.
  induction X as [|x X IH]; simpl; constructor; apply andb_true_iff in H; destruct H as [W R]; [|now apply IH].
  clear - W. induction x as [|v x IH]; simpl in *; constructor; apply andb_true_iff in W; destruct W;
    [now apply whole_ok | now apply IH].
Qed.
Lemma scaled_weights q g : Forall (Qle 0) g -> Forall (Qle 0) (map (Qmult (1 # q)) g).
Proof. induction 1; simpl; constructor; [now apply Qmult_le_0_compat | assumption]. Qed.
Theorem points_exist_ok p : points_exist p = true -> has_points p.
Proof.
  unfold points_exist, rows_alike, has_points, are_points, gram. rewrite andb_true_iff. intros [R K].
  destruct (X p) as [|x0 Y] eqn:E; [discriminate|]. rewrite <- E in *. clear E Y.
  apply andb_true_iff in R. destruct R as [_ R].
  assert (L : Forall (fun x => length x = length x0) (X p)).
  { apply Forall_forall. intros x I. rewrite forallb_forall in R. now apply Nat.eqb_eq, R. }
  destruct (kernel_of p) as [|n gamma coef0|].
  - exists coordinates, (X p).
    pose proof (points_by_map coordinates (fun x => x) dot _ (fun _ _ _ _ => Qeq_refl _) (X p) L) as M.
    rewrite map_id in M. exact M.
  - rewrite !andb_true_iff in K. destruct K as [[_ G] C]. apply Qle_bool_iff in G, C.
    exists (weighted _ (weights_pos n (length x0) gamma coef0 G C)), (map (features n) (X p)).
    apply (points_by_map (weighted _ _) (features n) (fun x z => power (gamma * dot x z + coef0) n)
             (fun x => length x = length x0)); [|exact L].
    intros x z M N. simpl. rewrite <- M. apply polynomial. congruence.
  - cbv zeta in K. revert K. generalize (common_of (concat (X p))). intros q K.
    apply andb_true_iff in K. destruct K as [W K]. apply rows_over_ok in W.
    destruct (definite_has_points _ 1%Z _ eq_refl K) as [g [ps [P G]]].
    exists (weighted (map (Qmult (1 # q)) g) (scaled_weights q g P)), ps.
    change (Forall2 (fun v => Forall2 (fun z k => wdot (map (Qmult (1 # q)) g) v z == k) ps) ps (X p)).
    clear - W G. unfold gram_is in G. revert G. generalize ps at 2 4. intros es G. revert es G.
    induction W as [|y yz Y Yz E _ IH]; intros es T; inversion T as [|e ? es' ? F G]; subst; constructor;
      [|now apply IH].
    clear - E F. revert y E. induction F as [|z k zs row F _ IH]; intros y E;
      inversion E as [|v ? y' ? J]; subst; constructor; [|now apply IH].
    rewrite wdot_by, F, J. unfold Qeq, Qmult, inject_Z. simpl. rewrite Pos.mul_1_r. destruct k; reflexivity.
Qed.
