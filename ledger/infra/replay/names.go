package replay

import (
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// kind is what a subject is. An event's text may be looked for under several.
type kind uint8

const (
	member kind = 1 << iota
	group
	ajo
)

// String is what the trail calls it.
func (k kind) String() string {
	return map[kind]string{member: "member", group: "group", ajo: "ajo"}[k]
}

// offices are the fields that name a member and do not say so.
var offices = map[string]bool{
	"by": true, "owner_id": true, "debtor_id": true, "creditor_id": true, "candidate_id": true, "collector_id": true, "staff_id": true, "validator_id": true,
	"validator_ids": true, "approver_ids": true, "voter_ids": true, "decider_ids": true,
}

// kindsOf is what a field's text is the id of, by its name. The trail has a list of its own, which a test holds against
// this: a mistake in one is found by the other.
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

// whole are the categories of streams of which every event names the group, or the ajo, that one of them names: those
// events are all in its trail. Others' events are looked for by the stream.
var whole = map[kind]map[string]bool{
	group: {
		"group": true, "member": true, "sub": true, "dues": true, "requests": true, "waiver": true, "reminder": true, "liquidation": true, "mark": true,
	},
	ajo: {"ajo": true, "ajocycle": true, "ajopaid": true, "ajodebt": true, "reminder": true, "mark": true},
}
