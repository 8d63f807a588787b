// Package httpapi is the HTTP edge: strict input (Bind), one envelope (OK, OKMessage), one translation of errors,
// sessions, headers and limits (Router, Server). The areas' handlers live in its subpackages and make three moves:
// bind, act, reply. Each is a struct with the signatures of the generated ServerInterface, so that one struct may
// embed them all.
package httpapi
