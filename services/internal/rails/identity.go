package rails

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"adashi.ng/services/internal/secret"
)

// Bank is one that accounts are kept at.
type Bank struct {
	Code string // The CBN's.
	NIP  string // What transfers go by.
	Name string
}

// ErrNoAccount is a name enquiry about an account of which its bank says that there is none. Nothing else says so: a
// bank that is away, or answers what we do not know, is fault.Unavailable.
var ErrNoAccount = errors.New("rails: the bank knows no such account")

// Enquirer tells whose account it is, and which banks there are. A rail that cannot be reached, or does not say, is
// fault.Unavailable.
type Enquirer interface {
	// AccountName answers the name as the bank has it, or ErrNoAccount.
	AccountName(ctx context.Context, bank Bank, number string) (string, error)
	// Banks answers the banks that the rail reaches. Code or NIP is empty where the rail does not go by it.
	Banks(ctx context.Context) ([]Bank, error)
}

// Claim is what somebody says of themselves.
type Claim struct {
	BVN                 secret.Text
	FirstName, LastName string
	Email               string
	Bank                Bank
	Account             string
	Customer            string // The rail's own name for the person, once it has told.
}

// Verdict is what a rail finds of a claim.
type Verdict int

// The verdicts. Undecided is also the answer to everything that is not known for sure.
const (
	Undecided Verdict = iota
	Match
	Mismatch // The BVN is somebody else's, or the account is.
	NoBVN    // There is no such BVN.
)

// Finding is a rail's answer to a claim.
type Finding struct {
	Verdict  Verdict
	Customer string // To be given with the same claim from now on.
}

// Verifier finds out whether a BVN belongs to a name and a bank account.
type Verifier interface {
	// Verify may be asked again until it is decided. A rail that cannot be reached is fault.Unavailable.
	Verify(ctx context.Context, claim Claim) (Finding, error)
}

// IdentityNotice is a webhook about a claim.
type IdentityNotice struct {
	Customer string
	Email    string // Of the claim. A webhook may come before the rail has answered with the customer.
	Verdict  Verdict
	Account  string // What it was about.
	BVNEnd   string // The last digits of the BVN.
}

// IdentityHook reads webhooks about claims. One that is about something else is ErrNoPayment.
type IdentityHook interface {
	ParseIdentity(header http.Header, body []byte) (IdentityNotice, error)
}

// SameName reports whether every part of the names occurs in what the bank has, in any order, case or accents.
func SameName(bank string, names ...string) bool {
	has := map[string]bool{}
	for _, part := range nameParts(bank) {
		has[part] = true
	}
	wanted := nameParts(strings.Join(names, " "))
	for _, part := range wanted {
		if !has[part] {
			return false
		}
	}
	return len(wanted) > 0
}

// nameParts splits a name into its words, in capital letters without marks.
func nameParts(name string) []string {
	var plain strings.Builder
	for _, r := range norm.NFD.String(name) {
		switch {
		case unicode.IsLetter(r):
			plain.WriteRune(unicode.ToUpper(r))
		case unicode.IsMark(r), r == '\'', r == '’':
		default:
			plain.WriteByte(' ')
		}
	}
	return strings.Fields(plain.String())
}
