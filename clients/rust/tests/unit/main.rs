//! The client over a transport in memory: retries, resumed streams, errors.

mod arguments;
mod calls;
mod errors;
mod fairness;
mod play;
mod seats;
mod support;
mod watch;
