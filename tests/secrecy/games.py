"""The games under the battery."""

from secrecy.offboard_pairs import OffboardPairs
from secrecy.offtrack_pairs import OffTrackPairs
from secrecy.pairs import PairGenerator

GENERATORS: list[PairGenerator] = [OffboardPairs(), OffTrackPairs()]
