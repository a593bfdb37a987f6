"""All exercises, in the order of the course."""

from __future__ import annotations

from . import geometry, machines, penalties, steps
from .exercise import Exercise
from .own_svm import OWN_SVM

ALL_EXERCISES = [
    *geometry.EXERCISES,
    *penalties.EXERCISES,
    *steps.EXERCISES,
    OWN_SVM,
    *machines.EXERCISES,
]
EXERCISES: dict[str, Exercise] = {exercise.name: exercise for exercise in ALL_EXERCISES}
