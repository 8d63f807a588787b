package evidence_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/replay"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/projections/engine"
	"adashi.ng/projections/trail"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/dues"
	"adashi.ng/services/internal/evidence/bundle"
	"adashi.ng/services/internal/usecase"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

// desk is a town whose member has a sealed dispute.
type desk struct {
	*apptest.Town
	id   string
	keys []note.Verifier
}

func disputed(t *testing.T, hide bool, before func(w *apptest.Town)) *desk {
	t.Helper()
	return disputedIn(apptest.Setup(t, true, hide), before)
}

// unsalted is the same in a group with a hidden total, whose events have no random bytes.
func unsalted(t *testing.T, before func(w *apptest.Town)) *desk {
	t.Helper()
	return disputedIn(apptest.SetupUnsalted(t, true, true), before)
}

func disputedIn(w *apptest.Town, before func(w *apptest.Town)) *desk {
	t := w.T
	t.Helper()
	ctx := context.Background()
	w.Keeps()
	var err error
	w.App.Tracker, err = engine.NewTracker(ctx, w.Pool, nil)
	require.NoError(t, err)
	w.App.Evidence.Reader = &replay.Reader{Pool: w.Pool, Trail: trail.Reader{}, Aggregates: ledger.Aggregates()}
	if before != nil {
		before(w)
	}
	d := &desk{Town: w, id: uuid.NewString()}
	const said = "I paid <b>twice</b> & see </script> once."
	words := usecase.Say(uuid.New(), w.Member.User, said)
	_, err = w.App.Disputes.Vault.PutPaper(ctx, w.Member.User, words.PaperId, said, time.Now())
	require.NoError(t, err)
	w.Gives(dispute.Claim{
		DisputeID: d.id, User: w.Member.User, Kind: nairav1.DisputeKind_DISPUTE_KIND_TWICE, About: "payment:" + d.id, Amount: 5 * money.Naira, Words: words.Words, PaidAt: time.Now(), Now: time.Now(),
	})
	d.keys = w.Sealed()
	return d
}

func (d *desk) page() []byte {
	d.Helper()
	made, err := d.App.Evidence.Bundle(context.Background(), d.Member.User, d.id, "")
	require.NoError(d, err)
	require.Regexp(d, `^adashi-evidence-[a-z0-9-]+\.html$`, made.Name)
	return made.Page
}

func (d *desk) bundle() bundle.Bundle {
	d.Helper()
	b, err := bundle.Read(d.page())
	require.NoError(d, err)
	return b
}

func record(t *testing.T, e bundle.Event) event.Record {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(e.Record)
	require.NoError(t, err)
	r, err := event.DecodeRecord(raw)
	require.NoError(t, err)
	return r
}

func TestABundleVerifiesAndTellsWhatIsTheMembers(t *testing.T) {
	t.Parallel()
	d := disputed(t, false, nil)
	page := d.page()
	b, err := bundle.Read(page)
	require.NoError(t, err)
	checked, err := bundle.Check(b, d.keys)
	require.NoError(t, err)
	require.Zero(t, checked.Hidden)
	again, err := bundle.Page(b)
	require.NoError(t, err)
	require.Equal(t, string(page), string(again))
	require.Equal(t, "I paid <b>twice</b> & see </script> once.", b.Dispute.Steps[0].Words)
	require.Equal(t, 2, bytes.Count(page, []byte("</script>")), "nothing that was written ends the element")
	types := ""
	for _, r := range checked.Records {
		types += event.TypeOf(must(r.Message())(t)) + " "
		for _, line := range r.Lines {
			require.NotContains(t, line.Account, "wallet:"+d.Owner.User)
		}
	}
	for _, typ := range []string{"DisputeOpened", "ContributionReceived", "PaymentConfirmed", "MembershipApproved"} {
		require.Contains(t, types, typ)
	}
	require.Len(t, b.Accounts, 1)
	require.Equal(t, "wallet:"+d.Member.User, b.Accounts[0].Name)
	require.EqualValues(t, d.BalanceOf(b.Accounts[0].Name), b.Accounts[0].Closing)
	_, err = d.App.Evidence.Bundle(context.Background(), d.Owner.User, d.id, "")
	require.True(t, fault.Is(err, fault.NotFound), "another member's")
}

func must[V any](v V, err error) func(t *testing.T) V {
	return func(t *testing.T) V {
		t.Helper()
		require.NoError(t, err)
		return v
	}
}

func TestABundleThatWasChangedIsRefusedAndSaysWhat(t *testing.T) {
	t.Parallel()
	d, foreign := disputed(t, false, nil), disputed(t, false, nil)
	other := foreign.bundle()
	for says, change := range map[string]func(b *bundle.Bundle){
		"is not the one that was sealed": func(b *bundle.Bundle) {
			raw, _ := base64.StdEncoding.DecodeString(b.Events[3].Record)
			raw[40] ^= 1
			b.Events[3].Record = base64.StdEncoding.EncodeToString(raw)
		},
		"event 3 is not a recorded event": func(b *bundle.Bundle) { b.Events[2].Record = b.Events[2].Record[:40] },
		"of the stream payment:":          func(b *bundle.Bundle) { drop(t, b, "PaymentConfirmed") },
		"a movement of the account wallet:": func(b *bundle.Bundle) {
			drop(t, b, "PaymentConfirmed")
			drop(t, b, "PaymentInitiated")
			b.Streams = without(b.Streams, "payment:")
		},
		"is missing at its end": func(b *bundle.Bundle) { b.Events = b.Events[:len(b.Events)-1] },
		"event 1 is not base64": func(b *bundle.Bundle) { b.Events[0].Record = "?" + b.Events[0].Record[1:] },
		"is not in its place":   func(b *bundle.Bundle) { b.Events[0], b.Events[1] = b.Events[1], b.Events[0] },
		"is there twice": func(b *bundle.Bundle) {
			b.Hidden = append(b.Hidden, bundle.Hidden{Position: record(t, b.Events[0]).Pos, Stream: "x"})
		},
		"names a hash that is not here":         func(b *bundle.Bundle) { b.Events[0].Path[0] = len(b.Hashes) },
		"is of no stream and no account":        func(b *bundle.Bundle) { b.Streams = without(b.Streams, "member:") },
		"the events of the dispute are not":     func(b *bundle.Bundle) { b.Dispute.ID = uuid.NewString() },
		"the words of the step at position":     func(b *bundle.Bundle) { b.Dispute.Steps[0].Words += "!" },
		"of the dispute is not told":            func(b *bundle.Bundle) { b.Dispute.Steps = nil },
		"or about something else":               func(b *bundle.Bundle) { b.Dispute.Kind = "NOT_ME" },
		"which position":                        func(b *bundle.Bundle) { b.Accounts = nil },
		"does not begin with nothing":           func(b *bundle.Bundle) { b.Accounts[0].Opening = 5 },
		"does not begin at version 1":           func(b *bundle.Bundle) { b.Streams[0].From = 2 },
		"its checkpoint":                        func(b *bundle.Bundle) { b.Checkpoint = other.Checkpoint },
		"is not the one that was sealed\x00two": func(b *bundle.Bundle) { b.Events[1].Path, b.Events[2].Path = b.Events[2].Path, b.Events[1].Path },
		"is not the one that was sealed\x00its": func(b *bundle.Bundle) { b.Events[len(b.Events)-1].Record = other.Events[len(other.Events)-1].Record },
	} {
		b := d.bundle()
		change(&b)
		_, err := bundle.Check(b, d.keys)
		require.ErrorIs(t, err, bundle.ErrBundle, says)
		says, _, _ = strings.Cut(says, "\x00")
		require.ErrorContains(t, err, says)
	}
	_, err := bundle.Check(d.bundle(), foreign.keys)
	require.ErrorContains(t, err, "its checkpoint", "a foreign key")
}

// drop removes the last event of a type.
func drop(t *testing.T, b *bundle.Bundle, typ string) {
	t.Helper()
	for i := len(b.Events) - 1; i >= 0; i-- {
		if r := record(t, b.Events[i]); strings.Contains(r.Type, typ) {
			b.Events = append(b.Events[:i:i], b.Events[i+1:]...)
			return
		}
	}
	t.Fatal("there is no " + typ)
}

func without(streams []bundle.Stream, prefix string) (left []bundle.Stream) {
	for _, s := range streams {
		if !strings.HasPrefix(s.Name, prefix) {
			left = append(left, s)
		}
	}
	return left
}

func TestEventsOfAHiddenTotalAreSaidAndNeverGiven(t *testing.T) {
	t.Parallel()
	d := unsalted(t, func(w *apptest.Town) {
		for range 9 { // Next to others, and to each other.
			_, err := w.App.Dues.PayFromWallet(context.Background(), w.Member, w.Closed(), apptest.Naira(10), dues.Due{})
			require.NoError(w, err)
			w.Fund(w.Member.User)
		}
	})
	page := d.page()
	b, err := bundle.Read(page)
	require.NoError(t, err)
	checked, err := bundle.Check(b, d.keys)
	require.NoError(t, err)
	require.GreaterOrEqual(t, checked.Hidden, 10)
	require.NotEmpty(t, checked.Records)
	given := map[int64]bool{}
	for _, r := range checked.Records {
		given[r.Pos] = true
	}
	records, err := history.Read(context.Background(), d.Pool, 0, 10_000)
	require.NoError(t, err)
	hidden := 0
	for _, r := range records {
		pool := false
		for _, line := range r.Lines {
			pool = pool || line.Account == "pool:"+d.Closed()
		}
		if !pool {
			continue
		}
		hidden++
		require.False(t, given[r.Pos])
		leaf, encoded := r.Leaf(), r.Encode()
		for _, text := range []string{
			string(leaf[:]), hex.EncodeToString(leaf[:]), base64.StdEncoding.EncodeToString(leaf[:]), string(encoded), base64.StdEncoding.EncodeToString(encoded),
			base64.StdEncoding.EncodeToString(r.Body),
		} {
			require.NotContains(t, string(page), text, "position %d", r.Pos)
		}
	}
	require.Equal(t, 11, hidden)
	tellsNoNode(d, string(page), records)
	require.EqualValues(t, d.BalanceOf("wallet:"+d.Member.User), b.Accounts[0].Closing, "the wallet is told to its end all the same")
}

// tellsNoNode checks that the page has no hash over only the member's or the system's events with something hidden
// among them: their ids can be known, so that somebody could test guesses of the one unknown total.
func tellsNoNode(d *desk, page string, records []event.Record) {
	d.Helper()
	looked := 0
	for width := 2; width <= 16; width *= 2 {
		for from := 0; from+width <= len(records); from += width {
			isGuessable, isSecret := true, false
			hashes := make([]tlog.Hash, width)
			for i, r := range records[from : from+width] {
				isGuessable = isGuessable && (r.Actor == d.Member.User || r.Actor == "system")
				for _, line := range r.Lines {
					isSecret = isSecret || line.Account == "pool:"+d.Closed()
				}
				hashes[i] = r.Leaf()
			}
			for ; len(hashes) > 1; hashes = hashes[:len(hashes)/2] {
				for i := range len(hashes) / 2 {
					hashes[i] = tlog.NodeHash(hashes[2*i], hashes[2*i+1])
				}
			}
			if isGuessable && isSecret {
				looked++
				require.NotContains(d, page, hashes[0].String())
			}
		}
	}
	require.Positive(d, looked)
}

func FuzzReadAndCheck(f *testing.F) {
	f.Add([]byte(`<script type="application/json" id="evidence">{}</script>`))
	f.Add([]byte(`<script type="application/json" id="evidence">{"format":"adashi evidence v1","events":[{"record":"","path":[-1]}],"hashes":["x"]}</script>`))
	f.Add([]byte(`<script type="application/json" id="evidence">null</script>`))
	f.Add([]byte(`<script type="application/json" id="evidence">{"format":"adashi evidence v3","seen":{"witnesses":[{"key":"+"}],"phone":{"note":"x"},"proofs":[{"size":-1,"path":[-1]}]}}</script>`))
	f.Fuzz(func(t *testing.T, page []byte) {
		b, err := bundle.Read(page)
		if err == nil {
			_, err = bundle.Check(b, nil)
		}
		require.ErrorIs(t, err, bundle.ErrBundle)
	})
}

func TestABundleWithAnyByteChangedNeverPanics(t *testing.T) {
	t.Parallel()
	d := seenWhileItGrew(t)
	page, err := d.asks(d.oldest.Note)
	require.NoError(t, err)
	start := bytes.Index(page, []byte(`id="evidence"`))
	refused := 0
	for i := start; i < len(page); i += 7 {
		changed := bytes.Clone(page)
		changed[i] ^= 1
		b, err := bundle.Read(changed)
		if err == nil {
			_, err = bundle.Check(b, d.keys)
		}
		if err != nil {
			require.ErrorIs(t, err, bundle.ErrBundle)
			refused++
		}
	}
	require.Positive(t, refused)
}
