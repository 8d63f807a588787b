// Package spelling knows the ways in which devices write the same password.
package spelling

import (
	"slices"

	"golang.org/x/text/unicode/norm"
)

// Of are the ways in which devices write the same password, that of today's hashes (NFC) first. Earlier builds hashed a
// password as it was typed. One of more than charsMax characters, which no account has and which is slow to hash, is
// written as none.
func Of(password string, charsMax int) []string {
	if len(password) > 4*charsMax {
		return []string{""}
	}
	all := []string{norm.NFC.String(password)}
	for _, form := range []string{password, norm.NFD.String(password)} {
		if !slices.Contains(all, form) {
			all = append(all, form)
		}
	}
	return all
}
