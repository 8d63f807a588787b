package wording

import (
	"regexp"
	"unicode/utf8"

	"adashi.ng/ledger/base/fault"
)

// Text cleans a name or what else somebody wrote, which others read in lists and letters, and holds it to its bounds.
func Text(field, what, s string, shortest, longest int) (string, error) {
	s = Clean(s)
	n := utf8.RuneCountInString(s)
	switch {
	case Unseen(s):
		return "", fault.Field(field, "%s has a character that cannot be shown.", what)
	case Stacked(s):
		return "", fault.Field(field, "%s has too many marks on one letter. Leave some out.", what)
	case Links(s):
		return "", fault.Field(field, "%s cannot hold a web or mail address. Leave it out, or put a space after the full stop.", what)
	case n < shortest || n > longest:
		return "", fault.Field(field, "%s needs %d to %d characters; this has %d.", what, shortest, longest, n)
	}
	return s, nil
}

// particulars are what says who somebody is, and belongs into no event.
var particulars = regexp.MustCompile(`@|[0-9]{8}`)

// Particulars reports a mail address or a number of an account in what somebody wrote.
func Particulars(s string) bool { return particulars.MatchString(s) }
