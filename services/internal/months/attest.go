package months

import (
	"context"
	"encoding/hex"
	"strings"

	"github.com/google/uuid"
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/reviews"
	"adashi.ng/ledger/domain/sampling"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/months"
	"adashi.ng/projections/query"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/usecase"
)

const publicBytes, signatureBytes = 32, 64

// Attest closes a month whose whole sample is marked. A device of the closing person signed the month's state.
func (s *Service) Attest(ctx context.Context, who usecase.Who, id string, form AttestRequest) (Months, int64, error) {
	p, err := s.mine(ctx, who.User, id)
	if err != nil {
		return Months{}, 0, err
	}
	if _, _, err := sampling.Span(form.Month); err != nil {
		return Months{}, 0, err
	}
	c := sampling.Attest{Place: p.Place, Month: form.Month, By: who.User}
	if c.Signed.Key, err = ofHex("publicKey", form.PublicKey, publicBytes); err != nil {
		return Months{}, 0, err
	}
	if c.Signed.Signature, err = ofHex("signature", form.Signature, signatureBytes); err != nil {
		return Months{}, 0, err
	}
	if err := s.caughtUp(ctx); err != nil {
		return Months{}, 0, err
	}
	state, err := s.state(ctx, p)
	if err != nil {
		return Months{}, 0, err
	}
	if state.Open != nil && state.Last == form.Month {
		c.Sample = state.Open.Events
		if c.Counts, err = s.countsAt(ctx, p, form.Month, form.Position); err != nil {
			return Months{}, 0, err
		}
	}
	return s.record(ctx, who, "attest month", p, store.Fingerprint(p.ID(), form.Month, form.Position, form.PublicKey, form.Signature), c)
}

func ofHex(field, text string, bytes int) ([]byte, error) {
	raw, err := hex.DecodeString(strings.ToLower(text))
	if err != nil || len(raw) != bytes {
		return nil, fault.Field(field, "This must be %d hex digits. Please update your browser and try again.", 2*bytes)
	}
	return raw, nil
}

// marking are the events that mark a payment, or withdraw its mark.
var marking = []proto.Message{
	&nairav1.PaymentMarked{}, &nairav1.PaymentMarkedV2{}, &nairav1.PaymentUnmarked{},
	&nairav1.AjoPaymentMarked{}, &nairav1.AjoPaymentMarkedV2{}, &nairav1.AjoPaymentUnmarked{},
}

// undoing are the events that take a group's payment back.
var undoing = []proto.Message{&nairav1.EventReversed{}}

// countsAt counts the marks of the payments on a closed month's list, as of the position that the signer saw: it
// refuses when one of them has been marked or taken back since.
func (s *Service) countsAt(ctx context.Context, p place, month string, position int64) (sampling.Counts, error) {
	counts, rows, err := s.counts(ctx, p, month)
	if err != nil {
		return counts, err
	}
	streams := make([]string, 0, 2*len(rows))
	for _, r := range rows {
		streams = append(streams, reviews.Stream(r.Event.String()), dues.ReversalStream(r.Event.String()))
	}
	last, err := history.LastOf(ctx, s.Pool, streams, typesOf(marking, undoing))
	if err != nil {
		return counts, err
	}
	for _, r := range rows {
		last = max(last, r.BackAt)
	}
	if position < last || position > counts.Position {
		return counts, fault.New(fault.Conflict, "Something has changed since you looked. Look again, then sign.")
	}
	counts.Position = position
	return counts, nil
}

// counts returns the marks of the payments on a closed month's list, with the payments.
func (s *Service) counts(ctx context.Context, p place, month string) (counts sampling.Counts, rows []query.Listed, err error) {
	m, err := months.One(ctx, s.Pool, p.ID(), month)
	if err != nil {
		return counts, nil, notYet(err)
	}
	_, rows, err = s.sealed(ctx, p, m)
	return countsOf(rows), rows, err
}

func countsOf(rows []query.Listed) (counts sampling.Counts) {
	for _, r := range rows {
		counts.Position = r.Stand
		switch r.Mark {
		case nairav1.Mark_MARK_VALIDATED:
			counts.Validated++
		case nairav1.Mark_MARK_QUERIED:
			counts.Queried++
		case nairav1.Mark_MARK_RESOLVED:
			counts.Resolved++
		default:
			counts.Unreviewed++
		}
		if r.Undone {
			counts.Undone++
		}
	}
	return counts
}

// attestation is the attestation of a month, for members who draw its sample again. For a waiting month it is the text
// for the closing person's device to sign, and nil for everybody else.
func (s *Service) attestation(ctx context.Context, user string, p place, m months.Month, rows []query.Listed) (*MonthAttestation, error) {
	switch {
	case m.AttestedAt != nil:
		return s.attested(ctx, m)
	case user != p.closer:
		return nil, nil
	}
	state, err := s.state(ctx, p)
	if err != nil || state.Open == nil || state.Last != m.Month {
		return nil, err
	}
	marks := map[uuid.UUID]nairav1.Mark{}
	for _, r := range rows {
		marks[r.Event] = r.Mark
	}
	f, _ := state.Open.Findings(func(id uuid.UUID) nairav1.Mark { return marks[id] })
	counts := countsOf(rows)
	names, err := s.People.Cards(ctx, []string{user})
	return &MonthAttestation{
		By: user, ByName: usecase.FullName(names, user), Position: counts.Position, Validated: counts.Validated, Queried: counts.Queried,
		Resolved: counts.Resolved, Unreviewed: counts.Unreviewed, TakenBack: counts.Undone, DrawnQueried: f.DrawnQueried, AlwaysQueried: f.AlwaysQueried,
	}, err
}

func (s *Service) attested(ctx context.Context, m months.Month) (*MonthAttestation, error) {
	var (
		names map[string]people.Card
		err   error
	)
	names, err = s.People.Cards(ctx, []string{m.AttestedBy})
	said := &MonthAttestation{
		By: m.AttestedBy, ByName: usecase.FullName(names, m.AttestedBy), Position: m.CountedAt, Validated: m.Validated, Queried: m.Queried,
		Resolved: m.Resolved, Unreviewed: m.Unreviewed, TakenBack: m.Undone, DrawnQueried: m.DrawnQueried, AlwaysQueried: m.AlwaysQueried,
	}
	if len(m.Key) > 0 {
		said.PublicKey, said.Device = usecase.OrNil(hex.EncodeToString(m.Key)), new(Device(account.Named(m.Device)))
		said.Signature = usecase.OrNil(hex.EncodeToString(m.Signed))
	}
	return said, err
}
