package notifications

import (
	"fmt"
	"slices"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/pgcopy"
	"adashi.ng/projections/engine"
	"adashi.ng/projections/notifications/told"
)

// note is the content of a notification. The roles in the table are those of its group, ajo or request.
type note struct {
	typ, about, group, sub, detail, subject string
	kobo                                    int64
	hidden                                  bool  // Plain members of the group do not see the amount; inactive ones never do.
	seats                                   []int // Seats of the ajo, for a role of the table that means their holders.
}

// recipient is a person and the type of a notification that they get.
type recipient struct{ user, typ string }

// tell sends a note of the current event to all people whom the table names for its type, each once.
func (f *folding) tell(n note) { f.tellOnly(n) }

// tellOnly is tell for only some of the roles in the table; all of them if none is given.
func (f *folding) tellOnly(n note, only ...told.Who) {
	named := false
	for _, t := range told.Of(f.event.Message).Tells {
		if t.Type != n.typ {
			continue
		}
		f.but = f.but[:0]
		for _, out := range t.But {
			f.but = f.whom(f.but, out, n)
		}
		for _, who := range t.To {
			if len(only) == 0 || slices.Contains(only, who) {
				f.address(n, t.How(), who)
				named = true
			}
		}
	}
	if !named {
		panic(fmt.Sprintf("notifications: the row of %T tells nobody of %s by %s", f.event.Message, only, n.typ))
	}
}

// address writes a note to the people of a role, except those whom the telling excludes.
func (f *folding) address(n note, how told.How, who told.Who) {
	f.to = f.whom(f.to[:0], who, n)
	for _, user := range f.to {
		to := recipient{user, n.typ}
		if user == "" || f.reached[to] || slices.Contains(f.but, user) {
			continue
		}
		f.changes.User(user, "notifications")
		if how == told.Digest {
			continue // It is read from the payments.
		}
		if f.reached == nil {
			f.reached = map[recipient]bool{}
		}
		f.reached[to] = true
		f.rows.Row(f.fields)
		role := f.roles[n.group][user]
		n.write(f.rows, f.event, user, n.hidden && role != approves || who == told.Everyone && role == inactive)
	}
}

// whom appends the people that a role of the table means for the current event and a note of it.
func (f *folding) whom(users []string, who told.Who, n note) []string {
	switch who {
	case told.GroupOwner:
		return append(users, f.holder(n.group, owner))
	case told.Validator:
		return append(users, f.holder(n.group, validator))
	case told.FormerValidator:
		return append(users, f.before)
	case told.Approvers:
		return append(users, f.people.of(n.group, approves)...)
	case told.Everyone:
		return append(users, f.people.of(n.group, member, inactive, approves)...)
	case told.Requester:
		return append(users, f.requests[n.subject].by)
	case told.FirstDeciders:
		if f.holder(n.group, validator) == f.requests[n.subject].by {
			return append(users, f.people.of(n.group, approves)...)
		}
		return append(users, f.holder(n.group, validator), f.holder(n.group, owner))
	case told.Coverer:
		return append(users, f.covers[f.event.Message.(*nairav1.PaymentMarkedV2).GetPosition()])
	case told.FormerCollector:
		return append(users, f.collectors[n.subject])
	case told.AjoMembers:
		return append(users, f.states[n.subject].Members()...)
	case told.AjoOwner:
		return append(users, f.states[n.subject].Owner)
	case told.SeatHolders, told.NextHolders, told.SwapHolders:
		for _, seat := range n.seats {
			users = append(users, holders(f.states[n.subject], seat)...)
		}
		return users
	default:
		return who.In(f.event.Message, users)
	}
}

const notificationColumns = "user_id, pos, type, created_at, event_id, about_id, group_id, sub_account_id, kobo, detail, subject_id, recorded_at"

// write writes the fields of notificationColumns.
func (n note) write(rows *pgcopy.Rows, e engine.Event, user string, hidden bool) {
	event, kobo := e.ID(), n.kobo
	if hidden {
		kobo = 0
	}
	rows.Text(user)
	rows.Bigint(e.Pos)
	rows.Smallint(told.Code(n.typ))
	rows.Timestamptz(e.EffectiveAt)
	rows.Bytes(event[:])
	rows.Text(n.about)
	rows.Text(n.group)
	rows.Text(n.sub)
	rows.Bigint(kobo)
	rows.Text(n.detail)
	rows.Text(n.subject)
	rows.Timestamptz(e.RecordedAt)
}
