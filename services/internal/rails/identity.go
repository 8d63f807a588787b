package rails

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"unicode"

	"adashi.ng/ledger/base/letters"
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

// particles are words that some write together with the one that follows: O'Brien is O BRIEN, Abdulrahman ABDUL RAHMAN.
var particles = []string{"o", "d", "mc", "mac", "al", "el", "abd", "abdul", "abdel"}

// SameName reports whether every part of the names occurs in what the bank has, in any order, case or accents. What a
// hyphen joins, or a particle begins, is written in one word or in two.
func SameName(bank string, names ...string) bool {
	has := map[string]bool{}
	words := nameParts(bank)
	for from := range words {
		joined := ""
		for _, w := range words[from:] {
			joined += w.letters
			has[joined] = true
			if !w.joins {
				break
			}
		}
	}
	wanted := nameParts(strings.Join(names, " "))
	return len(wanted) > 0 && writtenIn(has, wanted)
}

// SameHolder reports whether two names that banks gave are those of one account's holder: each part of either occurs in
// the other. Names without any letter, such as 360, are the same where they are written the same.
func SameHolder(a, b string) bool {
	if a, b := strings.Join(strings.Fields(a), " "), strings.Join(strings.Fields(b), " "); a == b {
		return a != ""
	}
	return SameName(a, b) && SameName(b, a)
}

// writtenIn reports whether words are all there, each by itself or with those that it may be joined with.
func writtenIn(has map[string]bool, words []namePart) bool {
	if len(words) == 0 {
		return true
	}
	joined := ""
	for n, w := range words {
		joined += w.letters
		if has[joined] && writtenIn(has, words[n+1:]) {
			return true
		}
		if !w.joins {
			break
		}
	}
	return false
}

// namePart is a word of a name as it is compared.
type namePart struct {
	letters string
	joins   bool // It may be written together with the next one.
}

func nameParts(name string) (parts []namePart) {
	notLetter := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }
	for word := range strings.FieldsFuncSeq(letters.Folded(name), func(r rune) bool { return notLetter(r) && !unicode.Is(unicode.Pd, r) }) {
		pieces := strings.FieldsFunc(word, notLetter)
		for n, piece := range pieces {
			parts = append(parts, namePart{piece, n < len(pieces)-1 || slices.Contains(particles, piece)})
		}
	}
	return parts
}
