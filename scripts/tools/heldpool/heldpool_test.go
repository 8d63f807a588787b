package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestFindsEveryWayToAskWhileHolding checks the examples of testdata as if they were a file of a package that uses pgx.
// A line with "want" is a finding, every other line is none.
func TestFindsEveryWayToAskWhileHolding(t *testing.T) {
	source, err := os.ReadFile("testdata/examples.go")
	if err != nil {
		t.Fatal(err)
	}
	ledger, err := filepath.Abs("../../../ledger")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(ledger, "base", "apart", "examples.go")
	findings, err := check(&packages.Config{Dir: ledger, Overlay: map[string][]byte{file: source}}, "./base/apart")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, f := range findings {
		found[regexp.MustCompile(`examples\.go:\d+`).FindString(f)] = true
	}
	for n, line := range strings.Split(string(source), "\n") {
		at := fmt.Sprintf("examples.go:%d", n+1)
		if want := strings.Contains(line, "// want"); want != found[at] {
			t.Errorf("%s: found %v, want %v: %s", at, found[at], want, strings.TrimSpace(line))
		}
	}
}
