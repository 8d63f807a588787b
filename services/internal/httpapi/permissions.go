package httpapi

import (
	"fmt"
	"slices"
	"strings"

	"adashi.ng/proto/gen/access"

	"adashi.ng/services/internal/people"
)

// Verdict is the permission of a kind of person for a call.
type Verdict byte

// The verdicts. A denied person gets 401 without a session, otherwise 403, or 404 where they must not learn that it
// exists.
const (
	Allow  Verdict = 'A'
	Self   Verdict = 'S' // Only for themselves.
	Masked Verdict = 'M' // They see less than the owner.
	Deny   Verdict = '-'
)

// Kinds are the columns of the table. The middle five are relations to the group that a call is about.
var Kinds = access.Kinds

// verdict returns a route's verdict for a kind, by its index in Kinds.
func verdict(route access.Route, kind int) Verdict { return Verdict(route.Who[kind]) }

// staffRoles returns the roles that may make a call which is closed to everybody else, or nil.
func staffRoles(route access.Route) []string {
	for kind := range Kinds[:6] {
		if verdict(route, kind) != Deny {
			return nil
		}
	}
	var roles []string
	for n, role := range []string{people.RoleSupport, people.RoleFinanceOps, people.RoleAdmin} {
		if verdict(route, 6+n) != Deny {
			roles = append(roles, role)
		}
	}
	return roles
}

// accessOf returns the contract's permissions for a route; a missing entry is a bug that stops the start.
func accessOf(route string) access.Route {
	row, ok := access.Routes[route]
	if !ok {
		panic(fmt.Sprintf("httpapi: the contract does not say who may call %s: give it an x-access and run ./scripts/gen", route))
	}
	return row
}

// Permission is a row of the table, for tests.
type Permission struct {
	Method, Path string // The path with :names.
	Verdicts     map[string]Verdict
}

// Permissions is the whole table, in the order of its routes.
func Permissions() []Permission {
	var all []Permission
	for route, row := range access.Routes {
		method, path, _ := strings.Cut(route, " ")
		p := Permission{Method: method, Path: path, Verdicts: make(map[string]Verdict, len(Kinds))}
		for n, kind := range Kinds {
			p.Verdicts[kind] = verdict(row, n)
		}
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b Permission) int { return strings.Compare(a.Path+a.Method, b.Path+b.Method) })
	return all
}
