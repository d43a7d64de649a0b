package dev.tablestate.client;

import dev.tablestate.client.errors.InvalidArgumentException;
import io.grpc.Channel;
import io.grpc.ChannelCredentials;
import io.grpc.ClientInterceptors;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.TlsChannelCredentials;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Says how a client reaches its server. */
public final class ClientBuilder {
  private final @Nullable String target;
  private final @Nullable Channel given;
  private final Metadata headers = new Metadata();
  private ChannelCredentials credentials = InsecureChannelCredentials.create();
  private Duration timeout = Duration.ofSeconds(10);
  private RetryPolicy retry = RetryPolicy.DEFAULT;
  private World world = World.REAL;

  ClientBuilder(String target) {
    this.target = Arguments.target(target);
    given = null;
  }

  ClientBuilder(Channel channel) {
    target = null;
    given = Arguments.given("channel", channel);
  }

  /** Encrypts by TLS; the server's certificate is checked by the authorities of this machine. */
  public ClientBuilder tls() {
    return credentials(TlsChannelCredentials.create());
  }

  /** Encrypts in a way of one's own, as with {@code TlsChannelCredentials.newBuilder()}. */
  public ClientBuilder credentials(ChannelCredentials credentials) {
    this.credentials = Arguments.given("credentials", credentials);
    return this;
  }

  /** Sends an API key, or a token of an identity provider, with every call. */
  public ClientBuilder apiKey(String key) {
    return header("authorization", "Bearer " + Arguments.given("apiKey", key));
  }

  /** Sends a header with every call. */
  public ClientBuilder header(String name, String value) {
    Arguments.given("header.name", name);
    Arguments.given("header.value", value);
    // gRPC would write what it cannot send to the log, and the value may be a secret.
    if (!value.chars().allMatch(each -> each >= ' ' && each <= '~')) {
      throw new InvalidArgumentException(
          "header", "must have a value of printable ASCII characters");
    }
    try {
      headers.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value);
    } catch (IllegalArgumentException refused) { // The value may be a secret.
      throw new InvalidArgumentException(
          "header", "must have a name of the characters a-z, 0-9, -, _ and .");
    }
    return this;
  }

  /** How long a call may take with all its attempts, unless it says otherwise: 10 s. */
  public ClientBuilder timeout(Duration timeout) {
    this.timeout = Times.positive("timeout", timeout);
    return this;
  }

  /** How calls are tried again. */
  public ClientBuilder retry(RetryPolicy policy) {
    retry = Arguments.given("retry", policy);
    return this;
  }

  /** The time and chance of retries, for tests. */
  ClientBuilder world(World other) {
    world = other;
    return this;
  }

  /** The client; its first call opens the connection. */
  public TablestateClient build() {
    ManagedChannel own = given == null ? open() : null;
    Channel channel = given == null ? own : given;
    Channel withHeaders =
        ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
    // A server that is back is to be found soon: by default up to two minutes pass.
    Runnable reconnect = own == null ? () -> {} : own::resetConnectBackoff;
    Calls calls = new Calls(withHeaders, timeout, retry, world, reconnect);
    return new TablestateClient(calls, withHeaders, own);
  }

  private ManagedChannel open() {
    try {
      return Grpc.newChannelBuilder(target, credentials)
          // A match on a dead connection must be noticed: by default gRPC never pings.
          .keepAliveTime(30, TimeUnit.SECONDS)
          .keepAliveTimeout(10, TimeUnit.SECONDS)
          .build();
    } catch (IllegalArgumentException refused) { // It is stricter about what stands in a name.
      throw Arguments.notATarget(String.valueOf(target));
    }
  }
}
