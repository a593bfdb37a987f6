(** What the theorem says in plain cases, which `refsvm exact DATA --coq FILE.v` states of one data set. *)
Require Import QArith List Lqa.
Require Import Statement Duality Kernels Scores Checker.
Import ListNotations.
Open Scope Q_scope.

(** the lower bound, of a linear machine: w is a list of coordinates *)
Theorem linear_bound p c d : check p c = true -> kernel_of p = Linear -> told_dual c = Number d ->
  forall (w : list Q) u,
  allowed (form_of p) (map (fun x => dot x x) (X p)) (dot w w) (map (dot w) (X p)) u ->
  d <= primal (form_of p) (map (fun x => dot x x) (X p)) (dot w w) (map (dot w) (X p)) u.
Proof.
  intros A K D w u. destruct (checked p c A) as [_ S].
  destruct (S coordinates (X p) (rows_are_points p K)) as [B _]. rewrite D in B. apply (B w u).
Qed.

(** hard margins: w and b that put each row on its side of the street *)
Definition separates (rows : list (list Q)) (y : list Q) (w : list Q) (offset : Q) : Prop :=
  Forall2 (fun x t => 1 <= t * (dot w x + offset)) rows y.
Theorem no_separating_machine_has_a_lower_primal p c y d : check p c = true -> kernel_of p = Linear ->
  form_of p = Classification y (map (fun _ => None) y) true false -> told_dual c = Number d ->
  forall w offset, separates (X p) y w offset -> d <= (1#2) * dot w w.
Proof.
  intros A K F D w t E. pose (u := {| b := t; rho := 0; epsilon := 0; radius2 := 0 |}).
  pose proof (linear_bound p c d A K D w u) as B. rewrite F in B.
  assert (P : primal (Classification y (map (fun _ => None) y) true false) (map (fun x => dot x x) (X p))
                (dot w w) (map (dot w) (X p)) u == (1#2) * dot w w).
  { unfold primal. simpl. clear - E. transitivity ((1#2) * dot w w + 0); [|ring].
    apply Qplus_comp; [reflexivity|]. induction E as [|x v rows y E _ IH]; simpl; [reflexivity|].
    rewrite IH. reflexivity. }
  rewrite <- P. apply B. split; [discriminate|]. simpl. clear - E.
  induction E as [|x v rows y E _ IH]; simpl; constructor; [|exact IH]. intros _.
  cbn [slack b]. destruct (pos_cases (1 - v * (dot w x + b u))) as [[_ ->]|[N ->]]; [reflexivity|].
  simpl in N. lra.
Qed.

(** where both numbers are one, it is the optimum: a machine has it, and none is below *)
Theorem optimum p c v : check p c = true -> told_dual c = Number v -> told_primal c = Number v ->
  exists (H : space) (points : list H), are_points p points /\
  let norms := map norm2 points in
  exists w u, allowed (form_of p) norms (norm2 w) (scores w points) u /\
    primal (form_of p) norms (norm2 w) (scores w points) u == v /\
    forall w' u', allowed (form_of p) norms (norm2 w') (scores w' points) u' ->
      v <= primal (form_of p) norms (norm2 w') (scores w' points) u'.
Proof.
  intros A D P. destruct (checked p c A) as [[H [points G]] S]. exists H, points. split; [exact G|].
  specialize (S H points G). cbv zeta in S. rewrite D, P in S. destruct S as [B [k [_ [_ [C E]]]]].
  eexists. eexists. split; [exact C|]. split; [exact E|]. exact B.
Qed.
