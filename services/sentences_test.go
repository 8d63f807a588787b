package services_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
	"adashi.ng/projections/activity"
	"adashi.ng/projections/groups"
	"adashi.ng/projections/notifications"
	"adashi.ng/projections/notifications/told"
	activitywords "adashi.ng/services/internal/activity"
	"adashi.ng/services/internal/notices"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/usecase"
)

// The files that the tests of the folds write: what they make of example events.
const (
	noteFile = "../projections/notifications/testdata/notes.jsonl"
	kindFile = "../projections/activity/testdata/kinds.jsonl"
)

// note is a notification of an event.
type note struct {
	Type                               string
	To                                 []told.Who
	About, Group, Sub, Detail, Subject string
	Money                              bool
}

// movement is a kind of movement of an event.
type movement struct{ Kind, Channel string }

// lines reads a file of lines, by their events.
func lines[T any](path string) map[string][]T {
	file, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	all := map[string][]T{}
	for line := range strings.Lines(string(file)) {
		var of struct{ Event string }
		var one T
		if err := json.Unmarshal([]byte(line), &of); err != nil {
			panic(err)
		}
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			panic(err)
		}
		all[of.Event] = append(all[of.Event], one)
	}
	return all
}

// digested are the notes that are read from payments, and not made by the fold.
var digested = map[protoreflect.Name]note{
	"ContributionReceived": {Type: told.PaymentReceived, About: "paid_by", Group: "group_id", Sub: "sub_account_id", Money: true},
	"ContributionCovered":  {Type: told.PaymentReceived, About: "paid_by", Group: "group_id", Sub: "sub_account_id", Money: true, Detail: "user_id"},
}

// names are those of the examples.
var names = usecase.Names{
	Groups:   map[string]groups.Group{"group_id": {Name: "Balogun"}},
	Subs:     map[string]groups.SubAccount{"sub_account_id": {Name: "Dues", FirstDue: "2026-03-02", Frequency: nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY}},
	Verified: map[string]bool{},
}

// say says a note in words, to somebody, and as a letter where it is one of other words.
func say(n note, to string, how told.How) string {
	row := notifications.Told{User: to, Notification: notifications.Notification{
		Type: n.Type, About: n.About, GroupID: n.Group, SubAccountID: n.Sub, Detail: n.Detail, Subject: n.Subject, CreatedAt: time.Unix(1_772_445_600, 0),
	}}
	if n.Subject == "dispute_id" {
		row.Subject = "01900000-0000-7000-8000-000000000001" // Its number comes from it.
	}
	if n.Money {
		row.Amount = 5_000_00
	}
	cards := map[string]people.Card{"user_id": {FirstName: "Kola", LastName: "Ojo"}}
	if n.About != "" {
		cards[n.About] = people.Card{FirstName: "Bisi", LastName: "Ade"}
	}
	data := notices.Sentence(row, cards, names, "Market")
	said := "**" + data.Title + "** " + strings.TrimSpace(data.Body)
	if how != told.Letter {
		return said
	}
	letter, err := notices.Letter("", row.Notification, data, people.Address{FirstName: "Ada"}).Write()
	if err != nil {
		panic(err)
	}
	if !strings.Contains(letter.Text, data.Body) {
		said += " Letter: **" + letter.Subject + "**"
		for _, paragraph := range strings.Split(letter.Text, "\n\n")[1:] { // After the greeting.
			if strings.Contains(paragraph, ": /") {
				break // The link.
			}
			said += " " + strings.ReplaceAll(strings.TrimSpace(paragraph), "\n", "; ")
		}
	}
	return said
}

// sentence is a sentence and those who read it.
type sentence struct {
	says string
	to   []told.Who
}

// said are the sentences of an event, in the order of its row.
func said(event protoreflect.Name, notes map[string][]note) (all []sentence) {
	made := notes[string(event)]
	for _, telling := range told.Named(event).Tells {
		of := made
		if digest, is := digested[event]; is && telling.How() == told.Digest {
			digest.To = telling.To
			of = []note{digest}
		}
		for _, n := range of {
			if n.Type != telling.Type {
				continue
			}
			for _, who := range n.To {
				if !slices.Contains(telling.To, who) {
					continue
				}
				reader := string(who)
				if who == told.Requester {
					reader = n.About
				}
				says := say(n, reader, telling.How())
				at := slices.IndexFunc(all, func(s sentence) bool { return s.says == says })
				if at < 0 {
					at, all = len(all), append(all, sentence{says: says})
				}
				if !slices.Contains(all[at].to, who) {
					all[at].to = append(all[at].to, who)
				}
			}
		}
	}
	return all
}

// sentences are those of an event as lines of docs/told.md.
func sentences(event protoreflect.Name, notes map[string][]note) string {
	var b strings.Builder
	for n, s := range said(event, notes) {
		if n == 0 {
			fmt.Fprintf(&b, "* %s\n", event)
		}
		fmt.Fprintf(&b, "  * %s: %s\n", whom(s.to), s.says)
	}
	return b.String()
}

// titles are what lists of movements call an event's.
func titles(kinds []movement) (all []string) {
	for _, k := range kinds {
		channel := nairav1.Channel(nairav1.Channel_value[k.Channel])
		title := activitywords.Title(activity.Movement{Kind: k.Kind, Channel: channel, SubAccountID: "sub_account_id"}, names)
		if !slices.Contains(all, title) {
			all = append(all, title)
		}
	}
	return all
}

// Nobody is told a sentence that names nobody, or the one for a notification without words.
func TestEachTellingHasItsSentences(t *testing.T) {
	t.Parallel()
	notes := lines[note](noteFile)
	for _, event := range told.Events() {
		all := said(event, notes)
		for _, telling := range told.Named(event).Tells {
			for _, who := range telling.To {
				require.True(t, slices.ContainsFunc(all, func(s sentence) bool { return slices.Contains(s.to, who) }), "%s says nothing to %s", event, who)
			}
		}
		for _, s := range all {
			require.NotContains(t, s.says, "**News", "%s: no words", event)
			for _, gap := range []string{"A former member", "  ", "** .", "“”", "%!"} {
				require.NotContains(t, s.says, gap, event)
			}
		}
	}
}

// Each event that moves a wallet is a line of its member's activity, which has a title. The others move money of a
// wallet that another event moves with it.
func TestEachEventThatMovesAWalletIsALineOfItsActivity(t *testing.T) {
	t.Parallel()
	kinds, unlisted := lines[movement](kindFile), []string{}
	for _, mt := range ledgertest.CurrentEventTypes() {
		m := ledgertest.Filled(mt)
		if proto.GetExtension(mt.Descriptor().Options(), nairav1.E_Money) != nairav1.Money_MONEY_MOVES {
			continue
		}
		wallet := false
		for _, line := range posting.Lines(m.Interface()) {
			wallet = wallet || strings.HasPrefix(line.Account, "wallet:")
		}
		name := string(mt.Descriptor().Name())
		if wallet && len(kinds[name]) == 0 {
			unlisted = append(unlisted, name)
		}
		for _, title := range titles(kinds[name]) {
			require.NotEmpty(t, title, name)
		}
	}
	require.ElementsMatch(t, []string{}, unlisted)
}
