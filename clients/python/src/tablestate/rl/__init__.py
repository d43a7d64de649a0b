"""The games as environments of other libraries: PettingZoo, Gymnasium, OpenSpiel.

    from tablestate.rl.pettingzoo import TablestateAEC   # pip install tablestate[pettingzoo]
    from tablestate.rl.gymnasium import TablestateEnv    # pip install tablestate[gymnasium]
    from tablestate.rl.openspiel import register         # pip install tablestate[openspiel]

Each takes, as its first argument, what opens batches: `tablestate_service.engine.Batch` plays in
one's own process, the method `batch` of a `tablestate.Client` or of its `simulation()` on a
service. Nothing else differs.
"""

from tablestate.rl.batches import Batch, OpenBatch

__all__ = ["Batch", "OpenBatch"]
