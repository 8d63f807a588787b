package notifications

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/timestamppb"

	"adashi.ng/ledger/base/pgcopy"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/projections/notifications/told"
)

var update = flag.Bool("update", false, "write testdata/notes.jsonl")

const notesFile = "testdata/notes.jsonl"

// made is a notification that the fold makes of an event. services/told_test.go says each in words, for docs/told.md.
type made struct {
	Event   string     `json:"event"`
	Type    string     `json:"type"`
	To      []told.Who `json:"to"`
	About   string     `json:"about,omitempty"`
	Group   string     `json:"group,omitempty"`
	Sub     string     `json:"sub,omitempty"`
	Money   bool       `json:"money,omitempty"` // It says an amount.
	Detail  string     `json:"detail,omitempty"`
	Subject string     `json:"subject,omitempty"`
}

// days are texts that are days or months in events.
var days = map[protoreflect.Name]string{"due_date": "2026-03-02", "period": "2026-03-02", "first_due": "2026-03-02", "month": "2026-03"}

// The file has each kind of note that the fold makes. A change here is one of what people are told.
func TestTheNotesOfTheFoldAreWrittenDown(t *testing.T) {
	t.Parallel()
	var file bytes.Buffer
	for _, mt := range ledgertest.CurrentEventTypes() {
		for _, note := range notesOf(t, mt) {
			line, err := json.Marshal(note)
			require.NoError(t, err)
			file.Write(append(line, '\n'))
		}
	}
	if *update {
		require.NoError(t, os.WriteFile(notesFile, file.Bytes(), 0o600))
	}
	want, err := os.ReadFile(notesFile)
	require.NoError(t, err)
	require.Equal(t, string(want), file.String(), "run with -update if it is meant")
}

// notesOf are the notes of an event type that differ in more than texts and numbers, in the order of its row.
func notesOf(t *testing.T, mt protoreflect.MessageType) (all []made) {
	t.Helper()
	row, seen := told.Named(mt.Descriptor().Name()), map[string]bool{}
	for _, m := range variants(mt) {
		if !plausible(m) {
			continue
		}
		for name, day := range days {
			if f := mt.Descriptor().Fields().ByName(name); f != nil && f.Kind() == protoreflect.StringKind {
				m.ProtoReflect().Set(f, protoreflect.ValueOfString(day))
			}
		}
		m.ProtoReflect().Range(func(_ protoreflect.FieldDescriptor, value protoreflect.Value) bool {
			if of, is := value.Interface().(protoreflect.Message); is {
				if at, is := of.Interface().(*timestamppb.Timestamp); is {
					at.Seconds = 1_772_445_600 // 2 March 2026.
				}
			}
			return true
		})
		for _, f := range foldings(m) {
			handlers.Take(f, f.event)
			for _, values := range rowsIn(f.rows) {
				note := noteIn(values)
				note.Event, note.To = string(mt.Descriptor().Name()), whoIs(row, note.Type, string(values[0]))
				if len(note.To) == 0 {
					continue // A variant named somebody else.
				}
				line, err := json.Marshal(note)
				require.NoError(t, err)
				if shape := shapeOf(string(line)); !seen[shape] {
					seen[shape], all = true, append(all, note)
				}
			}
		}
	}
	place := func(n made) int {
		return slices.IndexFunc(row.Tells, func(of told.Telling) bool { return of.Type == n.Type && slices.Contains(of.To, n.To[0]) })
	}
	slices.SortStableFunc(all, func(x, y made) int { return cmp.Compare(place(x), place(y)) })
	return all
}

// worded are the events that a decider does not make without words.
var worded = []protoreflect.Name{
	"AjoAccessLost", "AjoAccessRefused", "AjoPayoutRefused", "LiquidationObjected", "LiquidationAnswered", "ContributionRefused", "AjoContributionRefused",
	"PaymentMarkedV2", "AjoPaymentMarkedV2",
}

// plausible reports whether an event of variants could be recorded: people and things that it must name are named, and
// by no other word.
func plausible(m proto.Message) bool {
	ok, fields := true, m.ProtoReflect().Descriptor().Fields()
	event := m.ProtoReflect().Descriptor().Name()
	group, ajo := fields.ByName("group_id"), fields.ByName("ajo_id")
	for i := range fields.Len() {
		f := fields.Get(i)
		value, name := m.ProtoReflect().Get(f), string(f.Name())
		if f.IsList() && value.List().Len() > 0 {
			value = value.List().Get(0)
		} else if f.IsList() {
			continue
		}
		switch {
		case f.Kind() == protoreflect.EnumKind:
			ok = ok && value.Enum() != 0
		case f.Kind() != protoreflect.StringKind || value.String() == name:
		case value.String() == "":
			either := group != nil && ajo != nil && (f == group || f == ajo) && event != "StolenActFound"
			ok = ok && !slices.Contains(worded, event) && (either || name == "collector_id" || name == "creditor_id" || !strings.HasSuffix(name, "_id") && !strings.HasSuffix(name, "by"))
		default:
			ok = ok && (name == "reason" || name == "ended_by" && value.String() == "to_user_id")
		}
	}
	return ok
}

var (
	words   = regexp.MustCompile(`\b[a-z_]{3,}\b`)
	numbers = regexp.MustCompile(`[0-9]+`)
)

// shapeOf is a note without the texts and numbers that an event brought.
func shapeOf(line string) string {
	_, rest, _ := strings.Cut(line, `"detail":`)
	detail, _, _ := strings.Cut(rest, `,"subject"`)
	return strings.Replace(line, detail, numbers.ReplaceAllString(words.ReplaceAllString(detail, "x"), "1"), 1)
}

// rowsIn are the values of the rows that were written for Postgres.
func rowsIn(rows *pgcopy.Rows) (all [][][]byte) {
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
		all = append(all, values)
	}
	return all
}

// noteIn reads the values of notificationColumns.
func noteIn(values [][]byte) made {
	return made{
		Type: told.TypeOf(int16(binary.BigEndian.Uint16(values[2]))), About: string(values[5]), Group: string(values[6]), Sub: string(values[7]),
		Money: binary.BigEndian.Uint64(values[8]) != 0, Detail: string(values[9]), Subject: string(values[10]),
	}
}

// others are the people of the foldings who are a role besides the one of somebody.
var others = map[told.Who][]string{told.Everyone: {"approver", "requester"}, told.FirstDeciders: {"owner", "approver"}}

// whoIs are the recipients of a row that a person in the foldings is.
func whoIs(row told.Row, typ, user string) (all []told.Who) {
	for _, telling := range row.Tells {
		for _, who := range telling.To {
			name := cmp.Or(somebody[who], string(who))
			is := name == user || strings.HasPrefix(name, "holder") && strings.HasPrefix(user, "holder") || slices.Contains(others[who], user)
			if telling.Type == typ && is {
				all = append(all, who)
			}
		}
	}
	return all
}
