package months_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/ledongthuc/pdf"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/domain/draw"
	"adashi.ng/ledger/domain/sampling"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/audit"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/projections/engine"
	"adashi.ng/services/internal/app"
	"adashi.ng/services/internal/apptest"
	marking "adashi.ng/services/internal/audit"
	"adashi.ng/services/internal/beacon"
	"adashi.ng/services/internal/beacon/sandbox"
	"adashi.ng/services/internal/dues"
	"adashi.ng/services/internal/months"
	"adashi.ng/services/internal/phones"
	"adashi.ng/services/internal/usecase"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

// world is a group of three months, whose first two are over, with a beacon.
type world struct {
	*apptest.Quarter
	server *sandbox.Server
	beacon *beacon.Client
	first  string // The first month.

	devices map[string]phones.Phone // The signing devices, by owner.
}

func setup(t *testing.T, hide bool) *world {
	t.Helper()
	w := &world{Quarter: apptest.QuarterOf(t, hide), devices: map[string]phones.Phone{}}
	var err error
	w.App.Tracker, err = engine.NewTracker(context.Background(), w.Pool, nil)
	require.NoError(t, err)
	w.server, err = sandbox.New("a secret", nil)
	require.NoError(t, err)
	at := httptest.NewServer(w.server)
	t.Cleanup(at.Close)
	w.beacon = beacon.New(beacon.Options{Beacon: w.server.Beacon(), Mirrors: []string{at.URL}})
	w.first = lagos.Month(w.Began)
	for _, who := range []usecase.Who{w.Owner, w.Validator, w.Member} {
		w.pays(w.On(0, 3), who, 5000)
	}
	w.Caught()
	return w
}

func (w *world) pays(when *app.App, who usecase.Who, naira int64) {
	w.Helper()
	_, err := when.Dues.PayFromWallet(context.Background(), who, w.Sub, apptest.Naira(naira), dues.Due{})
	require.NoError(w, err)
}

// months is the group's Service on a day of a month after the first.
func (w *world) months(n, day int) *months.Service { return w.of(w.On(n, day)) }

func (w *world) of(when *app.App) *months.Service {
	return &months.Service{Base: when.Base, Membership: when.Membership, Beacon: w.beacon}
}

func (w *world) closes(s *months.Service, who usecase.Who, month string) error {
	w.Helper()
	w.Caught()
	_, _, err := s.Close(context.Background(), who, w.Group, contract.CloseMonthRequest{Month: month, MarginPercent: 5})
	w.Caught()
	if err == nil {
		w.recordedAsDecided(recorded[*nairav1.MonthSampleNamed](w))
	}
	return err
}

// recordedAsDecided sets the recorded time of the last event of a type to the time of its decision, which a test may
// have dated back.
func (w *world) recordedAsDecided(last proto.Message) {
	w.Helper()
	var then time.Time
	pos := w.at(last)
	require.NoError(w, w.Pool.QueryRow(context.Background(), "SELECT effective_at FROM events WHERE pos = $1", pos).Scan(&then))
	w.recordedAt(pos, then)
}

// shows returns a closed month as a person sees it.
func (w *world) shows(who usecase.Who, month string) contract.ClosedMonth {
	w.Helper()
	w.Caught()
	view, err := w.of(w.App).Months(context.Background(), who.User, w.Group)
	require.NoError(w, err)
	for _, m := range view.Months {
		if m.Month == month {
			return m
		}
	}
	require.Fail(w, "it is not closed")
	return contract.ClosedMonth{}
}

// draws runs the job that draws what is due.
func (w *world) draws() {
	w.Helper()
	require.NoError(w, w.of(w.App).DrawDue(context.Background()))
	w.Caught()
}

// sample returns the payments of the open sample.
func (w *world) sample(who usecase.Who) []contract.AuditPayment {
	w.Helper()
	page, err := w.App.Audit.Audit(context.Background(), who.User, w.Group, marking.WhichPayments{Sample: new(true)}, nil, 100)
	require.NoError(w, err)
	return page.Payments
}

func (w *world) marks(who usecase.Who, mark string, of ...contract.AuditPayment) {
	w.Helper()
	list := []marking.Marking{}
	for _, p := range of {
		if p.MayMark && (p.Mark == "UNREVIEWED" || mark == "QUERIED") {
			list = append(list, marking.Marking{ID: p.Id, Mark: mark, Reason: "For which month?"})
		}
	}
	_, _, err := w.App.Audit.MarkPayments(context.Background(), who, w.Group, list)
	require.NoError(w, err)
	w.Caught()
}

// signs returns a device's signature of a month's present state; of a month that is not drawn, an invalid one.
func (w *world) signs(who usecase.Who, month string) contract.AttestMonthRequest {
	w.Helper()
	w.Caught()
	device, is := w.devices[who.User]
	if !is {
		device = phones.New()
		w.devices[who.User] = device
		_, _, err := w.of(w.App).Register(context.Background(), who, device.Registers(who.User))
		require.NoError(w, err)
		w.Caught()
	}
	draw, err := w.of(w.App).Draw(context.Background(), who.User, w.Group, month)
	if err != nil {
		draw.Month = month
	}
	return device.Attests(draw)
}

func (w *world) sends(who usecase.Who, form contract.AttestMonthRequest) error {
	w.Helper()
	_, _, err := w.of(w.App).Attest(context.Background(), who, w.Group, form)
	w.Caught()
	return err
}

func (w *world) attests(who usecase.Who, month string) error {
	w.Helper()
	return w.sends(who, w.signs(who, month))
}

// violations counts the findings of the verification.
func (w *world) violations() int64 {
	w.Helper()
	c := &audit.Check{}
	require.NoError(w, months.Check(w.Pool).Run(context.Background(), c))
	return c.Violations
}

func TestAMonthIsClosedFromItsListToItsAttestation(t *testing.T) {
	t.Parallel()
	w := setup(t, false)
	begin, end, err := sampling.Span(w.first)
	require.NoError(t, err)
	early := w.of(w.App.At(end.Add(-time.Second)))
	require.ErrorContains(t, w.closes(early, w.Validator, w.first), "is not over. It can be closed from "+lagos.Date(end)+" on.")
	next := w.months(1, 2)
	require.True(t, fault.Is(w.closes(next, w.Owner, w.first), fault.Forbidden))
	require.True(t, fault.Is(w.closes(next, w.Member, w.first), fault.Forbidden))
	require.True(t, fault.Is(w.closes(next, w.Outsider, w.first), fault.NotFound))
	require.ErrorContains(t, w.closes(next, w.Validator, begin.AddDate(0, -1, 0).Format("2006-01")), "has no payments")
	require.True(t, fault.Is(w.closes(next, w.Validator, "October"), fault.Invalid))
	require.NoError(t, w.closes(next, w.Validator, w.first))
	require.ErrorContains(t, w.closes(next, w.Validator, w.first), "is closed already")
	named := w.shows(w.Member, w.first)
	require.Equal(t, []any{months.NAMED, 3, "Validator Person"}, []any{named.Status, *named.Payments, named.NamedByName})
	require.GreaterOrEqual(t, named.DrawAt.Sub(named.NamedAt), sampling.NamedBefore)

	require.NoError(t, next.DrawDue(context.Background()))
	require.Equal(t, months.NAMED, w.shows(w.Member, w.first).Status, "the round has not come")
	wrong := hex.EncodeToString(w.server.Sign(uint64(named.Round) + 1))
	_, _, err = w.of(w.App).Submit(context.Background(), w.Member, w.Group, wrong)
	require.ErrorContains(t, err, "That is not the beacon of round")
	_, _, err = w.of(w.App).Submit(context.Background(), w.Outsider, w.Group, wrong)
	require.True(t, fault.Is(err, fault.NotFound))
	w.draws()
	drawn := w.shows(w.Validator, w.first)
	require.Equal(t, []any{months.DRAWN, 3, 3}, []any{drawn.Status, *drawn.Sample, *drawn.Left})
	_, _, err = w.of(w.App).Submit(context.Background(), w.Member, w.Group, hex.EncodeToString(w.server.Sign(uint64(named.Round))))
	require.ErrorContains(t, err, "is drawn already, and stays as it is.")

	sample := w.sample(w.Validator)
	require.Len(t, sample, 3)
	require.Equal(t, drawn.Label, *sample[0].SampleOf)
	require.ErrorContains(t, w.attests(w.Validator, w.first), "3 payments of the sample are not marked yet.")
	w.marks(w.Validator, "VALIDATED", sample...)
	require.ErrorContains(t, w.attests(w.Validator, w.first), "One payment of the sample is not marked yet.")
	w.marks(w.Owner, "VALIDATED", w.sample(w.Owner)...) // The validator's own.
	require.True(t, fault.Is(w.attests(w.Owner, w.first), fault.Forbidden))
	require.NoError(t, w.attests(w.Validator, w.first))
	require.ErrorContains(t, w.attests(w.Validator, w.first), "is attested already")
	done := w.shows(w.Member, w.first)
	require.Equal(t, "All 3 looked at, none wrong.", *done.Sentence)
	require.Equal(t, []int{3, 0, 0, 0, 0}, []int{*done.Validated, *done.Queried, *done.Resolved, *done.Unreviewed, *done.ChangedSince})
	require.Empty(t, w.sample(w.Validator), "the queue is empty")
	require.Zero(t, w.violations())

	book, err := w.App.Dues.Book(context.Background(), w.Validator.User, w.Group, nil, nil, nil)
	require.NoError(t, err)
	paper, err := pdf.NewReader(bytes.NewReader(book), int64(len(book)))
	require.NoError(t, err)
	text, err := paper.Page(1).GetPlainText(nil)
	require.NoError(t, err)
	require.Contains(t, text, done.Label+" is closed by Validator Person.")
	require.Contains(t, text, *done.Sentence)

	w.marks(w.Validator, "QUERIED", sample[0])
	require.Equal(t, 1, *w.shows(w.Member, w.first).ChangedSince)
}

// A payment that counts for a closed month and is recorded later belongs to the next list.
func TestWhatIsToldLateBelongsToTheNextList(t *testing.T) {
	t.Parallel()
	w := setup(t, false)
	require.NoError(t, w.closes(w.months(1, 2), w.Validator, w.first))
	w.pays(w.On(0, 20), w.Member, 5000)
	w.pays(w.On(2, 4), w.Member, 5000)
	w.Caught()
	// A payment that becomes unusual after the list was sealed does not change the list.
	_, err := w.Pool.Exec(context.Background(), "UPDATE rm_contributions SET odd = odd | 16 WHERE group_id = $1 AND pos <= $2", w.Group, recorded[*nairav1.MonthSampleNamed](w).GetPosition())
	require.NoError(t, err)
	w.draws()
	require.Equal(t, 3, *w.shows(w.Validator, w.first).Sample)
	second, third := lagos.Month(w.Began.AddDate(0, 1, 0)), lagos.Month(w.Began.AddDate(0, 2, 0))
	require.ErrorContains(t, w.closes(w.of(w.App), w.Validator, third), "is not attested yet. Finish it first.")
	w.marks(w.Validator, "VALIDATED", w.sample(w.Validator)...)
	w.marks(w.Owner, "VALIDATED", w.sample(w.Owner)...)
	require.NoError(t, w.attests(w.Validator, w.first))

	w.pays(w.On(1, 4), w.Owner, 5000)
	require.ErrorContains(t, w.closes(w.of(w.App), w.Validator, third), "has payments too. Close it first.")
	view, err := w.of(w.App).Months(context.Background(), w.Validator.User, w.Group)
	require.NoError(t, err)
	require.Equal(t, []contract.MonthToClose{{Month: second, Label: sampling.Named(second), Payments: 2}}, view.ToClose)
	require.NoError(t, w.closes(w.of(w.App.At(time.Now().Add(-10*time.Minute))), w.Validator, second))
	w.draws()
	require.Equal(t, 2, *w.shows(w.Validator, second).Sample, "the owner's, and the member's of the month before")
	require.Zero(t, w.violations())
}

// A late-recorded payment is on the next list, even when that month has no payments of its own.
func TestWhatIsToldLateIsOnTheNextListAlsoWhereNothingElseIs(t *testing.T) {
	t.Parallel()
	w := setup(t, false)
	require.NoError(t, w.closes(w.months(1, 2), w.Validator, w.first))
	w.draws()
	w.marks(w.Validator, "VALIDATED", w.sample(w.Validator)...)
	w.marks(w.Owner, "VALIDATED", w.sample(w.Owner)...)
	require.NoError(t, w.attests(w.Validator, w.first))
	offered := func(s *months.Service) []contract.MonthToClose {
		w.Caught()
		view, err := s.Months(context.Background(), w.Validator.User, w.Group)
		require.NoError(t, err)
		return view.ToClose
	}
	require.Empty(t, offered(w.of(w.App)))
	w.pays(w.On(0, 20), w.Member, 5000)
	require.Empty(t, offered(w.months(1, 2)), "the month after it is not over")
	second := lagos.Month(w.Began.AddDate(0, 1, 0))
	require.Equal(t, []contract.MonthToClose{{Month: second, Label: sampling.Named(second), Payments: 1}}, offered(w.of(w.App)))
	require.NoError(t, w.closes(w.of(w.App.At(time.Now().Add(-10*time.Minute))), w.Validator, second))
	w.draws()
	require.Equal(t, 1, *w.shows(w.Validator, second).Sample)
	require.Zero(t, w.violations())
}

func TestWhereTotalsAreHiddenMembersSeeNoFigure(t *testing.T) {
	t.Parallel()
	w := setup(t, true)
	require.NoError(t, w.closes(w.months(1, 2), w.Validator, w.first))
	w.draws()
	w.marks(w.Validator, "VALIDATED", w.sample(w.Validator)...)
	w.marks(w.Owner, "VALIDATED", w.sample(w.Owner)...)
	require.NoError(t, w.attests(w.Validator, w.first))
	seen := w.shows(w.Member, w.first)
	require.Equal(t, months.ATTESTED, seen.Status)
	require.Equal(t, "Validator Person", *seen.AttestedByName)
	for _, figure := range []*int{seen.Payments, seen.Always, seen.Drawn, seen.Sample, seen.Left, seen.Validated, seen.Queried, seen.Resolved, seen.Unreviewed, seen.ChangedSince} {
		require.Nil(t, figure)
	}
	require.Nil(t, seen.Sentence)
	_, err := w.of(w.App).Draw(context.Background(), w.Member.User, w.Group, w.first)
	require.True(t, fault.Is(err, fault.Forbidden))
	proof, err := w.of(w.App).Draw(context.Background(), w.Approver.User, w.Group, w.first)
	require.NoError(t, err)
	require.Equal(t, proof.Positions, proof.Sample)
	require.True(t, proof.Beacon.Test)
}

// recorded returns the last event of a type.
func recorded[M proto.Message](w *world) M {
	w.Helper()
	var zero M
	var body []byte
	require.NoError(w, w.Pool.QueryRow(context.Background(), "SELECT body FROM events WHERE type = $1 ORDER BY pos DESC LIMIT 1", event.TypeOf(zero)).Scan(&body))
	m, err := event.Decode(event.TypeOf(zero), body)
	require.NoError(w, err)
	return m.(M)
}

// TestWhatIsPlantedIsFound changes the events of a closed month.
func TestWhatIsPlantedIsFound(t *testing.T) {
	t.Parallel()
	w := setup(t, false)
	require.NoError(t, w.closes(w.months(1, 2), w.Validator, w.first))
	w.draws()
	w.marks(w.Validator, "QUERIED", w.sample(w.Validator)...)
	w.marks(w.Owner, "VALIDATED", w.sample(w.Owner)...)
	require.NoError(t, w.attests(w.Validator, w.first))
	require.Zero(t, w.violations())
	becomes := func(m proto.Message) {
		body, err := proto.Marshal(m)
		require.NoError(t, err)
		tx, err := w.Pool.Begin(context.Background())
		require.NoError(t, err)
		_, err = tx.Exec(context.Background(), "SET LOCAL session_replication_role = replica") // The product never does this: events do not change.
		require.NoError(t, err)
		_, err = tx.Exec(context.Background(), "UPDATE events SET body = $2 WHERE type = $1", event.TypeOf(m), body)
		require.NoError(t, err)
		require.NoError(t, tx.Commit(context.Background()))
	}
	for name, spoil := range map[string]func(n *nairav1.MonthSampleNamed, d *nairav1.SampleDrawn, a *nairav1.PeriodAttestedV2){
		"nothing":                func(*nairav1.MonthSampleNamed, *nairav1.SampleDrawn, *nairav1.PeriodAttestedV2) {},
		"a payment was left out": func(n *nairav1.MonthSampleNamed, _ *nairav1.SampleDrawn, _ *nairav1.PeriodAttestedV2) { n.Population-- },
		"another list was sealed": func(n *nairav1.MonthSampleNamed, _ *nairav1.SampleDrawn, _ *nairav1.PeriodAttestedV2) {
			n.Digest[0] ^= 1
		},
		"the list begins later": func(n *nairav1.MonthSampleNamed, _ *nairav1.SampleDrawn, _ *nairav1.PeriodAttestedV2) {
			n.ToldLateAfter--
		},
		"the round was known": func(n *nairav1.MonthSampleNamed, _ *nairav1.SampleDrawn, _ *nairav1.PeriodAttestedV2) {
			n.DrawAt.Seconds = 1
		},
		"another payment was drawn": func(_ *nairav1.MonthSampleNamed, d *nairav1.SampleDrawn, _ *nairav1.PeriodAttestedV2) {
			d.Positions[0]--
		},
		"another event was drawn": func(_ *nairav1.MonthSampleNamed, d *nairav1.SampleDrawn, _ *nairav1.PeriodAttestedV2) {
			d.EventUuids[0][0] ^= 1
		},
		"another signature was drawn by": func(_ *nairav1.MonthSampleNamed, d *nairav1.SampleDrawn, _ *nairav1.PeriodAttestedV2) {
			d.Signature[3] ^= 1
		},
		"more is attested than was so": func(_ *nairav1.MonthSampleNamed, _ *nairav1.SampleDrawn, a *nairav1.PeriodAttestedV2) {
			a.Validated, a.Unreviewed = 3, 0
		},
		"a query is hidden": func(_ *nairav1.MonthSampleNamed, _ *nairav1.SampleDrawn, a *nairav1.PeriodAttestedV2) {
			a.DrawnQueried = 0
		},
	} {
		n, d, a := recorded[*nairav1.MonthSampleNamed](w), recorded[*nairav1.SampleDrawn](w), recorded[*nairav1.PeriodAttestedV2](w)
		were := []proto.Message{proto.Clone(n), proto.Clone(d), proto.Clone(a)}
		spoil(n, d, a)
		for _, m := range []proto.Message{n, d, a} {
			becomes(m)
		}
		require.Equal(t, name != "nothing", w.violations() > 0, name)
		for _, m := range were {
			becomes(m)
		}
	}
}

// The creator of a backdated list, recorded after its round, knew the sample.
func TestAListThatIsRecordedAfterItsRoundHadComeIsFound(t *testing.T) {
	t.Parallel()
	w := setup(t, false)
	now := time.Now()
	require.NoError(t, w.closes(w.of(w.App.At(now.Add(-10*time.Minute))), w.Validator, w.first))
	require.Zero(t, w.violations())
	is := recorded[*nairav1.MonthSampleNamed](w)
	m := proto.CloneOf(is)
	m.ChainHash, m.Round = hex.EncodeToString(draw.Quicknet.Chain[:]), draw.Quicknet.Round(now.Add(-4*time.Minute))
	m.DrawAt = timestamppb.New(draw.Quicknet.At(m.GetRound()))
	put := w.planted(is, m, w.at(is))
	defer put()
	require.NotContains(t, w.found(), "had come when it was named")
	w.recordedAt(w.at(is), now)
	require.Contains(t, w.found(), "had come when it was named")
}

// A payment on the list that is queried after the attestation counts as a change, even once the query is resolved.
func TestWhatIsQueriedAfterTheAttestationHasChangedAlsoOnceItIsResolved(t *testing.T) {
	t.Parallel()
	w := setup(t, false)
	require.NoError(t, w.closes(w.months(1, 2), w.Validator, w.first))
	w.draws()
	sample := w.sample(w.Validator)
	w.marks(w.Validator, "VALIDATED", sample...)
	w.marks(w.Owner, "VALIDATED", w.sample(w.Owner)...)
	require.NoError(t, w.attests(w.Validator, w.first))
	require.Equal(t, "All 3 looked at, none wrong.", *w.shows(w.Member, w.first).Sentence)
	w.marks(w.Validator, "QUERIED", sample[0])
	require.Equal(t, 1, *w.shows(w.Member, w.first).ChangedSince)
	_, _, err := w.App.Audit.MarkPayments(context.Background(), w.Validator, w.Group, []marking.Marking{{ID: sample[0].Id, Mark: "RESOLVED", Reason: "Money is missing, he pays it back"}})
	require.NoError(t, err)
	w.Caught()
	require.Equal(t, 1, *w.shows(w.Member, w.first).ChangedSince)
}
