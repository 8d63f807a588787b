package services_test

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "adashi.ng/"

// listed is one package and whom it knows directly.
type listed struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	Imports    []string
}

func packages(t *testing.T) []listed {
	t.Helper()
	args := []string{"list", "-json=ImportPath,Dir,GoFiles,Imports"}
	for _, module := range modules {
		args = append(args, root+module+"/...")
	}
	out, err := exec.Command("go", args...).Output()
	require.NoError(t, err, "%v", err)
	var all []listed
	for decoder := json.NewDecoder(strings.NewReader(string(out))); decoder.More(); {
		var r listed
		require.NoError(t, decoder.Decode(&r))
		all = append(all, r)
	}
	return all
}

// modules know only those after them.
var modules = []string{"services", "projections", "ledger", "proto"}

func moduleOf(path string) string {
	module, _, _ := strings.Cut(strings.TrimPrefix(path, root), "/")
	return module
}

// floors are the parts of the ledger, and which of each other's they may import. A package is on the first floor that
// its path begins with.
var floors = []struct {
	path  string
	below []string
}{
	{"ledger/base", []string{"ledger/base"}},
	{"ledger/event", []string{"ledger/base"}},
	{"ledger/posting", []string{"ledger/base", "ledger/event"}},
	{"ledger/domain", []string{"ledger/base", "ledger/event", "ledger/posting", "ledger/domain"}},
	{"ledger/infra", []string{"ledger/base", "ledger/event", "ledger/posting", "ledger/infra"}},
	{"ledger", []string{"ledger"}}, // What joins them: the table of aggregates, the simulation, the tests' kit.
}

// within reports whether a package is a folder or is in it.
func within(path, folder string) bool { return path == folder || strings.HasPrefix(path, folder+"/") }

// decides reports whether a package is pure: it holds rules, or the language that they are written in.
func decides(path string) bool {
	return within(path, "ledger/domain") || within(path, "ledger/event") || within(path, "ledger/posting") || slices.Contains(pureBase, path)
}

// pureBase are the packages of ledger/base that rules stand on.
var pureBase = []string{"ledger/base/guard", "ledger/base/money", "ledger/base/fault", "ledger/base/lagos", "ledger/base/letters"}

// shown are the parts of the ledger that projections know.
var shown = append([]string{"ledger/event", "ledger/base/pgcopy", "ledger/base/clock"}, pureBase...)

// derived are the read models that keep the ledger's own states and derive from them by its rules, and those rules.
var derived = map[string][]string{
	"projections/ajos":          {"ledger/domain/ajo", "ledger/domain/ajopot", "ledger/domain/savings"},
	"projections/notifications": {"ledger/domain/ajo"},
}

// outside is what no decider imports, itself or what is below it.
var outside = []string{
	"os", "net", "io/fs", "syscall", "database/sql", "log", "log/slog", "math/rand", "math/rand/v2", "crypto/rand", "embed", "context",
	"github.com/jackc/pgx", "github.com/nats-io", "github.com/pressly", "google.golang.org/grpc",
}

// wrongWay answers why one package must not import another, or "".
func wrongWay(from, to string) string {
	from = strings.TrimPrefix(from, root)
	if !strings.HasPrefix(to, root) {
		for _, banned := range outside {
			if decides(from) && within(to, banned) {
				return "a decider does no I/O"
			}
		}
		return ""
	}
	to = strings.TrimPrefix(to, root)
	a, b := slices.Index(modules, moduleOf(from)), slices.Index(modules, moduleOf(to))
	switch {
	case a < 0 || b < 0:
		return "a module that the architecture does not name"
	case b < a:
		return modules[a] + " must not know " + modules[b]
	case modules[a] == "projections" && modules[b] == "ledger" && !slices.Contains(shown, to) && !slices.Contains(derived[from], to):
		return "projections know the ledger's events and its base only"
	case modules[a] == "ledger" && modules[b] == "ledger":
		return upward(from, to)
	case within(from, "services/internal/httpapi") && modules[b] == "projections" && to != "projections/engine":
		return "a handler asks an area, which says what it stands on"
	case modules[a] == "services" && modules[b] == "services":
		return betweenAreas(from, to)
	case modules[a] == "proto" && modules[b] == "proto" && to != "proto/wire":
		return "a contract stands alone"
	}
	return ""
}

// upward answers why one package of the ledger must not import another, or "".
func upward(from, to string) string {
	if decides(from) && !decides(to) {
		return "a rule knows rules only"
	}
	for _, floor := range floors {
		if !within(from, floor.path) {
			continue
		}
		if !slices.ContainsFunc(floor.below, func(below string) bool { return within(to, below) }) {
			return floor.path + " knows " + strings.Join(floor.below, ", ") + " only"
		}
		break
	}
	return ""
}

// areas are what members and staff do and see, and which other areas each may import.
var areas = map[string][]string{
	"activity":       {"dues", "liquidations", "payouts"},
	"agenda":         {"ajo", "audit", "groups", "liquidations"},
	"ajo":            nil,
	"ajoaccess":      nil,
	"audit":          nil,
	"cardanswers":    {"activity", "disputes"},
	"commands":       nil,
	"corrections":    {"disputes", "timemachine"},
	"disputes":       {"liquidations"},
	"dues":           nil,
	"evidence":       {"activity", "disputes", "reserves", "witnesses"},
	"finance":        {"payments", "payouts", "reserves"},
	"groups":         nil,
	"liquidations":   {"payouts"},
	"months":         nil,
	"notices":        nil,
	"payments":       {"ajo", "dues"},
	"payouts":        nil,
	"reserves":       nil,
	"standingorders": {"dues"},
	"timemachine":    {"disputes"},
	"witnesses":      nil,
}

// areasKnow are the packages of services that areas stand on. None of them knows an area.
var areasKnow = []string{"usecase", "membership", "people", "vault", "rails", "beacon", "mail", "items", "files", "statement", "secret", "asks"}

// above are the packages of services over the areas, and who may import each.
var above = map[string][]string{
	"leaving": {"httpapi", "boot"},
	"app":     {"boot", "demo", "apptest"},
	"apptest": nil, // The tests' kit.
	"httpapi": {"httpapi", "boot"},
	"boot":    {"demo"},
	"demo":    nil,
}

// betweenAreas answers why one package of services must not import another, or "".
func betweenAreas(from, to string) string {
	name := func(path string) string {
		listed, _, _ := strings.Cut(strings.TrimPrefix(path, "services/internal/"), "/")
		return listed
	}
	if !within(from, "services/internal") { // The binaries may know everything.
		return ""
	}
	a, b := name(from), name(to)
	known, isArea := areas[a]
	_, toArea := areas[b]
	importers, toAbove := above[b]
	_, fromAbove := above[a]
	switch {
	case toAbove && !slices.Contains(importers, a):
		return b + " is known by " + strings.Join(importers, " and ") + " only"
	case isArea && toArea && a != b && !slices.Contains(known, b):
		return "an area knows only the areas that it names"
	case isArea && !toArea && !slices.Contains(areasKnow, b):
		return "an area knows what areas stand on"
	case toArea && !isArea && !fromAbove:
		return "only what is above the areas knows them"
	}
	return ""
}

func TestImportsGoOneWayThroughTheHouse(t *testing.T) {
	t.Parallel()
	all := packages(t)
	require.Greater(t, len(all), 40, "go list found hardly anything")
	for _, r := range all {
		for _, to := range r.Imports {
			require.Empty(t, wrongWay(r.ImportPath, to), "%s imports %s", r.ImportPath, to)
		}
	}
	for _, path := range shown {
		require.True(t, slices.ContainsFunc(all, func(r listed) bool { return r.ImportPath == root+path }), "%s is gone; mend the list", path)
	}
}

func TestAReversedImportIsFound(t *testing.T) {
	t.Parallel()
	for from, to := range map[string]string{
		"ledger/infra/store":          "projections/engine",
		"ledger/domain/wallet":        "services/internal/usecase",
		"projections/balances":        "services/internal/app",
		"projections/groups":          "ledger/infra/store",
		"projections/activity":        "ledger/posting",
		"proto/wire":                  "ledger/base/money",
		"ledger/domain/savings":       "ledger/infra/store",
		"ledger/domain/standingorder": "ledger/base/durable",
		"ledger/infra/audit":          "ledger/domain/savings",
		"ledger/base/money":           "ledger/event",
		"ledger/base/pgchild":         "ledger/infra/store",
		"ledger/event":                "ledger/posting",
		"ledger/posting":              "ledger/domain/wallet",

		"services/internal/dues":            "services/internal/payments",
		"services/internal/groups":          "services/internal/httpapi",
		"services/internal/activity":        "services/internal/app",
		"services/internal/usecase":         "services/internal/groups",
		"services/internal/profile":         "services/internal/groups",
		"services/internal/httpapi/wallet":  "services/internal/app",
		"services/internal/live":            "services/internal/httpapi",
		"services/internal/httpapi/savings": "projections/groups",
		"services/internal/payments":        "services/internal/profile",
	} {
		require.NotEmpty(t, wrongWay(root+from, root+to), "%s → %s", from, to)
	}
	for _, to := range outside {
		require.NotEmpty(t, wrongWay(root+"ledger/domain/savings", to), to)
	}
	require.NotEmpty(t, wrongWay(root+"ledger/event", "github.com/jackc/pgx/v5/pgtype"))
	require.Empty(t, wrongWay(root+"services/internal/dues", root+"ledger/infra/store"))
	require.Empty(t, wrongWay(root+"services/internal/payments", root+"services/internal/dues"))
	require.Empty(t, wrongWay(root+"ledger/infra/store", "github.com/jackc/pgx/v5"))
}

func TestAreasKnowTheContractInOneFile(t *testing.T) {
	t.Parallel()
	seen := 0
	for _, r := range packages(t) {
		name := strings.TrimPrefix(r.ImportPath, root+"services/internal/")
		if _, area := areas[name]; !area && name != "usecase" && name != "membership" {
			continue
		}
		seen++
		for _, file := range r.GoFiles {
			parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(r.Dir, file), nil, parser.ImportsOnly)
			require.NoError(t, err)
			for _, to := range parsed.Imports {
				require.True(t, file == "contract.go" || to.Path.Value != strconv.Quote(root+"proto/gen/httpapi"), "%s/%s knows the contract", name, file)
			}
		}
	}
	require.Equal(t, len(areas)+2, seen)
}

// The most that a package may have, tests aside.
const (
	filesMost = 25
	linesMost = 3_000
)

func TestNoPackageHoldsTooMuch(t *testing.T) {
	t.Parallel()
	for _, r := range packages(t) {
		path := strings.TrimPrefix(r.ImportPath, root)
		if within(path, "proto/gen") || within(path, "services/cmd/bench") {
			continue
		}
		lines := 0
		for _, name := range r.GoFiles {
			source, err := os.ReadFile(filepath.Join(r.Dir, name))
			require.NoError(t, err)
			lines += bytes.Count(source, []byte("\n"))
		}
		require.LessOrEqual(t, len(r.GoFiles), filesMost, "%s has too many files", path)
		require.LessOrEqual(t, lines, linesMost, "%s has too many lines", path)
	}
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
	for _, r := range packages(t) {
		if !decides(strings.TrimPrefix(r.ImportPath, root)) {
			continue
		}
		for _, name := range r.GoFiles {
			require.Empty(t, impurities(t, filepath.Join(r.Dir, name), nil), "%s/%s", r.ImportPath, name)
			read++
		}
	}
	require.Greater(t, read, 40)
	require.Len(t, impurities(t, "x.go", "package x\nfunc f() { _ = time.Now(); _ = uuid.New(); go f() }"), 3)
}
