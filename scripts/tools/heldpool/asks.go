package main

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/ssa"
)

// analysis is our knowledge of a program.
type analysis struct {
	program   *ssa.Program
	functions []*ssa.Function // Those with a body, in order.
	calls     *callgraph.Graph
	asks      map[*ssa.Function]map[ask]*ssa.CallCommon // The pools that each function asks, and the call that does.
	later     map[*ssa.Function]map[heldAsk]bool        // The asks through its parameters while it holds a connection.
	binding   map[*ssa.FreeVar]bool                     // Those that are being traced.
	news      bool                                      // Something was added to later.
}

// ask is a pool that a function asks for a connection: a pool by name, or a parameter or free variable. A function that
// came that way asks for whatever that function asks.
type ask struct {
	pool  string
	param ssa.Value // A *ssa.Parameter or *ssa.FreeVar of the function; nil for a pool by name.
}

// asking are the methods that take a connection of a pool.
var asking = []string{"Query", "QueryRow", "Exec", "Begin", "BeginTx", "SendBatch", "CopyFrom", "Acquire", "AcquireFunc", "AcquireAllIdle", "Ping"}

// summarise finds the pools that each function asks, directly and through its calls, until it finds nothing new.
func (a *analysis) summarise() {
	for changed := true; changed; {
		changed = false
		for _, f := range a.functions {
			for _, block := range f.Blocks {
				for _, instruction := range block.Instrs {
					call, ok := instruction.(ssa.CallInstruction)
					if _, goes := instruction.(*ssa.Go); !ok || goes {
						continue
					}
					for _, one := range a.asksOf(f, call) {
						if a.asks[f] == nil {
							a.asks[f] = map[ask]*ssa.CallCommon{}
						}
						if _, known := a.asks[f][one]; !known {
							a.asks[f][one] = call.Common()
							changed = true
						}
					}
				}
			}
		}
	}
}

// asksOf returns the pools that a call in a function asks.
func (a *analysis) asksOf(f *ssa.Function, call ssa.CallInstruction) []ask {
	common := call.Common()
	if isAsking(common) {
		return origins(receiver(common))
	}
	if given := passedIn(common); given != nil {
		return []ask{{param: given}}
	}
	var all []ask
	for _, callee := range a.callees(call) {
		all = append(all, a.through(common, callee)...)
	}
	if len(a.callees(call)) == 0 {
		all = append(all, a.foreign(common)...)
	}
	return all
}

// passedIn returns the parameter or free variable whose function a call runs; nil for any other call.
func passedIn(common *ssa.CallCommon) ssa.Value {
	if common.IsInvoke() || common.StaticCallee() != nil {
		return nil
	}
	v := common.Value
	if load, ok := v.(*ssa.UnOp); ok { // A variable shared with a closure.
		v = load.X
	}
	switch v.(type) {
	case *ssa.Parameter, *ssa.FreeVar:
		return v
	}
	return nil
}

// through returns a callee's asks, as its caller sees them.
func (a *analysis) through(common *ssa.CallCommon, callee *ssa.Function) (all []ask) {
	if len(callee.Blocks) == 0 {
		return a.foreign(common)
	}
	for one := range a.asks[callee] {
		all = append(all, a.resolve(one, common, callee)...)
	}
	return all
}

// resolve translates a callee's ask for its caller: a parameter becomes the argument that the caller passes.
func (a *analysis) resolve(one ask, common *ssa.CallCommon, callee *ssa.Function) []ask {
	switch param := one.param.(type) {
	case *ssa.Parameter:
		args := common.Args
		if common.IsInvoke() {
			args = append([]ssa.Value{common.Value}, args...)
		}
		if n := slices.Index(callee.Params, param); n >= 0 && n < len(args) {
			return a.passed(args[n])
		}
		return nil
	case *ssa.FreeVar:
		return a.boundTo(callee, param)
	}
	return []ask{one}
}

// passed returns the asks of a value that is passed on: a pool itself, or a function.
func (a *analysis) passed(v ssa.Value) (all []ask) {
	if _, ok := v.Type().Underlying().(*types.Signature); !ok {
		return origins(v)
	}
	switch v := v.(type) {
	case *ssa.Parameter, *ssa.FreeVar:
		return []ask{{param: v}}
	case *ssa.Phi:
		for _, edge := range v.Edges {
			if edge != v {
				all = append(all, a.passed(edge)...)
			}
		}
		return all
	case *ssa.UnOp:
		switch from := v.X.(type) {
		case *ssa.FreeVar:
			return []ask{{param: from}}
		case *ssa.Alloc:
			if stored := only(from); stored != from {
				return a.passed(stored)
			}
		}
	}
	if f := literal(v); f != nil {
		return a.through(&ssa.CallCommon{Value: f}, f)
	}
	return nil // The content of a field or a result: see callees.
}

// foreign returns the asks of a call to code that is not ours: the pools that are its arguments, and the asks of the
// functions that are its arguments, because it calls them.
func (a *analysis) foreign(common *ssa.CallCommon) (all []ask) {
	for _, arg := range common.Args {
		if isPool(arg) {
			all = append(all, origins(arg)...)
		}
		if _, ok := arg.Type().Underlying().(*types.Signature); ok {
			all = append(all, a.passed(arg)...)
		}
	}
	return all
}

// callees returns the functions that a call may run.
func (a *analysis) callees(call ssa.CallInstruction) []*ssa.Function {
	if f := call.Common().StaticCallee(); f != nil {
		return []*ssa.Function{f}
	}
	node := a.calls.Nodes[call.Parent()]
	if node == nil {
		return nil
	}
	var all []*ssa.Function
	for _, edge := range node.Out {
		if edge.Site == call {
			all = append(all, edge.Callee.Func)
		}
	}
	return all
}

// literal returns the function that a value is, if it is written there.
func literal(v ssa.Value) *ssa.Function {
	switch v := v.(type) {
	case *ssa.MakeClosure:
		return v.Fn.(*ssa.Function)
	case *ssa.Function:
		return v
	case *ssa.ChangeType:
		return literal(v.X)
	}
	return nil
}

// isAsking reports a call of one of a pool's own methods, or of an interface through which a pool is used.
func isAsking(common *ssa.CallCommon) bool {
	name := ""
	switch f := common.StaticCallee(); {
	case common.IsInvoke():
		name = common.Method.Name()
	case f != nil && f.Signature.Recv() != nil:
		name = f.Name()
	}
	return slices.Contains(asking, name) && mayBePool(receiver(common).Type())
}

func receiver(common *ssa.CallCommon) ssa.Value {
	if common.IsInvoke() {
		return common.Value
	}
	return common.Args[0]
}

// mayBePool reports a pool, or an interface that both a pool and a transaction implement.
func mayBePool(t types.Type) bool {
	if isNamed(t, "pgxpool.Pool") {
		return true
	}
	i, ok := t.Underlying().(*types.Interface)
	return ok && i.NumMethods() > 0 && !isNamed(t, "pgx.Tx") && hasAsking(i)
}

func hasAsking(i *types.Interface) bool {
	for m := range i.Methods() {
		if slices.Contains(asking, m.Name()) && strings.Contains(m.Type().String(), "pgx") {
			return true
		}
	}
	return false
}

func isPool(v ssa.Value) bool { return isNamed(v.Type(), "pgxpool.Pool") || mayBePool(v.Type()) }

// isNamed reports a type of pgx, or a pointer to it, by its package and name.
func isNamed(t types.Type, name string) bool {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && strings.HasPrefix(n.Obj().Pkg().Path(), "github.com/jackc/pgx/") && n.Obj().Pkg().Name()+"."+n.Obj().Name() == name
}

// origins returns the pools that a value may be: none for a transaction or a connection.
func origins(v ssa.Value) []ask { return trace(v, map[ssa.Value]bool{}) }

func trace(v ssa.Value, seen map[ssa.Value]bool) (all []ask) {
	if seen[v] {
		return nil
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.MakeInterface:
		if isNamed(v.X.Type(), "pgxpool.Pool") {
			return trace(v.X, seen)
		}
		return nil // A transaction, a connection, or a type of our own around one.
	case *ssa.ChangeInterface:
		if isNamed(v.X.Type(), "pgx.Tx") {
			return nil
		}
		return trace(v.X, seen)
	case *ssa.TypeAssert:
		return trace(v.X, seen)
	case *ssa.Extract:
		return trace(v.Tuple, seen)
	case *ssa.Phi:
		for _, edge := range v.Edges {
			all = append(all, trace(edge, seen)...)
		}
		return all
	case *ssa.Parameter, *ssa.FreeVar:
		if isNamed(v.Type(), "pgx.Tx") {
			return nil
		}
		return []ask{{param: v}}
	case *ssa.UnOp:
		if f, ok := v.X.(*ssa.FreeVar); ok { // A variable shared with a closure.
			return []ask{{param: f}}
		}
		return trace(v.X, seen)
	case *ssa.Alloc:
		return stored(v, seen)
	case *ssa.Call:
		if f := v.Call.StaticCallee(); f != nil && len(f.Blocks) > 0 {
			return returned(f, seen)
		}
	case *ssa.FieldAddr:
		return []ask{{pool: poolOf(owner(v.X.Type()))}}
	case *ssa.Field:
		return []ask{{pool: poolOf(owner(v.X.Type()))}}
	}
	if p := v.Parent(); p != nil {
		return []ask{{pool: poolOf(packageOf(p))}}
	}
	return []ask{{pool: poolOf(nil)}}
}

// returned returns the pools that a function's result may be. It does not follow parameters further.
func returned(f *ssa.Function, seen map[ssa.Value]bool) (all []ask) {
	for _, block := range f.Blocks {
		answer, ok := block.Instrs[len(block.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		for _, result := range answer.Results {
			if isPool(result) {
				all = append(all, trace(result, seen)...)
			}
		}
	}
	return slices.DeleteFunc(all, func(one ask) bool { return one.param != nil })
}

// stored returns the pools that a local variable may contain.
func stored(v *ssa.Alloc, seen map[ssa.Value]bool) (all []ask) {
	for _, use := range *v.Referrers() {
		if s, ok := use.(*ssa.Store); ok && s.Addr == v {
			all = append(all, trace(s.Val, seen)...)
		}
	}
	return all
}

// boundTo returns the value of a closure's free variable where the closure is made, as seen from there.
func (a *analysis) boundTo(closure *ssa.Function, v *ssa.FreeVar) (all []ask) {
	n := slices.Index(closure.FreeVars, v)
	if closure.Parent() == nil || n < 0 || a.binding[v] { // A closure may capture itself.
		return nil
	}
	a.binding[v] = true
	defer delete(a.binding, v)
	for _, block := range closure.Parent().Blocks {
		for _, instruction := range block.Instrs {
			if made, ok := instruction.(*ssa.MakeClosure); ok && made.Fn == closure {
				all = append(all, a.bound(made.Bindings[n])...)
			}
		}
	}
	return all
}

// bound returns the asks of a shared variable, or of a captured value.
func (a *analysis) bound(v ssa.Value) (all []ask) {
	local, ok := v.(*ssa.Alloc)
	if !ok {
		return a.passed(v)
	}
	for _, use := range *local.Referrers() {
		if s, ok := use.(*ssa.Store); ok && s.Addr == local {
			all = append(all, a.passed(s.Val)...)
		}
	}
	return all
}

func owner(t types.Type) *types.Package {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Pkg()
	}
	return nil
}

func packageOf(f *ssa.Function) *types.Package {
	for ; f.Pkg == nil && f.Parent() != nil; f = f.Parent() {
	}
	if f.Pkg == nil {
		return nil
	}
	return f.Pkg.Pkg
}

func (a *analysis) at(pos token.Pos) string {
	p := a.program.Fset.Position(pos)
	return fmt.Sprintf("%s:%d", short(p.Filename), p.Line)
}
