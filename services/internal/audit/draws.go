package audit

import (
	"context"
	"crypto/rand"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/reviews"
	"adashi.ng/projections/months"
	"adashi.ng/services/internal/usecase"
)

// nonce draws the payments for the owner to check again, in case so many are validated at once.
func nonce() []byte {
	drawn := make([]byte, reviews.NonceSize)
	_, _ = rand.Read(drawn) // rand.Read never fails.
	return drawn
}

// rechecks are the payments that wait for the owner, by position: true when they must agree, false when they must
// resolve a query that came later.
type rechecks map[int64]bool

// places returns the positions of the payments that the owner may agree to.
func (r rechecks) places() []int64 {
	all := make([]int64, 0, len(r))
	for pos, validated := range r {
		if validated {
			all = append(all, pos)
		}
	}
	return all
}

// review is a payment's mark as the officials of its group or ajo see it.
func (r rechecks) review(pos int64, mark nairav1.Mark, by string) reviews.Review {
	_, waits := r[pos]
	return reviews.Review{Mark: mark, By: by, Recheck: waits}
}

// draws are the open draws of a group or an ajo: samples of months, and rechecks.
type draws struct {
	samples  samples
	rechecks rechecks
}

func (s *Service) draws(ctx context.Context, place string) (draws, error) {
	of, err := s.samples(ctx, place)
	if err != nil {
		return draws{}, err
	}
	d := draws{samples: of, rechecks: rechecks{}}
	waiting, err := months.RechecksOf(ctx, s.Pool, place)
	if err != nil {
		return d, err
	}
	for _, pos := range waiting {
		d.rechecks[pos] = true
	}
	queried, err := months.QueriedOf(ctx, s.Pool, place)
	for _, pos := range queried {
		d.rechecks[pos] = false
	}
	return d, err
}

// in translates a state: its mark, nil when the state names none; whether the member must have answered; and the only
// positions to return, nil for all.
func (d draws) in(state *State, sample *bool) (mark *nairav1.Mark, answered bool, places []int64, err error) {
	if sample != nil && *sample {
		places = d.samples.places()
	}
	name := value(state)
	switch name {
	case "":
		return nil, false, places, nil
	case StateANSWERED:
		name, answered = "QUERIED", true
	case StateRECHECK:
		name, places = "VALIDATED", d.rechecks.places()
	}
	code, known := nairav1.Mark_value["MARK_"+string(name)]
	if !known && string(name) != string(AuditMarkUNREVIEWED) {
		return nil, false, nil, fault.Field("state", "Choose UNREVIEWED, VALIDATED, QUERIED, ANSWERED, RESOLVED or RECHECK.")
	}
	m := nairav1.Mark(code)
	return &m, answered, places, nil
}

// showRecheck shows whether a payment waits for a recheck, and whether the user must do it.
func showRecheck(view *AuditPayment, r reviews.Review, owner, user string) {
	if r.Recheck && r.Mark == nairav1.Mark_MARK_VALIDATED {
		waits, may := true, view.MayMark && r.MayRecheck(owner, user)
		view.Recheck, view.MayRecheck = &waits, &may
	}
}

// showDraws shows for each payment which sample it is in, and who checked it again.
func (s *Service) showDraws(ctx context.Context, place string, d draws, payments []AuditPayment) error {
	positions := make([]int64, len(payments))
	for i, p := range payments {
		positions[i] = *p.Position
	}
	agreed, err := months.AgreedBy(ctx, s.Pool, place, positions)
	if err != nil {
		return err
	}
	users := make([]string, 0, len(agreed))
	for _, user := range agreed {
		users = append(users, user)
	}
	cards, err := s.People.Cards(ctx, usecase.UniqueIDs(users))
	if err != nil {
		return err
	}
	for i, pos := range positions {
		p := &payments[i]
		p.SampleOf = d.samples.of(pos)
		if user, is := agreed[pos]; is {
			p.RecheckedByName = usecase.OrNil(usecase.FullName(cards, user))
		}
	}
	return nil
}
