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

// Status is the state of a BVN or of a guardian's consent.
type Status string

// The statuses.
const (
	None      Status = ""
	Pending   Status = "PENDING" // Of a BVN.
	Verified  Status = "VERIFIED"
	Failed    Status = "FAILED"
	Asked     Status = "ASKED" // Of a guardian.
	Consented Status = "CONSENTED"
	Refused   Status = "REFUSED"
)

// Record is the vault's data about a person. It never shows its contents in text, JSON or logs.
type Record struct {
	Gender, StateID                                 string
	Address, ResidentialAddress, OfficeAddress      string
	MonthlySalary                                   money.Kobo
	DateForSalary                                   time.Time // The zero time when not set.
	Bank                                            Bank
	EarlierBanks                                    []Bank // The accounts that it replaced.
	Bvn                                             Bvn
	Guardian                                        Guardian
	FormerGuardians                                 []string // Addresses of those who consented for somebody else in the account.
	Settings                                        Settings
	Avatar, UtilityBill, BankStatement, OfferLetter string // Ids of files.

	// Forgot is the end of the latest period of a thief in the account for which guardian and settings were
	// deleted.
	Forgot time.Time `json:",omitzero"`
}

// Bank is the bank account to which a person is paid.
type Bank struct {
	Number, Code, Name string // Code is the CBN's.
	AccountName        string // As the bank says it.
	ChangedAt          time.Time
	Replaced           bool // It replaced another account.
	Verified           bool `json:",omitempty"` // Their BVN was verified with it when another replaced it.
}

// BankAt returns the bank account that a person had before a moment, and whether another has replaced it since; none if
// they had none.
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

// Bvn is our data about a BVN, and about the open check: the claim, so that we can ask again.
type Bvn struct {
	Status Status
	Last2  string
	Reason string // Why it failed, as a text.
	Check  string // The open check.
	Asked  Claim
}

// Claim is the data that a check sends to the bank. The BVN itself is stored only while the check is open.
type Claim struct {
	Number, First, Last, Account, BankCode string
	Known                                  bool // A BVN of the person was verified before, and two of our staff have not allowed another.
}

// Guardian is the parent or guardian of a person under 18.
type Guardian struct {
	Name, Email, Relationship string
	Status                    Status
	Request                   string
	AnsweredAt                time.Time
}

// Settings are a person's choices about notices. The zero value is all notices, both ways.
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

// openRecord is a record that can be written out.
type openRecord Record

func (r Record) encode() ([]byte, error) { return json.Marshal(openRecord(r)) }

func decode(plain []byte) (Record, error) {
	var r openRecord
	err := json.Unmarshal(plain, &r)
	return Record(r), err
}
