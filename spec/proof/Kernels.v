(** Each kernel that a certificate may have is an inner product in some space, so that nothing is
    assumed of it, and a statement about all such spaces is about something:

        Linear        the rows themselves
        Polynomial    the products of coordinates, weighted; so too sums of monomials
        Precomputed   points that elimination finds, if the matrix is positive semidefinite *)
Require Import QArith List Lqa Lia Bool.
Require Import Statement Duality.
Import ListNotations.
Open Scope Q_scope.

(** * Lists of numbers, the shorter ending in zeros; coordinate k has the weight g_k *)

Fixpoint add (x z : list Q) : list Q :=
  match x, z with v :: x', t :: z' => (v + t) :: add x' z' | [], _ => z | _, [] => x end.
Fixpoint wdot (g x z : list Q) : Q :=
  match g, x, z with h :: g', v :: x', t :: z' => h * v * t + wdot g' x' z' | _, _, _ => 0 end.
Lemma wdot_add g : forall x y z, wdot g (add x y) z == wdot g x z + wdot g y z.
Proof. induction g as [|h g IH]; intros [|v x] [|t y] [|r z]; simpl; try rewrite IH; ring. Qed.
Lemma wdot_times g c : forall x z, wdot g (map (Qmult c) x) z == c * wdot g x z.
Proof. induction g as [|h g IH]; intros [|v x] [|t z]; simpl; try rewrite IH; ring. Qed.
Lemma wdot_sym g : forall x z, wdot g x z == wdot g z x.
Proof. induction g as [|h g IH]; intros [|v x] [|t z]; simpl; try rewrite IH; ring. Qed.
Lemma wdot_pos g : Forall (Qle 0) g -> forall x, 0 <= wdot g x x.
Proof.
  induction 1 as [|h g P _ IH]; intros [|v x]; simpl; try lra.
  pose proof (Qmult_le_0_compat _ _ P (square_pos v)). specialize (IH x). lra.
Qed.
Lemma wdot_nil g z : wdot g [] z == 0.
Proof. destruct g; reflexivity. Qed.
Definition weighted (g : list Q) (P : Forall (Qle 0) g) : space := {|
  vector := list Q; zero := []; plus := add; times c := map (Qmult c); ip := wdot g;
  ip_zero := wdot_nil g; ip_plus := wdot_add g; ip_times := wdot_times g; ip_sym := wdot_sym g;
  ip_pos := wdot_pos g P |}.

Lemma dot_add x : forall y z, dot (add x y) z == dot x z + dot y z.
Proof. induction x as [|v x IH]; intros [|t y] [|r z]; simpl; try rewrite IH; ring. Qed.
Lemma dot_times c : forall x z, dot (map (Qmult c) x) z == c * dot x z.
Proof. induction x as [|v x IH]; intros [|t z]; simpl; try rewrite IH; ring. Qed.
Lemma dot_sym x : forall z, dot x z == dot z x.
Proof. induction x as [|v x IH]; intros [|t z]; simpl; try rewrite IH; ring. Qed.
Lemma dot_pos x : 0 <= dot x x.
Proof. induction x; simpl; nra. Qed.
(** the space of a linear machine *)
Definition coordinates : space := {|
  vector := list Q; zero := []; plus := add; times c := map (Qmult c); ip := dot;
  ip_zero z := Qeq_refl 0; ip_plus := dot_add; ip_times := dot_times; ip_sym := dot_sym;
  ip_pos := dot_pos |}.

(** * A point for each row is enough *)

Lemma points_by_map (H : space) (phi : list Q -> H) (k : list Q -> list Q -> Q) (P : list Q -> Prop) :
  (forall x z, P x -> P z -> ip (phi x) (phi z) == k x z) -> forall X, Forall P X ->
  Forall2 (fun v row => Forall2 (fun z t => ip v z == t) (map phi X) row)
    (map phi X) (map (fun x => map (k x) X) X).
Proof.
  intros E X A. assert (G : forall Z, Forall P Z ->
    Forall2 (fun v row => Forall2 (fun z t => ip v z == t) (map phi X) row)
      (map phi Z) (map (fun x => map (k x) X) Z)).
  { induction 1 as [|z Z B _ IH]; simpl; constructor; [|exact IH]. clear IH.
    revert A. generalize X. induction 1 as [|x W D _ IH]; simpl; constructor; auto. }
  now apply G.
Qed.

(** * Polynomials *)

(** all v * t, v of x and t of z *)
Definition products (x z : list Q) : list Q := flat_map (fun v => map (Qmult v) z) x.
Fixpoint features (n : nat) (x : list Q) : list Q :=
  match n with O => [1] | S m => products (1 :: x) (features m x) end.
Fixpoint weights (n d : nat) (gamma coef0 : Q) : list Q :=
  match n with O => [1] | S m => products (coef0 :: repeat gamma d) (weights m d gamma coef0) end.

Lemma products_length x z : length (products x z) = (length x * length z)%nat.
Proof. unfold products. induction x; simpl; [reflexivity|]. now rewrite app_length, map_length, IHx. Qed.
Lemma features_length n : forall x z, length x = length z ->
  length (features n x) = length (features n z).
Proof.
  intros x z L. induction n; [reflexivity|]. cbn [features]. rewrite !products_length. simpl. congruence.
Qed.
Lemma weights_length n gamma coef0 x : length (weights n (length x) gamma coef0) = length (features n x).
Proof.
  induction n; [reflexivity|]. cbn [features weights]. rewrite !products_length, IHn. simpl.
  now rewrite repeat_length.
Qed.
Lemma wdot_app g : forall x z g' x' z', length x = length g -> length z = length g ->
  wdot (g ++ g') (x ++ x') (z ++ z') == wdot g x z + wdot g' x' z'.
Proof.
  induction g as [|h g IH]; intros [|v x] [|t z] g' x' z' L M; try discriminate; simpl; [ring|].
  rewrite IH by (simpl in *; congruence). ring.
Qed.
Lemma wdot_map h v t g : forall x z,
  wdot (map (Qmult h) g) (map (Qmult v) x) (map (Qmult t) z) == h * v * t * wdot g x z.
Proof. induction g as [|k g IH]; intros [|a x] [|c z]; simpl; try rewrite IH; ring. Qed.
Lemma wdot_products g' x' z' : length x' = length g' -> length z' = length g' ->
  forall g x z, length x = length g -> length z = length g ->
  wdot (products g g') (products x x') (products z z') == wdot g x z * wdot g' x' z'.
Proof.
  intros L M. unfold products.
  induction g as [|h g IH]; intros [|v x] [|t z] N O; try discriminate; simpl; [ring|].
  rewrite wdot_app, wdot_map, IH by (simpl in *; rewrite ?map_length; congruence). ring.
Qed.
Lemma wdot_repeat gamma : forall x z, length x = length z ->
  wdot (repeat gamma (length x)) x z == gamma * dot x z.
Proof.
  induction x as [|v x IH]; intros [|t z] L; try discriminate; simpl; [ring|].
  rewrite IH by (simpl in L; congruence). ring.
Qed.
Lemma polynomial n gamma coef0 x z : length x = length z ->
  wdot (weights n (length x) gamma coef0) (features n x) (features n z)
  == power (gamma * dot x z + coef0) n.
Proof.
  intro L. induction n as [|n IH]; [simpl; ring|]. cbn [features weights power].
  rewrite wdot_products, IH.
  - cbn [wdot]. rewrite wdot_repeat by assumption. ring.
  - now rewrite weights_length.
  - rewrite weights_length. now apply features_length.
  - simpl. now rewrite repeat_length.
  - simpl. rewrite repeat_length. congruence.
Qed.
Lemma products_pos x z : Forall (Qle 0) x -> Forall (Qle 0) z -> Forall (Qle 0) (products x z).
Proof.
  intros P R. unfold products. induction P; simpl; [constructor|]. apply Forall_app. split; [|assumption].
  clear - H R. induction R; simpl; constructor; [now apply Qmult_le_0_compat | assumption].
Qed.
Lemma weights_pos n d gamma coef0 : 0 <= gamma -> 0 <= coef0 -> Forall (Qle 0) (weights n d gamma coef0).
Proof.
  intros G R. induction n; [repeat constructor; simpl; lra|]. cbn [weights].
  apply products_pos; [|assumption].
  constructor; [assumption|]. apply Forall_forall. intros v I. apply repeat_spec in I. now subst.
Qed.

(** 1 + x.z + .. + (x.z)^n: the features of each power, one after another *)
Fixpoint monomial_sum (n : nat) (t : Q) : Q :=
  match n with O => 1 | S m => power t n + monomial_sum m t end.
Fixpoint all_features (n : nat) (x : list Q) : list Q :=
  match n with O => [1] | S m => features n x ++ all_features m x end.
Fixpoint all_weights (n d : nat) : list Q :=
  match n with O => [1] | S m => weights n d 1 0 ++ all_weights m d end.
Theorem monomials n x z : length x = length z ->
  wdot (all_weights n (length x)) (all_features n x) (all_features n z) == monomial_sum n (dot x z)
  /\ Forall (Qle 0) (all_weights n (length x)).
Proof.
  intro L. induction n as [|n [IH P]]; [split; [simpl; ring | repeat constructor; lra]|].
  cbn [all_weights all_features monomial_sum]. split.
  - rewrite wdot_app, IH, polynomial by
      (assumption || rewrite weights_length; reflexivity || now apply features_length).
    apply Qplus_comp; [|reflexivity]. generalize (S n). induction n0 as [|m E]; simpl; [reflexivity|].
    rewrite E. ring.
  - apply Forall_app. split; [apply weights_pos; lra | assumption].
Qed.

(** * Matrices of whole numbers: elimination, without fractions, finds points *)

(** one row less a multiple of the first, (p r); what is left is divided by the pivot before, d *)
Fixpoint eliminate_row (p d a : Z) (row r : list Z) : list Z :=
  match row, r with u :: row', t :: r' => ((p * u - a * t) / d)%Z :: eliminate_row p d a row' r' | _, _ => [] end.
Fixpoint row_divides (p d a : Z) (row r : list Z) : bool :=
  match row, r with
  | u :: row', t :: r' =>
      let v := (p * u - a * t)%Z in Z.eqb (v / d * d) v && row_divides p d a row' r'
  | [], [] => true
  | _, _ => false
  end.
Fixpoint equal (x z : list Z) : bool :=
  match x, z with [], [] => true | v :: x', t :: z' => Z.eqb v t && equal x' z' | _, _ => false end.
Notation head := (hd 0%Z).
Notation tail := (@tl Z).
(** K has n rows, is symmetric, no pivot is negative, and where one is 0 so is its row *)
Fixpoint definite (n : nat) (d : Z) (K : list (list Z)) : bool :=
  match n, K with
  | O, [] => true
  | S m, (p :: r) :: rows =>
      equal r (map head rows) && forallb (fun row => negb (Nat.eqb (length row) 0)) rows &&
      if Z.eqb p 0 then forallb (Z.eqb 0) r && definite m d (map tail rows)
      else Z.ltb 0 p && forallb (fun row => row_divides p d (head row) (tail row) r) rows
           && definite m p (map (fun row => eliminate_row p d (head row) (tail row) r) rows)
  | _, _ => false
  end.

Definition gram_is (g : list Q) (points : list (list Q)) : list (list Q) -> list (list Z) -> Prop :=
  Forall2 (fun v row => Forall2 (fun z k => wdot g v z == inject_Z k) points row).
Fixpoint prefixed (r : list Z) (points : list (list Q)) : list (list Q) :=
  match r, points with t :: r', z :: ps => (inject_Z t :: z) :: prefixed r' ps | _, _ => [] end.
Lemma wdot_nil_right g x : wdot g x [] == 0.
Proof. rewrite wdot_sym. apply wdot_nil. Qed.
Lemma wdot_by c g : forall x z, wdot (map (Qmult c) g) x z == c * wdot g x z.
Proof. induction g as [|h g IH]; intros [|v x] [|t z]; simpl; try rewrite IH; ring. Qed.
Lemma equal_ok x : forall z, equal x z = true -> x = z.
Proof.
  induction x as [|v x IH]; intros [|t z] E; try discriminate; [reflexivity|].
  simpl in E. apply andb_true_iff in E. destruct E as [F E]. apply Z.eqb_eq in F.
  now rewrite F, (IH z E).
Qed.

Section Pivot.
Variables (p d : Z) (g : list Q).
Hypothesis P : (0 < p)%Z.
Let p_above : ~ inject_Z p == 0.
Proof. intro E. rewrite Zlt_Qlt in P. change (inject_Z 0) with 0 in P. lra. Qed.
Let G := / inject_Z p :: map (Qmult (inject_Z d / inject_Z p)) g.
Lemma row_of_points a f : forall row r ps, row_divides p d a row r = true ->
  Forall2 (fun z k => wdot g f z == inject_Z k) ps (eliminate_row p d a row r) ->
  Forall2 (fun z k => wdot G (inject_Z a :: f) z == inject_Z k) (prefixed r ps) row.
Proof.
  induction row as [|u row IH]; intros [|t r] ps D E; try discriminate; [destruct ps; constructor|].
  cbn [row_divides eliminate_row] in *. apply andb_true_iff in D. destruct D as [X D]. apply Z.eqb_eq in X.
  inversion E as [|z k ? ? F E']; subst. cbn [prefixed]. constructor; [|now apply IH].
  unfold G. cbn [wdot]. rewrite wdot_by, F. set (e := ((p * u - a * t) / d)%Z) in *.
  assert (Y : inject_Z e * inject_Z d == inject_Z p * inject_Z u - inject_Z a * inject_Z t).
  { rewrite <- !inject_Z_mult, X. unfold Z.sub, Qminus. now rewrite inject_Z_plus, inject_Z_opp. }
  transitivity ((inject_Z a * inject_Z t + inject_Z e * inject_Z d) / inject_Z p); [field; exact p_above|].
  rewrite Y. field. exact p_above.
Qed.
Lemma rows_of_points r ps : forall rows ps',
  forallb (fun row => negb (Nat.eqb (length row) 0)) rows = true ->
  forallb (fun row => row_divides p d (head row) (tail row) r) rows = true ->
  gram_is g ps ps' (map (fun row => eliminate_row p d (head row) (tail row) r) rows) ->
  gram_is G ([inject_Z p] :: prefixed r ps) (prefixed (map head rows) ps') rows.
Proof.
  induction rows as [|[|a row] rows IH]; intros ps' N D E; try discriminate; [constructor|].
  cbn [map forallb] in *. apply andb_true_iff in N, D. destruct N as [_ N], D as [D1 D].
  inversion E as [|f ? ? ? F E']; subst. cbn [prefixed]. constructor; [|now apply IH].
  constructor; [|now apply row_of_points]. unfold G. cbn [wdot hd]. rewrite wdot_nil_right. field. exact p_above.
Qed.
Lemma first_row r : forall ps, length ps = length r ->
  Forall2 (fun z k => wdot G [inject_Z p] z == inject_Z k) ([inject_Z p] :: prefixed r ps) (p :: r).
Proof.
  intros ps L. constructor; [unfold G; cbn [wdot]; rewrite wdot_nil_right; field; exact p_above|].
  revert ps L. induction r as [|t r IH]; intros [|z ps] L; try discriminate; constructor.
  - unfold G. cbn [wdot]. rewrite wdot_nil. field. exact p_above.
  - apply IH. now injection L.
Qed.
End Pivot.

Lemma rows_of_zeros g ps : forall rows ps',
  forallb (fun row => negb (Nat.eqb (length row) 0)) rows = true -> forallb (Z.eqb 0) (map head rows) = true ->
  gram_is g ps ps' (map tail rows) -> gram_is g ([] :: ps) ps' rows.
Proof.
  induction rows as [|[|a row] rows IH]; intros ps' N Z E; inversion E as [|f ? ? ? F E']; subst;
    try discriminate; constructor; cbn [map forallb head hd tail tl] in *; apply andb_true_iff in N, Z;
    destruct N as [_ N], Z as [Z1 Z]; [|now apply IH].
  apply Z.eqb_eq in Z1. subst a. constructor; [apply wdot_nil_right | exact F].
Qed.
Theorem definite_has_points n : forall d K, (0 < d)%Z -> definite n d K = true ->
  exists g ps, Forall (Qle 0) g /\ gram_is g ps ps K.
Proof.
  induction n as [|n IH]; intros d [|[|p r] rows] P D; try discriminate; [exists [], []; split; constructor|].
  cbn [definite] in D. rewrite !andb_true_iff in D. destruct D as [[R N] D]. apply equal_ok in R.
  destruct (Z.eqb_spec p 0) as [->|_]; rewrite !andb_true_iff in D.
  - destruct D as [Z D]. destruct (IH d _ P D) as [g [ps [B E]]]. exists g, ([] :: ps). split; [exact B|].
    constructor; [|apply rows_of_zeros; [exact N | now rewrite <- R | exact E]].
    constructor; [apply wdot_nil|]. apply lengths in E. rewrite map_length in E. rewrite R in Z |- *.
    clear - E Z. revert ps E. induction rows as [|row rows IH]; intros [|z ps] E; try discriminate; constructor;
      cbn [map forallb] in Z; apply andb_true_iff in Z; destruct Z as [Z1 Z].
    + apply Z.eqb_eq in Z1. rewrite <- Z1. apply wdot_nil.
    + apply IH; [exact Z | now injection E].
  - destruct D as [[Z D] E]. apply Z.ltb_lt in Z. destruct (IH p _ Z E) as [g [ps [B F]]].
    exists (/ inject_Z p :: map (Qmult (inject_Z d / inject_Z p)) g), ([inject_Z p] :: prefixed r ps).
    rewrite Zlt_Qlt in P. pose proof Z as Z'. rewrite Zlt_Qlt in Z'. change (inject_Z 0) with 0 in *.
    assert (I : 0 <= / inject_Z p) by (apply Qinv_le_0_compat; lra). split.
    + constructor; [exact I|]. apply Forall_map. eapply Forall_impl; [|exact B]. intros h Bh.
      apply Qmult_le_0_compat; [apply Qmult_le_0_compat; lra | exact Bh].
    + pose proof (lengths _ _ _ F) as L. rewrite map_length in L. constructor.
      * apply first_row; [exact Z|]. now rewrite R, map_length.
      * pose proof (rows_of_points p d g Z r ps rows ps N D F) as M. now rewrite <- R in M.
Qed.
