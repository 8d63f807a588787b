package main

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// ending are the methods that return a connection, and those of package pgx that read rows to their end.
var (
	ending  = []string{"Close", "Release", "release", "Commit", "Rollback"}
	reading = []string{"CollectRows", "AppendRows", "CollectOneRow", "CollectExactlyOneRow", "ForEachRow"}
)

// calledWhileHeld are the functions of pgx that call a function of ours while they hold a connection.
var calledWhileHeld = []string{"BeginFunc", "BeginTxFunc", "AcquireFunc"}

// heldAsk is an ask through a parameter while the function holds a connection of a pool: the caller that passes the
// parameter decides which pool is asked.
type heldAsk struct {
	held string
	ask  ask
}

// taken are the connections that may be held at a point: the value that holds each, and its pool.
type taken map[ssa.Value]string

// held reports a function's asks while it holds a connection.
func (a *analysis) held(f *ssa.Function, report func(held, asked, where string)) {
	entry := map[*ssa.BasicBlock]taken{f.Blocks[0]: {}}
	for work := []*ssa.BasicBlock{f.Blocks[0]}; len(work) > 0; work = work[1:] {
		block := work[0]
		now := maps.Clone(entry[block])
		for _, instruction := range block.Instrs {
			a.step(now, instruction, report)
		}
		for n, next := range block.Succs {
			after := maps.Clone(now)
			if rows := exhausted(block, n); rows != nil {
				delete(after, rows)
			}
			if grows(entry, next, after) {
				work = append(work, next)
			}
		}
	}
}

// grows adds the connections held at a block's beginning and reports whether any was new.
func grows(entry map[*ssa.BasicBlock]taken, block *ssa.BasicBlock, more taken) bool {
	known, seen := entry[block]
	if !seen {
		entry[block] = more
		return true
	}
	news := false
	for v, pool := range more {
		if _, ok := known[v]; !ok {
			known[v], news = pool, true
		}
	}
	return news
}

// exhausted returns the rows that are closed on a block's nth way out, because rows.Next() returned false.
func exhausted(block *ssa.BasicBlock, n int) ssa.Value {
	branch, ok := block.Instrs[len(block.Instrs)-1].(*ssa.If)
	if !ok || n != 1 {
		return nil
	}
	call, ok := branch.Cond.(*ssa.Call)
	if !ok || !call.Call.IsInvoke() || call.Call.Method.Name() != "Next" {
		return nil
	}
	return root(call.Call.Value)
}

func (a *analysis) step(now taken, instruction ssa.Instruction, report func(held, asked, where string)) {
	call, ok := instruction.(ssa.CallInstruction)
	if !ok {
		return
	}
	if _, plain := instruction.(*ssa.Call); !plain {
		return // A deferred call runs at the end; a go statement's function holds no connection.
	}
	common := call.Common()
	asked := a.asksOf(call.Parent(), call)
	for v, pool := range now {
		if isAsking(common) && root(receiver(common)) == v {
			continue // The connection itself.
		}
		a.report(pool, asked, call, report)
	}
	for _, callee := range a.callees(call) {
		for one := range a.later[callee] {
			a.report(one.held, a.resolve(one.ask, common, callee), call, report)
		}
	}
	a.inside(call, report)
	a.release(now, common)
	if v, ok := instruction.(ssa.Value); ok && holds(v.Type()) {
		for _, one := range asked {
			if one.param == nil {
				now[v] = one.pool
			} else if now[v] == "" {
				now[v] = poolOf(packageOf(call.Parent()))
			}
		}
	}
}

func (a *analysis) report(pool string, asked []ask, call ssa.CallInstruction, report func(held, asked, where string)) {
	for _, one := range asked {
		if one.param == nil {
			report(pool, one.pool, a.path(call, one.pool))
			continue
		}
		f := call.Parent()
		if a.later[f] == nil {
			a.later[f] = map[heldAsk]bool{}
		}
		if !a.later[f][heldAsk{pool, one}] {
			a.later[f][heldAsk{pool, one}], a.news = true, true
		}
	}
}

// inside reports a function's asks that pgx runs while it holds a connection.
func (a *analysis) inside(call ssa.CallInstruction, report func(held, asked, where string)) {
	common := call.Common()
	f := common.StaticCallee()
	if f == nil {
		return
	}
	pools := map[string]bool{}
	switch {
	case slices.Contains(calledWhileHeld, f.Name()) && strings.Contains(f.String(), "jackc/pgx"):
		for _, arg := range common.Args {
			for _, one := range originsIf(arg) { // None when it begins on a connection: its holder is examined instead.
				pools[cmp.Or(one.pool, poolOf(packageOf(call.Parent())))] = true
			}
		}
	case f.Signature.Recv() != nil && isNamed(f.Signature.Recv().Type(), "pgx.QueuedQuery"):
		pools[poolOf(packageOf(call.Parent()))] = true
	}
	for _, arg := range common.Args {
		if _, ok := arg.Type().Underlying().(*types.Signature); ok {
			for pool := range pools {
				a.report(pool, a.passed(arg), call, report)
			}
		}
	}
}

func originsIf(arg ssa.Value) []ask {
	if !isPool(arg) {
		return nil
	}
	return origins(arg)
}

// release removes the connections that a call returns.
func (a *analysis) release(now taken, common *ssa.CallCommon) {
	f := common.StaticCallee()
	switch {
	case common.IsInvoke() && (slices.Contains(ending, common.Method.Name()) || common.Method.Name() == "Scan" && isNamed(common.Value.Type(), "pgx.Row")):
		delete(now, root(common.Value))
	case f == nil:
	case f.Signature.Recv() != nil && slices.Contains(ending, f.Name()):
		delete(now, root(common.Args[0]))
	case slices.ContainsFunc(reading, func(name string) bool { return strings.HasPrefix(f.Name(), name) }) && strings.Contains(f.String(), "jackc/pgx"):
		for _, arg := range common.Args {
			delete(now, root(arg))
		}
	}
}

// root returns the call that a value came from.
func root(v ssa.Value) ssa.Value {
	switch v := v.(type) {
	case *ssa.Extract:
		return root(v.Tuple)
	case *ssa.ChangeInterface:
		return root(v.X)
	case *ssa.MakeInterface:
		return root(v.X)
	case *ssa.UnOp:
		if local, ok := v.X.(*ssa.Alloc); ok && v.Op == token.MUL {
			return root(only(local))
		}
	}
	return v
}

// only returns the single value stored in a local variable; the variable itself when there are several.
func only(local *ssa.Alloc) ssa.Value {
	var found ssa.Value = local
	for _, use := range *local.Referrers() {
		if s, ok := use.(*ssa.Store); ok && s.Addr == local {
			if found != local {
				return local
			}
			found = s.Val
		}
	}
	return found
}

// holding are the types of pgx that hold a connection.
var holding = []string{"pgx.Rows", "pgx.Row", "pgx.Tx", "pgx.BatchResults", "pgxpool.Conn", "pgxpool.Tx"}

// holds reports a type that holds a connection, also among the results of a call.
func holds(t types.Type) bool {
	if tuple, ok := t.(*types.Tuple); ok {
		for v := range tuple.Variables() {
			if holds(v.Type()) {
				return true
			}
		}
		return false
	}
	for _, name := range holding {
		if isNamed(t, name) {
			return true
		}
	}
	return ends(t) && hasHolding(t)
}

// ends reports a type of our own with a method that returns a connection.
func ends(t types.Type) bool {
	methods := types.NewMethodSet(t)
	for m := range methods.Methods() {
		if slices.Contains(ending, m.Obj().Name()) {
			return true
		}
	}
	return false
}

func hasHolding(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for field := range s.Fields() {
		for _, name := range holding {
			if isNamed(field.Type(), name) {
				return true
			}
		}
	}
	return false
}

// path describes where a pool is asked, and the calls that lead there.
func (a *analysis) path(call ssa.CallInstruction, pool string) string {
	lines := []string{fmt.Sprintf("%s in %s", a.at(call.Pos()), call.Parent().RelString(nil))}
	seen := map[*ssa.Function]bool{}
	for f := a.next(call.Parent(), call, pool, seen); f != nil; {
		by := a.asks[f][ask{pool: pool}]
		if by == nil {
			break
		}
		lines = append(lines, fmt.Sprintf("\tcalls %s, which asks at %s", f.RelString(nil), a.at(by.Pos())))
		f = a.nextOf(f, by, pool, seen)
	}
	return strings.Join(lines, "\n")
}

func (a *analysis) next(in *ssa.Function, call ssa.CallInstruction, pool string, seen map[*ssa.Function]bool) *ssa.Function {
	candidates := a.callees(call)
	for _, arg := range call.Common().Args {
		if f := literal(arg); f != nil {
			candidates = append(candidates, f)
		}
	}
	for _, f := range candidates {
		if a.asks[f][ask{pool: pool}] != nil && !seen[f] {
			seen[f] = true
			return f
		}
	}
	return nil
}

func (a *analysis) nextOf(f *ssa.Function, by *ssa.CallCommon, pool string, seen map[*ssa.Function]bool) *ssa.Function {
	for _, block := range f.Blocks {
		for _, instruction := range block.Instrs {
			if call, ok := instruction.(ssa.CallInstruction); ok && call.Common() == by {
				return a.next(f, call, pool, seen)
			}
		}
	}
	return nil
}
