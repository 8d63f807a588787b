package reviews

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"slices"

	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
)

const (
	// RecheckAbove is how many payments may be validated at once before some of them are checked again.
	RecheckAbove = 50
	// RecheckDrawn is how many of them the owner checks again.
	RecheckDrawn = 5
	// NonceSize is how many random bytes draw them.
	NonceSize = 16
)

// recheckDomain keeps the draw's hash from being one of something else.
const recheckDomain = "adashi.ng/recheck/v1\n"

// MayRecheck reports whether a user is the owner who is asked to check a validation again, or to resolve what was
// queried of it since. Nobody checks their own.
func (r Review) MayRecheck(owner, user string) bool {
	return r.Recheck && r.Mark != nairav1.Mark_MARK_UNSPECIFIED && user == owner && user != r.By && user != r.checks()
}

// checks is whose validation the owner is asked to check again.
func (r Review) checks() string { return cmp.Or(r.Anew, r.Checked) }

// rechecks refuses to let anybody end a recheck in the owner's place: the owner alone agrees, or resolves what was
// queried since. Where the validation is the owner's own, or the payment concerns them, each person who may mark it
// may end it.
// Earlier builds always let them.
func (p place) rechecks(v event.View, one payment, before Review, mark nairav1.Mark, by string) error {
	_, earlier := v.(standing.Earlier)
	ends := mark == nairav1.Mark_MARK_RESOLVED || mark == nairav1.Mark_MARK_VALIDATED && before.Mark == mark
	owners := p.owner != "" && p.owner != before.checks() && !one.concerns(p.owner)
	if earlier || !before.Recheck || !ends || !owners || by == p.owner {
		return nil
	}
	return fault.New(fault.Forbidden, "The owner is asked to check this payment again, so only the owner agrees to it or resolves it. Nothing was marked.")
}

// queriedBy reports whether a user queried a payment that is not resolved yet: they ask more, and resolve it.
func (r Review) queriedBy(user string) bool {
	return r.Mark == nairav1.Mark_MARK_QUERIED && user == r.By
}

// recheck gathers what is validated in one step, of which some are drawn for the owner.
type recheck struct {
	place place
	by    string
	nonce []byte
	count int
	list  []drawable
}

type drawable struct {
	id  string
	pos int64
	sum [sha256.Size]byte
}

// validated counts a validation. What concerns the owner is never drawn: nobody audits their own.
func (r *recheck) validated(m Marking, p payment, id string) {
	r.count++
	if r.place.owner != "" && r.place.owner != r.by && !p.concerns(r.place.owner) {
		r.list = append(r.list, drawable{id, m.Original.Pos, sha256.Sum256(slices.Concat([]byte(recheckDomain), r.nonce, []byte(id)))})
	}
}

// drawn asks the owner for those with the least hashes of domain, nonce and id, if enough were validated at once.
func (r *recheck) drawn() (drafts []event.Draft) {
	if r.count <= RecheckAbove {
		return nil
	}
	slices.SortFunc(r.list, func(a, b drawable) int { return bytes.Compare(a.sum[:], b.sum[:]) })
	few := r.list[:min(RecheckDrawn, len(r.list))]
	for i, d := range few {
		drafts = append(drafts, event.Draft{Stream: Stream(d.id), Message: &nairav1.RecheckAsked{
			EventId: d.id, Position: d.pos, GroupId: r.place.groupID, AjoId: r.place.ajoID, MarkedBy: r.by, ToUserId: r.place.owner,
			Validated: int32(r.count), Drawn: int32(len(few)), Number: int32(i + 1), Nonce: r.nonce,
		}})
	}
	return drafts
}

// agreed is the owner's validation of what was validated before.
func (r *recheck) agreed(m Marking, id string) proto.Message {
	return &nairav1.RecheckAgreed{
		EventId: id, Position: m.Original.Pos, GroupId: r.place.groupID, AjoId: r.place.ajoID, By: r.by, SeenPosition: m.Seen,
	}
}
