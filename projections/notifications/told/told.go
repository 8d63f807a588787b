// Package told says who is notified of each event, the type of the notification, and how it reaches them. It is one
// table, with a row for each event type of the contract. The fold of notifications asks it for everything that it
// writes; docs/told.md is written from the same table.
//
// A handler of the fold decides the content of a notification, and its condition. The table decides the recipients: a
// person named by a field of the event, or a role that the fold resolves. For all other people whom the event names,
// the row says why they are not notified.
package told

import (
	"maps"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Who is a recipient of a notification: the name of a field of the event, or a role, in words.
type Who string

// The fields by which events name recipients.
const (
	User        Who = "user_id"
	Users       Who = "user_ids"
	ToUser      Who = "to_user_id"
	FromUser    Who = "from_user_id"
	OtherUser   Who = "other_user_id"
	RequestedBy Who = "requested_by"
	Debtor      Who = "debtor_id"
	Creditor    Who = "creditor_id"
	Collector   Who = "collector_id"
	Staff       Who = "staff_id"
)

// The roles. The fold resolves them from its own records.
const (
	GroupOwner      Who = "the group's owner"
	Validator       Who = "the group's validator"
	FormerValidator Who = "the validator before"
	Approvers       Who = "the group's approvers"
	Everyone        Who = "everybody in the group"
	Requester       Who = "who asked for the money"
	FirstDeciders   Who = "whose turn it is: the validator and the owner, or the approvers where the validator asks"
	Coverer         Who = "who paid it for them"
	FormerCollector Who = "the collector before"
	AjoMembers      Who = "the ajo's members"
	AjoOwner        Who = "the ajo's owner"
	SeatHolders     Who = "the seat's holders"
	NextHolders     Who = "the next seat's holders"
	SwapHolders     Who = "the holders of both seats"
)

// Roles lists all roles.
var Roles = []Who{
	GroupOwner, Validator, FormerValidator, Approvers, Everyone, Requester, FirstDeciders, Coverer, FormerCollector,
	AjoMembers, AjoOwner, SeatHolders, NextHolders, SwapHolders,
}

// In appends the people whom this field of an event names. A role is not a field, and names nobody.
func (w Who) In(m proto.Message, users []string) []string {
	r := m.ProtoReflect()
	field := r.Descriptor().Fields().ByName(protoreflect.Name(w))
	switch {
	case field == nil:
		return users
	case field.IsList():
		list := r.Get(field).List()
		for n := range list.Len() {
			users = append(users, list.Get(n).String())
		}
		return users
	default:
		return append(users, r.Get(field).String())
	}
}

// How is how a notification reaches people. It is always in the app.
type How int

// The ways. A type has one, and a telling may use another.
const (
	App    How = iota + 1
	Letter     // The services write notices about stored notifications.
	Digest     // It is not stored but read from the payments, and mailed every ten minutes.
	Raiser     // The code that records the event sends it at once.
)

// String is the way's text in docs/told.md.
func (h How) String() string {
	return [...]string{App: "app", Letter: "app, letter", Digest: "app, digest of payments", Raiser: "app, letter at once by who records it"}[h]
}

// Telling is one notification of an event: its type and its recipients.
type Telling struct {
	Type string
	To   []Who
	But  []Who  // The recipients that it excludes.
	When string // The condition, in words; empty for always.
	how  How
}

// How is how the notification reaches them.
func (t Telling) How() How {
	if t.how != 0 {
		return t.how
	}
	return HowOf(t.Type)
}

// Row is the notifications of an event. A person gets only the first notification of each type.
type Row struct {
	Tells  []Telling
	Untold map[Who]string // Why people named by a field are not notified; a part's field is written as "steps.user_id".
	Nobody string         // Why nobody is notified.
}

// Of is the row of an event. A type that is not in the table notifies nobody.
func Of(m proto.Message) Row { return rows[m.ProtoReflect().Descriptor().Name()] }

// Events are the event types that have a row.
func Events() []protoreflect.Name { return slices.Sorted(maps.Keys(rows)) }

// Named is the row of an event type.
func Named(event protoreflect.Name) Row { return rows[event] }

// rows are the rows of all areas.
var rows = func() map[protoreflect.Name]Row {
	all := map[protoreflect.Name]Row{}
	for _, area := range []map[protoreflect.Name]Row{ofPeople, ofMoney, ofGroups, ofRequests, ofAjos, ofCases} {
		for event, row := range area {
			if _, twice := all[event]; twice {
				panic("told: two rows of " + event)
			}
			all[event] = row
		}
	}
	return all
}()

// Earlier is the reason for an earlier version of an event type.
const Earlier = "an earlier version, which is read as the newest"

// Reasons that many rows share.
const (
	did    = "did it"
	own    = "their own act, which concerns nobody else"
	counts = "a count beside the event that it follows from"
	bank   = "between Adashi and a bank"
)

// beside is the reason for an event whose people get a notice of another event recorded with it.
func beside(events ...string) string {
	return "told by " + strings.Join(events, " or ") + ", recorded with it"
}

// later is the reason for an event whose people get a notice once the matter ends.
func later(events ...string) string { return "told by " + strings.Join(events, " or ") + " later" }

func tell(typ string, to ...Who) Telling { return Telling{Type: typ, To: to} }

func (t Telling) but(who ...Who) Telling {
	t.But = who
	return t
}

func (t Telling) when(condition string) Telling {
	t.When = condition
	return t
}

func (t Telling) by(how How) Telling {
	t.how = how
	return t
}

func tells(all ...Telling) Row { return Row{Tells: all, Untold: map[Who]string{}} }

func nobody(why string) Row { return Row{Nobody: why, Untold: map[Who]string{}} }

// not says why the people named by some fields are not notified.
func (r Row) not(why string, fields ...Who) Row {
	for _, field := range fields {
		r.Untold[field] = why
	}
	return r
}
