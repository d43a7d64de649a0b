// Conformance is the runner of the Go client for `python -m tools.parity`: it replays the vectors,
// prints their messages as JSON and makes every call once. tools/parity/README.md says how.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/tablestate/tablestate/clients/go"
)

const passed = "passed"

// report is what a run has shown.
type report struct {
	SDK     string            `json:"sdk"`
	Version string            `json:"version"`
	Vectors map[string]string `json:"vectors"`
	Calls   map[string]string `json:"calls"`
}

func main() {
	log.SetFlags(0)
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	from, out := os.Getenv("TABLESTATE_VECTORS"), os.Getenv("TABLESTATE_OUT")
	vectors, err := readVectors(from)
	if err != nil {
		return err
	}
	player, err := connect("TABLESTATE_KEY")
	if err != nil {
		return err
	}
	defer player.Close()
	operator, err := connect("TABLESTATE_OPERATOR_KEY")
	if err != nil {
		return err
	}
	defer operator.Close()
	seen := report{SDK: "go", Version: tablestate.Version}
	seen.Vectors = replayAll(ctx, player, vectors)
	if err := printAll(vectors, from, filepath.Join(out, "json")); err != nil {
		return err
	}
	seen.Calls = makeCalls(ctx, clients{player, operator})
	return errors.Join(write(seen, filepath.Join(out, "report.json")), seen.fault())
}

func connect(key string) (*tablestate.Client, error) {
	return tablestate.NewClient(os.Getenv("TABLESTATE_TARGET"), tablestate.WithKey(os.Getenv(key)))
}

func write(seen report, path string) error {
	text, err := json.MarshalIndent(seen, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

// fault is an error if anything has not passed.
func (r report) fault() error {
	var faults []error
	for _, results := range []map[string]string{r.Vectors, r.Calls} {
		for name, how := range results {
			if how != passed {
				faults = append(faults, errors.New(name+": "+how))
			}
		}
	}
	return errors.Join(faults...)
}
