//! Against a service behind TLS, which lets in clients of one authority alone:
//! `tests/support/tls_service.py` says where it and the certificates are.

use std::time::Duration;

use tablestate::{Client, ErrorKind, Result, RetryPolicy};
use tonic::transport::{Certificate, ClientTlsConfig, Identity};

fn told(name: &str) -> String {
    std::env::var(format!("TABLESTATE_TLS_{name}")).expect("a service is named")
}

fn pem(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/{name}.pem", told("FILES"))).unwrap()
}

fn trusting(authority: &str) -> ClientTlsConfig {
    ClientTlsConfig::new().ca_certificate(Certificate::from_pem(pem(authority)))
}

fn known(authority: &str) -> ClientTlsConfig {
    trusting(authority).identity(Identity::from_pem(pem("client"), pem("client_key")))
}

/// Of a client whose calls are not tried again.
async fn version(target: String, config: ClientTlsConfig) -> Result<String> {
    let once = RetryPolicy { initial_delay: Duration::from_secs(3600), ..Default::default() };
    let client = Client::builder(target).tls_config(config).retry(once).build()?;
    Ok(client.server_info().await?.version)
}

#[tokio::test]
async fn clients_and_servers_are_those_of_their_authorities() {
    assert_eq!(version(told("TARGET"), known("ca")).await.unwrap(), "0.1.0");
    for (target, config) in [
        (told("TARGET"), trusting("ca")),
        (told("TARGET"), known("stranger")),
        (told("ELSEWHERE"), known("ca")),
    ] {
        let refused = version(target, config).await.unwrap_err();
        assert_eq!(*refused.kind(), ErrorKind::Unavailable, "{refused}");
    }
}
