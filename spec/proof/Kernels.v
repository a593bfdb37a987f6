(** Each kernel that a certificate may have is an inner product in some space, so that nothing is
    assumed of it, and a statement about all such spaces is about something:

        Linear        the rows themselves
        Polynomial    the products of coordinates, weighted; so too sums of monomials
        Precomputed   the matrix is its own inner product, once elimination has shown that it is
                      positive semidefinite *)
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

(** * Matrices: whole numbers over one denominator, as the rows of the upper triangle *)

Definition at_q (q : positive) (v : Z) : Q := v # q.
Fixpoint zdot (r : list Z) (x : list Q) : Q :=
  match r, x with k :: r', v :: x' => inject_Z k * v + zdot r' x' | _, _ => 0 end.
Fixpoint form_by (U : list (list Z)) (x z : list Q) : Q :=
  match U, x, z with
  | (p :: r) :: U', v :: x', t :: z' => inject_Z p * v * t + v * zdot r z' + t * zdot r x' + form_by U' x' z'
  | _, _, _ => 0
  end.
Lemma zdot_add r : forall x z, zdot r (add x z) == zdot r x + zdot r z.
Proof. induction r as [|k r IH]; intros [|v x] [|t z]; simpl; try rewrite IH; ring. Qed.
Lemma zdot_times c r : forall x, zdot r (map (Qmult c) x) == c * zdot r x.
Proof. induction r as [|k r IH]; intros [|v x]; simpl; try rewrite IH; ring. Qed.
Lemma zdot_nil r : zdot r [] == 0.
Proof. now destruct r. Qed.
Lemma form_nil U z : form_by U [] z == 0.
Proof. now destruct U as [|[|p r] U]. Qed.
Lemma form_sym U : forall x z, form_by U x z == form_by U z x.
Proof. induction U as [|[|p r] U IH]; intros [|v x] [|t z]; simpl; try reflexivity. rewrite IH. ring. Qed.
Lemma form_add U : forall x y z, form_by U (add x y) z == form_by U x z + form_by U y z.
Proof.
  induction U as [|[|p r] U IH]; intros [|v x] [|t y] [|k z]; simpl; try ring;
    rewrite ?zdot_add, ?IH; ring.
Qed.
Lemma form_times U c : forall x z, form_by U (map (Qmult c) x) z == c * form_by U x z.
Proof.
  induction U as [|[|p r] U IH]; intros [|v x] [|t z]; simpl; try ring. rewrite zdot_times, IH. ring.
Qed.

(** ** Elimination without fractions: what is left is divided by the pivot before *)

Fixpoint eliminate_row (p d a : Z) (row r : list Z) : list Z :=
  match row, r with u :: row', t :: r' => ((p * u - a * t) / d)%Z :: eliminate_row p d a row' r' | _, _ => [] end.
Fixpoint row_divides (p d a : Z) (row r : list Z) : bool :=
  match row, r with
  | u :: row', t :: r' =>
      let v := (p * u - a * t)%Z in Z.eqb (v / d * d) v && row_divides p d a row' r'
  | [], [] => true
  | _, _ => false
  end.
Fixpoint eliminate (p d : Z) (r : list Z) (U : list (list Z)) : list (list Z) :=
  match r, U with a :: r', row :: U' => eliminate_row p d a row r :: eliminate p d r' U' | _, _ => [] end.
Fixpoint divides (p d : Z) (r : list Z) (U : list (list Z)) : bool :=
  match r, U with
  | a :: r', row :: U' => row_divides p d a row r && divides p d r' U'
  | [], [] => true
  | _, _ => false
  end.
Fixpoint definite (n : nat) (d : Z) (U : list (list Z)) : bool :=
  match n, U with
  | _, [] => true
  | S m, (p :: r) :: U' =>
      if Z.eqb p 0 then forallb (Z.eqb 0) r && definite m d U'
      else Z.ltb 0 p && divides p d r U' && definite m p (eliminate p d r U')
  | _, _ => false
  end.

Lemma row_eliminated p d a : forall row r x, row_divides p d a row r = true ->
  inject_Z d * zdot (eliminate_row p d a row r) x == inject_Z p * zdot row x - inject_Z a * zdot r x.
Proof.
  induction row as [|u row IH]; intros [|t r] x D; try discriminate; [simpl; ring|].
  simpl in D. apply andb_true_iff in D. destruct D as [E D]. apply Z.eqb_eq in E.
  destruct x as [|v x]; cbn [eliminate_row zdot]; [ring|].
  rewrite Qmult_plus_distr_r, (IH r x D), !Qmult_assoc, <- inject_Z_mult, Z.mul_comm, E.
  unfold Z.sub. rewrite inject_Z_plus, inject_Z_opp, !inject_Z_mult. ring.
Qed.
Lemma eliminated p d : forall r U x, divides p d r U = true ->
  inject_Z d * form_by (eliminate p d r U) x x
  == inject_Z p * form_by U x x - zdot r x * zdot r x.
Proof.
  induction r as [|a r IH]; intros [|row U] x D; try discriminate; [simpl; ring|].
  cbn [divides] in D. apply andb_true_iff in D. destruct D as [R D].
  destruct row as [|u row]; [discriminate|].
  pose proof (fun x => row_eliminated p d a (u :: row) (a :: r) x R) as E.
  destruct x as [|v x]; [cbn [eliminate form_by eliminate_row zdot]; ring|].
  pose proof (E (v :: x)) as E1. pose proof (E (0 :: x)) as E2.
  cbn [eliminate form_by eliminate_row zdot] in *.
  specialize (IH U x D).
  set (e := inject_Z ((p * u - a * a) / d)) in *. set (h := zdot (eliminate_row _ _ _ _ _) x) in *.
  set (F := form_by (eliminate p d r U) x x) in *.
  assert (G : inject_Z d * e * v == inject_Z p * inject_Z u * v - inject_Z a * inject_Z a * v) by lra.
  assert (K : inject_Z d * h == inject_Z p * zdot row x - inject_Z a * zdot r x) by lra.
  assert (L : inject_Z d * (e * v * v + v * h + v * h + F)
              == inject_Z d * e * v * v + 2 * v * (inject_Z d * h) + inject_Z d * F) by ring.
  rewrite L, G, K, IH. ring.
Qed.
Lemma zeros r : forallb (Z.eqb 0) r = true -> forall x, zdot r x == 0.
Proof.
  induction r as [|k r IH]; intros Z [|v x]; cbn [zdot forallb] in *; try reflexivity.
  apply andb_true_iff in Z. destruct Z as [E Z]. apply Z.eqb_eq in E. subst. rewrite (IH Z). ring.
Qed.
Theorem definite_pos n : forall d U, (0 < d)%Z -> definite n d U = true -> forall x, 0 <= form_by U x x.
Proof.
  induction n as [|n IH]; intros d [|[|p r] U] P D x; try discriminate; try (simpl; lra).
  cbn [definite] in D. destruct x as [|v x]; [simpl; lra|]. cbn [form_by].
  destruct (Z.eqb_spec p 0) as [->|_]; rewrite !andb_true_iff in D.
  - destruct D as [Z D]. rewrite (zeros r Z). specialize (IH d U P D x).
    change (inject_Z 0) with 0. lra.
  - destruct D as [[Z E] D]. apply Z.ltb_lt in Z. specialize (IH p _ Z D x).
    pose proof (eliminated p d r U x E) as F. rewrite Zlt_Qlt in P, Z.
    set (g := form_by U x x) in *. set (h := form_by (eliminate p d r U) x x) in *.
    change (inject_Z 0) with 0 in *. set (t := zdot r x) in *. set (k := inject_Z p) in *.
    assert (S : k * (k * v * v + v * t + v * t + g)
                == (k * v + t) * (k * v + t) + inject_Z d * h) by (rewrite F; ring).
    pose proof (square_pos (k * v + t)). pose proof (Qmult_le_0_compat _ _ (Qlt_le_weak _ _ P) IH).
    apply Qmult_lt_0_le_reg_r with k; [exact Z|]. lra.
Qed.

Section Matrix.
Variables (q : positive) (n : nat) (U : list (list Z)).
Hypothesis D : definite n 1 U = true.
Definition by_matrix (x z : list Q) : Q := (1 # q) * form_by U x z.
Lemma by_zero w : by_matrix [] w == 0.
Proof. unfold by_matrix. rewrite form_nil. ring. Qed.
Lemma by_plus x y z : by_matrix (add x y) z == by_matrix x z + by_matrix y z.
Proof. unfold by_matrix. rewrite form_add. ring. Qed.
Lemma by_times a x z : by_matrix (map (Qmult a) x) z == a * by_matrix x z.
Proof. unfold by_matrix. rewrite form_times. ring. Qed.
Lemma by_sym x z : by_matrix x z == by_matrix z x.
Proof. unfold by_matrix. now rewrite form_sym. Qed.
Lemma by_pos x : 0 <= by_matrix x x.
Proof.
  apply Qmult_le_0_compat; [discriminate|]. now apply definite_pos with n 1%Z.
Qed.
Definition matrix_space : space := {|
  vector := list Q; zero := []; plus := add; times c := map (Qmult c); ip := by_matrix;
  ip_zero := by_zero; ip_plus := by_plus; ip_times := by_times; ip_sym := by_sym; ip_pos := by_pos |}.
End Matrix.

(** the upper triangle of a symmetric matrix of n rows *)
Fixpoint equal (x z : list Z) : bool :=
  match x, z with [], [] => true | v :: x', t :: z' => Z.eqb v t && equal x' z' | _, _ => false end.
Fixpoint triangle (n : nat) (K : list (list Z)) : option (list (list Z)) :=
  match n, K with
  | O, [] => Some []
  | S m, (p :: r) :: rows =>
      if equal r (map (hd 0%Z) rows) && forallb (fun row => negb (Nat.eqb (length row) 0)) rows
      then option_map (cons (p :: r)) (triangle m (map (@tl Z) rows)) else None
  | _, _ => None
  end.
Fixpoint units (n : nat) : list (list Q) :=
  match n with O => [] | S m => [1] :: map (cons 0) (units m) end.

Lemma equal_ok x : forall z, equal x z = true -> x = z.
Proof.
  induction x as [|v x IH]; intros [|t z] E; try discriminate; [reflexivity|].
  simpl in E. apply andb_true_iff in E. destruct E as [F E]. apply Z.eqb_eq in F.
  now rewrite F, (IH z E).
Qed.
Lemma triangle_length n : forall K U, triangle n K = Some U -> length K = n.
Proof.
  induction n as [|n IH]; intros [|[|p r] K] U T; try discriminate; [reflexivity|]. simpl in T.
  destruct (_ && _); [|discriminate]. destruct (triangle n _) eqn:E; [|discriminate].
  apply IH in E. rewrite map_length in E. simpl. congruence.
Qed.
Lemma Forall2_map {A A' B} (f : A -> A') (P : A' -> B -> Prop) x z :
  Forall2 (fun v => P (f v)) x z -> Forall2 P (map f x) z.
Proof. induction 1; simpl; constructor; assumption. Qed.
Lemma Forall2_imp {A B} (P R : A -> B -> Prop) x z :
  (forall v t, P v t -> R v t) -> Forall2 P x z -> Forall2 R x z.
Proof. intro I. induction 1; constructor; auto. Qed.
Lemma units_of_row r : Forall2 (fun e k => zdot r e == inject_Z k) (units (length r)) r.
Proof.
  induction r as [|k r IH]; simpl; constructor; [destruct r; simpl; ring|].
  apply Forall2_map. eapply Forall2_imp; [|exact IH]. intros e t E. simpl. rewrite E. ring.
Qed.
Theorem units_are_points n : forall K U, triangle n K = Some U ->
  Forall2 (fun v row => Forall2 (fun z k => form_by U v z == inject_Z k) (units n) row) (units n) K.
Proof.
  induction n as [|n IH]; intros [|[|p r] K] U T; try discriminate; [constructor|].
  simpl in T. destruct (_ && _) eqn:B; [|discriminate]. destruct (triangle n _) as [V|] eqn:E; [|discriminate].
  injection T as <-. apply andb_true_iff in B. destruct B as [R N]. apply equal_ok in R.
  pose proof (triangle_length _ _ _ E) as L. rewrite map_length in L. specialize (IH _ _ E).
  assert (Ur : Forall2 (fun e k => zdot r e == inject_Z k) (units n) r).
  { rewrite <- L, <- (map_length (hd 0%Z) K), <- R. apply units_of_row. }
  cbn [units]. constructor.
  - constructor; [cbn [form_by]; rewrite !zdot_nil, form_nil; ring|]. apply Forall2_map.
    eapply Forall2_imp; [|exact Ur]. intros e k F. cbn [form_by]. rewrite F, zdot_nil, form_nil. ring.
  - apply Forall2_map. assert (V1 : Forall2 (fun e k => zdot r e == inject_Z k)
      (units n) (map (hd 0%Z) K)) by (rewrite <- R; exact Ur). clear - V1 IH N.
    revert V1 IH. generalize (units n) at 1 3 5. intros es V1 IH.
    revert K V1 IH N. induction es as [|e es J]; intros [|[|k t] K] Ur IH N;
      try discriminate; try (now inversion Ur); constructor;
      inversion Ur as [|? ? ? ? E Ur']; inversion IH as [|? ? ? ? F IH']; subst.
    + constructor; [cbn [form_by hd] in *; rewrite zdot_nil, form_sym, form_nil, E; ring|].
      apply Forall2_map. eapply Forall2_imp; [|exact F]. intros z k' G. cbn [form_by]. rewrite G. ring.
    + apply J; assumption.
Qed.
