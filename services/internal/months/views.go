package months

import (
	"context"
	"encoding/hex"
	"math"
	"slices"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/draw"
	"adashi.ng/ledger/domain/sampling"
	"adashi.ng/projections/ajos"
	"adashi.ng/projections/groups"
	"adashi.ng/projections/months"
	"adashi.ng/projections/query"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/usecase"
)

// version names the algorithm of the draw. Another algorithm gets another name.
const version = "adashi.ng/month-sample/v1"

// Months returns the closed months of a group or ajo, for every member of it, the newest first.
func (s *Service) Months(ctx context.Context, user, id string) (Months, error) {
	view := Months{Kind: GROUP, Months: []ClosedMonth{}, ToClose: []MonthToClose{}}
	p, err := s.place(ctx, user, id)
	if err != nil {
		return view, err
	}
	if view.Id, view.Name, view.ShowsFigures, view.MayClose = p.ID(), p.name, p.figures, user == p.closer; p.Ajo != "" {
		view.Kind = AJO
	}
	closed, err := months.Of(ctx, s.Pool, p.ID())
	if err != nil {
		return view, err
	}
	users := []string{p.closer}
	for _, m := range closed {
		users = append(users, m.NamedBy, m.AttestedBy)
	}
	cards, err := s.People.Cards(ctx, usecase.UniqueIDs(users))
	if err != nil {
		return view, err
	}
	view.CloserName = usecase.OrNil(usecase.FullName(cards, p.closer))
	changes, err := s.changes(ctx, p, closed)
	if err != nil {
		return view, err
	}
	for i, m := range closed {
		one := monthView(m, cards, s.Beacon.Beacon())
		if p.figures {
			if err := s.figures(ctx, p, m, changes[i], &one); err != nil {
				return view, err
			}
		}
		view.Months = append(view.Months, one)
	}
	if view.MayClose {
		view.ToClose, err = s.toClose(ctx, p, closed)
	}
	return view, err
}

func monthView(m months.Month, cards map[string]people.Card, b draw.Beacon) ClosedMonth {
	view := ClosedMonth{
		Month: m.Month, Label: sampling.Named(m.Month), Status: NAMED, NamedByName: usecase.FullName(cards, m.NamedBy), NamedAt: m.NamedAt.UTC(),
		Round: m.Round, DrawAt: m.DrawAt.UTC(), Test: b.Test, MarginPercent: m.Margin / 100,
	}
	if m.DrawnAt != nil {
		at := m.DrawnAt.UTC()
		view.Status, view.DrawnAt = DRAWN, &at
	}
	if m.AttestedAt != nil {
		at := m.AttestedAt.UTC()
		view.Status, view.AttestedAt, view.AttestedByName = ATTESTED, &at, usecase.OrNil(usecase.FullName(cards, m.AttestedBy))
	}
	if len(m.Key) > 0 {
		view.SignedDevice, view.SignedKey = new(Device(account.Named(m.Device))), usecase.OrNil(hex.EncodeToString(m.Key))
	}
	return view
}

// figures adds to a month its number of payments, the open part of its sample, and the result.
func (s *Service) figures(ctx context.Context, p place, m months.Month, change query.Change, view *ClosedMonth) error {
	always, sample := len(m.Always), len(m.Sample)
	view.Payments, view.Always = &m.Population, &always
	if m.DrawnAt == nil {
		return nil
	}
	drawn := sample - always
	view.Sample, view.Drawn = &sample, &drawn
	if m.AttestedAt == nil {
		_, rows, err := s.sealed(ctx, p, m)
		left := 0
		for _, r := range rows {
			if _, in := slices.BinarySearch(m.Sample, r.Pos); in && r.Mark == nairav1.Mark_MARK_UNSPECIFIED {
				left++
			}
		}
		view.Left = &left
		return err
	}
	changed := change.Queried + max(0, change.Unreviewed-m.Unreviewed) + max(0, change.Undone-m.Undone)
	view.Validated, view.Queried, view.Resolved, view.Unreviewed, view.ChangedSince = &m.Validated, &m.Queried, &m.Resolved, &m.Unreviewed, &changed
	view.Sentence = usecase.OrNil(usecase.Findings(m).Sentence())
	return nil
}

// changes returns the changes to the lists of closed months since.
func (s *Service) changes(ctx context.Context, p place, closed []months.Month) ([]query.Change, error) {
	lists := make([]query.ListOf, len(closed))
	for i, m := range closed {
		var err error
		if lists[i], err = listOf(m); err != nil {
			return nil, err
		}
	}
	if p.Ajo != "" {
		return ajos.Changes(ctx, s.Pool, p.Ajo, lists)
	}
	return groups.Changes(ctx, s.Pool, p.Group, lists)
}

// toClose returns the months that can be closed now: any month that has ended while none is closed, and later the next
// one whose list has payments.
func (s *Service) toClose(ctx context.Context, p place, closed []months.Month) ([]MonthToClose, error) {
	out := []MonthToClose{}
	if len(closed) > 0 {
		if closed[0].AttestedAt == nil {
			return out, nil
		}
		return s.next(ctx, p, closed[0])
	}
	have, err := s.covered(ctx, p)
	if err != nil {
		return out, err
	}
	for _, m := range have { // The newest first.
		if m.Month < lagos.Month(s.Now()) {
			out = append(out, MonthToClose{Month: m.Month, Label: sampling.Named(m.Month), Payments: m.Total})
		}
	}
	return out, nil
}

// next returns the month that can be closed after the last closed one, if there is one: the first with payments. Its
// list also has the late-recorded payments of closed months. If there is nothing else to list, it is the month after
// the last closed one, so that late-recorded payments are always on a list.
func (s *Service) next(ctx context.Context, p place, last months.Month) ([]MonthToClose, error) {
	out := []MonthToClose{}
	_, since, err := sampling.Span(last.Month)
	if err != nil {
		return out, err
	}
	now, _, err := sampling.Span(lagos.Month(s.Now()))
	if err != nil || !since.Before(now) {
		return out, err
	}
	rows, err := s.payments(ctx, p, query.ListOf{Upto: math.MaxInt64, Since: since, End: now, ToldLateAfter: last.Position})
	if err != nil || len(rows) == 0 {
		return out, err
	}
	var first time.Time
	for _, r := range rows {
		if !r.At.Before(since) && (first.IsZero() || r.At.Before(first)) {
			first = r.At
		}
	}
	if first.IsZero() {
		first = since
	}
	month := MonthToClose{Month: lagos.Month(first), Label: sampling.Named(lagos.Month(first))}
	for _, r := range rows {
		if lagos.Month(r.At) <= month.Month {
			month.Payments++
		}
	}
	return append(out, month), nil
}

func (s *Service) covered(ctx context.Context, p place) ([]groups.Coverage, error) {
	if p.Ajo == "" {
		return groups.Coverages(p.Group).Read(ctx, s.Pool)
	}
	rows, err := ajos.Coverages(ctx, s.Pool, p.Ajo)
	out := make([]groups.Coverage, len(rows))
	for i, row := range rows {
		out[i] = groups.Coverage(row)
	}
	return out, err
}

// Draw returns the data to draw a month's sample again, for every member who may see the number of payments.
func (s *Service) Draw(ctx context.Context, user, id, month string) (MonthDraw, error) {
	p, err := s.place(ctx, user, id)
	if err != nil {
		return MonthDraw{}, err
	}
	if _, _, err := sampling.Span(month); err != nil {
		return MonthDraw{}, err
	}
	m, err := months.One(ctx, s.Pool, p.ID(), month)
	switch {
	case !p.figures:
		return MonthDraw{}, fault.New(fault.Forbidden, "The owner hides what this group holds, so only its officials see its payments counted.")
	case err == nil && m.DrawnAt == nil:
		err = months.ErrNone
	}
	if err != nil {
		return MonthDraw{}, usecase.NotThere(err, months.ErrNone, "draw")
	}
	list, rows, err := s.sealed(ctx, p, m)
	if err != nil {
		return MonthDraw{}, err
	}
	attestation, err := s.attestation(ctx, user, p, m, rows)
	if err != nil {
		return MonthDraw{}, err
	}
	b := s.Beacon.Beacon()
	view := MonthDraw{
		Version: version, Id: p.ID(), Ajo: p.Ajo != "", Name: p.name, Month: m.Month, Label: sampling.Named(m.Month), Position: m.Position, Digest: hex.EncodeToString(m.Digest),
		Round: m.Round, Signature: hex.EncodeToString(m.Signature), NamedAt: m.NamedAt.UTC(), DrawAt: m.DrawAt.UTC(), MarginPercent: m.Margin / 100,
		Attestation: attestation, Positions: []int64{}, Always: append([]int64{}, m.Always...), Sample: append([]int64{}, m.Sample...),
		Beacon: Beacon{Name: b.Name, ChainHash: m.Chain, PublicKey: hex.EncodeToString(b.PublicKey), Genesis: b.Genesis, Period: b.Period, Test: b.Test},
	}
	for _, item := range list.Items {
		view.Positions = append(view.Positions, item.Pos)
	}
	return view, nil
}
