"""The core: what every game shares, with no network, disk, clock, chance or screen."""
