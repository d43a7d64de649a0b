package dev.tablestate.client.errors;

import io.grpc.Status;

/** The client, or the stream, was closed before or during the call. */
public class ClientClosedException extends TablestateException {
  private static final long serialVersionUID = 1L;

  /** Says what is closed. */
  public ClientClosedException(String what) {
    super(ErrorDetails.of(Status.Code.FAILED_PRECONDITION, "the " + what + " is closed"));
  }
}
