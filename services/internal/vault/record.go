package vault

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"time"

	"adashi.ng/ledger/base/money"
	"adashi.ng/services/internal/secret"
)

// Status is where a BVN or a guardian's consent stands.
type Status string

// The statuses.
const (
	None      Status = ""
	Pending   Status = "PENDING" // A BVN.
	Verified  Status = "VERIFIED"
	Failed    Status = "FAILED"
	Asked     Status = "ASKED" // A guardian.
	Consented Status = "CONSENTED"
	Refused   Status = "REFUSED"
)

// Record is what the vault keeps of a person. It shows nothing of itself in text, JSON or logs.
type Record struct {
	Gender, StateID                                 string
	Address, ResidentialAddress, OfficeAddress      string
	MonthlySalary                                   money.Kobo
	DateForSalary                                   time.Time // The zero time for none.
	Bank                                            Bank
	EarlierBanks                                    []Bank // That it took the place of.
	Bvn                                             Bvn
	Guardian                                        Guardian
	Settings                                        Settings
	Avatar, UtilityBill, BankStatement, OfferLetter string // Ids of files.

	// Forgot is the end of the latest time of somebody else in the account of which guardian and settings were
	// forgotten.
	Forgot time.Time `json:",omitzero"`
}

// Bank is the account that a person is paid to.
type Bank struct {
	Number, Code, Name string // Code is the CBN's.
	AccountName        string // As the bank says it.
	ChangedAt          time.Time
	Replaced           bool // It took the place of another.
	Verified           bool `json:",omitempty"` // Their BVN was verified with it when another took its place.
}

// BankAt answers the bank account that a person had before a moment, and whether another took its place since: none
// where they had none.
func (r Record) BankAt(since time.Time) (bank Bank, changed bool) {
	if r.Bank.ChangedAt.Before(since) {
		return r.Bank, false
	}
	for _, b := range r.EarlierBanks {
		if b.ChangedAt.Before(since) && (!changed || b.ChangedAt.After(bank.ChangedAt)) {
			bank, changed = b, true
		}
	}
	first := r.Bank
	if len(r.EarlierBanks) > 0 {
		first = r.EarlierBanks[0]
	}
	if !changed && first.Number != "" && !first.Replaced {
		return Bank{}, true
	}
	return bank, changed
}

// Bvn is what is kept of a BVN, and of the check under way: whom it was asked about, so that it can be asked again.
type Bvn struct {
	Status Status
	Last2  string
	Reason string // Why it failed, in words.
	Check  string // The check under way.
	Asked  Claim
}

// Claim is what a check asks the bank about. Only while it is under way is the BVN itself kept.
type Claim struct {
	Number, First, Last, Account, BankCode string
	Known                                  bool // A BVN of the person was verified once, and two of our staff let no other in.
}

// Guardian is the parent or guardian of a person under 18.
type Guardian struct {
	Name, Email, Relationship string
	Status                    Status
	Request                   string
	AnsweredAt                time.Time
}

// Settings say how a person wants to hear of things. The zero value is everything, both ways.
type Settings struct {
	NotInApp, NotByMail    bool
	MutedInApp, MutedEmail []string
}

// Format hides a record from fmt, whatever the verb.
func (Record) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, secret.Redacted) }

// MarshalJSON hides a record from JSON; only seal writes one.
func (Record) MarshalJSON() ([]byte, error) { return json.Marshal(secret.Redacted) }

// LogValue hides a record from slog.
func (Record) LogValue() slog.Value { return slog.StringValue(secret.Redacted) }

// open is a record without its cover.
type openRecord Record

func (r Record) encode() ([]byte, error) { return json.Marshal(openRecord(r)) }

func decode(plain []byte) (Record, error) {
	var r openRecord
	err := json.Unmarshal(plain, &r)
	return Record(r), err
}
