package activity

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"flag"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/reflect/protoreflect"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/pgcopy"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
	"adashi.ng/projections/engine"
)

var update = flag.Bool("update", false, "write testdata/kinds.jsonl")

const kindsFile = "testdata/kinds.jsonl"

// listed is a kind of movement that the fold makes of an event. services/told_test.go says each in words.
type listed struct {
	Event   string `json:"event"`
	Kind    string `json:"kind"`
	Channel string `json:"channel"`
}

func TestTheKindsOfMovementOfEachEventAreWrittenDown(t *testing.T) {
	t.Parallel()
	var file bytes.Buffer
	for _, mt := range ledgertest.CurrentEventTypes() {
		for _, kind := range kindsOf(mt) {
			line, err := json.Marshal(kind)
			require.NoError(t, err)
			file.Write(append(line, '\n'))
		}
	}
	if *update {
		require.NoError(t, os.WriteFile(kindsFile, file.Bytes(), 0o600))
	}
	want, err := os.ReadFile(kindsFile)
	require.NoError(t, err)
	require.Equal(t, string(want), file.String(), "run with -update if it is meant")
}

// kindsOf are the kinds that the fold makes of an event, whose switches are on and off and whose enums have each value.
func kindsOf(mt protoreflect.MessageType) (all []listed) {
	for _, m := range variants(mt) {
		if !moving.Takes(m.Interface()) {
			return nil
		}
		r := event.Record{Pos: 1, Type: string(mt.Descriptor().FullName()), Lines: posting.Lines(m.Interface())}
		f := &folding{rows: &pgcopy.Rows{}, fields: 18}
		table.Take(f, engine.Event{Record: r, Message: m.Interface()})
		found := rowsIn(f.rows)
		for range f.returned {
			found = append(found, listed{Kind: SavingsReturned, Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER.String()})
		}
		for _, one := range found {
			one.Event = string(mt.Descriptor().Name())
			if !slices.Contains(all, one) {
				all = append(all, one)
			}
		}
	}
	return all
}

func variants(mt protoreflect.MessageType) (all []protoreflect.Message) {
	filled := func() protoreflect.Message {
		m := ledgertest.Filled(mt)
		if f := mt.Descriptor().Fields().ByName("amount_kobo"); f != nil {
			m.Set(f, protoreflect.ValueOfInt64(10_000_000)) // More than what is taken of it.
		}
		for _, account := range []protoreflect.Name{"account", "to_account"} {
			if f := mt.Descriptor().Fields().ByName(account); f != nil {
				m.Set(f, protoreflect.ValueOfString("wallet:user_id"))
			}
		}
		return m
	}
	all = append(all, filled())
	for i := range mt.Descriptor().Fields().Len() {
		f := mt.Descriptor().Fields().Get(i)
		var values []protoreflect.Value
		switch {
		case f.IsList():
		case f.Kind() == protoreflect.BoolKind:
			values = append(values, protoreflect.ValueOfBool(false))
		case f.Kind() == protoreflect.StringKind && f.Name() == "paid_by":
			values = append(values, protoreflect.ValueOfString("user_id")) // Their own payment.
		case f.Kind() == protoreflect.EnumKind:
			for n := 1; n < f.Enum().Values().Len(); n++ {
				values = append(values, protoreflect.ValueOfEnum(f.Enum().Values().Get(n).Number()))
			}
		}
		for _, value := range values {
			m := filled()
			m.Set(f, value)
			all = append(all, m)
		}
	}
	return all
}

// rowsIn are the kinds and channels of the rows that were written for Postgres.
func rowsIn(rows *pgcopy.Rows) (all []listed) {
	if rows.Len() == 0 {
		return nil
	}
	for b := rows.End()[len(pgcopy.Header):]; int16(binary.BigEndian.Uint16(b)) >= 0; {
		values := make([][]byte, binary.BigEndian.Uint16(b))
		b = b[2:]
		for n := range values {
			size := binary.BigEndian.Uint32(b)
			values[n], b = b[4:4+size], b[4+size:]
		}
		all = append(all, listed{Kind: string(values[3]), Channel: nairav1.Channel(binary.BigEndian.Uint32(values[11])).String()})
	}
	return all
}
