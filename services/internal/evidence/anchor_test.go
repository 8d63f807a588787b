package evidence_test

import (
	"context"
	"encoding/base64"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/infra/proofs/liabilities"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/evidence/bundle"
	"adashi.ng/services/internal/reserves"
)

// counts commits to everything that Adashi owes now, as the reconciliation does.
func counts(w *apptest.Town) {
	ctx, s, id := context.Background(), w.App.Reserves, uuid.Must(uuid.NewV7())
	s.Key = []byte("a key of at least thirty-two bytes")
	_, err := w.Pool.Exec(ctx, "SELECT ledger_settle()")
	require.NoError(w, err)
	var accounts []liabilities.Account
	var head, owed int64
	require.NoError(w, pgx.BeginFunc(ctx, w.Pool, func(tx pgx.Tx) (err error) {
		if accounts, err = reserves.Accounts(ctx, tx); err != nil {
			return err
		}
		return tx.QueryRow(ctx, "SELECT max(pos) FROM events").Scan(&head)
	}))
	for _, a := range accounts {
		owed += a.Kobo
	}
	m, err := s.Commit(ctx, id, head, owed, accounts)
	require.NoError(w, err)
	w.Gives(wallet.AttestReserves{Attested: &nairav1.ReservesAttestedV2{ReconciliationId: id.String(), Position: head, OwedKobo: owed}, Committed: m})
	require.NoError(w, s.Recorded(ctx, id))
}

// counted is a member's dispute, with money that came before a count and after it.
func counted(t *testing.T) *desk {
	t.Helper()
	return disputed(t, false, func(w *apptest.Town) {
		w.Fund(w.Member.User)
		counts(w)
		w.Fund(w.Member.User)
	})
}

// cut removes the member's last two payments, one from before the count and one from after, and adjusts the ends of
// everything.
func cut(t *testing.T, b *bundle.Bundle) {
	t.Helper()
	for range 2 {
		stream := ""
		for _, e := range b.Events {
			if r := record(t, e); r.Type == "naira.v1.PaymentConfirmedV2" {
				stream = r.Stream
			}
		}
		b.Streams = without(b.Streams, stream)
		b.Events = slices.DeleteFunc(b.Events, func(e bundle.Event) bool { return record(t, e).Stream == stream })
	}
	a := &b.Accounts[0]
	a.Lines = 0
	for _, e := range b.Events {
		for _, line := range record(t, e).Lines {
			if line.Account == a.Name {
				a.Lines, a.Closing = a.Lines+1, int64(line.Balance)
			}
		}
	}
}

func TestABundleEndsWithWhatWasCountedAsOwed(t *testing.T) {
	t.Parallel()
	d := counted(t)
	b := d.bundle()
	require.NotNil(t, b.Anchor)
	checked, err := bundle.Check(b, d.keys)
	require.NoError(t, err)
	require.Equal(t, 1, checked.Anchored)
	page := d.page()
	if keep := os.Getenv("EVIDENCE_PAGE"); keep != "" {
		require.NoError(t, os.WriteFile(keep+"anchored.html", page, 0o600))
	}
	class, says := shows(t, page)
	require.Equal(t, "good", class, says)

	other := counted(t).bundle()
	for says, change := range map[string]func(b *bundle.Bundle){
		"a movement before it is missing": func(b *bundle.Bundle) { cut(t, b) },
		"does not lead to the root\x00":   func(b *bundle.Bundle) { b.Anchor.Owed.Accounts[0].Account = "wallet:" + d.Owner.User },
		"does not lead to the root":       func(b *bundle.Bundle) { b.Anchor.Owed.Accounts[0].Parts[0].Path[3].Kobo++ },
		"counted something else":          func(b *bundle.Bundle) { b.Anchor.Owed.Position-- },
		"counted something else\x00id":    func(b *bundle.Bundle) { b.Anchor.Owed.ID = other.Anchor.Owed.ID },
		"counted something else\x00all":   func(b *bundle.Bundle) { b.Anchor.Owed = other.Anchor.Owed },
		"was counted as owed\x00none":     func(b *bundle.Bundle) { b.Anchor.Owed.Accounts = []liabilities.Proven{} },
		"does not say what was counted":   func(b *bundle.Bundle) { b.Anchor.Counted = b.Events[0] },
		"is not the one that was sealed": func(b *bundle.Bundle) {
			raw, _ := base64.StdEncoding.DecodeString(b.Anchor.Counted.Record)
			raw[40] ^= 1
			b.Anchor.Counted.Record = base64.StdEncoding.EncodeToString(raw)
		},
		"format": func(b *bundle.Bundle) { b.Format, b.Seen = "adashi evidence v1", nil },
	} {
		forged := d.bundle()
		change(&forged)
		_, err := bundle.Check(forged, d.keys)
		require.ErrorIs(t, err, bundle.ErrBundle, says)
		says, _, _ = strings.Cut(says, "\x00")
		require.ErrorContains(t, err, says)
	}
	for says, change := range map[string]func(b *bundle.Bundle){
		"a movement before it is missing":      func(b *bundle.Bundle) { cut(t, b) },
		"is not what the ledger said":          func(b *bundle.Bundle) { b.Anchor.Owed.Accounts[0].Parts[0].Path[3].Kobo++ },
		"does not say what was counted":        func(b *bundle.Bundle) { b.Anchor.Counted = b.Events[0] },
		"counted something else":               func(b *bundle.Bundle) { b.Anchor.Owed.Position-- },
		"what was counted as owed names no ac": func(b *bundle.Bundle) { b.Anchor.Owed.Accounts = []liabilities.Proven{} },
	} {
		forged := d.bundle()
		change(&forged)
		changed, err := bundle.Page(forged)
		require.NoError(t, err)
		class, found := shows(t, changed)
		require.Equal(t, "bad", class, says)
		require.Contains(t, found, says)
	}

	unanchored := d.bundle()
	unanchored.Anchor = nil
	cut(t, &unanchored)
	trim(&unanchored)
	_, err = bundle.Check(unanchored, d.keys)
	require.NoError(t, err, "it is the anchor that finds it")

	before := d.bundle()
	before.Format, before.Anchor, before.Seen = "adashi evidence v1", nil, nil
	_, err = bundle.Check(before, d.keys)
	require.NoError(t, err, "what was downloaded before there were anchors")
}
