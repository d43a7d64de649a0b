package dev.tablestate.client;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import dev.tablestate.client.errors.CancelledException;
import dev.tablestate.client.errors.ConflictException;
import dev.tablestate.client.errors.DataLossException;
import dev.tablestate.client.errors.DeadlineExceededException;
import dev.tablestate.client.errors.ErrorDetails;
import dev.tablestate.client.errors.IllegalActionException;
import dev.tablestate.client.errors.InternalException;
import dev.tablestate.client.errors.InvalidRequestException;
import dev.tablestate.client.errors.MatchPhaseException;
import dev.tablestate.client.errors.NotFoundException;
import dev.tablestate.client.errors.NotTheActorException;
import dev.tablestate.client.errors.PermissionDeniedException;
import dev.tablestate.client.errors.PreconditionException;
import dev.tablestate.client.errors.ResourceExhaustedException;
import dev.tablestate.client.errors.RulesVersionUnsupportedException;
import dev.tablestate.client.errors.SeatTakenException;
import dev.tablestate.client.errors.SeatsOpenException;
import dev.tablestate.client.errors.StaleVersionException;
import dev.tablestate.client.errors.TablestateException;
import dev.tablestate.client.errors.UnavailableException;
import dev.tablestate.client.errors.VersionNotReachedException;
import dev.tablestate.client.errors.Violation;
import dev.tablestate.v1.ErrorReason;
import dev.tablestate.v1.PlayRefusal;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** From a gRPC status to a typed exception. */
final class Statuses {
  private static final String DOMAIN = "tablestate";
  private static final String PREFIX = "ERROR_REASON_";

  private Statuses() {}

  /** What a call has ended with. */
  static TablestateException toException(Status status, @Nullable Metadata trailers) {
    return exception(
        status.getCode(),
        description(status),
        StatusProto.fromStatusAndTrailers(status, trailers),
        status.getCause());
  }

  /** What went wrong; where no connection came about gRPC tells it by the cause alone. */
  private static String description(Status status) {
    if (status.getDescription() != null) {
      return status.getDescription();
    }
    return status.getCode() == Status.Code.UNAVAILABLE ? "the server cannot be reached" : "";
  }

  /** A refusal that came as an answer on a stream. */
  static TablestateException toException(PlayRefusal refusal) {
    com.google.rpc.Status details;
    try {
      details = com.google.rpc.Status.parseFrom(refusal.getStatus());
    } catch (InvalidProtocolBufferException cut) { // Code and text still hold.
      details = com.google.rpc.Status.getDefaultInstance();
    }
    Status.Code code = Status.fromCodeValue(refusal.getCode()).getCode();
    return exception(code, refusal.getMessage(), details, null);
  }

  private static TablestateException exception(
      Status.Code code,
      String message,
      com.google.rpc.@Nullable Status status,
      @Nullable Throwable cause) {
    List<Any> parts = status == null ? Collections.emptyList() : status.getDetailsList();
    ErrorInfo info = detail(parts, ErrorInfo.class, ErrorInfo.getDefaultInstance());
    BadRequest faults = detail(parts, BadRequest.class, BadRequest.getDefaultInstance());
    ErrorReason reason = reason(info);
    ErrorDetails details =
        ErrorDetails.of(code, message)
            .withReason(reason)
            .withMetadata(
                info.getDomain().equals(DOMAIN) ? info.getMetadataMap() : Collections.emptyMap())
            .withViolations(violations(faults))
            .withRetryAfter(retryAfter(parts))
            .withCause(cause);
    TablestateException known = byReason(reason, details);
    return known == null ? byCode(code, details) : known;
  }

  private static ErrorReason reason(ErrorInfo info) {
    if (!info.getDomain().equals(DOMAIN)) {
      return ErrorReason.ERROR_REASON_UNSPECIFIED;
    }
    try {
      return ErrorReason.valueOf(PREFIX + info.getReason());
    } catch (IllegalArgumentException newer) {
      return ErrorReason.ERROR_REASON_UNSPECIFIED;
    }
  }

  private static List<Violation> violations(BadRequest faults) {
    return faults.getFieldViolationsList().stream()
        .map(each -> new Violation(each.getField(), each.getDescription()))
        .collect(Collectors.toList());
  }

  private static @Nullable Duration retryAfter(List<Any> parts) {
    RetryInfo info = detail(parts, RetryInfo.class, RetryInfo.getDefaultInstance());
    if (!info.hasRetryDelay()) {
      return null;
    }
    com.google.protobuf.Duration delay = info.getRetryDelay();
    Duration told = Duration.ofSeconds(delay.getSeconds(), delay.getNanos());
    return told.isNegative() ? Duration.ZERO : told;
  }

  private static <M extends Message> M detail(List<Any> parts, Class<M> kind, M otherwise) {
    for (Any part : parts) {
      try {
        if (part.is(kind)) {
          return part.unpack(kind);
        }
      } catch (InvalidProtocolBufferException cut) {
        // A proxy has cut it: code and text still hold.
      }
    }
    return otherwise;
  }

  private static @Nullable TablestateException byReason(ErrorReason reason, ErrorDetails details) {
    switch (reason) {
      case ERROR_REASON_ILLEGAL_ACTION:
        return new IllegalActionException(details);
      case ERROR_REASON_NOT_THE_ACTOR:
        return new NotTheActorException(details);
      case ERROR_REASON_MATCH_NOT_STARTED:
      case ERROR_REASON_MATCH_ALREADY_STARTED:
      case ERROR_REASON_MATCH_ENDED:
      case ERROR_REASON_ENTROPY_DUE:
      case ERROR_REASON_MATCH_PAUSED:
      case ERROR_REASON_NOT_PAUSED:
      case ERROR_REASON_MATCH_NOT_ENDED:
        return new MatchPhaseException(details);
      case ERROR_REASON_SEAT_TAKEN:
        return new SeatTakenException(details);
      case ERROR_REASON_SEATS_OPEN:
        return new SeatsOpenException(details);
      case ERROR_REASON_VERSION_NOT_REACHED:
        return new VersionNotReachedException(details);
      case ERROR_REASON_RULES_VERSION_UNSUPPORTED:
        return new RulesVersionUnsupportedException(details);
      case ERROR_REASON_STALE_VERSION:
        return new StaleVersionException(details);
      default: // The code says it all.
        return null;
    }
  }

  private static TablestateException byCode(Status.Code code, ErrorDetails details) {
    switch (code) {
      case INVALID_ARGUMENT:
        return new InvalidRequestException(details);
      case NOT_FOUND:
        return new NotFoundException(details);
      case PERMISSION_DENIED:
      case UNAUTHENTICATED:
        return new PermissionDeniedException(details);
      case FAILED_PRECONDITION:
        return new PreconditionException(details);
      case ALREADY_EXISTS:
        return new ConflictException(details);
      case RESOURCE_EXHAUSTED:
        return new ResourceExhaustedException(details);
      case DATA_LOSS:
        return new DataLossException(details);
      case UNAVAILABLE:
        return new UnavailableException(details);
      case DEADLINE_EXCEEDED:
        return new DeadlineExceededException(details);
      case CANCELLED:
        return new CancelledException(details);
      case INTERNAL:
        return new InternalException(details);
      default:
        return new TablestateException(details);
    }
  }
}
