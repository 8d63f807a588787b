package notifications

import (
	"cmp"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"adashi.ng/ledger/base/pgcopy"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/projections/engine"
	"adashi.ng/projections/notifications/told"
)

// An event has a handler that notifies if and only if its row in the table notifies.
func TestTheTableTellsOfTheEventsThatTheFoldTellsOf(t *testing.T) {
	t.Parallel()
	tells, remembers := engine.Handlers(telling...), engine.Handlers(remembering...)
	for _, mt := range ledgertest.CurrentEventTypes() {
		m := mt.New().Interface()
		require.Equal(t, len(told.Of(m).Tells) > 0, tells.Takes(m), "%T", m)
		require.False(t, tells.Takes(m) && remembers.Takes(m), "%T", m)
	}
}

// somebody is one person for each role in the foldings. A person named by a field has the field's name.
var somebody = map[told.Who]string{
	told.GroupOwner: "owner", told.Validator: "validator", told.FormerValidator: "validator", told.Approvers: "approver", told.Everyone: "member",
	told.Requester: "requester", told.FirstDeciders: "validator", told.Coverer: "coverer", told.FormerCollector: "collector",
	told.AjoOwner: "ajo owner", told.AjoMembers: "holder of 1", told.SeatHolders: "holder", told.NextHolders: "holder", told.SwapHolders: "holder",
}

// A handler notifies each role that its row names, under some condition. It cannot notify others: it would panic.
func TestTheFoldTellsAllWhomTheTableNames(t *testing.T) {
	t.Parallel()
	tellings := 0
	for _, mt := range ledgertest.CurrentEventTypes() {
		reached := map[recipient]bool{}
		for _, m := range variants(mt) {
			for _, f := range foldings(m) {
				handlers.Take(f, f.event)
				maps.Copy(reached, f.reached)
				for user := range f.changes.Users {
					reached[recipient{user, "digest"}] = true
				}
			}
		}
		for _, telling := range told.Named(mt.Descriptor().Name()).Tells {
			typ := telling.Type
			if telling.How() == told.Digest {
				typ = "digest"
			}
			for _, who := range telling.To {
				user := cmp.Or(somebody[who], string(who))
				is := reached[recipient{user, typ}]
				for to := range reached {
					is = is || user == "holder" && to.typ == typ && strings.HasPrefix(to.user, user)
				}
				require.True(t, is, "%s never tells %s by %s", mt.Descriptor().Name(), who, typ)
				tellings++
			}
		}
	}
	require.Greater(t, tellings, 150)
}

// foldings are folds at an event, in each state that matters to a handler.
func foldings(m proto.Message) (all []*folding) {
	for cycles := range 3 {
		a := ajo.Ajo{Status: ajo.Active, Owner: "ajo owner"}
		for n := range 12 {
			a.Order = append(a.Order, n+1)
			a.Seats = append(a.Seats, ajo.Seat{Places: []ajo.Place{{User: fmt.Sprint("holder of ", n+1), Halves: 2}}})
		}
		for n := range cycles {
			a.Cycles = append(a.Cycles, ajo.Ready{Cycle: n + 1, Seat: n + 1})
		}
		if cycles == 2 {
			a.Status, a.Cycles[1].Missing = ajo.Terminated, 1
		}
		batch, asked := &pgx.Batch{}, request{group: "group_id", sub: "sub_account_id", by: "requester", kobo: 1_000_000, pays: cycles == 1}
		if cycles == 2 {
			asked.payableFrom = &time.Time{}
		}
		f := &folding{
			officials: &officials{open: map[post]*term{
				{"group_id", owner}: {user: "owner"}, {"group_id", validator}: {user: "validator"},
			}},
			people: &people{roles: map[string]map[string]string{"group_id": {"approver": approves, "member": member, "requester": member}}, batch: batch},
			desk: desk{
				requests: map[string]request{"liquidation_id": asked, "ajo_id": {group: "group_id", by: "requester"}},
				covers:   map[int64]string{1_000_002: "coverer"}, batch: batch,
			},
			collectors: collectors{"card_id": "collector"},
			lives:      &lives{states: map[string]ajo.Ajo{"ajo_id": a}, changed: map[string]bool{}},
			event:      engine.Event{Record: event.Record{Pos: 1, EffectiveAt: time.Unix(0, 0), Type: string(m.ProtoReflect().Descriptor().FullName())}, Message: m},
			rows:       &pgcopy.Rows{}, fields: 12,
		}
		all = append(all, f)
	}
	return all
}

// variants are an event with all fields set, the same with 1 in place of all small numbers, and both with each field
// changed in turn.
func variants(mt protoreflect.MessageType) (all []proto.Message) {
	base, ones := ledgertest.Filled(mt), ledgertest.Filled(mt)
	fields := mt.Descriptor().Fields()
	for i := range fields.Len() {
		if f := fields.Get(i); f.Kind() == protoreflect.Int32Kind {
			set(ones, f, protoreflect.ValueOfInt32(1))
		}
	}
	for _, of := range []protoreflect.Message{base, ones} {
		all = append(all, of.Interface())
		for i := range fields.Len() {
			f := fields.Get(i)
			for _, value := range values(f) {
				m := proto.Clone(of.Interface()).ProtoReflect()
				set(m, f, value)
				all = append(all, m.Interface())
			}
			if f.Message() != nil {
				m := proto.Clone(of.Interface()).ProtoReflect()
				m.Clear(f)
				all = append(all, m.Interface())
			}
		}
	}
	return all
}

// values are the values of a field that make a difference to a handler.
func values(f protoreflect.FieldDescriptor) (all []protoreflect.Value) {
	switch f.Kind() {
	case protoreflect.BoolKind:
		all = append(all, protoreflect.ValueOfBool(false))
	case protoreflect.Int32Kind:
		all = append(all, protoreflect.ValueOfInt32(100))
	case protoreflect.EnumKind:
		for n := range f.Enum().Values().Len() {
			all = append(all, protoreflect.ValueOfEnum(protoreflect.EnumNumber(n)))
		}
	case protoreflect.StringKind:
		for _, text := range []string{"", "terms", "cancelled", "to_user_id"} {
			all = append(all, protoreflect.ValueOfString(text))
		}
	}
	return all
}

func set(m protoreflect.Message, f protoreflect.FieldDescriptor, value protoreflect.Value) {
	if !f.IsList() {
		m.Set(f, value)
		return
	}
	list := m.Mutable(f).List()
	for n := range list.Len() {
		list.Set(n, value)
	}
}
