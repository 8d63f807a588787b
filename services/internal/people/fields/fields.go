// Package fields judges what people type about themselves. A refusal is fault.Invalid with the field and a sentence.
package fields

import (
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/domain/wording"
	"adashi.ng/services/internal/people/common"
)

const (
	nameCharsMax     = 60
	passwordCharsMin = 8
	// PasswordCharsMax is how many characters a password may have; a longer one is not even hashed.
	PasswordCharsMax = 128
	ageYearsMin      = 15
)

var (
	phone = regexp.MustCompile(`^(?:\+?(?:00)?2340?|0?)([789][01][0-9]{8})$`)
	date  = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)
)

// Password judges a new password; field is what the form calls it.
func Password(field, password string) error {
	switch length := utf8.RuneCountInString(norm.NFC.String(password)); {
	case length < passwordCharsMin:
		return fault.Field(field, "The password must have at least %d characters.", passwordCharsMin)
	case length > PasswordCharsMax:
		return fault.Field(field, "The password must have at most %d characters.", PasswordCharsMax)
	case common.Is(password):
		return fault.Field(field, "That password is one of the first that anyone would guess. Please choose another.")
	}
	return nil
}

// Name trims and composes. A name has letters of any script, and spaces, hyphens, apostrophes and points.
func Name(field, label, name string) (string, error) {
	name = wording.Clean(name)
	if name == "" {
		return "", fault.Field(field, "Please enter your %s.", label)
	}
	if utf8.RuneCountInString(name) > nameCharsMax {
		return "", fault.Field(field, "Your %s must have at most %d characters.", label, nameCharsMax)
	}
	letters := false
	for _, r := range name {
		switch {
		case unicode.IsLetter(r):
			letters = true
		case unicode.IsMark(r), strings.ContainsRune(" '’-.", r):
		default:
			return "", fault.Field(field, "Your %s may have letters, spaces, hyphens, apostrophes and points only.", label)
		}
	}
	if wording.Unseen(name) || wording.Links(name) {
		return "", fault.Field(field, "Your %s cannot look like a web address or hold what cannot be seen. Put a space after a point.", label)
	}
	if wording.Stacked(name) {
		return "", fault.Field(field, "Your %s has too many marks on one letter. Leave some out.", label)
	}
	if !letters {
		return "", fault.Field(field, "Please enter your %s in letters.", label)
	}
	return name, nil
}

// Phone answers E.164 (+234…). It takes the ways in which people and their phones write a number: 0803…, 803…,
// +234 803…, 234803…, 00234 803…, +234 (0)803…, with signs between the digits, and with characters that cannot be seen.
func Phone(number string) (string, error) {
	plain := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.In(r, unicode.Cf, unicode.Pd) || strings.ContainsRune("()./", r) {
			return -1
		}
		return r
	}, norm.NFKC.String(number))
	match := phone.FindStringSubmatch(plain)
	if match == nil {
		return "", fault.Field("phone", "Please enter a Nigerian phone number, such as 08031234567 or +2348031234567.")
	}
	return "+234" + match[1], nil
}

// Birth reads YYYY-MM-DD and judges the age by today's day in Lagos: the fifteenth birthday itself passes.
func Birth(text string, now time.Time) (time.Time, error) {
	birth, err := time.Parse(time.DateOnly, text)
	if err != nil || !date.MatchString(text) || birth.Year() < 1900 {
		return time.Time{}, fault.Field("dateOfBirth", "Please enter your date of birth as year-month-day, such as 1998-04-30.")
	}
	year, month, day := now.In(lagos.Zone).Date()
	today := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	if birth.After(today) {
		return time.Time{}, fault.Field("dateOfBirth", "Your date of birth is still to come. Please check it.")
	}
	if birth.AddDate(ageYearsMin, 0, 0).After(today) {
		return time.Time{}, fault.Field("dateOfBirth", "You must be 15 years or older to use Adashi.")
	}
	return birth, nil
}
