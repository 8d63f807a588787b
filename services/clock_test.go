package services_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// sqlTime is how SQL asks Postgres for the time.
var sqlTime = regexp.MustCompile(`(?i)\b(now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday)\s*\(\s*\)` +
	`|\b(current_timestamp|localtimestamp|current_date|current_time)\b|'(now|today|tomorrow|yesterday)'`)

// asksPostgres are the files, and folders, whose SQL may ask Postgres for the time, and why. A migration stays as it
// was applied.
var asksPostgres = map[string]string{
	"ledger/infra/store/migrations/00003_epochs.sql":        "an earlier build beside has the default; ours says when",
	"ledger/infra/store/migrations/00007_parting.sql":       "an earlier build beside calls it; ours calls that of 00011",
	"ledger/infra/keyframes/migrations/00001_keyframes.sql": "an earlier build beside has the default; ours says when",
	"services/internal/app/migrations/00009_witnesses.sql":  "an earlier build beside has the default; ours says when",
	"services/internal/mail/migrations/00002_sending.sql":   "whoever queues a letter says when it is tried",
	"services/internal/people/migrations/00003_seen.sql":    "whoever makes an account says when it was seen",
	"services/internal/jobs/":                               "the queue goes by Postgres's clock, and jobs are late by it",
	"services/cmd/bench/":                                   "it fills tables of its own and measures the machine",
}

// TestNoSQLAsksPostgresForTheTime holds that a rule, a deadline or a shown time goes by the product's one clock, which
// Postgres does not know. For Go's own clock forbidigo does the same, see .golangci.yml.
func TestNoSQLAsksPostgresForTheTime(t *testing.T) {
	t.Parallel()
	met, read := map[string]bool{}, 0
	look := func(path string, line int, text string) {
		read++
		found := sqlTime.FindString(text)
		if found == "" {
			return
		}
		for allowed := range asksPostgres {
			if strings.HasPrefix(path, allowed) {
				met[allowed] = true
				return
			}
		}
		t.Errorf("%s:%d: %s: give the statement the time of the injected clock", path, line, found)
	}
	sources(t, func(file string) {
		path, err := filepath.Rel("..", file)
		require.NoError(t, err)
		path = filepath.ToSlash(path)
		switch {
		case strings.HasSuffix(path, "_test.go"):
		case strings.HasSuffix(path, ".sql"):
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			for n, line := range strings.Split(string(text), "\n") {
				statement, _, _ := strings.Cut(line, "--")
				look(path, n+1, statement)
			}
		default:
			literals(t, file, func(line int, text string) { look(path, line, text) })
		}
	}, ".go", ".sql")
	require.Greater(t, read, 10_000)
	for allowed, why := range asksPostgres {
		require.True(t, met[allowed], "%s no longer asks (%s)", allowed, why)
	}
}

// literals visits the strings of a Go file.
func literals(t *testing.T, file string, visit func(line int, text string)) {
	t.Helper()
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	ast.Inspect(parsed, func(n ast.Node) bool {
		literal, is := n.(*ast.BasicLit)
		if !is || literal.Kind != token.STRING {
			return true
		}
		text, err := strconv.Unquote(literal.Value)
		require.NoError(t, err)
		visit(set.Position(literal.Pos()).Line, text)
		return true
	})
}
