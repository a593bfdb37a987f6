"""python3 -m docs.pictures [NAME ..]: write the pictures of the course and README.md, or some."""

import sys
from pathlib import Path

from docs.pictures import convexity, features, lines, machines, moving, multipliers
from docs.pictures.paper import drawing

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "spec" / "course" / "pictures"
PLAY = ROOT / "docs" / "play.svg"
PICTURES = {
    "sides": lines.sides,
    "perceptron": lines.perceptron_turns,
    "street": lines.widest_street,
    "hulls": lines.nearest_points,
    "swing": lines.one_point_swings,
    "slack": lines.slack_is_paid,
    "losses": convexity.five_losses,
    "tangents": convexity.tangents_at_the_kink,
    "tent": convexity.tent_and_level_set,
    "zigzag": convexity.zigzag,
    "duality": convexity.primal_and_dual_meet,
    "path": multipliers.path_in_C,
    "alpha": multipliers.what_alpha_says,
    "ascent": multipliers.coordinate_ascent,
    "pair": multipliers.pair_before_and_after,
    "box": multipliers.box_and_segment,
    "smo": multipliers.smo_moving,
    "gap": multipliers.gap_closes,
    "certificate": multipliers.certified,
    "xor": features.xor_before_and_after,
    "widths": features.three_widths,
    "tube": machines.tube,
    "one_class": machines.one_class_and_ball,
    "reduced_hulls": machines.reduced_hulls,
    "sigmoid": machines.sigmoid,
    "iris_map": machines.iris_map,
    "pegasos": convexity.pegasos_settles,
}


def main(names):
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in names or [*PICTURES, PLAY.stem]:
        if name == PLAY.stem:
            PLAY.write_text(drawing(moving.play_at_work), "ascii")
        else:
            (FOLDER / f"{name}.svg").write_text(drawing(PICTURES[name]), "ascii")


if __name__ == "__main__":
    main(sys.argv[1:])
