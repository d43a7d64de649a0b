"""The games under the battery."""

from secrecy.eternitium_pairs import EternitiumPairs
from secrecy.off_the_rails_pairs import OffTheRailsPairs
from secrecy.offboard_pairs import OffboardPairs
from secrecy.offtrack_pairs import OffTrackPairs
from secrecy.pairs import PairGenerator

GENERATORS: list[PairGenerator] = [
    EternitiumPairs(),
    OffTheRailsPairs(),
    OffboardPairs(),
    OffTrackPairs(),
]
