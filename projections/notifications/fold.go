package notifications

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/pgcopy"
	"adashi.ng/projections/engine"
	"adashi.ng/projections/engine/write"
	"adashi.ng/projections/notifications/told"
)

// The officials of a group.
const (
	owner     = "owner"
	validator = "validator"
)

// post is an office in a group.
type post struct{ group, role string }

// term is a user's time in a post, from one event to another.
type term struct {
	post
	user     string
	from, to int64
	told     bool // Of payments. A validator who owns the group hears of them as its owner.
}

// inOffice is the end of a term that has not ended.
const inOffice = math.MaxInt64

// officials are the holders of posts in a batch's groups.
type officials struct {
	open   map[post]*term
	begun  []*term // In the batch; some may have ended in it too.
	ended  []*term // Terms that began before the batch.
	before string  // The validator whom the last appointed one replaced.
}

// folding collects the effects of a batch of events, and the data needed to notify people.
type folding struct {
	*officials
	*people
	desk
	*lives
	collectors collectors
	changes    engine.Changes
	event      engine.Event       // The current event.
	reached    map[recipient]bool // Those notified of the event.
	to, but    []string           // Reused buffers.
	rows       *pgcopy.Rows       // Of rm_notifications.
	fields     int
}

// remembering are the handlers of events that notify nobody, and telling those of events with a telling in the table.
var (
	remembering = slices.Concat(personHandlers, placeHandlers)
	telling     = slices.Concat(moneyHandlers, dueHandlers, requestHandlers, peopleHandlers, officeHandlers, changeHandlers, ajoHandlers, cardHandlers, lifeHandlers, potHandlers, disputeHandlers, debtHandlers)
)

var handlers = engine.Handlers(slices.Concat(remembering, telling)...)

func fold(ctx context.Context, tx pgx.Tx, _ engine.Part, events []engine.Event) (engine.Changes, error) {
	f, batch := &folding{}, &pgx.Batch{}
	var err error
	if f.officials, err = officialsOf(ctx, tx, events); err != nil {
		return f.changes, err
	}
	if f.desk, err = deskOf(ctx, tx, batch, events); err != nil {
		return f.changes, err
	}
	if f.people, err = peopleOf(ctx, tx, batch, events); err != nil {
		return f.changes, err
	}
	if f.lives, err = livesOf(ctx, tx, events); err != nil {
		return f.changes, err
	}
	if f.collectors, err = collectorsOf(ctx, tx, events); err != nil {
		return f.changes, err
	}
	err = write.Copy(ctx, tx, "rm_notifications", notificationColumns, func(rows *pgcopy.Rows, fields int) {
		f.rows, f.fields = rows, fields
		for _, e := range events {
			f.event, f.reached = e, nil
			handlers.Take(f, e)
		}
	})
	if err != nil {
		return f.changes, err
	}
	f.officials.queue(batch)
	f.lives.queue(batch)
	return f.changes, write.Send(ctx, tx, batch)
}

// officialsOf reads the holders of posts before the batch.
func officialsOf(ctx context.Context, tx pgx.Tx, events []engine.Event) (*officials, error) {
	o := &officials{open: map[post]*term{}}
	groups := map[string]struct{}{}
	for _, e := range events {
		if group, _ := lifeOf(e.Message); group != "" {
			groups[group] = struct{}{}
		}
		switch m := e.Message.(type) {
		case *nairav1.GroupActivated:
			groups[m.GetGroupId()] = struct{}{}
		case *nairav1.ContributionReceived:
			groups[m.GetGroupId()] = struct{}{}
		case *nairav1.ContributionCovered:
			groups[m.GetGroupId()] = struct{}{}
		case *nairav1.ContributionReversed:
			groups[m.GetGroupId()] = struct{}{}
		}
	}
	if len(groups) == 0 {
		return o, nil
	}
	ids := make([]string, 0, len(groups))
	for id := range groups {
		ids = append(ids, id)
	}
	found, err := tx.Query(ctx, "SELECT group_id, role, user_id, from_pos, told FROM rm_notified_terms WHERE group_id = ANY($1) AND to_pos = $2", ids, int64(inOffice))
	if err != nil {
		return o, err
	}
	t := term{to: inOffice}
	_, err = pgx.ForEachRow(found, []any{&t.group, &t.role, &t.user, &t.from, &t.told}, func() error {
		held := t
		o.open[t.post] = &held
		return nil
	})
	return o, err
}

// holder is the holder of a group's post; empty if there is none.
func (o *officials) holder(group, role string) string {
	if t := o.open[post{group, role}]; t != nil {
		return t.user
	}
	return ""
}

// set makes a user hold a post from an event on.
func (o *officials) set(group, role, user string, pos int64) {
	o.hold(term{post: post{group, role}, user: user, from: pos})
	if audits := o.holder(group, validator); role == owner && audits != "" {
		o.hold(term{post: post{group, validator}, user: audits, from: pos})
	}
}

// hold begins a term that replaces the current one, unless it is the same.
func (o *officials) hold(t term) {
	t.to, t.told = inOffice, t.role == owner || t.user != o.holder(t.group, owner)
	before := o.open[t.post]
	if before != nil && before.user == t.user && before.told == t.told {
		return
	}
	if before != nil {
		before.to = t.from
		if !slices.Contains(o.begun, before) {
			o.ended = append(o.ended, before)
		}
	}
	o.open[t.post] = &t
	o.begun = append(o.begun, &t)
}

func (o *officials) queue(batch *pgx.Batch) {
	for _, t := range o.ended {
		batch.Queue("UPDATE rm_notified_terms SET to_pos = $4 WHERE group_id = $1 AND role = $2 AND from_pos = $3", t.group, t.role, t.from, t.to)
	}
	for _, t := range o.begun {
		batch.Queue("INSERT INTO rm_notified_terms (group_id, role, from_pos, to_pos, user_id, told) VALUES ($1, $2, $3, $4, $5, $6)",
			t.group, t.role, t.from, t.to, t.user, t.told)
	}
}

// moneyHandlers notify about money and accounts.
var moneyHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, _ engine.Event, m *nairav1.MembershipApproved) {
		f.tell(note{typ: told.MemberApproved, about: m.GetApprovedBy(), group: m.GetGroupId()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.PaymentConfirmedV2) {
		f.tell(note{typ: told.WalletFunded, kobo: m.GetAmountKobo(), detail: m.GetChannel().String()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.PaymentFailed) {
		f.tell(note{typ: told.PaymentFailed, kobo: m.GetAmountKobo(), detail: m.GetReason()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.StandingOrderMissed) {
		f.tell(note{typ: told.PaymentFailed, about: m.GetOrderId(), group: m.GetGroupId(), sub: m.GetSubAccountId(), kobo: m.GetAmountKobo(), detail: m.GetReason()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.StandingOrderEnded) {
		if m.GetReason() == "" {
			return // Its member ended it.
		}
		f.tell(note{typ: told.PaymentFailed, about: m.GetOrderId(), detail: m.GetReason()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.PaymentReversedV3) {
		f.tell(note{typ: told.PaymentReversed, kobo: m.GetAmountKobo(), detail: m.GetReason()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AssignedTakenBack) {
		if m.GetAmountKobo() == 0 {
			return // Adashi bears it.
		}
		f.tell(note{typ: told.PaymentReversed, kobo: m.GetAmountKobo(), detail: m.GetReason()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.WithdrawalPaidV2) {
		net := m.GetAmountKobo() - m.GetFeeKobo() - m.GetVatKobo() - m.GetDutyKobo()
		f.tell(note{typ: told.WithdrawalPaid, kobo: net})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.WithdrawalFailed) {
		f.tell(note{typ: told.WithdrawalFailed, kobo: m.GetAmountKobo(), detail: m.GetReason()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.WithdrawalReversedV2) {
		f.tell(note{typ: told.WithdrawalFailed, kobo: m.GetAmountKobo(), detail: because(CameBack, m.GetReason())})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.ContributionRefused) {
		f.tell(note{typ: told.PaymentFailed, group: m.GetGroupId(), sub: m.GetSubAccountId(), kobo: m.GetAmountKobo(), detail: m.GetReason()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.UnmatchedAssigned) {
		f.tell(note{typ: told.WalletFunded, kobo: m.GetAmountKobo(), detail: m.GetChannel().String()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AdjustmentPosted) {
		n := note{typ: told.AdjustmentPaid, subject: m.GetDisputeId(), kobo: m.GetAmountKobo()}
		if m.GetTakesBack() {
			n.typ = told.AdjustmentTaken
		}
		f.tell(n)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.GroupRestPaid) {
		f.tell(note{typ: told.WalletFunded, group: m.GetGroupId(), sub: m.GetSubAccountId(), kobo: m.GetAmountKobo()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.ContributionReversed) {
		n := note{typ: told.PaymentReversed, group: m.GetGroupId(), sub: m.GetSubAccountId(), kobo: m.GetAmountKobo(), detail: m.GetReason()}
		f.tellOnly(n, told.User)
		n.about = m.GetUserId()
		f.tellOnly(n, told.GroupOwner, told.Validator)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.BvnVerified) {
		f.tell(note{typ: told.BvnVerified})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.TierSet) {
		f.tell(note{typ: told.TierSet, detail: fmt.Sprint(m.GetTier())})
	}),
	engine.On(func(f *folding, _ engine.Event, _ *nairav1.GuardianConsented) {
		f.tell(note{typ: told.GuardianConsented})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoContributed) {
		if !m.GetGift() || m.GetPaidBy() == m.GetUserId() {
			return
		}
		n := cycled(told.AjoGift, m)
		n.about, n.kobo = m.GetPaidBy(), m.GetAmountKobo()
		f.tell(n)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.BvnFailed) {
		f.tell(note{typ: told.BvnFailed, detail: m.GetFailure().String()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AccountRemedyProposed) {
		f.tell(note{typ: told.AccountRemedy, detail: strings.TrimPrefix(m.GetKind().String(), "REMEDY_KIND_")})
	}),
	engine.On(func(f *folding, _ engine.Event, _ *nairav1.AccountRemedyDeclined) {
		f.tell(note{typ: told.AccountRemedy, detail: RemedyDeclined})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AccountGivenBackV2) {
		f.tell(note{typ: told.AccountRemedy, detail: RemedyGiven + stamp(m.GetHeldUntil())})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoConsentEnded) {
		f.tell(note{typ: told.AccountRemedy, subject: m.GetAjoId(), detail: RemedyConsent})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.StolenActFound) {
		found := note{typ: told.AccountRemedy, group: m.GetGroupId(), subject: m.GetAjoId(), detail: stolenDetail(m)}
		f.tell(found)
		found.about, found.detail = m.GetUserId(), RemedyFound
		switch m.GetAct() {
		case nairav1.StolenAct_STOLEN_ACT_MEMBERSHIP:
			found.typ = told.MemberJoined
			f.tell(found)
		case nairav1.StolenAct_STOLEN_ACT_SEATS:
			found.typ = told.AjoPlaceOpened
			f.tell(found)
		}
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AnotherBvnLetIn) {
		f.tell(note{typ: told.AccountRemedy, detail: RemedyLetIn + stamp(m.GetHeldUntil())})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.PasswordTried) {
		f.tell(note{typ: told.SecurityAlert, detail: PasswordTried})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AttestKeyRegistered) {
		f.tell(note{typ: told.SecurityAlert, detail: AttestKey + strings.TrimPrefix(m.GetDevice().String(), "DEVICE_KIND_")})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.RecordsLost) {
		f.tell(note{typ: told.SecurityAlert, detail: lostDetail(m)})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.SecurityAlertRaised) {
		f.tell(note{typ: told.SecurityAlert, detail: m.GetKind().String()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.ContributionReceived) {
		f.tell(note{typ: told.PaymentReceived, group: m.GetGroupId()})
	}),
}

// lostNamed is how many lost movements a notification names.
const lostNamed = 5

// lostDetail is the number of lost records, and for each listed movement the time, the amount in and the amount out.
func lostDetail(m *nairav1.RecordsLost) string {
	detail := fmt.Sprint(RecordsLost, m.GetRecords())
	for _, moved := range m.GetMovements()[:min(len(m.GetMovements()), lostNamed)] {
		detail += fmt.Sprintf(" %s,%d,%d", moved.GetRecordedAt().AsTime().Format(time.RFC3339), moved.GetInKobo(), moved.GetOutKobo())
	}
	if len(m.GetMovements()) > lostNamed {
		detail += " others"
	}
	return detail
}

// stolenDetail is what somebody else did, and which settings of the group they changed.
func stolenDetail(m *nairav1.StolenActFound) string {
	parts := []string{RemedyFound, strings.TrimPrefix(m.GetAct().String(), "STOLEN_ACT_")}
	for _, setting := range m.GetSettings() {
		parts = append(parts, strings.TrimPrefix(setting.String(), "GROUP_SETTING_"))
	}
	return strings.Join(parts, " ")
}
