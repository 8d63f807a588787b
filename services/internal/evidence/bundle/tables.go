package bundle

import (
	"encoding/json"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/dispute"
)

// tables is the data that the page's script shares with Check, as JSON: which streams are a member's, the limits, the
// kinds of disputes by their numbers, and the numbers of the fields that name a user and a group, by types of events.
func tables() string {
	shared := struct {
		OfMember   []string       `json:"ofMember"`
		ByUser     []string       `json:"byUser"`
		EventsMost int            `json:"eventsMost"`
		LookedMost int            `json:"lookedMost"`
		Kinds      [][2]string    `json:"kinds"`
		Users      map[string]int `json:"users"`
		Groups     map[string]int `json:"groups"`
	}{ofMember, byUser, EventsMost, LookedMost, nil, numbersOf("user_id"), numbersOf("group_id")}
	for number := range len(nairav1.DisputeKind_name) {
		kind := nairav1.DisputeKind(number)
		shared.Kinds = append(shared.Kinds, [2]string{strings.TrimPrefix(kind.String(), "DISPUTE_KIND_"), dispute.Title(kind)})
	}
	raw, err := json.Marshal(shared)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// numbersOf returns the numbers of a field, by the types of the events that have it.
func numbersOf(field protoreflect.Name) map[string]int {
	numbers := map[string]int{}
	events := nairav1.File_naira_v1_ledger_proto.Package()
	protoregistry.GlobalTypes.RangeMessages(func(t protoreflect.MessageType) bool {
		if f := t.Descriptor().Fields().ByName(field); f != nil && t.Descriptor().FullName().Parent() == events {
			numbers[string(t.Descriptor().Name())] = int(f.Number())
		}
		return true
	})
	return numbers
}
