package wallet

import (
	"slices"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/seen"
	"adashi.ng/ledger/event"
)

// Claim is a dispute in which a member says that money in suspense is theirs.
type Claim struct{ Dispute, User string }

// ClaimStream is the stream of a dispute. It is dispute.Stream, of a package that knows this one.
func ClaimStream(disputeID string) string { return "dispute:" + disputeID }

// ClaimStreams are the streams of disputes in which money is claimed.
func ClaimStreams(disputes []string) (streams []string) {
	for _, id := range disputes {
		streams = append(streams, ClaimStream(id))
	}
	return streams
}

// ClaimedIn are the disputes in which the money is claimed, whether they are open or over.
func (a Arrival) ClaimedIn() (disputes []string) {
	for _, c := range a.Claims {
		disputes = append(disputes, c.Dispute)
	}
	return disputes
}

// Unclaimed refuses money of which a member says in an open dispute that it is theirs (Conflict). known are all
// disputes in which it is claimed, of which the caller reads the streams; one that is not among them is Unavailable.
func (a Arrival) Unclaimed(v event.View, known []string) error {
	for _, c := range a.Claims {
		if !slices.Contains(known, c.Dispute) {
			return fault.New(fault.Unavailable, "A member said just now that this money is theirs. Please try again.")
		}
	}
	for _, id := range known {
		if v.State(ClaimStream(id)).(interface{ IsOpen() bool }).IsOpen() {
			return fault.New(fault.Conflict, "A member says in an open dispute that this money is theirs. It can be sent back once that is decided.")
		}
	}
	return nil
}

// Claimable refuses a claim on money that is not in suspense any more.
func (a Arrival) Claimable() error {
	if a.parked() {
		return nil
	}
	return fault.Field("arrivalId", "This money is somebody's by now. Please search again.")
}

// Seen is what somebody has to have seen who agrees to what is proposed: the proposal, and who claims the money.
func (a Arrival) Seen() seen.Version { return WithClaims(a.Proposal, a.ClaimedIn()) }

// WithClaims is the version of a proposal about money that is claimed in some disputes.
func WithClaims(proposal seen.Version, disputes []string) seen.Version {
	if proposal == "" || len(disputes) == 0 {
		return proposal
	}
	parts := []any{string(proposal)}
	for _, id := range disputes {
		parts = append(parts, id)
	}
	return seen.Of(parts...)
}

// Named is money by the name that its bank has for it.
type Named struct {
	Provider    event.Provider
	ProviderRef string // Empty for none.
}
