package dev.tablestate.client;

import com.google.protobuf.ByteString;
import dev.tablestate.v1.BatchShape;
import java.nio.ByteOrder;

/**
 * Positions that a search asks about. All of them are imagined: drawn from what the root's seat
 * sees. An observation tells what the leaf's actor would see there, and nothing of what others hold
 * in truth.
 */
public final class Leaves {
  private final dev.tablestate.v1.Leaves leaves;
  private final BatchShape shape;

  Leaves(dev.tablestate.v1.Leaves leaves, BatchShape shape) {
    this.leaves = leaves;
    this.shape = shape;
  }

  /** How many there are. */
  public int getSize() {
    return leaves.getActors().size();
  }

  /** The number of a leaf's root. */
  public int getRoot(int leaf) {
    return leaves.getRoots().asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN).getInt(4 * leaf);
  }

  /** The seat that must decide in a leaf. */
  public int getActor(int leaf) {
    return leaves.getActors().byteAt(leaf) & 0xff;
  }

  /** Whether an action is legal in a leaf. */
  public boolean isLegal(int leaf, int index) {
    if (leaf < 0 || leaf >= getSize() || index < 0 || index >= shape.getActions()) {
      return false;
    }
    byte bits = leaves.getMasks().byteAt(leaf * shape.getMaskBytes() + index / 8);
    return (bits >> index % 8 & 1) == 1;
  }

  /** What a leaf's actor sees, as the game's ObservationSpace lays it out. */
  public ByteString getObservation(int leaf) {
    int size = shape.getObservationBytes();
    return leaves.getObservations().substring(leaf * size, (leaf + 1) * size);
  }
}
