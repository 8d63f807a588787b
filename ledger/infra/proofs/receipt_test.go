package proofs_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
)

// paid is a real ledger in which n members have paid money in: two events each.
func paid(t testing.TB, n int) *book {
	t.Helper()
	ctx := context.Background()
	b := &book{TB: t, pool: ledgertest.Pool(t), keys: keys(t), file: filepath.Join(t.TempDir(), "checkpoints")}
	require.NoError(t, store.Migrate(ctx, b.pool))
	require.NoError(t, proofs.Migrate(ctx, b.pool))
	s := store.Open(store.Postgres(b.pool, 0), ledger.Aggregates(), store.Options{})
	t.Cleanup(s.Close)
	do := func(c event.Command) {
		_, err := s.Append(ctx, store.Command{ID: uuid.New(), Actor: "tester", Command: c})
		require.NoError(t, err)
	}
	for range n {
		id := uuid.NewString()
		do(wallet.StartPayment{PaymentID: id, User: "bisi", Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Amount: 5000 * money.Naira, ExpiresAt: time.Now().Add(time.Hour)})
		do(wallet.ConfirmPayment{PaymentID: id, User: "bisi", Provider: event.Vfd, Gross: 5000 * money.Naira, ProviderRef: id, PaidAt: time.Now()})
	}
	return b
}

func (b *book) receipt(pos int64) (proofs.Receipt, []byte) {
	b.Helper()
	r, err := b.reader().Receipt(context.Background(), pos)
	require.NoError(b, err)
	raw, err := r.Encode()
	require.NoError(b, err)
	return r, raw
}

func TestAReceiptProvesItsEventToWhoHasTheKeyAlone(t *testing.T) {
	t.Parallel()
	b := paid(t, 10)
	sealed := b.seal()
	records, err := history.Read(context.Background(), b.pool, 0, 100)
	require.NoError(t, err)
	require.EqualValues(t, len(records), sealed.Size)
	public := proofs.Keys{Current: publicOf(t, b.keys.Current)}
	for _, record := range records {
		made, raw := b.receipt(record.Pos)
		read, err := proofs.VerifyReceipt(raw, public.Verifiers())
		require.NoError(t, err)
		require.Equal(t, record.Pos, read.Position)
		require.Equal(t, record.ID().String(), read.Event.ID)
		require.Equal(t, record.Type, read.Event.Type)
		require.Equal(t, made.Record, base64.StdEncoding.EncodeToString(record.Encode()))
		require.Equal(t, sealed.Note, read.Checkpoint)
		require.Equal(t, []string{public.Current.Public()}, read.PublicKeys)
	}
	_, raw := b.receipt(2)
	require.Contains(t, string(raw), `"amountKobo": 500000`)
	require.Contains(t, string(raw), `"channel": "CHANNEL_BANK_TRANSFER"`)
}

func TestAnEventThatIsNotSealedYetHasNoReceipt(t *testing.T) {
	t.Parallel()
	b := paid(t, 1)
	_, err := b.reader().Receipt(context.Background(), 1)
	require.ErrorIs(t, err, proofs.ErrNotSealed)
	require.EqualError(t, err, "position 1 is not sealed yet; ask again in a few seconds")
	b.seal()
	_, err = b.reader().Receipt(context.Background(), 99)
	require.ErrorIs(t, err, proofs.ErrNotSealed)
	_, err = b.reader().Receipt(context.Background(), 0)
	require.ErrorIs(t, err, proofs.ErrRange)
}

func TestAnEventThatWasChangedAfterItWasSealedHasNoReceipt(t *testing.T) {
	t.Parallel()
	b := paid(t, 2)
	b.seal()
	b.behindTheTriggers("UPDATE events SET actor = 'eve' WHERE pos = 1")
	_, err := b.reader().Receipt(context.Background(), 1)
	require.ErrorIs(t, err, proofs.ErrInconsistent)
	require.ErrorContains(t, err, "position 1")
	b.behindTheTriggers("DELETE FROM events WHERE pos = 1")
	_, err = b.reader().Receipt(context.Background(), 1)
	require.ErrorContains(t, err, "position 1")
}

// meaning is a receipt without the spacing of its JSON.
func meaning(t *testing.T, r proofs.Receipt) string {
	t.Helper()
	var message bytes.Buffer
	require.NoError(t, json.Compact(&message, r.Event.Message))
	r.Event.Message = message.Bytes()
	raw, err := r.Encode()
	require.NoError(t, err)
	return string(raw)
}

func TestAReceiptWithAnyByteChangedIsRefusedOrSaysTheSame(t *testing.T) {
	t.Parallel()
	b := paid(t, 3)
	b.seal()
	made, raw := b.receipt(4)
	refused := 0
	for i := range raw {
		for _, flip := range []byte{1, 2, 0x20, 0x80} {
			changed := slices.Clone(raw)
			changed[i] ^= flip
			read, err := proofs.VerifyReceipt(changed, b.keys.Verifiers())
			if err != nil {
				require.ErrorIs(t, err, proofs.ErrReceipt)
				refused++
				continue
			}
			require.Equal(t, meaning(t, made), meaning(t, read), "byte %d, %q", i, changed)
			require.Contains(t, " \t\n\r", string(raw[i]), "byte %d of %s", i, raw)
		}
	}
	require.Greater(t, refused, 4000)
}

func TestEveryFieldOfAReceiptIsHeldAgainstTheRecord(t *testing.T) {
	t.Parallel()
	b := paid(t, 3)
	b.seal()
	_, raw := b.receipt(4)
	_, otherRaw := b.receipt(5)
	var whole, other map[string]any
	require.NoError(t, json.Unmarshal(raw, &whole))
	require.NoError(t, json.Unmarshal(otherRaw, &other))
	fields := 0
	var swap func(mine, theirs map[string]any)
	swap = func(mine, theirs map[string]any) {
		for name, kept := range mine {
			if inner, ok := kept.(map[string]any); ok && name == "event" {
				swap(inner, theirs[name].(map[string]any))
			}
			for _, changed := range []any{theirs[name], nil, "x", 7, []any{}, map[string]any{}} {
				if same(t, changed, kept) {
					continue
				}
				mine[name] = changed
				text, err := json.Marshal(whole)
				require.NoError(t, err)
				_, err = proofs.VerifyReceipt(text, b.keys.Verifiers())
				require.ErrorIs(t, err, proofs.ErrReceipt, "%s: %v", name, changed)
			}
			delete(mine, name)
			text, err := json.Marshal(whole)
			require.NoError(t, err)
			_, err = proofs.VerifyReceipt(text, b.keys.Verifiers())
			require.ErrorIs(t, err, proofs.ErrReceipt, "without %s", name)
			mine[name] = kept
			fields++
		}
	}
	swap(whole, other)
	require.Equal(t, 10+14, fields)
}

func same(t *testing.T, a, b any) bool {
	t.Helper()
	x, err := json.Marshal(a)
	require.NoError(t, err)
	y, err := json.Marshal(b)
	require.NoError(t, err)
	return bytes.Equal(x, y)
}

func TestAReceiptIsReadStrictly(t *testing.T) {
	t.Parallel()
	b := paid(t, 1)
	b.seal()
	_, whole := b.receipt(1)
	text := string(whole)
	for name, changed := range map[string]string{
		"an unknown field":                strings.Replace(text, "{", `{"note": "",`, 1),
		"a field given twice":             strings.Replace(text, "{", `{"version": 1,`, 1),
		"another case":                    strings.Replace(text, `"leaf"`, `"Leaf"`, 1),
		"something after it":              text + "{}",
		"a fraction":                      strings.Replace(text, `"treeSize": 3`, `"treeSize": 3.0`, 1),
		"another version":                 strings.Replace(text, `"version": 1`, `"version": 2`, 1),
		"not all of it":                   text[:len(text)-2],
		"nothing":                         "",
		"a list":                          "[" + text + "]",
		"more than its share":             text + strings.Repeat(" ", 1<<20),
		"a private key in it":             strings.Replace(text, b.keys.Current.Public(), "PRIVATE+KEY+x", 1),
		"somebody else's key":             strings.Replace(text, b.keys.Current.Public(), newKey(t).Public(), 1),
		"an unknown field deep":           strings.Replace(text, `"stream"`, `"x": 1, "stream"`, 1),
		"an unknown field in the message": strings.Replace(text, `"paymentId"`, `"x": 1, "paymentId"`, 1),
	} {
		require.NotEqual(t, text, changed, name)
		_, err := proofs.VerifyReceipt([]byte(changed), b.keys.Verifiers())
		require.ErrorIs(t, err, proofs.ErrReceipt, name)
		require.NotContains(t, err.Error(), "\n", name)
	}
	for says, changed := range map[string]string{
		"unknown":                             strings.Replace(text, "{", `{"note": "",`, 1),
		"its position is not the record's":    strings.Replace(text, "\n  \"position\": 1", "\n  \"position\": 2", 1),
		"its tree size is not the checkpoint": strings.Replace(text, `"treeSize": 3`, `"treeSize": 4`, 1),
		"fields are missing or null":          strings.Replace(text, `"seq": 0,`, "", 1),
	} {
		_, err := proofs.VerifyReceipt([]byte(changed), b.keys.Verifiers())
		require.ErrorContains(t, err, says)
	}
	_, err := proofs.VerifyReceipt(whole, keys(t).Verifiers())
	require.ErrorIs(t, err, proofs.ErrCheckpoint, "by another ledger")
	var spaced bytes.Buffer
	require.NoError(t, json.Compact(&spaced, whole))
	_, err = proofs.VerifyReceipt(spaced.Bytes(), b.keys.Verifiers())
	require.NoError(t, err)
}

func FuzzVerifyReceipt(f *testing.F) {
	b := paid(f, 1)
	b.seal()
	made, raw := b.receipt(2)
	f.Add(raw)
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		read, err := proofs.VerifyReceipt(raw, b.keys.Verifiers())
		if err != nil {
			require.ErrorIs(t, err, proofs.ErrReceipt)
			return
		}
		require.Equal(t, made.Record, read.Record, "there is one true receipt here")
	})
}

func TestPathsOfManyEventsAreThoseOfEach(t *testing.T) {
	t.Parallel()
	b := paid(t, 200)
	sealed, ctx := b.seal(), context.Background()
	all := []int64{1, 2, 99, 256, 257, 300, sealed.Size}
	paths, err := b.reader().Paths(ctx, sealed, all)
	require.NoError(t, err)
	for i, pos := range all {
		one, err := b.reader().Inclusion(ctx, pos, sealed.Size)
		require.NoError(t, err)
		require.Equal(t, one, paths[i], "position %d", pos)
	}
	for _, pos := range []int64{0, sealed.Size + 1} {
		_, err = b.reader().Paths(ctx, sealed, []int64{pos})
		require.ErrorIs(t, err, proofs.ErrRange)
	}
}
