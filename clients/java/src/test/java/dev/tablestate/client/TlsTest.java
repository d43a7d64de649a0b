package dev.tablestate.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tablestate.client.errors.UnavailableException;
import io.grpc.TlsChannelCredentials;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Against a service behind TLS, which lets in clients of one authority alone. */
@Tag("live")
class TlsTest {
  private static final String TARGET = System.getenv("TABLESTATE_TLS_TARGET");
  private static final String ELSEWHERE = System.getenv("TABLESTATE_TLS_ELSEWHERE");

  /** No call is tried again. */
  private static final RetryPolicy ONCE =
      RetryPolicy.builder().initialDelay(Duration.ofHours(1)).build();

  private static File pem(String name) {
    return new File(System.getenv("TABLESTATE_TLS_FILES"), name + ".pem");
  }

  private static TlsChannelCredentials.Builder trusting(String authority) throws IOException {
    return TlsChannelCredentials.newBuilder().trustManager(pem(authority));
  }

  private static TlsChannelCredentials.Builder known(String authority) throws IOException {
    return trusting(authority).keyManager(pem("client"), pem("client_key"));
  }

  private static String version(String target, TlsChannelCredentials.Builder credentials) {
    try (TablestateClient client =
        TablestateClient.builder(target).credentials(credentials.build()).retry(ONCE).build()) {
      return client.serverInfo().getVersion();
    }
  }

  @Test
  void aClientOfTheAuthorityIsServed() throws IOException {
    assertEquals("0.1.0", version(TARGET, known("ca")));
  }

  @Test
  void aClientWithoutACertificateIsNotServed() throws IOException {
    TlsChannelCredentials.Builder unknown = trusting("ca");
    assertThrows(UnavailableException.class, () -> version(TARGET, unknown));
  }

  @Test
  void aServerOfAnotherAuthorityOrNameIsNotTrusted() throws IOException {
    TlsChannelCredentials.Builder strange = known("stranger");
    assertThrows(UnavailableException.class, () -> version(TARGET, strange));
    TlsChannelCredentials.Builder right = known("ca");
    assertThrows(UnavailableException.class, () -> version(ELSEWHERE, right));
  }
}
