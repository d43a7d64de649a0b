//! Where the server is, and how calls are made.

use std::net::Ipv6Addr;
use std::time::Duration;

use tokio::runtime::Handle;
use tonic::Status;
use tonic::metadata::{Ascii, MetadataKey, MetadataMap, MetadataValue};
use tonic::transport::Endpoint;
use tower::ServiceExt;
use tower::util::BoxCloneSyncService;

use crate::client::Client;
use crate::errors::{Error, Result};
use crate::retry::RetryPolicy;
use crate::transport::{CallSettings, Calls, Transport};

/// A client that is about to be made; by [`Client::builder`].
#[derive(Clone, Debug)]
#[must_use = "a client is made by `build` or `over`"]
pub struct ClientBuilder {
    target: String,
    metadata: MetadataMap,
    timeout: Duration,
    retry: RetryPolicy,
    fault: Option<Error>,
    #[cfg(feature = "tls")]
    tls: Option<tonic::transport::ClientTlsConfig>,
}

impl ClientBuilder {
    pub(crate) fn new(target: impl Into<String>) -> Self {
        Self {
            target: target.into(),
            metadata: MetadataMap::new(),
            timeout: Duration::from_secs(10),
            retry: RetryPolicy::default(),
            fault: None,
            #[cfg(feature = "tls")]
            tls: None,
        }
    }

    /// The key that is sent with every call, as `authorization: Bearer KEY`.
    pub fn api_key(self, key: &str) -> Self {
        self.secret("authorization", "api_key", &format!("Bearer {key}"))
    }

    /// A header of every call.
    pub fn metadata(self, name: &str, value: &str) -> Self {
        self.secret(name, "metadata", value)
    }

    /// How long a call may take with all its attempts, unless it is told otherwise; left out: 10
    /// seconds.
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// How calls are tried again.
    pub fn retry(self, retry: RetryPolicy) -> Self {
        let is_sound = retry.multiplier.is_finite() && retry.multiplier >= 1.0;
        let given = retry.multiplier.to_string();
        let fault = Error::refused("retry.multiplier", &given, "a number from 1 on");
        Self { retry, ..self }.unless(is_sound, fault)
    }

    /// Encrypts, and trusts the certificates that the machine trusts.
    #[cfg(feature = "tls")]
    pub fn tls(self) -> Self {
        self.tls_config(tonic::transport::ClientTlsConfig::new().with_native_roots())
    }

    /// Encrypts in the way that is given, as with a certificate of one's own.
    #[cfg(feature = "tls")]
    pub fn tls_config(self, config: tonic::transport::ClientTlsConfig) -> Self {
        Self { tls: Some(config), ..self }
    }

    /// The client, which connects with its first call. Call it within a Tokio runtime. An argument
    /// error for what cannot be.
    pub fn build(self) -> Result<Client> {
        let endpoint = self.endpoint()?;
        if Handle::try_current().is_err() {
            return Err(Error::argument("runtime", "that of Tokio, within which this is called"));
        }
        let failed = |error| Status::from_error(Box::new(error));
        self.over(BoxCloneSyncService::new(endpoint.connect_lazy().map_err(failed)))
    }

    /// The client over a transport of one's own, which takes the place of the connection to the
    /// target: for other channels, and for tests.
    pub fn over(self, transport: Transport) -> Result<Client> {
        let Self { metadata, timeout, retry, fault, .. } = self;
        match fault {
            Some(fault) => Err(fault),
            None => {
                Ok(Client::new(Calls::new(CallSettings { transport, metadata, timeout, retry })))
            }
        }
    }

    fn endpoint(&self) -> Result<Endpoint> {
        let expected = "where the server is, as 127.0.0.1:50051";
        let refused = || Error::refused("target", &format!("{:?}", self.target), expected);
        if !is_address(&self.target) {
            return Err(refused());
        }
        let address = format!("{}://{}", self.scheme(), self.target);
        let endpoint = Endpoint::from_shared(address).map_err(|_| refused())?;
        // A match on a dead connection must be noticed, and by default nothing is ever pinged.
        let endpoint = endpoint
            .connect_timeout(Duration::from_secs(5))
            .http2_keep_alive_interval(Duration::from_secs(30))
            .keep_alive_timeout(Duration::from_secs(10));
        self.encrypted(endpoint)
    }

    #[cfg(feature = "tls")]
    fn scheme(&self) -> &'static str {
        if self.tls.is_some() { "https" } else { "http" }
    }

    #[cfg(not(feature = "tls"))]
    fn scheme(&self) -> &'static str {
        "http"
    }

    #[cfg(feature = "tls")]
    fn encrypted(&self, endpoint: Endpoint) -> Result<Endpoint> {
        let unfit = |_| Error::argument("tls", "certificates that can be used");
        let Some(config) = self.tls.clone() else { return Ok(endpoint) };
        endpoint.tls_config(config).map_err(unfit)
    }

    #[cfg(not(feature = "tls"))]
    #[expect(clippy::unnecessary_wraps, reason = "encryption may not fit")]
    fn encrypted(&self, endpoint: Endpoint) -> Result<Endpoint> {
        Ok(endpoint)
    }

    /// A header whose value no error and no log shows: it may be a secret.
    fn secret(mut self, name: &str, field: &str, value: &str) -> Self {
        let key = MetadataKey::<Ascii>::from_bytes(name.as_bytes());
        let (Ok(key), Ok(mut value)) = (key, value.parse::<MetadataValue<Ascii>>()) else {
            let expected = "a name of lower-case letters, digits, '-', '_' and '.' that does not \
                            end in -bin, and a value of characters of ASCII that print";
            return self.unless(false, Error::argument(field, expected));
        };
        value.set_sensitive(true);
        self.metadata.append(key, value);
        self
    }

    /// Keeps a fault, to be told by `build`.
    fn unless(mut self, is_sound: bool, fault: Error) -> Self {
        self.fault = self.fault.or((!is_sound).then_some(fault));
        self
    }
}

/// Whether a text is a host and a port.
fn is_address(target: &str) -> bool {
    let Some((host, port)) = target.rsplit_once(':') else { return false };
    let is_name = |host: &str| host.chars().all(|c| c.is_ascii_alphanumeric() || "-._".contains(c));
    let literal = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let is_host = match literal {
        Some(literal) => literal.parse::<Ipv6Addr>().is_ok(),
        None => !host.is_empty() && is_name(host),
    };
    let is_port = port.bytes().all(|digit| digit.is_ascii_digit());
    is_host && is_port && port.parse::<u16>().is_ok_and(|port| port > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_a_host_and_a_port() {
        for target in ["127.0.0.1:50051", "localhost:65535", "[::1]:1", "a_b.c-d:80"] {
            assert!(is_address(target), "{target}");
        }
        for target in [
            "",
            ":1",
            "h",
            "h:",
            "h:0",
            "h:65536",
            "h:-1",
            "h:+1",
            "http://h:1",
            "h:1/x",
            "a b:1",
            "h:1\n",
            "::1:1",
            "[x]:1",
        ] {
            let refused = ClientBuilder::new(target).build().unwrap_err();
            let expected = format!("{target:?}: must be where the server is, as 127.0.0.1:50051");
            assert_eq!(refused.violations()[0].field, "target");
            assert_eq!(refused.violations()[0].description, expected);
        }
    }

    #[test]
    fn a_client_that_is_made_outside_of_a_runtime_is_refused() {
        let refused = Client::connect("127.0.0.1:1").unwrap_err();
        assert_eq!(refused.violations()[0].field, "runtime");
    }

    #[test]
    fn a_policy_of_retries_ends() {
        for multiplier in [0.5, f64::NAN, f64::INFINITY] {
            let retry = RetryPolicy { multiplier, ..Default::default() };
            let refused = ClientBuilder::new("h:1").retry(retry).over_nothing().unwrap_err();
            assert_eq!(refused.violations()[0].field, "retry.multiplier");
        }
    }

    impl ClientBuilder {
        fn over_nothing(self) -> Result<Client> {
            let nothing = tower::service_fn(|_| async { Err(Status::unavailable("nothing")) });
            self.over(BoxCloneSyncService::new(nothing))
        }
    }
}
