"""What a comparison counts."""

import dataclasses

NEAR = 1e-5  # a boundary this near may fall on either side


@dataclasses.dataclass
class Tally:
    """Of one case at one width and type."""

    rows: int = 0
    same: int = 0
    distances: list = dataclasses.field(default_factory=list)  # of the rows whose sets differ
    allowed: int = 0  # of these beyond NEAR, those that allowances.py explains
    absolute: float = 0.0
    relative: float = 0.0
    draws: int = 0
    same_draws: int = 0
    refused: str = ""

    @property
    def beyond(self):
        return sum(distance > NEAR for distance in self.distances)

    @property
    def unexplained(self):
        return self.beyond - self.allowed
