package dev.tablestate.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.rpc.BadRequest;
import com.google.rpc.RetryInfo;
import dev.tablestate.client.errors.InvalidRequestException;
import dev.tablestate.client.errors.MatchPhaseException;
import dev.tablestate.client.errors.NotTheActorException;
import dev.tablestate.client.errors.ResourceExhaustedException;
import dev.tablestate.client.errors.StaleVersionException;
import dev.tablestate.client.errors.TablestateException;
import dev.tablestate.v1.ErrorReason;
import dev.tablestate.v1.PlayRefusal;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import org.junit.jupiter.api.Test;

/** Errors are typed by their reason, and tell what a program needs. */
class StatusesTest {
  private static TablestateException read(StatusRuntimeException error) {
    return Statuses.toException(error.getStatus(), error.getTrailers());
  }

  private static TablestateException refused(Status.Code code, String reason, String... metadata) {
    return read(Fixture.refused(code, reason, metadata));
  }

  @Test
  void numbersOfTheMetadataAreRead() {
    StaleVersionException stale =
        assertInstanceOf(
            StaleVersionException.class,
            refused(Status.Code.ABORTED, "STALE_VERSION", "current_version", "7"));
    assertEquals(7, stale.getCurrentVersion());
    assertNull(stale.getExpectedVersion());
    NotTheActorException other =
        assertInstanceOf(
            NotTheActorException.class,
            refused(Status.Code.FAILED_PRECONDITION, "NOT_THE_ACTOR", "actor", "1", "seat", "x"));
    assertEquals(1, other.getActor());
    assertNull(other.getSeat());
  }

  @Test
  void everyReasonHasAClassThatFitsItsCode() {
    for (ErrorReason reason : ErrorReason.values()) {
      if (reason == ErrorReason.UNRECOGNIZED || reason.getNumber() == 0) {
        continue;
      }
      String name = reason.name().substring("ERROR_REASON_".length());
      TablestateException error = refused(Status.Code.FAILED_PRECONDITION, name);
      assertEquals(reason, error.getReason());
      assertTrue(error.getMessage().startsWith(name + ": "), error.getMessage());
    }
    assertInstanceOf(
        MatchPhaseException.class, refused(Status.Code.FAILED_PRECONDITION, "MATCH_PAUSED"));
  }

  @Test
  void aReasonThatIsNewerThanTheClientIsReadByItsCode() {
    TablestateException error = refused(Status.Code.RESOURCE_EXHAUSTED, "QUITE_NEW");
    assertInstanceOf(ResourceExhaustedException.class, error);
    assertEquals(ErrorReason.ERROR_REASON_UNSPECIFIED, error.getReason());
  }

  @Test
  void faultsOfFieldsAndTheTimeToWaitAreRead() {
    BadRequest faults =
        BadRequest.newBuilder()
            .addFieldViolations(
                BadRequest.FieldViolation.newBuilder().setField("seat").setDescription("'9'"))
            .build();
    RetryInfo later =
        RetryInfo.newBuilder().setRetryDelay(Duration.newBuilder().setNanos(5_000_000)).build();
    com.google.rpc.Status status =
        com.google.rpc.Status.newBuilder()
            .setCode(Status.Code.INVALID_ARGUMENT.value())
            .addDetails(Any.pack(faults))
            .addDetails(Any.pack(later))
            .build();
    TablestateException error = read(StatusProto.toStatusRuntimeException(status));
    assertInstanceOf(InvalidRequestException.class, error);
    assertEquals("seat", error.getViolations().get(0).getField());
    assertEquals(java.time.Duration.ofMillis(5), error.getRetryAfter());
    assertEquals("INVALID_ARGUMENT: seat: '9'", error.getMessage());
  }

  @Test
  void aRefusalWithCutDetailsKeepsItsCodeAndText() {
    PlayRefusal refusal =
        PlayRefusal.newBuilder()
            .setCode(Status.Code.ABORTED.value())
            .setMessage("late")
            .setStatus(ByteString.copyFromUtf8("\uffff"))
            .build();
    TablestateException error = Statuses.toException(refusal);
    assertEquals(Status.Code.ABORTED, error.getCode());
    assertEquals("ABORTED: late", error.getMessage());
  }

  @Test
  void aServerThatCannotBeReachedIsToldInWordsOfTheClient() {
    Status gone = Status.UNAVAILABLE.withCause(new java.io.IOException("of the library"));
    TablestateException error = Statuses.toException(gone, null);
    assertEquals("UNAVAILABLE: the server cannot be reached", error.getMessage());
  }
}
