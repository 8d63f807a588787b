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
)

// note is a notification in the making.
type note struct {
	typ, user, about, group, sub, detail, subject string
	kobo                                          int64
}

// The officials of a group.
const (
	owner     = "owner"
	validator = "validator"
)

// post is an office in a group.
type post struct{ group, role string }

// term is that somebody holds a post, from one event to another.
type term struct {
	post
	user     string
	from, to int64
	told     bool // Of payments. A validator who owns the group is told as its owner.
}

// inOffice is where a term ends that has not ended.
const inOffice = math.MaxInt64

// officials are who holds the posts of the groups that a batch is about.
type officials struct {
	open   map[post]*term
	begun  []*term // By the batch; some may have ended in it too.
	ended  []*term // That began before it.
	before string  // The validator whose place the last one appointed took.
}

// folding gathers what a batch of events did, and what it must know to tell of it.
type folding struct {
	*officials
	*people
	desk
	*lives
	changes engine.Changes
	event   engine.Event // That is told of.
	rows    *pgcopy.Rows // Of rm_notifications.
	fields  int
}

// handlers tell of events, in this order: the posts before what follows from them.
var handlers = engine.Handlers(slices.Concat(moneyHandlers, dueHandlers, requestHandlers, peopleHandlers, officeHandlers, changeHandlers, ajoHandlers, lifeHandlers, potHandlers, disputeHandlers)...)

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
	err = write.Copy(ctx, tx, "rm_notifications", notificationColumns, func(rows *pgcopy.Rows, fields int) {
		f.rows, f.fields = rows, fields
		for _, e := range events {
			f.event = e
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

// say writes notifications of the event.
func (f *folding) say(notes ...note) {
	for _, n := range notes {
		f.rows.Row(f.fields)
		n.write(f.rows, f.event)
		f.changes.User(n.user, "notifications")
	}
}

// paid has the officials of a group who are told of a payment read it again, but not some.
func (f *folding) paid(group string, but ...string) {
	for _, role := range []string{owner, validator} {
		if user := f.officials.holder(group, role); user != "" && !slices.Contains(but, user) {
			f.changes.User(user, "notifications")
		}
	}
}

// officialsOf reads who held the posts before the batch.
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

// holder is who holds a post of a group; empty when nobody does.
func (o *officials) holder(group, role string) string {
	if t := o.open[post{group, role}]; t != nil {
		return t.user
	}
	return ""
}

// set has somebody hold a post from an event on.
func (o *officials) set(group, role, user string, pos int64) {
	o.hold(term{post: post{group, role}, user: user, from: pos})
	if audits := o.holder(group, validator); role == owner && audits != "" {
		o.hold(term{post: post{group, validator}, user: audits, from: pos})
	}
}

// hold begins a term in the place of the one before, unless nothing is different.
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

// moneyHandlers tell of money and offices, and remember who is appointed.
var moneyHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, e engine.Event, m *nairav1.GroupCreated) {
		f.officials.set(m.GetGroupId(), owner, m.GetOwnerId(), e.Pos)
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.ValidatorAppointed) {
		f.officials.before = f.officials.holder(m.GetGroupId(), validator)
		f.officials.set(m.GetGroupId(), validator, m.GetUserId(), e.Pos)
		set := []note{{typ: ValidatorSet, user: m.GetUserId(), about: m.GetAppointedBy(), group: m.GetGroupId()}}
		if f.officials.before != "" {
			set = append(set, note{typ: RoleChanged, user: f.officials.before, about: m.GetAppointedBy(), group: m.GetGroupId(), detail: NoValidator})
		}
		f.say(set...)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.MembershipApproved) {
		if m.GetApprovedBy() == m.GetUserId() {
			return
		}
		f.say(note{typ: MemberApproved, user: m.GetUserId(), about: m.GetApprovedBy(), group: m.GetGroupId()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.PaymentConfirmedV2) {
		f.say(note{typ: WalletFunded, user: m.GetUserId(), kobo: m.GetAmountKobo(), detail: m.GetChannel().String()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.PaymentFailed) {
		f.say(note{typ: PaymentFailed, user: m.GetUserId(), kobo: m.GetAmountKobo(), detail: m.GetReason()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.StandingOrderMissed) {
		f.say(note{typ: PaymentFailed, user: m.GetUserId(), about: m.GetOrderId(), group: m.GetGroupId(), sub: m.GetSubAccountId(), kobo: m.GetAmountKobo(), detail: m.GetReason()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.StandingOrderEnded) {
		if m.GetReason() == "" {
			return // Its member ended it.
		}
		f.say(note{typ: PaymentFailed, user: m.GetUserId(), about: m.GetOrderId(), detail: m.GetReason()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.PaymentReversedV3) {
		f.say(note{typ: PaymentReversed, user: m.GetUserId(), kobo: m.GetAmountKobo(), detail: m.GetReason()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.WithdrawalPaidV2) {
		net := m.GetAmountKobo() - m.GetFeeKobo() - m.GetVatKobo() - m.GetDutyKobo()
		f.say(note{typ: WithdrawalPaid, user: m.GetUserId(), kobo: net})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.WithdrawalFailed) {
		f.say(note{typ: WithdrawalFailed, user: m.GetUserId(), kobo: m.GetAmountKobo(), detail: m.GetReason()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.WithdrawalReversedV2) {
		f.say(note{typ: WithdrawalFailed, user: m.GetUserId(), kobo: m.GetAmountKobo(), detail: m.GetReason()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.ContributionRefused) {
		f.say(note{typ: PaymentFailed, user: m.GetUserId(), group: m.GetGroupId(), sub: m.GetSubAccountId(), kobo: m.GetAmountKobo(), detail: m.GetReason()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.UnmatchedAssigned) {
		f.say(note{typ: WalletFunded, user: m.GetUserId(), kobo: m.GetAmountKobo(), detail: m.GetChannel().String()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AdjustmentPosted) {
		n := note{typ: AdjustmentPaid, user: m.GetUserId(), subject: m.GetDisputeId(), kobo: m.GetAmountKobo()}
		if m.GetTakesBack() {
			n.typ = AdjustmentTaken
		}
		f.say(n)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.ContributionReversed) {
		n := note{typ: PaymentReversed, about: m.GetUserId(), group: m.GetGroupId(), sub: m.GetSubAccountId(), kobo: m.GetAmountKobo(), detail: m.GetReason()}
		theirs := n
		theirs.user, theirs.about = m.GetUserId(), ""
		f.say(append(f.officials.tell(n, owner, validator), theirs)...)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.BvnVerified) {
		f.say(note{typ: BvnVerified, user: m.GetUserId()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.BvnFailed) {
		f.say(note{typ: BvnFailed, user: m.GetUserId(), detail: m.GetFailure().String()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.PasswordTried) {
		f.say(note{typ: SecurityAlert, user: m.GetUserId(), detail: PasswordTried})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AttestKeyRegistered) {
		f.say(note{typ: SecurityAlert, user: m.GetUserId(), detail: AttestKey + strings.TrimPrefix(m.GetDevice().String(), "DEVICE_KIND_")})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.RecordsLost) {
		f.say(note{typ: SecurityAlert, user: m.GetUserId(), detail: lostDetail(m)})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.SecurityAlertRaised) {
		f.say(note{typ: SecurityAlert, user: m.GetUserId(), detail: m.GetKind().String()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.ContributionReceived) {
		f.paid(m.GetGroupId(), m.GetUserId())
	}),
}

// lostNamed is how many lost movements a notification names.
const lostNamed = 5

// lostDetail is how many records were lost, and for each movement that is named the time, what came in and what went
// out.
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

// tell addresses a notification to a group's officials, except the one it is about; once to one who holds two posts.
func (o *officials) tell(n note, roles ...string) []note {
	out := make([]note, 0, len(roles))
	for _, role := range roles {
		user := o.holder(n.group, role)
		if user == "" || user == n.about || len(out) > 0 && out[0].user == user {
			continue
		}
		n.user = user
		out = append(out, n)
	}
	return out
}

const notificationColumns = "user_id, pos, type, created_at, event_id, about_id, group_id, sub_account_id, kobo, detail, subject_id"

// write writes the fields of notificationColumns.
func (n note) write(rows *pgcopy.Rows, e engine.Event) {
	event := e.ID()
	rows.Text(n.user)
	rows.Bigint(e.Pos)
	rows.Smallint(codes[n.typ])
	rows.Timestamptz(e.EffectiveAt)
	rows.Bytes(event[:])
	rows.Text(n.about)
	rows.Text(n.group)
	rows.Text(n.sub)
	rows.Bigint(n.kobo)
	rows.Text(n.detail)
	rows.Text(n.subject)
}
