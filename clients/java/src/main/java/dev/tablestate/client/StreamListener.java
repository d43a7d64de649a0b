package dev.tablestate.client;

import dev.tablestate.client.errors.TablestateException;

/**
 * Is told what comes over a stream, in a thread that belongs to the stream: the next is told when
 * this returns.
 *
 * @param <T> what is told
 */
@FunctionalInterface
public interface StreamListener<T> {
  /** Something has come. */
  void onNext(T told);

  /** Nothing more will come: it is over, or was closed. */
  default void onEnd() {}

  /** Nothing more will come, because of this. */
  default void onError(TablestateException error) {}
}
