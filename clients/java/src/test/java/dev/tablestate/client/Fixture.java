package dev.tablestate.client;

import com.google.protobuf.Any;
import com.google.rpc.ErrorInfo;
import dev.tablestate.v1.MatchServiceGrpc;
import io.grpc.BindableService;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.StatusRuntimeException;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.protobuf.StatusProto;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A client of a service that a test has made up, in a world whose time only passes in pauses. */
final class Fixture implements AutoCloseable {
  final StillWorld world = new StillWorld();
  final TablestateClient client;
  private final Server server;
  private final ManagedChannel channel;

  Fixture(MatchServiceGrpc.MatchServiceImplBase service) throws IOException {
    this(service, RetryPolicy.DEFAULT);
  }

  Fixture(BindableService service, RetryPolicy retry) throws IOException {
    String name = InProcessServerBuilder.generateName();
    server = InProcessServerBuilder.forName(name).addService(service).build().start();
    channel = InProcessChannelBuilder.forName(name).build();
    client =
        TablestateClient.builder(channel)
            .timeout(Duration.ofSeconds(10))
            .retry(retry)
            .world(world)
            .build();
  }

  @Override
  public void close() {
    client.close();
    channel.shutdownNow();
    server.shutdownNow();
  }

  /** A refusal as the service would send it. */
  static StatusRuntimeException refused(
      io.grpc.Status.Code code, String reason, String... metadata) {
    ErrorInfo.Builder info = ErrorInfo.newBuilder().setDomain("tablestate").setReason(reason);
    for (int i = 0; i < metadata.length; i += 2) {
      info.putMetadata(metadata[i], metadata[i + 1]);
    }
    return StatusProto.toStatusRuntimeException(
        com.google.rpc.Status.newBuilder()
            .setCode(code.value())
            .setMessage("refused")
            .addDetails(Any.pack(info.build()))
            .build());
  }

  /** Time passes in pauses alone, and chance is always in the middle. */
  static final class StillWorld implements World {
    final List<Long> pauses = new ArrayList<>();
    private long now;

    @Override
    public synchronized long nanoTime() {
      return now;
    }

    @Override
    public double random() {
      return 0.5;
    }

    @Override
    public synchronized void sleep(long nanos) {
      pauses.add(nanos);
      now += nanos;
    }

    synchronized void pass(Duration time) {
      now += time.toNanos();
    }
  }
}
