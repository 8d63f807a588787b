package services_test

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/projections/activity"
	"adashi.ng/projections/notifications/told"
)

// TestTheToldTableIsWhatIsWrittenDown holds docs/told.md to the table that the fold of notifications asks.
func TestTheToldTableIsWhatIsWrittenDown(t *testing.T) {
	t.Parallel()
	page := filepath.Join("..", "docs", "told.md")
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(toldPage()), 0o600))
	}
	want, err := os.ReadFile(page)
	require.NoError(t, err)
	require.Equal(t, string(want), toldPage(), "run with -update if it is meant")
}

func toldPage() string {
	var b strings.Builder
	b.WriteString(`# Who is told

Each event of the ledger, and who gets a notification about it. The fold of notifications asks this table
(` + "`projections/notifications/told`" + `), and this page is written from it:
` + "`go test . -run ToldTable -update` in `services`" + ` writes it.

A name in ` + "`code`" + ` is a field of the event that names people; the others are roles at the time of the event. A person
gets one notification of a type about an event, by the first line that names them. *How* is where it reaches them: in the
app, and by a letter where they want letters. Of everybody else whom the event names the next column says why they are
not told. The last has the event's titles in the activity, CSV, statement and receipts of those whose money it moves.

Below each table are the sentences that people read, each under its event. The app's own code wrote them, about what the
fold makes of example events: Bisi Ade is the person whom it is about, the group is Balogun, the ajo Market, and *reason*
stands for what somebody wrote. A letter says the same, unless its own subject and words follow.
`)
	types := ledgertest.EventTypes()
	slices.SortStableFunc(types, func(x, y protoreflect.MessageType) int {
		return cmp.Or(cmp.Compare(file(x), file(y)), cmp.Compare(x.Descriptor().Index(), y.Descriptor().Index()))
	})
	var of string
	var earlier []string
	notes, kinds := lines[note](noteFile), lines[movement](kindFile)
	var said strings.Builder
	end := func() {
		if said.Len() > 0 {
			b.WriteString("\n" + said.String())
			said.Reset()
		}
	}
	for _, mt := range types {
		if slices.Contains(event.Superseded(), string(mt.Descriptor().FullName())) {
			earlier = append(earlier, string(mt.Descriptor().Name()))
			continue
		}
		if of != file(mt) {
			end()
			of = file(mt)
			fmt.Fprintf(&b, "\n## %s\n\n| event | who | notification | how | who is not told, and why | a line of activity |\n|---|---|---|---|---|---|\n", of)
		}
		b.WriteString(toldRow(mt, kinds[string(mt.Descriptor().Name())]))
		said.WriteString(sentences(mt.Descriptor().Name(), notes))
	}
	end()
	fmt.Fprintf(&b, "\n## Earlier versions\n\nThese tell nobody: they are read as the newest version of their type.\n\n%s.\n", strings.Join(earlier, ", "))
	return b.String()
}

// file is the name of the file of the contract that has an event.
func file(mt protoreflect.MessageType) string {
	return strings.TrimSuffix(filepath.Base(mt.Descriptor().ParentFile().Path()), ".proto")
}

func toldRow(of protoreflect.MessageType, kinds []movement) string {
	row := told.Named(of.Descriptor().Name())
	var who, typ, how, not []string
	if row.Nobody != "" {
		who = append(who, "nobody: "+row.Nobody)
	}
	for _, telling := range row.Tells {
		to := whom(telling.To)
		if len(telling.But) > 0 {
			to += ", but " + whom(telling.But)
		}
		if telling.When != "" {
			to += ": when " + telling.When
		}
		who, typ, how = append(who, to), append(typ, telling.Type), append(how, telling.How().String())
	}
	for _, field := range slices.Sorted(maps.Keys(row.Untold)) {
		not = append(not, whom([]told.Who{field})+" "+row.Untold[field])
	}
	cell := func(lines []string) string { return strings.Join(lines, "<br>") }
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s |\n", of.Descriptor().Name(), cell(who), cell(typ), cell(how), cell(not), cell(titles(kinds)))
}

// whom is those of a row, fields in code.
func whom(all []told.Who) string {
	var names []string
	for _, who := range all {
		if slices.Contains(told.Roles, who) {
			names = append(names, string(who))
		} else {
			names = append(names, "`"+string(who)+"`")
		}
	}
	return strings.Join(names, ", ")
}

// An event that moves a member's money is told to them, or is a line of their activity. The others that move money are
// between Adashi and a bank, or move what is a group's by another event that is told.
func TestEveryEventThatMovesMoneyHasItsRow(t *testing.T) {
	t.Parallel()
	silent := []string{}
	for _, mt := range ledgertest.EventTypes() {
		name := mt.Descriptor().Name()
		row := told.Named(name)
		require.True(t, len(row.Tells) > 0 || row.Nobody != "", "%s has no row", name)
		moves := proto.GetExtension(mt.Descriptor().Options(), nairav1.E_Money) == nairav1.Money_MONEY_MOVES
		if moves && len(row.Tells) == 0 && row.Nobody != told.Earlier && !activity.Lists(mt.New().Interface()) {
			silent = append(silent, string(name))
		}
	}
	require.ElementsMatch(t, []string{
		"BankChargePosted", "FailedPayoutLeft", "FailedPayoutReturned", "LiquidationFunded", "PaymentLossBorne", "ReturnedMoneyMatched", "SendBackAgreed", "SendBackFailed", "SendBackLossBorne",
		"SendBackPartReturned", "UnmatchedMatchedV2", "UnmatchedMoneyReceivedV2", "UnmatchedTakenBack",
	}, silent)
}
