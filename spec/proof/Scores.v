(** Scores, |w|^2 and |phi(x_i)|^2 in whole numbers over one denominator: of a linear kernel by w
    itself, which is n d multiplications, otherwise by the kernel matrix; and sums of fractions.  What
    is computed is proved equal to what Statement.v defines. *)
Require Import QArith Qabs Qreduction List Lqa Lia Bool.
Require Import Statement Duality Kernels.
Import ListNotations.
Open Scope Q_scope.

(** * Comparisons, and sums over one denominator *)

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

Fixpoint zprod (x z : list Z) : Z :=
  match x, z with v :: x', t :: z' => (v * t + zprod x' z')%Z | _, _ => 0%Z end.
(** x are the whole numbers xz over q *)
Definition over (q : positive) : list Q -> list Z -> Prop := Forall2 (fun v k => v == k # q).
Lemma zprod_ok q d : forall x z xz zz, over q x xz -> over d z zz -> dot x z == zprod xz zz # (q * d).
Proof.
  induction x as [|v x IH]; intros z xz zz P R; inversion P; subst; [reflexivity|].
  inversion R; subst; [reflexivity|]. simpl. rewrite (IH _ _ _ H3 H0), H1, H. unfold Qeq, Qmult, Qplus.
  simpl. rewrite !Pos2Z.inj_mul. ring.
Qed.
Lemma whole_list q x : forallb (is_whole q) x = true -> over q x (map (whole q) x).
Proof.
  induction x as [|v x IH]; intro W; simpl in *; constructor; apply andb_true_iff in W; destruct W;
    [now apply whole_ok | now apply IH].
Qed.

(** * Scores, |w|^2 and |phi(x_i)|^2 *)

Record evaluation := { ss : list Q; vv : Q; norms : list Q }.

(** beta_i times row i, added to the others *)
Fixpoint zadd (c : Z) (x z : list Z) : list Z :=
  match x, z with
  | v :: x', t :: z' => (v * c + t)%Z :: zadd c x' z'
  | v :: x', [] => (v * c)%Z :: zadd c x' []
  | [], _ => z
  end.
Fixpoint zweights (bz : list Z) (rows : list (list Z)) : list Z :=
  match bz, rows with
  | c :: bz', x :: rows' => zadd c x (zweights bz' rows')
  | _, _ => []
  end.
Definition by_rows (q d : positive) (rows : list (list Z)) (bz : list Z) : evaluation :=
  let w := zweights bz rows in
  {| ss := map (fun x => zprod x w # (q * (d * q))) rows; vv := zprod w w # ((d * q) * (d * q));
     norms := map (fun x => zprod x x # (q * q)) rows |}.
Fixpoint diagonal {A} (none : A) (n : nat) (K : list (list A)) : list A :=
  match K with [] => [] | row :: K' => nth n row none :: diagonal none (S n) K' end.
Definition by_gram (q d : positive) (K : list (list Z)) (bz : list Z) : evaluation :=
  let sz := map (fun row => zprod row bz) K in
  {| ss := map (fun s => s # (q * d)) sz; vv := zprod bz sz # (d * (q * d));
     norms := map (fun k => k # q) (diagonal 0%Z 0 K) |}.

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
  Forall2 Qeq (map (fun row => dot row be) K) (scores (combination be points) ps).
Proof.
  induction 1 as [|v row ps K G _ IH]; simpl; constructor; [|exact IH].
  rewrite (ip_sym H _ v). symmetry. now apply ip_combination.
Qed.
Lemma norm2_by_scores be : forall (ps : list H) (w : H) s,
  Forall2 Qeq s (scores w ps) ->
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
  Forall2 Qeq (ss e) (scores w points) /\ vv e == norm2 w /\ Forall2 Qeq (norms e) (map norm2 points).

Lemma dot_same : forall x x', Forall2 Qeq x x' -> forall z z', Forall2 Qeq z z' -> dot x z == dot x' z'.
Proof.
  induction 1 as [|v v' x x' E _ IH]; intros z z' F; [reflexivity|].
  inversion F as [|t t' z1 z2 G J]; subst; simpl; [reflexivity|]. now rewrite E, G, (IH _ _ J).
Qed.
Lemma same_list (x : list Q) : Forall2 Qeq x x.
Proof. induction x; constructor; [reflexivity | assumption]. Qed.
Lemma Forall2_trans' (x y z : list Q) : Forall2 Qeq x y -> Forall2 Qeq y z -> Forall2 Qeq x z.
Proof.
  intro P. revert z. induction P as [|v t x y E _ IH]; intros z R; inversion R; subst; constructor.
  - now rewrite E. - now apply IH.
Qed.
Lemma Forall2_sym' (x y : list Q) : Forall2 Qeq x y -> Forall2 Qeq y x.
Proof. induction 1; constructor; [now symmetry | assumption]. Qed.
Lemma diagonal_ok {H : space} : forall (later before : list H) K,
  Forall2 (fun v row => Forall2 (fun z k => ip v z == k) (before ++ later) row) later K ->
  Forall2 Qeq (diagonal 0 (length before) K) (map norm2 later).
Proof.
  induction later as [|p later IH]; intros before K G; inversion G as [|? row ? K' E F]; subst;
    simpl; constructor.
  - clear - E. unfold norm2. symmetry. revert row E. induction before as [|z before IH];
      intros row E; inversion E; subst; simpl; [assumption|]. now apply IH.
  - replace (S (length before)) with (length (before ++ [p])) by (rewrite app_length; simpl; lia).
    apply IH. eapply Forall2_imp; [|exact F]. intros v r J. now rewrite <- app_assoc.
Qed.
Lemma norms_by_gram p {H : space} (points : list H) : are_points p points ->
  Forall2 Qeq (diagonal 0 0 (gram p)) (map norm2 points).
Proof. exact (diagonal_ok points [] _). Qed.
Lemma over_diagonal q : forall K Kz, Forall2 (over q) K Kz -> forall n,
  Forall2 Qeq (map (fun k => k # q) (diagonal 0%Z n Kz)) (diagonal 0 n K).
Proof.
  induction 1 as [|row kz K Kz E _ IH]; intro n; simpl; constructor; [|apply IH].
  clear IH. revert n. induction E as [|v k row kz F _ IH]; intros [|n]; simpl; try reflexivity;
    [now symmetry | apply IH].
Qed.

Lemma over_matrix q : forall X Xz, Forall2 (over q) X Xz ->
  forall d be bz, over d be bz ->
  Forall2 Qeq (map (fun s => s # (q * d)) (map (fun row => zprod row bz) Xz))
    (map (fun row => dot row be) X).
Proof.
  induction 1 as [|x xz X Xz E _ IH]; intros d be bz F; simpl; constructor; [|now apply IH].
  symmetry. now apply zprod_ok.
Qed.
Lemma over_numbers d (sz : list Z) : over d (map (fun s => s # d) sz) sz.
Proof. induction sz; constructor; [reflexivity|assumption]. Qed.
Lemma over_same d x x' xz : Forall2 Qeq x x' -> over d x xz -> over d x' xz.
Proof.
  intro P. revert xz. induction P as [|v t x x' E _ IH]; intros xz R; inversion R; subst; constructor.
  - now rewrite <- E. - now apply IH.
Qed.
Theorem by_gram_ok p q d K be bz : Forall2 (over q) (gram p) K -> over d be bz ->
  evaluates p be (by_gram q d K bz).
Proof.
  intros G B H points A w. unfold are_points in A. set (sz := map (fun row => zprod row bz) K).
  assert (S : Forall2 Qeq (map (fun s => s # (q * d)) sz) (scores w points)).
  { eapply Forall2_trans'; [now apply over_matrix with (X := gram p) (be := be)|].
    now apply scores_by_gram. }
  repeat split; [exact S| |].
  - unfold norm2, w at 1. rewrite (norm2_by_scores be points w _ S). symmetry.
    apply zprod_ok; [exact B | apply over_numbers].
  - eapply Forall2_trans'; [now apply over_diagonal with (K := gram p) | now apply norms_by_gram].
Qed.

Lemma add_nil x : add x [] = x.
Proof. now destruct x. Qed.
Lemma zadd_ok q d c cz : c == cz # d -> forall x xz w wz, over q x xz -> over (d * q) w wz ->
  over (d * q) (add (map (Qmult c) x) w) (zadd cz xz wz).
Proof.
  intro E. induction x as [|v x IH]; intros xz w wz P R; inversion P as [|? k ? ? F]; subst; [exact R|].
  assert (G : c * v == (k * cz)%Z # (d * q))
    by (rewrite E, F; unfold Qeq, Qmult; simpl; rewrite !Pos2Z.inj_mul; ring).
  inversion R as [|t s w' wz' J]; subst; simpl; constructor.
  - exact G.
  - rewrite <- (add_nil (map (Qmult c) x)). apply IH; [assumption | constructor].
  - cbv beta. rewrite G, J. unfold Qeq, Qplus. simpl. rewrite !Pos2Z.inj_mul. ring.
  - now apply IH.
Qed.
Lemma zweights_ok q d : forall be bz, over d be bz -> forall X Xz, Forall2 (over q) X Xz ->
  over (d * q) (combination (H := coordinates) be X) (zweights bz Xz).
Proof.
  induction 1 as [|c cz be bz E _ IH]; intros X Xz F; [constructor|].
  inversion F; subst; simpl; [constructor|]. apply zadd_ok; auto.
Qed.
Lemma rows_are_points p : kernel_of p = Linear -> are_points p (H := coordinates) (X p).
Proof.
  intro L. unfold are_points, gram. rewrite L. pose proof (points_by_map coordinates (fun x => x) dot
    (fun _ => True) (fun x z _ _ => Qeq_refl _) (X p)) as M. rewrite map_id in M. apply M.
  apply Forall_forall. auto.
Qed.
Theorem by_rows_ok p q d Xz be bz : kernel_of p = Linear -> Forall2 (over q) (X p) Xz -> over d be bz ->
  evaluates p be (by_rows q d Xz bz).
Proof.
  intros L G B H points A w. set (v := combination (H := coordinates) be (X p)).
  pose proof (zweights_ok q d be bz B _ _ G) as W. fold v in W.
  pose proof (rows_are_points p L) as C.
  pose proof (scores_by_gram points be _ _ A) as S. pose proof (scores_by_gram _ be _ _ C) as S'.
  assert (T : Forall2 Qeq (scores v (X p)) (scores w points))
    by (eapply Forall2_trans'; [apply Forall2_sym'; exact S' | exact S]).
  repeat split.
  - eapply Forall2_trans'; [|exact T]. unfold by_rows, scores. simpl. revert W. generalize (zweights bz Xz). intros wz W.
    clearbody v. clear - G W.
    induction G as [|x xz Y Yz E _ IH]; [constructor|]. simpl. constructor; [|assumption].
    rewrite (dot_sym v x). symmetry. now apply zprod_ok.
  - unfold norm2, w at 1. rewrite (norm2_by_scores be points w _ T).
    rewrite <- (norm2_by_scores (H := coordinates) be (X p) v _ (same_list _)).
    symmetry. now apply zprod_ok.
  - eapply Forall2_trans'; [|eapply Forall2_trans'; [apply Forall2_sym', (norms_by_gram p _ C)
                                                     | now apply norms_by_gram]].
    unfold by_rows. simpl. clear - G.
    induction G as [|x xz Y Yz E _ IH]; [constructor|]. simpl. constructor; [|assumption].
    unfold norm2. symmetry. now apply zprod_ok.
Qed.

(** * Of each problem *)

Fixpoint zpower (v : Z) (n : nat) : Z := match n with O => 1%Z | S m => (v * zpower v m)%Z end.
Fixpoint ppower (q : positive) (n : nat) : positive :=
  match n with O => 1%positive | S m => (q * ppower q m)%positive end.
Lemma power_ok v q n : power (v # q) n == zpower v n # ppower q n.
Proof. induction n as [|n IH]; [reflexivity|]. simpl. now rewrite IH. Qed.
Lemma power_same x z n : x == z -> power x n == power z n.
Proof. intro E. induction n as [|n IH]; [reflexivity|]. simpl. now apply Qmult_comp. Qed.

Definition rows_over (q : positive) (p : problem) : list (list Z) := map (map (whole q)) (X p).
Definition polynomial_rows (q e : positive) (n : nat) (gamma coef0 : Q) (Xz : list (list Z)) :=
  let g := whole e gamma in
  let r := (whole e coef0 * Zpos (q * q))%Z in
  map (fun x => map (fun z => zpower (g * zprod x z + r) n) Xz) Xz.
Definition evaluate (p : problem) (be : list Q) : option evaluation :=
  let q := common_of (concat (X p)) in
  let d := common_of be in
  let bz := map (whole d) be in
  if forallb (is_whole d) be && forallb (forallb (is_whole q)) (X p) then
    match kernel_of p with
    | Linear => Some (by_rows q d (rows_over q p) bz)
    | Precomputed => Some (by_gram q d (rows_over q p) bz)
    | Polynomial n gamma coef0 =>
        let e := common_of [gamma; coef0] in
        if is_whole e gamma && is_whole e coef0
        then Some (by_gram (ppower (e * (q * q)) n) d
                     (polynomial_rows q e n gamma coef0 (rows_over q p)) bz)
        else None
    end
  else None.

Lemma rows_over_ok q p : forallb (forallb (is_whole q)) (X p) = true -> Forall2 (over q) (X p) (rows_over q p).
Proof.
  unfold rows_over. induction (X p) as [|x Y IH]; intro W; simpl in *; constructor;
    apply andb_true_iff in W; destruct W; [now apply whole_list | now apply IH].
Qed.
Lemma polynomial_ok q e n gamma coef0 x z xz zz :
  is_whole e gamma = true -> is_whole e coef0 = true -> over q x xz -> over q z zz ->
  power (gamma * dot x z + coef0) n
  == zpower (whole e gamma * zprod xz zz + whole e coef0 * Zpos (q * q)) n # ppower (e * (q * q)) n.
Proof.
  intros G R E F. rewrite <- power_ok. apply power_same.
  transitivity ((whole e gamma # e) * (zprod xz zz # q * q) + (whole e coef0 # e)).
  { now rewrite <- (whole_ok _ _ G), <- (whole_ok _ _ R), (zprod_ok _ _ _ _ _ _ E F). }
  unfold Qeq, Qplus, Qmult. simpl. rewrite !Pos2Z.inj_mul. ring.
Qed.
Theorem evaluate_ok p be e : evaluate p be = Some e -> evaluates p be e.
Proof.
  unfold evaluate. destruct (_ && _) eqn:W; [|discriminate]. apply andb_true_iff in W.
  destruct W as [B R]. apply whole_list in B. apply rows_over_ok in R.
  revert R. generalize (common_of (concat (X p))). intros q R. destruct (kernel_of p) as [|n gamma coef0|] eqn:K.
  - intro E. injection E as <-. now apply by_rows_ok.
  - destruct (_ && _) eqn:V; [|discriminate]. apply andb_true_iff in V. destruct V as [G C].
    intro E. injection E as <-. apply by_gram_ok; [|exact B]. unfold gram. rewrite K. clear - R G C.
    unfold polynomial_rows. revert R. generalize (rows_over q p). intros Xz R.
    assert (H : forall Y Yz, Forall2 (over q) Y Yz -> Forall2 (over (ppower (common_of [gamma; coef0] * (q * q)) n))
      (map (fun x => map (fun z => power (gamma * dot x z + coef0) n) (X p)) Y)
      (map (fun x => map (fun z => zpower (whole (common_of [gamma; coef0]) gamma * zprod x z
          + whole (common_of [gamma; coef0]) coef0 * Zpos (q * q)) n) Xz) Yz)).
    { induction 1 as [|x xz Y Yz E _ IH]; [constructor|]. simpl. constructor; [|exact IH].
      clear IH. induction R as [|z zz Z Zz F _ IH]; [constructor|]. simpl. constructor; [|exact IH].
      now apply polynomial_ok. }
    now apply H.
  - intro E. injection E as <-. apply by_gram_ok; [|exact B]. unfold gram. now rewrite K.
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
      forallb (forallb (is_whole q)) (X p) &&
      match triangle (length (X p)) (rows_over q p) with
      | Some U => definite (length (X p)) 1 U
      | None => false
      end
  end.
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
  - cbv zeta in K. revert K. generalize (common_of (concat (X p))). intros q K. apply andb_true_iff in K. destruct K as [W K].
    destruct (triangle _ _) as [U|] eqn:T; [|discriminate].
    exists (matrix_space q _ U K), (units (length (X p))). change (Forall2 (fun v row =>
      Forall2 (fun z k => by_matrix q U v z == k) (units (length (X p))) row)
        (units (length (X p))) (X p)).
    apply units_are_points in T. apply rows_over_ok in W. clear - W T. revert T.
    generalize (units (length (X p))). intro all. generalize all at 2 4. intros es. revert es.
    induction W as [|y yz Y Yz E _ IH]; intros es T; inversion T as [|e ? es' ? F G]; subst; constructor;
      [|now apply IH].
    clear - E F. revert y E. induction F as [|z k zs row F _ IH]; intros y E;
      inversion E as [|v ? y' ? J]; subst; constructor; [|now apply IH].
    unfold by_matrix. rewrite F, J. unfold Qeq, Qmult, inject_Z. simpl.
    rewrite Pos.mul_1_r. destruct k; reflexivity.
Qed.
