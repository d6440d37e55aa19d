"""A board that can be clicked: its picture, and where each space lies on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from knightfall.pictures.scene import Point, Scene


@dataclass(frozen=True, slots=True)
class Clickable:
    """A picture, and the corners of each space on it, by the space's name."""

    scene: Scene
    spaces: Mapping[str, tuple[Point, ...]]
