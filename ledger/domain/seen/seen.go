// Package seen ties what a person agrees to to what they looked at. A screen shows a proposal with its version, and the
// agreement brings that version back: where something else is there by then, nothing is done.
package seen

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"adashi.ng/ledger/base/fault"
)

// field is the field of a call that carries the version. The refusals of this package name it.
const field = "seen"

// Version names what a screen shows: the id of a proposal that never changes, or else Of what is shown. It is empty
// where nothing is proposed.
type Version string

// Of is the version of some facts, in 32 characters: the same for the same facts.
func Of(facts ...any) Version {
	sum := sha256.Sum256(fmt.Appendf(nil, "%#v", facts))
	return Version(hex.EncodeToString(sum[:16]))
}

// Needed refuses an agreement, with Invalid, that does not say what its giver saw.
func (saw Version) Needed() error {
	if saw == "" {
		return fault.Field(field, "Say what you saw when you decided. Please load the page again.")
	}
	return nil
}

// Still refuses, with Conflict, what somebody decided about something else than is there now, or about nothing.
func (saw Version) Still(now Version) error {
	if now == "" || saw != now {
		return Changed()
	}
	return nil
}

// IfSaid is Still for a command that need not say what its giver saw: people's calls say it, and what is decided again
// from history or follows of itself does not, since the ledger does not keep it.
func (saw Version) IfSaid(now Version) error {
	if saw == "" {
		return nil
	}
	return saw.Still(now)
}

// Changed is the refusal of what somebody decided about something else than is there now.
func Changed() *fault.Fault {
	return &fault.Fault{Code: fault.Conflict, Field: field, Message: "This has changed since you looked. Look at what is there now, and decide again."}
}
