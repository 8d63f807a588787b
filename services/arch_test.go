package services_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const house = "adashi.ng/"

// room is one package and whom it knows directly.
type room struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	Imports    []string
}

func rooms(t *testing.T) []room {
	t.Helper()
	args := []string{"list", "-json=ImportPath,Dir,GoFiles,Imports"}
	for _, module := range modules {
		args = append(args, house+module+"/...")
	}
	out, err := exec.Command("go", args...).Output()
	require.NoError(t, err, "%v", err)
	var all []room
	for decoder := json.NewDecoder(strings.NewReader(string(out))); decoder.More(); {
		var r room
		require.NoError(t, decoder.Decode(&r))
		all = append(all, r)
	}
	return all
}

// modules know only those after them.
var modules = []string{"services", "projections", "ledger", "proto"}

func moduleOf(path string) string {
	module, _, _ := strings.Cut(strings.TrimPrefix(path, house), "/")
	return module
}

// deciders, and what they stand on, are pure: no clock, no random, no I/O.
var deciders = []string{"ledger/guard", "ledger/wallet", "ledger/savings", "ledger/account", "ledger/payout", "ledger/standing", "ledger/posting", "ledger/money", "ledger/event", "ledger/fault", "ledger/wording"}

// outside is what no decider imports, itself or what is below it.
var outside = []string{
	"os", "net", "io/fs", "syscall", "database/sql", "log", "log/slog", "math/rand", "math/rand/v2", "crypto/rand", "embed", "context",
	"github.com/jackc/pgx", "github.com/nats-io", "github.com/pressly", "google.golang.org/grpc",
}

// wrongWay answers why one package must not import another, or "".
func wrongWay(from, to string) string {
	pure := slices.Contains(deciders, strings.TrimPrefix(from, house))
	if !strings.HasPrefix(to, house) {
		for _, banned := range outside {
			if pure && (to == banned || strings.HasPrefix(to, banned+"/")) {
				return "a decider does no I/O"
			}
		}
		return ""
	}
	a, b := slices.Index(modules, moduleOf(from)), slices.Index(modules, moduleOf(to))
	switch below := strings.TrimPrefix(to, house); {
	case a < 0 || b < 0:
		return "a module that the architecture does not name"
	case b < a:
		return modules[a] + " must not know " + modules[b]
	case modules[a] == "projections" && modules[b] == "ledger" && !slices.Contains([]string{"ledger/event", "ledger/money", "ledger/pgcopy", "ledger/guard"}, below):
		return "projections know only the ledger's event and money types, how rows are copied and how a panic is caught"
	case pure && modules[b] == "ledger" && !slices.Contains(deciders, below):
		return "a decider knows deciders only"
	case moduleOf(from) == "proto" && modules[b] == "proto" && below != "proto/wire":
		return "a contract stands alone"
	}
	return ""
}

func TestImportsGoOneWayThroughTheHouse(t *testing.T) {
	t.Parallel()
	all := rooms(t)
	require.Greater(t, len(all), 40, "go list found hardly anything")
	for _, r := range all {
		for _, to := range r.Imports {
			require.Empty(t, wrongWay(r.ImportPath, to), "%s imports %s", r.ImportPath, to)
		}
	}
	for _, decider := range deciders {
		require.True(t, slices.ContainsFunc(all, func(r room) bool { return r.ImportPath == house+decider }), "%s is gone; mend the list", decider)
	}
}

func TestAReversedImportIsFound(t *testing.T) {
	t.Parallel()
	for from, to := range map[string]string{
		"ledger/store":         "projections/engine",
		"ledger/wallet":        "services/internal/app",
		"projections/balances": "services/internal/app",
		"projections/groups":   "ledger/store",
		"projections/activity": "ledger/posting",
		"proto/wire":           "ledger/money",
		"ledger/savings":       "ledger/store",
	} {
		require.NotEmpty(t, wrongWay(house+from, house+to), "%s → %s", from, to)
	}
	for _, to := range outside {
		require.NotEmpty(t, wrongWay(house+"ledger/savings", to), to)
	}
	require.NotEmpty(t, wrongWay(house+"ledger/event", "github.com/jackc/pgx/v5/pgtype"))
	require.Empty(t, wrongWay(house+"services/internal/app", house+"ledger/store"))
	require.Empty(t, wrongWay(house+"ledger/store", "github.com/jackc/pgx/v5"))
}

// impure are the calls that make a decision depend on when or where it is made.
var impure = map[string][]string{
	"time": {"Now", "Since", "Until", "Sleep", "After", "Tick", "NewTimer", "NewTicker", "Local"},
	"uuid": {"New", "NewString", "NewRandom", "NewV7", "NewUUID", "Must"},
}

// impurities are the impure calls in a file's syntax.
func impurities(t *testing.T, name string, source any) (found []string) {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, source, 0)
	require.NoError(t, err)
	ast.Inspect(file, func(n ast.Node) bool {
		if call, ok := n.(*ast.SelectorExpr); ok {
			if pkg, ok := call.X.(*ast.Ident); ok && slices.Contains(impure[pkg.Name], call.Sel.Name) {
				found = append(found, pkg.Name+"."+call.Sel.Name+" at line "+strconv.Itoa(files.Position(n.Pos()).Line))
			}
		}
		_, global := n.(*ast.GoStmt)
		if global {
			found = append(found, "a goroutine")
		}
		return true
	})
	return found
}

func TestDecidersHaveNoClockNoRandomAndNoGoroutine(t *testing.T) {
	t.Parallel()
	read := 0
	for _, r := range rooms(t) {
		if !slices.Contains(deciders, strings.TrimPrefix(r.ImportPath, house)) {
			continue
		}
		for _, name := range r.GoFiles {
			require.Empty(t, impurities(t, filepath.Join(r.Dir, name), nil), "%s/%s", r.ImportPath, name)
			read++
		}
	}
	require.Greater(t, read, 8)
	require.Len(t, impurities(t, "x.go", "package x\nfunc f() { _ = time.Now(); _ = uuid.New(); go f() }"), 3)
}
