package ledger_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// byDay are the areas whose money depends on the day on which something counts.
var byDay = []string{"ajocard", "ajopot", "dues", "liquidation", "payout", "standingorder", "wallet"}

// undated are commands with a time by which they decide nothing.
var undated = []string{"wallet.ReversePayment"} // When the gateway took the payment back.

// area is what the files of a package of the domain declare.
type area struct {
	methods map[string][]string // Of each type.
	timed   []string            // The structs that have a time of their own.
}

func (a *area) read(file *ast.File) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv != nil {
				name := strings.TrimPrefix(fmt.Sprint(n.Recv.List[0].Type), "*")
				a.methods[name] = append(a.methods[name], n.Name.Name)
			}
		case *ast.TypeSpec:
			s, is := n.Type.(*ast.StructType)
			if !is {
				break
			}
			for _, f := range s.Fields.List {
				for _, name := range f.Names {
					kind, is := f.Type.(*ast.SelectorExpr)
					if is && kind.Sel.Name == "Time" && slices.Contains([]string{"at", "now"}, strings.ToLower(name.Name)) {
						a.timed = append(a.timed, n.Name.Name)
					}
				}
			}
		}
		return true
	})
}

// What a command records counts from the time by which it decided, so that both are of one day.
func TestEveryCommandAboutMoneyThatDecidesByATimeOfItsOwnSaysIt(t *testing.T) {
	t.Parallel()
	areas := map[string]*area{}
	files, err := filepath.Glob("domain/*/*.go")
	require.NoError(t, err)
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") || !slices.Contains(byDay, filepath.Base(filepath.Dir(path))) {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		require.NoError(t, err)
		if areas[file.Name.Name] == nil {
			areas[file.Name.Name] = &area{methods: map[string][]string{}}
		}
		areas[file.Name.Name].read(file)
	}
	looked := 0
	for name, a := range areas {
		for _, typ := range a.timed {
			if command := name + "." + typ; slices.Contains(a.methods[typ], "Decide") && !slices.Contains(undated, command) {
				looked++
				require.Contains(t, a.methods[typ], "DecidesAt", command)
			}
		}
	}
	require.Greater(t, looked, 20)
}
