// Command heldpool refuses code that asks a pool for a connection while it holds another of the same pool: if as many
// such callers as the pool has connections wait for each other, they wait for ever, and everybody else with them.
//
//	heldpool ./ledger/... ./projections/... ./services/...
//
// A function holds a connection from the call that opens rows, a transaction, a batch or a connection until the call
// that ends it, and in every function that pgx calls meanwhile: that of pgx.BeginFunc, of pgx.ForEachRow, of a queued
// query. It asks a pool when it calls a method of *pgxpool.Pool, itself or through any function that it calls. Calls of
// interfaces and of function values are followed wherever a value may come from (variable type analysis, Sundaresan et
// al., OOPSLA 2000). The function of a go statement is not followed: it does not use its starter's connection.
//
// Pools are distinguished by the package whose field holds them (see pools). Two pools may be asked in one order, not
// in both. It prints each finding with the calls that lead to it, and exits with 1 if there are any.
package main

import (
	"fmt"
	"go/types"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/callgraph/cha"
	"golang.org/x/tools/go/callgraph/vta"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

func main() {
	log.SetFlags(0)
	findings, err := check(&packages.Config{}, os.Args[1:]...)
	if err != nil {
		log.Fatal("heldpool: ", err)
	}
	for _, f := range findings {
		fmt.Println(f)
	}
	if len(findings) > 0 {
		log.Fatalf("heldpool: %d places ask a pool for a connection while they hold one of it", len(findings))
	}
}

// check loads the packages and returns a sentence for each finding, in the order of the files.
func check(load *packages.Config, patterns ...string) ([]string, error) {
	load.Mode = packages.LoadSyntax
	initial, err := packages.Load(load, patterns...)
	if err != nil {
		return nil, err
	}
	if packages.PrintErrors(initial) > 0 {
		return nil, fmt.Errorf("the packages do not build")
	}
	program, _ := ssautil.Packages(initial, ssa.InstantiateGenerics)
	program.Build()
	functions := ssautil.AllFunctions(program)
	a := &analysis{
		program: program, calls: vta.CallGraph(functions, cha.CallGraph(program)),
		asks: map[*ssa.Function]map[ask]*ssa.CallCommon{}, later: map[*ssa.Function]map[heldAsk]bool{}, binding: map[*ssa.FreeVar]bool{},
	}
	for f := range functions {
		if len(f.Blocks) > 0 {
			a.functions = append(a.functions, f)
		}
	}
	slices.SortFunc(a.functions, func(x, y *ssa.Function) int {
		return strings.Compare(a.at(x.Pos())+x.String(), a.at(y.Pos())+y.String())
	})
	a.summarise()
	return a.judge(), nil
}

// pools names the pool in a package's fields; every other package has the pool that all areas share.
var pools = map[string]string{
	"adashi.ng/services/internal/vault": "the vault's pool",
	"adashi.ng/ledger/infra/store":      "the appender's pool",
	"adashi.ng/ledger/infra/relay":      "the relay's pool",
	"adashi.ng/projections/engine":      "the projector's pool",
}

func poolOf(pkg *types.Package) string {
	if pkg != nil {
		if name, ok := pools[pkg.Path()]; ok {
			return name
		}
	}
	return "the shared pool"
}

// judge returns the findings: a pool asked while it is held, and the pairs of pools that are asked in both orders.
func (a *analysis) judge() []string {
	order := map[[2]string][]string{}
	for a.news = true; a.news; {
		a.news = false
		for _, f := range a.functions {
			a.held(f, func(held, asked, where string) {
				pair := [2]string{held, asked}
				if !slices.Contains(order[pair], where) {
					order[pair] = append(order[pair], where)
				}
			})
		}
	}
	var out []string
	for _, pair := range slices.SortedFunc(maps.Keys(order), func(x, y [2]string) int { return strings.Compare(x[0]+x[1], y[0]+y[1]) }) {
		if _, both := order[[2]string{pair[1], pair[0]}]; both { // Also of one pool with itself.
			for _, where := range order[pair] {
				out = append(out, fmt.Sprintf("%s\n\tasks %s while it holds a connection of %s", where, pair[1], pair[0]))
			}
		}
	}
	slices.Sort(out)
	return out
}

func short(path string) string {
	if dir, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(dir, path); err == nil {
			return rel
		}
	}
	return path
}
