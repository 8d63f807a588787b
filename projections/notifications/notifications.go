// Package notifications is the read model of members' notifications, with the members' own marks on them.
//
// A row holds ids and amounts, never a name: the sentence is made when it is read. Read and deleted marks are the
// reader's own and come from no event; they live in a table of their own that outlives a rebuild.
//
// The table in the package told names the people to notify of each event, and how.
//
// Notifications of contributions to the owner and the validator are not stored: they are read from the contributions of
// the model groups, between the events at which the official took and left office.
package notifications

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"adashi.ng/projections/engine"
	"adashi.ng/projections/notifications/told"
)

// Name is the model's name.
const Name = "notifications"

// PasswordTried is the detail of a security alert about many wrong passwords.
const PasswordTried = "PASSWORD_TRIED"

// AttestKey begins the detail of a security alert about a device that signs its owner's attestations of months; the
// kind of device follows.
const AttestKey = "ATTEST_KEY "

// Details of a notification about a remedy: it is proposed, it is declined, or it was done; then the time follows until
// which no money leaves the account for a bank.
const (
	RemedyGiveBack   = "GIVE_BACK"
	RemedyAnotherBvn = "ANOTHER_BVN"
	RemedyDeclined   = "DECLINED"
	RemedyConsent    = "CONSENT"
	RemedyFound      = "FOUND" // Then what somebody else did, and which settings they changed.
	RemedyGiven      = "GIVEN "
	RemedyLetIn      = "LET_IN "
)

// RecordsLost begins the detail of a security alert about records that an epoch lost. Their number follows, and after a
// space each listed movement: time (RFC 3339), kobo in, kobo out; and "others".
const RecordsLost = "RECORDS_LOST "

// isMailed is the condition that a row gets a letter, by the table of recipients. Only the ledger reports a device that
// signs and lost records, so their letters are written from there.
var isMailed = func() string {
	var list []string
	for _, typ := range told.Letters() {
		list = append(list, strconv.Itoa(int(told.Code(typ))))
	}
	return fmt.Sprintf("(type IN (%s) OR type = %d AND (detail LIKE '%s%%' OR detail LIKE '%s%%'))",
		strings.Join(list, ", "), told.Code(told.SecurityAlert), AttestKey, RecordsLost)
}()

var (
	//go:embed tables.sql
	tables string
	//go:embed indexes.sql
	indexes string
	//go:embed kept.sql
	kept string
)

// keptNow makes the kept tables, with the codes of the types in older marks.
func keptNow() string {
	var list []string
	for _, typ := range told.Types {
		list = append(list, fmt.Sprintf("('%s', %d)", typ, told.Code(typ)))
	}
	return strings.ReplaceAll(kept, "{codes}", strings.Join(list, ", "))
}

// Model is the read model.
func Model() engine.Model {
	return engine.Model{
		Name: Name, Version: 33, Fold: fold,
		Tables:     []string{"rm_notifications", "rm_notified_terms", "rm_notified_requests", "rm_notified_people", "rm_notified_ajos", "rm_notified_pots", "rm_notified_covers", "rm_notified_collectors"},
		Schema:     tables,
		Indexes:    indexes + "CREATE INDEX ON rm_notifications (pos) WHERE " + isMailed,
		KeptTables: []string{"notification_seen", "notification_cleared"},
		Kept:       keptNow(),
		Restored:   restored,
	}
}
