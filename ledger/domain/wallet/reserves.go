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

// AttestReserves records the outcome of holding the ledger against the banks, once for each reconciliation.
type AttestReserves struct{ Attested *nairav1.ReservesAttestedV2 }

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
	return []event.Draft{{Stream: c.stream(), Message: c.Attested}}, nil
}
