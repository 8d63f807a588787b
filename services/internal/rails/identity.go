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

// Bank is a bank that keeps accounts.
type Bank struct {
	Code string // The CBN's.
	NIP  string // The network's code, for transfers.
	Name string
}

// ErrNoAccount is a name enquiry about an account that does not exist, as its bank says. Nothing else results in it: a
// bank that is down, or that gives an answer we do not know, is fault.Unavailable.
var ErrNoAccount = errors.New("rails: the bank knows no such account")

// Enquirer finds an account's holder, and lists the banks. It returns fault.Unavailable when the rail cannot be reached
// or does not say.
type Enquirer interface {
	// AccountName returns the holder's name as the bank has it, or ErrNoAccount.
	AccountName(ctx context.Context, bank Bank, number string) (string, error)
	// Banks returns the banks that the rail reaches. Code or NIP is empty where the rail does not use it.
	Banks(ctx context.Context) ([]Bank, error)
}

// Claim is the identity that a person claims.
type Claim struct {
	BVN                 secret.Text
	FirstName, LastName string
	Email               string
	Bank                Bank
	Account             string
	Customer            string // The rail's own id for the person, once the rail has given one.
}

// Verdict is a rail's decision about a claim.
type Verdict int

// The verdicts. Undecided also covers everything that is not known for sure.
const (
	Undecided Verdict = iota
	Match
	Mismatch // The BVN or the account belongs to somebody else.
	NoBVN    // There is no such BVN.
)

// Finding is a rail's answer to a claim.
type Finding struct {
	Verdict  Verdict
	Customer string // Give it with the same claim from now on.
}

// Verifier checks whether a BVN belongs to a name and a bank account.
type Verifier interface {
	// Verify may be called again until the claim is decided. It returns fault.Unavailable when the rail cannot be
	// reached.
	Verify(ctx context.Context, claim Claim) (Finding, error)
}

// IdentityNotice is a webhook about a claim.
type IdentityNotice struct {
	Customer string
	Email    string // The claim's e-mail. A webhook may come before the rail has returned its customer id.
	Verdict  Verdict
	Account  string // The account that was checked.
	BVNEnd   string // The last digits of the BVN.
}

// IdentityHook reads webhooks about claims. It returns ErrNoPayment for a webhook about something else.
type IdentityHook interface {
	ParseIdentity(header http.Header, body []byte) (IdentityNotice, error)
}

// particles are words that some people join to the next word: O'Brien is O BRIEN, Abdulrahman ABDUL RAHMAN.
var particles = []string{"o", "d", "mc", "mac", "al", "el", "abd", "abdul", "abdel"}

// SameName reports whether every part of the names occurs in the bank's name, in any order, case or accents. Parts that
// a hyphen joins, or that begin with a particle, match as one word or as two.
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

// SameHolder reports whether two names that banks gave belong to one account holder: each part of either occurs in the
// other. Names without any letter, such as 360, must be written the same.
func SameHolder(a, b string) bool {
	if a, b := strings.Join(strings.Fields(a), " "), strings.Join(strings.Fields(b), " "); a == b {
		return a != ""
	}
	return SameName(a, b) && SameName(b, a)
}

// writtenIn reports whether all words are there, each by itself or joined with the words that it may join.
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

// namePart is a word of a name in the form in which we compare it.
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
