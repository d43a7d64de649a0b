package dev.tablestate.client;

import dev.tablestate.client.errors.ClientClosedException;
import dev.tablestate.client.errors.TablestateException;
import io.grpc.MethodDescriptor;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * News that come over a stream, which is opened anew where it broke: nothing is missed and nothing
 * is repeated. One thread reads; any may {@link #close}, and the reading ends then.
 *
 * @param <T> what is told
 */
public abstract class ResumedStream<T> implements Iterable<T>, Iterator<T>, AutoCloseable {
  private final Source<?, ?, T> source;
  private final Calls calls;
  private final StreamBackoff backoff;
  private final Consumer<TablestateException> onBreak;
  private volatile boolean isClosed;
  private volatile @Nullable Dialogue<?, ?> stream;
  private @Nullable T next;

  /** Where a stream stands, and how it goes on there. */
  interface Source<Q, R, T> {
    MethodDescriptor<Q, R> method();

    /** The request that goes on from here. */
    Q request();

    /** Moves on over an answer; what it tells, or null if that was seen. */
    @Nullable T accept(R answer);

    /** Whether nothing more can come. */
    boolean isDone();
  }

  ResumedStream(
      Calls calls, Source<?, ?, T> source, long limit, Consumer<TablestateException> onBreak) {
    this.calls = calls;
    this.source = source;
    this.onBreak = onBreak;
    backoff = calls.streamBackoff(limit);
  }

  /** This stream itself: it is read once. */
  @Override
  public Iterator<T> iterator() {
    return this;
  }

  /** Waits until something is told; false at the end. Throws a TablestateException. */
  @Override
  public boolean hasNext() {
    while (next == null && !isClosed && !source.isDone()) {
      take(source);
    }
    if (next == null) {
      drop();
    }
    return next != null;
  }

  /** What is told next, once {@link #hasNext} says that there is something. */
  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    T told = next;
    next = null;
    if (told == null) {
      throw new NoSuchElementException();
    }
    return told;
  }

  /** Ends the reading, also of another thread that waits. */
  @Override
  public void close() {
    isClosed = true;
    drop();
  }

  /**
   * Has a thread of its own read this, and call the listener with all that comes. Returns at once;
   * {@link #close} ends it.
   */
  public ResumedStream<T> listen(StreamListener<? super T> listener) {
    Thread reader = new Thread(() -> tell(listener), "tablestate-listener");
    reader.setDaemon(true);
    reader.start();
    return this;
  }

  private void tell(StreamListener<? super T> listener) {
    try {
      forEachRemaining(listener::onNext);
    } catch (TablestateException error) {
      listener.onError(error);
      return;
    } finally {
      close();
    }
    listener.onEnd();
  }

  private <Q, R> void take(Source<Q, R, T> from) {
    try {
      Dialogue<Q, R> open = opened(from);
      R answer = open.receive();
      if (answer == null) {
        isClosed = true; // The server says that nothing more will come.
        return;
      }
      next = from.accept(answer);
      if (next != null) {
        backoff.reset();
      }
    } catch (TablestateException error) {
      breakOff(error);
    }
  }

  @SuppressWarnings("unchecked") // Only streams of the source are kept.
  private <Q, R> Dialogue<Q, R> opened(Source<Q, R, T> from) {
    Dialogue<Q, R> open = (Dialogue<Q, R>) stream;
    if (open != null) {
      return open;
    }
    open = calls.dialogue(from.method(), backoff.open());
    stream = open;
    open.send(from.request());
    open.halfClose();
    if (isClosed) { // It was closed meanwhile, and has not seen this stream.
      open.close();
    }
    return open;
  }

  private void breakOff(TablestateException error) {
    drop();
    if (isClosed) {
      return;
    }
    calls.requireOpen();
    if (error instanceof ClientClosedException || Thread.currentThread().isInterrupted()) {
      throw error;
    }
    long pause = backoff.delayAfter(error);
    onBreak.accept(error);
    calls.pause(pause);
  }

  private void drop() {
    Dialogue<?, ?> open = stream;
    stream = null;
    if (open != null) {
      open.close();
    }
  }
}
