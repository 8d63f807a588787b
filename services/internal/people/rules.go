package people

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"adashi.ng/ledger/base/fault"
)

const emailCharsMax = 320

var (
	localPart = regexp.MustCompile("^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$")
	domain    = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$`)
)

// NormaliseEmail is the form in which e-mails are stored and compared: NFKC, trimmed, lower case. It does not judge.
func NormaliseEmail(email string) string {
	return strings.ToLower(strings.TrimSpace(norm.NFKC.String(email)))
}

// IsEmail reports whether a text is an address, normalised or not.
func IsEmail(email string) bool {
	_, err := readEmail(email)
	return err == nil
}

// emailsMax is how many addresses a list that is written to at once may have.
const emailsMax = 50

// Emails reads a list of addresses that are written to at once: normalised, each once. One bad one refuses the list.
func Emails(list []string) ([]string, error) {
	if len(list) < 1 || len(list) > emailsMax {
		return nil, fault.Field("emails", "Give 1 to %d e-mail addresses; these are %d.", emailsMax, len(list))
	}
	var read []string
	for _, email := range list {
		address := NormaliseEmail(email)
		if !IsEmail(address) {
			return nil, fault.Field("emails", "“%s” is no e-mail address. Nothing was sent.", strings.TrimSpace(email))
		}
		if !slices.Contains(read, address) {
			read = append(read, address)
		}
	}
	return read, nil
}

// readEmail normalises and judges. Only ASCII is taken: letters that look like others make two people one.
func readEmail(email string) (string, error) {
	if len(email) > 4*emailCharsMax || utf8.RuneCountInString(email) > emailCharsMax {
		return "", fault.Field("email", "The email must have at most %d characters.", emailCharsMax)
	}
	email = NormaliseEmail(email)
	local, host, found := strings.Cut(email, "@")
	if !found || len(email) > emailCharsMax || len(local) > 64 || len(host) > 253 ||
		!localPart.MatchString(local) || !domain.MatchString(host) || strings.HasSuffix("."+host, invalidDomain) {
		return "", fault.Field("email", "Please enter a valid email, such as ada@example.com.")
	}
	return email, nil
}
