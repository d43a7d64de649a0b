"""One async function per RPC. Knows the domain and the ports only."""
