// Package common knows the passwords that anybody guesses first.
package common

import (
	_ "embed"
	"strings"
)

//go:embed passwords.txt
var list string

var passwords = func() map[string]bool {
	all := make(map[string]bool)
	for word := range strings.FieldsSeq(list) {
		all[word] = true
	}
	return all
}()

// Is reports whether a password is one of them, in whatever case.
func Is(password string) bool { return passwords[strings.ToLower(password)] }
