package wallet

import (
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/event"
)

// Attestation is the state of one proof of reserves.
type Attestation struct{ Done bool }

// Attestations folds the stream of a proof of reserves.
var Attestations = event.Of("reserves", 1, func(Attestation, event.Happened) Attestation { return Attestation{true} })

// AttestReserves records the outcome of holding the ledger against the banks, once for each reconciliation, and what
// was committed to beside it, if anything was.
type AttestReserves struct {
	Attested  *nairav1.ReservesAttestedV2
	Committed *nairav1.LiabilitiesCommitted
}

func (c AttestReserves) stream() string { return "reserves:" + c.Attested.GetReconciliationId() }

// Streams implements event.Command.
func (c AttestReserves) Streams() []string { return []string{c.stream()} }

// Accounts implements event.Command.
func (AttestReserves) Accounts() []string { return nil }

// Decide implements event.Command.
func (c AttestReserves) Decide(v event.View) ([]event.Draft, error) {
	if event.StateOf[Attestation](v, c.stream()).Done {
		return nil, fault.New(fault.Conflict, "This reconciliation is recorded already.")
	}
	drafts := []event.Draft{{Stream: c.stream(), Message: c.Attested}}
	if c.Committed == nil {
		return drafts, nil
	}
	if !c.agree() {
		return nil, fault.New(fault.Conflict, "What is committed to is not what is attested.")
	}
	return append(drafts, event.Draft{Stream: c.stream(), Message: c.Committed}), nil
}

// rootBytes is the size of a SHA-256.
const rootBytes = 32

// agree reports whether the commitment is of what the attestation says that is owed, and can be one at all.
func (c AttestReserves) agree() bool {
	a, l := c.Attested, c.Committed
	return l.GetReconciliationId() == a.GetReconciliationId() && l.GetPosition() == a.GetPosition() && l.GetSumKobo() == a.GetOwedKobo() &&
		len(l.GetRoot()) == rootBytes && l.GetLeaves() > 0 && l.GetLeaves()&(l.GetLeaves()-1) == 0 && l.GetKeyId() != ""
}
