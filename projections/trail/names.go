package trail

import (
	"slices"
	"sync"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Kind is the kind of a subject.
type Kind string

// The kinds of subjects.
const (
	Member Kind = "member"
	Group  Kind = "group"
	Ajo    Kind = "ajo"

	anyone  Kind = "any"    // It may be the id of any kind of subject.
	nothing Kind = "nobody" // It is no subject's id.
)

// kinds are the kinds under which a field's text is looked for.
func (k Kind) kinds() []Kind {
	switch k {
	case anyone:
		return []Kind{Member, Group, Ajo}
	case nothing:
		return nil
	}
	return []Kind{k}
}

// fields are the names of all text fields of events, and the kind of subject whose id they hold. A test checks that
// none is missing.
var fields = named(map[Kind][]protoreflect.Name{
	Group: {"group_id"},
	Ajo:   {"ajo_id"},
	Member: {
		"added_by", "answered_by", "appointed_by", "approved_by", "approver_ids", "by", "cancelled_by", "candidate_id", "collector_id", "creditor_id",
		"deactivated_by", "debtor_id", "decider_ids", "declined_by", "ended_by", "from_user_id", "invited_by", "made_by", "marked_by", "objected_by",
		"offered_by", "other_user_id", "owner_id", "paid_by", "proposed_by", "reactivated_by", "rejected_by", "released_by", "removed_by", "requested_by",
		"retried_by", "reviewed_by", "set_by", "settled_by", "staff_id", "to_user_id", "user_id", "user_ids", "validated_by", "validator_id",
		"validator_ids", "voter_ids", "withdrawn_by",
	},
	anyone: {"subject"},
	nothing: {
		"about", "account", "answer_id", "arrival_id", "ask_id", "back_ref", "bank_ref", "card_id", "case_id", "chain_hash", "check_id", "day", "deadline", "debt_id", "description", "disbursement_id", "dispute_id", "document_id",
		"due_date", "event_id", "event_ids", "finish_date", "first_day", "first_due", "hold_id", "key_id", "known_as", "liquidation_id", "month", "motion_id", "name", "next_day", "order_id", "paper_id", "plan_id",
		"part_ref", "payment_id", "payout_id", "period", "proposal_id", "provider", "provider_ref", "purpose", "reason", "reconciliation_id", "reference", "remedy_id", "request_id", "send_back_id", "sha256", "start_date",
		"stream", "sub_account_id", "swap_id", "taken", "to_account", "waiver_id", "withdrawal_id",
	},
})

func named(of map[Kind][]protoreflect.Name) map[protoreflect.Name]Kind {
	all := map[protoreflect.Name]Kind{}
	for kind, names := range of {
		for _, name := range names {
			all[name] = kind
		}
	}
	return all
}

// Knows reports whether fields has the name of a field.
func Knows(field protoreflect.Name) bool { return fields[field] != "" }

// NamesMember reports whether the text of a field of that name is, or may be, the id of a member.
func NamesMember(field protoreflect.Name) bool { return slices.Contains(fields[field].kinds(), Member) }

// reading is how a field of a message is read: as ids of some kinds, or as parts with fields of their own.
type reading struct {
	field protoreflect.FieldDescriptor
	kinds []Kind
	parts []reading
}

// plans are the readings of each type of messages. They are made once.
var plans sync.Map // protoreflect.MessageDescriptor → []reading

func planOf(of protoreflect.MessageDescriptor) []reading {
	if known, ok := plans.Load(of); ok {
		return known.([]reading)
	}
	plan := makePlan(of)
	plans.Store(of, plan)
	return plan
}

func makePlan(of protoreflect.MessageDescriptor) (plan []reading) {
	for i := range of.Fields().Len() {
		r := reading{field: of.Fields().Get(i)}
		switch {
		case r.field.Kind() == protoreflect.StringKind:
			r.kinds = fields[r.field.Name()].kinds()
		case r.field.Message() != nil && !r.field.IsMap():
			r.parts = makePlan(r.field.Message())
		}
		if len(r.kinds)+len(r.parts) > 0 {
			plan = append(plan, r)
		}
	}
	return plan
}

// eachNamed calls name for each subject in a message, and maybe twice for one.
func eachNamed(m proto.Message, name func(Kind, string)) {
	readAll(planOf(m.ProtoReflect().Descriptor()), m.ProtoReflect(), name)
}

func readAll(plan []reading, m protoreflect.Message, name func(Kind, string)) {
	for i := range plan {
		r := &plan[i]
		switch {
		case r.field.IsList():
			list := m.Get(r.field).List()
			for n := range list.Len() {
				r.read(list.Get(n), name)
			}
		case r.parts == nil || m.Has(r.field):
			r.read(m.Get(r.field), name)
		}
	}
}

func (r *reading) read(v protoreflect.Value, name func(Kind, string)) {
	if r.parts != nil {
		readAll(r.parts, v.Message(), name)
		return
	}
	id := v.String()
	if id == "" {
		return
	}
	for _, kind := range r.kinds {
		name(kind, id)
	}
}
