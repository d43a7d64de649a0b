//go:build live

package tablestate_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"google.golang.org/grpc/credentials"

	"github.com/tablestate/tablestate/clients/go"
)

// pem is the path of a file that tests/support/tls_service.py wrote.
func pem(name string) string {
	return filepath.Join(os.Getenv("TABLESTATE_TLS_FILES"), name+".pem")
}

func TestWithTLSClientsAndServersAreThoseOfTheirAuthorities(t *testing.T) {
	target, elsewhere := os.Getenv("TABLESTATE_TLS_TARGET"), os.Getenv("TABLESTATE_TLS_ELSEWHERE")
	own := []tls.Certificate{ok(tls.LoadX509KeyPair(pem("client"), pem("client_key")))(t)}
	for _, each := range []struct {
		what, target, authority string
		certificates            []tls.Certificate
		isServed                bool
	}{
		{"all is well", target, "ca", own, true},
		{"no certificate of a client", target, "ca", nil, false},
		{"another authority", target, "stranger", own, false},
		{"another host", elsewhere, "ca", own, false},
	} {
		t.Run(each.what, func(t *testing.T) {
			pool := x509.NewCertPool()
			pool.AppendCertsFromPEM(ok(os.ReadFile(pem(each.authority)))(t))
			config := &tls.Config{RootCAs: pool, Certificates: each.certificates}
			client := ok(tablestate.NewClient(
				each.target,
				tablestate.WithTransportCredentials(credentials.NewTLS(config)),
				tablestate.WithTimeout(10*time.Second),
				tablestate.WithRetry(once()),
			))(t)
			defer func() { _ = client.Close() }()
			_, err := client.ServerInfo(context.Background())
			if each.isServed && err != nil || !each.isServed && !errors.Is(err, tablestate.ErrUnavailable) {
				t.Errorf("%v", err)
			}
		})
	}
}

// once is a policy by which no call is tried again.
func once() tablestate.RetryPolicy {
	policy := tablestate.DefaultRetry
	policy.InitialDelay = time.Hour
	return policy
}
