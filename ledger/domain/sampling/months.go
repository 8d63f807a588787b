package sampling

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"slices"
	"time"

	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/draw"
	"adashi.ng/ledger/domain/reviews"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
)

// NamedBefore is how long before its round a list is sealed at least: nobody knows the round then.
const NamedBefore = 5 * time.Minute

// Months are where a group's or an ajo's months stand.
type Months struct {
	Last     string // The month whose list was sealed last, and the position up to which.
	Position int64
	Open     *Month // That month until it is attested.
}

// Month is a month whose list is sealed, and which is not attested yet.
type Month struct {
	By, Chain  string
	Round      uint64
	DrawAt     time.Time
	Population int
	Always     []int64
	Margin     int
	Digest     []byte
	Positions  []int64     // The sample, once it is drawn.
	Events     []uuid.UUID // Its events' ids.
}

// Drawn reports whether the sample is drawn.
func (m *Month) Drawn() bool { return m.Positions != nil }

// rest is how many payments are not looked at in any case.
func (m *Month) rest() int { return m.Population - len(m.Always) }

// Ranks are which of the rest of a month's list a round's signature draws.
func (m *Month) Ranks(signature []byte) (seed [32]byte, ranks []int) {
	digest := [32]byte{}
	copy(digest[:], m.Digest)
	seed = Seed(digest, signature)
	return seed, draw.Choose(seed, m.rest(), Needed(m.Margin))
}

// Aggregate folds the months of a group or ajo.
var Aggregate = event.Of("months", 1, func(s Months, e event.Happened) Months {
	switch m := e.Message.(type) {
	case *nairav1.MonthSampleNamed:
		return Months{Last: m.GetMonth(), Position: m.GetPosition(), Open: &Month{
			By: m.GetBy(), Chain: m.GetChainHash(), Round: m.GetRound(), DrawAt: m.GetDrawAt().AsTime(), Population: int(m.GetPopulation()),
			Always: m.GetAlways(), Margin: int(m.GetMarginBasisPoints()), Digest: m.GetDigest(),
		}}
	case *nairav1.SampleDrawn:
		var drawn Month
		if s.Open != nil {
			drawn = *s.Open
		}
		drawn.Positions, drawn.Events = append([]int64{}, m.GetPositions()...), nil
		for _, raw := range m.GetEventUuids() {
			id := uuid.UUID{}
			copy(id[:], raw)
			drawn.Events = append(drawn.Events, id)
		}
		s.Open = &drawn
	case *nairav1.PeriodAttestedV2:
		s.Open = nil
	}
	return s
})

// Begins is where the list of a month begins that is sealed at a position: where the list before it ended, so that no
// payment is in none of them. The first one begins with its month.
func (s Months) Begins(month string, position int64) (since time.Time, toldLateAfter int64, err error) {
	if since, _, err = Span(month); err != nil || s.Last == "" {
		return since, position, err
	}
	_, since, err = Span(s.Last)
	return since, s.Position, err
}

// Place is a group or an ajo. One of its ids is empty.
type Place struct{ Group, Ajo string }

// ID is the id of the group or ajo.
func (p Place) ID() string { return p.Group + p.Ajo }

// Stream is the stream of its months.
func (p Place) Stream() string { return "months:" + p.ID() }

// streams are those of its months and of who may close them.
func (p Place) streams(by string) []string {
	if p.Ajo != "" {
		return []string{p.Stream(), ajo.Stream(p.Ajo)}
	}
	return []string{p.Stream(), savings.GroupStream(p.Group), savings.MemberStream(p.Group, by)}
}

// mayClose refuses who does not close the months of a place: all but its validator, or its owner while it has none.
func (p Place) mayClose(v event.View, by string) error {
	if p.Ajo != "" {
		a := event.StateOf[ajo.Ajo](v, ajo.Stream(p.Ajo))
		if !a.IsMember(by) {
			return ajo.ErrNone()
		}
	} else {
		g := event.StateOf[savings.Group](v, savings.GroupStream(p.Group))
		m := event.StateOf[savings.Member](v, savings.MemberStream(p.Group, by))
		if g.Status == savings.None || m.Status != savings.Active && m.Status != savings.Inactive {
			return fault.New(fault.NotFound, "There is no such group.")
		}
	}
	if by != p.closer(v) {
		return ErrNotCloser()
	}
	return nil
}

// closer is who closes the months of a place now.
func (p Place) closer(v event.View) string {
	if p.Ajo != "" {
		return AjoCloser(event.StateOf[ajo.Ajo](v, ajo.Stream(p.Ajo)))
	}
	return Closer(event.StateOf[savings.Group](v, savings.GroupStream(p.Group)))
}

// Closer is who closes the months of a group: its validator, or its owner while it has none.
func Closer(g savings.Group) string {
	if g.Validator != "" {
		return g.Validator
	}
	return g.Owner
}

// AjoCloser is who closes the months of an ajo, likewise.
func AjoCloser(a ajo.Ajo) string {
	if a.IsMember(a.Validator) {
		return a.Validator
	}
	return a.Owner
}

// ErrNotCloser says who closes months.
func ErrNotCloser() error {
	return fault.New(fault.Forbidden, "Only the validator closes a month, or the owner while there is no validator.")
}

// Close seals a month's list and names the round that draws from it.
type Close struct {
	Place    Place
	By       string
	List     Sealed
	Unsealed error // Why the list cannot be sealed, if it cannot.
	Margin   int   // Basis points.
	Beacon   draw.Beacon
	Now      time.Time
}

// Streams implements event.Command.
func (c Close) Streams() []string { return c.Place.streams(c.By) }

// Accounts implements event.Command.
func (Close) Accounts() []string { return nil }

// Decide implements event.Command.
func (c Close) Decide(v event.View) ([]event.Draft, error) {
	if err := c.Place.mayClose(v, c.By); err != nil {
		return nil, err
	}
	s := event.StateOf[Months](v, c.Place.Stream())
	if err := s.mayClose(c.List.Month, c.Now); err != nil {
		return nil, err
	}
	since, late, err := s.Begins(c.List.Month, c.List.Position)
	switch {
	case err != nil:
		return nil, err
	case c.Unsealed != nil:
		return nil, c.Unsealed
	case !slices.Contains(Margins, c.Margin):
		return nil, fault.Field("marginPercent", "Choose 5 or 2: the sample is so large that it shows if that much is wrong.")
	case c.List.Population == 0:
		return nil, fault.New(fault.Conflict, "%s has no payments, so there is nothing to close.", Named(c.List.Month))
	case !since.Equal(c.List.Since) || late != c.List.ToldLateAfter || c.List.Position < s.Position:
		return nil, fault.New(fault.Conflict, "Something has happened here since. Look again.")
	}
	round := c.Beacon.Round(c.Now.Add(NamedBefore)) + 1
	return []event.Draft{event.On(c.Place.Stream(), &nairav1.MonthSampleNamed{
		GroupId: c.Place.Group, AjoId: c.Place.Ajo, Month: c.List.Month, By: c.By,
		Round: round, ChainHash: hex.EncodeToString(c.Beacon.Chain[:]), DrawAt: timestamppb.New(c.Beacon.At(round)),
		Position: c.List.Position, Since: timestamppb.New(since), ToldLateAfter: late, Population: int32(c.List.Population), Digest: c.List.Digest[:],
		Always: c.List.Always, MarginBasisPoints: int32(c.Margin),
	})}, nil
}

// mayClose refuses a month that is not over, or not the next one.
func (s Months) mayClose(month string, now time.Time) error {
	_, end, err := Span(month)
	switch {
	case err != nil:
		return err
	case now.Before(end):
		return fault.New(fault.Conflict, "%s is not over. It can be closed from %s on.", Named(month), lagos.Date(end))
	case month <= s.Last:
		return fault.New(fault.Conflict, "%s is closed already. Its sample stays as it is drawn.", Named(month))
	case s.Open != nil:
		return fault.New(fault.Conflict, "The sample of %s is not attested yet. Finish it first.", Named(s.Last))
	}
	return nil
}

// Draw draws a month's sample from the signature of the round that was named. Anybody may bring it: there is one only.
type Draw struct {
	Place     Place
	Month     string
	Beacon    draw.Beacon
	Signature []byte
	Positions []int64     // The sample, as List.Sample makes it of the ranks.
	Events    []uuid.UUID // Its events' ids.
	Now       time.Time
}

// Streams implements event.Command.
func (c Draw) Streams() []string { return c.Place.streams("") }

// closer is who closes the month now, and learns that its sample is drawn. Earlier builds told who had named it.
func (c Draw) closer(v event.View, s Months) string {
	if _, earlier := v.(standing.Earlier); earlier {
		return s.Open.By
	}
	return cmp.Or(c.Place.closer(v), s.Open.By)
}

// Accounts implements event.Command.
func (Draw) Accounts() []string { return nil }

// Decide implements event.Command.
func (c Draw) Decide(v event.View) ([]event.Draft, error) {
	s := event.StateOf[Months](v, c.Place.Stream())
	if err := s.Drawable(c.Month, c.Beacon, c.Now); err != nil {
		return nil, err
	}
	if err := c.Beacon.Verify(s.Open.Round, c.Signature); err != nil {
		return nil, err
	}
	seed, ranks := s.Open.Ranks(c.Signature)
	if n := len(ranks) + len(s.Open.Always); len(c.Positions) != n || len(c.Events) != n {
		return nil, fault.New(fault.Conflict, "Something has happened here since. Look again.")
	}
	drawn := &nairav1.SampleDrawn{
		GroupId: c.Place.Group, AjoId: c.Place.Ajo, Month: c.Month, Round: s.Open.Round, Signature: c.Signature, Seed: seed[:], Positions: c.Positions,
		ToUserId: c.closer(v, s),
	}
	for _, rank := range ranks {
		drawn.Ranks = append(drawn.Ranks, int32(rank))
	}
	for _, id := range c.Events {
		drawn.EventUuids = append(drawn.EventUuids, bytes.Clone(id[:]))
	}
	return []event.Draft{event.On(c.Place.Stream(), drawn)}, nil
}

// Drawable refuses a draw where none is to be made, or not yet.
func (s Months) Drawable(month string, beacon draw.Beacon, now time.Time) error {
	switch {
	case s.Open == nil || s.Last != month:
		return fault.New(fault.Conflict, "Nothing is to be drawn here.")
	case s.Open.Drawn():
		return fault.New(fault.Conflict, "The sample of %s is drawn already, and stays as it is.", Named(month))
	case hex.EncodeToString(beacon.Chain[:]) != s.Open.Chain:
		return fault.New(fault.Conflict, "That is not the chain of beacons that was named.")
	case now.Before(s.Open.DrawAt):
		return fault.New(fault.Conflict, "The round that draws comes on %s.", lagos.Clock(s.Open.DrawAt))
	}
	return nil
}

// Counts are what the payments of a list were marked up to a position.
type Counts struct {
	Position                                 int64
	Validated, Queried, Resolved, Unreviewed int
	Undone                                   int // Those of them that were taken back.
}

// Attest closes a month whose sample is marked.
type Attest struct {
	Place  Place
	Month  string
	By     string
	Sample []uuid.UUID // The sample's events, as they were drawn.
	Counts Counts
	Signed Signed
	// As months were attested before devices signed. What is recorded without a signature is decided again so; nobody
	// attests so any more.
	Unsigned bool
}

// Streams implements event.Command.
func (c Attest) Streams() []string {
	streams := append(c.Place.streams(c.By), account.Stream(c.By))
	for _, id := range c.Sample {
		streams = append(streams, reviews.Stream(id.String()))
	}
	return streams
}

// Accounts implements event.Command.
func (Attest) Accounts() []string { return nil }

// Decide implements event.Command.
func (c Attest) Decide(v event.View) ([]event.Draft, error) {
	if err := c.Place.mayClose(v, c.By); err != nil {
		return nil, err
	}
	if err := standing.May(v, c.By, standing.Decide); err != nil {
		return nil, err
	}
	s := event.StateOf[Months](v, c.Place.Stream())
	switch {
	case c.Month <= s.Last && (s.Open == nil || c.Month != s.Last):
		return nil, fault.New(fault.Conflict, "%s is attested already.", Named(c.Month))
	case s.Open == nil || c.Month != s.Last:
		return nil, fault.New(fault.Conflict, "Close %s first: its sample is drawn then.", Named(c.Month))
	case !s.Open.Drawn():
		return nil, fault.New(fault.Conflict, "The sample of %s is drawn on %s. Look at it then.", Named(c.Month), lagos.Clock(s.Open.DrawAt))
	case !slices.Equal(c.Sample, s.Open.Events) || c.Counts.sum() != s.Open.Population || c.Counts.Position < s.Position:
		return nil, fault.New(fault.Conflict, "Something has happened here since. Look again.")
	}
	f, missing := s.Open.Findings(func(id uuid.UUID) nairav1.Mark {
		return event.StateOf[reviews.Review](v, reviews.Stream(id.String())).Mark
	})
	switch {
	case missing == 1:
		return nil, fault.New(fault.Conflict, "One payment of the sample is not marked yet. Validate or query it first.")
	case missing > 1:
		return nil, fault.New(fault.Conflict, "%s payments of the sample are not marked yet. Validate or query them first.", grouped(missing))
	}
	attested := &nairav1.PeriodAttestedV2{
		GroupId: c.Place.Group, AjoId: c.Place.Ajo, Month: c.Month, By: c.By, Position: c.Counts.Position,
		Validated: int32(c.Counts.Validated), Queried: int32(c.Counts.Queried), Resolved: int32(c.Counts.Resolved), Unreviewed: int32(c.Counts.Unreviewed),
		Drawn: int32(f.Drawn), DrawnQueried: int32(f.DrawnQueried), Always: int32(f.Always), AlwaysQueried: int32(f.AlwaysQueried),
		Undone: int32(c.Counts.Undone),
	}
	if !c.Unsigned {
		if err := c.Signed.put(v, s, attested); err != nil {
			return nil, err
		}
	}
	return []event.Draft{event.On(c.Place.Stream(), attested)}, nil
}

func (c Counts) sum() int { return c.Validated + c.Queried + c.Resolved + c.Unreviewed }

// Findings are what a drawn month's sample came to by its marks, and how many of it have none.
func (m *Month) Findings(mark func(id uuid.UUID) nairav1.Mark) (f Findings, missing int) {
	f = Findings{Rest: m.rest(), Always: len(m.Always), Drawn: len(m.Positions) - len(m.Always), MarginBasisPoints: m.Margin}
	for i, id := range m.Events {
		_, always := slices.BinarySearch(m.Always, m.Positions[i])
		switch said := mark(id); {
		case said == nairav1.Mark_MARK_UNSPECIFIED:
			missing++
		case said == nairav1.Mark_MARK_VALIDATED:
		case always:
			f.AlwaysQueried++
		default:
			f.DrawnQueried++
		}
	}
	return f, missing
}
