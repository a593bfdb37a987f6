(** The statement is true of something: optima of small problems, whose dual and primal are one number.

    Four rows on the line, 0, 1, 3 and 4.  So by [optimum] of Plain.v a machine has this primal, and
    none has a lower one.  Three more: no hard margin; no multipliers; and two forgeries, refused. *)
Require Import QArith List.
Require Import Statement Duality Kernels Checker Plain.
Import ListNotations.
Open Scope Q_scope.

Definition line := [[0]; [1]; [3]; [4]].
Definition y := [-1; -1; 1; 1].
Definition t := [0; 1; 4; 3].
Definition ones := [1; 1; 1; 1].
Definition u b rho epsilon radius2 := Build_offsets b rho epsilon radius2.
Definition accepted (X : list (list Q)) k f al u dual primal : bool :=
  check {| X := X; kernel_of := k; form_of := f |}
        {| alpha := al; given := u; told_dual := dual; told_primal := primal |}.
Definition has_gap_0 f al u v : Prop := accepted line Linear f al u (Number v) (Number v) = true.

Definition soft_margin := Classification y (map Some ones) true false.
Example svc : has_gap_0 soft_margin [0; 1#2; 1#2; 0] (u (-2) 0 0 0) (1#2) := eq_refl.
Example hard_margin : has_gap_0 (Classification y (map (fun _ => None) y) true false)
  [0; 1#2; 1#2; 0] (u (-2) 0 0 0) (1#2) := eq_refl.
Example squared : has_gap_0 (Classification y (map Some ones) false true)
  [1; 11#9; 1#3; 1#9] (u 0 0 0 0) (4#3) := eq_refl.
Example nu : has_gap_0 (Nu y ones (3#4)) [1#2; 1; 1; 1#2] (u (-8) 8 0 0) (-8) := eq_refl.
Example svr : has_gap_0 (Regression t ones 1 (1#2)) [-7#16; 0; 1; -9#16] (u (1#2) 0 0 0) (33#32) := eq_refl.
Example nu_svr : has_gap_0 (NuRegression t ones 1 (1#2)) [-7#16; 0; 1; -9#16] (u (1#2) 0 (1#2) 0) (65#32) :=
  eq_refl.
Example one_class : has_gap_0 (OneClass ones (1#2)) [1; 1; 0; 0] (u 0 2 0 0) (-1#2) := eq_refl.
Example ball : has_gap_0 (Ball ones (Some 1)) [1#2; 0; 0; 1#2] (u 0 0 0 4) 4 := eq_refl.
Example ball_without_slack : has_gap_0 (Ball ones None) [1#2; 0; 0; 1#2] (u 0 0 0 4) 4 := eq_refl.

Example no_hard_margin : accepted [[0]; [2]; [1]] Linear (Classification [1; 1; -1] [None; None; None] true false)
  [1; 1; 2] (u 0 0 0 0) Infinite Infinite = true := eq_refl.
Example no_sum : accepted line Linear (Ball ones (Some (1#5))) ones (u 0 0 0 0) Minus_infinite Minus_infinite = true
  := eq_refl.
Example polynomial_and_matrix :
  accepted [[1]; [-1]] (Polynomial 2 (1#2) 1) (OneClass [1; 1] 1) [1; 1] (u 0 (5#2) 0 0) (Number (-5#2)) (Number (-5#2))
  && accepted [[2; 1]; [1; 2]] Precomputed (OneClass [1; 1] 1) [1; 1] (u 0 3 0 0) (Number (-3)) (Number (-3)) = true
  := eq_refl.
Example forgeries : accepted line Linear soft_margin [0; 1#2; 1#2; 0] (u (-2) 0 0 0) (Number (51#100)) (Number (51#100))
  || accepted [[1; 2]; [2; 1]] Precomputed (OneClass [1; 1] 1) [1; 1] (u 0 3 0 0) (Number (-3)) (Number (-3)) = false
  := eq_refl.

Check weak_duality. Print Assumptions weak_duality.
Check monomials. Print Assumptions monomials.
Check definite_has_points. Print Assumptions definite_has_points.
Check checked. Print Assumptions checked.
Check optimum. Print Assumptions optimum.
