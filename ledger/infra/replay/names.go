package replay

import (
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// kind is the kind of a subject. An event's text may be looked for under several kinds.
type kind uint8

const (
	member kind = 1 << iota
	group
	ajo
)

// String is the kind's name in the trail.
func (k kind) String() string {
	return map[kind]string{member: "member", group: "group", ajo: "ajo"}[k]
}

// offices are the fields that name a member although their name does not say so.
var offices = map[string]bool{
	"by": true, "owner_id": true, "debtor_id": true, "creditor_id": true, "candidate_id": true, "collector_id": true, "staff_id": true, "validator_id": true,
	"validator_ids": true, "approver_ids": true, "voter_ids": true, "decider_ids": true,
}

// kindsOf answers, by a field's name, of which kind of subject the field holds the id. The trail has a list of its own.
// A test compares the two, so that a mistake in one is found by the other.
func kindsOf(field string) kind {
	switch {
	case field == "group_id":
		return group
	case field == "ajo_id":
		return ajo
	case field == "subject":
		return member | group | ajo
	case offices[field], strings.HasSuffix(field, "_by"), strings.HasSuffix(field, "user_id"), field == "user_ids":
		return member
	}
	return 0
}

// mentions reports whether a message, or a part of it, names a subject.
func mentions(m protoreflect.Message, k kind, id string) (found bool) {
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		isText := f.Kind() == protoreflect.StringKind
		if isText && kindsOf(string(f.Name()))&k == 0 || !isText && f.Message() == nil {
			return true
		}
		is := func(v protoreflect.Value) bool {
			if isText {
				return v.String() == id
			}
			return mentions(v.Message(), k, id)
		}
		if !f.IsList() {
			found = is(v)
			return !found
		}
		for n := range v.List().Len() {
			found = found || is(v.List().Get(n))
		}
		return !found
	})
	return found
}

// whole lists the categories of streams whose events all name the same group or ajo: that trail lists all of them.
// Events of other categories are looked for by the stream.
var whole = map[kind]map[string]bool{
	group: {
		"group": true, "member": true, "sub": true, "dues": true, "requests": true, "waiver": true, "reminder": true, "liquidation": true, "mark": true,
	},
	ajo: {"ajo": true, "ajocycle": true, "ajopaid": true, "ajodebt": true, "reminder": true, "mark": true},
}
