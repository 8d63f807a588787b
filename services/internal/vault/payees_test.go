package vault_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/vault"
)

var payee = vault.Payee{BankCode: "082", BankNIP: "000002", BankName: "Keystone Bank", Number: "1111111103", AccountName: "OBI ADA", Note: "Rent"}

func TestAPayeeIsFrozenSealedAndGoneWithItsPerson(t *testing.T) {
	t.Parallel()
	pool, v := setup(t)
	ada, withdrawal := uuid.NewString(), uuid.NewString()
	require.ErrorIs(t, v.SealPayee(t.Context(), ada, withdrawal, payee, noon), vault.ErrGone, "nobody without a record")
	_, err := v.Set(t.Context(), ada, named)
	require.NoError(t, err)
	require.NoError(t, v.SealPayee(t.Context(), ada, withdrawal, payee, noon))
	other := payee
	other.Number = "2222222222"
	require.NoError(t, v.SealPayee(t.Context(), ada, withdrawal, other, noon))
	got, err := v.Payee(t.Context(), withdrawal)
	require.NoError(t, err)
	require.Equal(t, payee.Number, got.Number, "what was kept first stays")
	require.Equal(t, []string{"082", "000002", "OBI ADA", "Rent"}, []string{got.BankCode, got.BankNIP, got.AccountName, got.Note})

	schema, err := vault.Schema(t.Context(), pool)
	require.NoError(t, err)
	var sealed []byte
	require.NoError(t, pool.QueryRow(t.Context(), "SELECT sealed FROM "+schema+".payees").Scan(&sealed))
	require.NotContains(t, string(sealed), payee.Number)
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "payee", got)
	raw, err := json.Marshal(got)
	require.NoError(t, err)
	for _, text := range []string{log.String(), string(raw), fmt.Sprintf("%v %+v %#v %s", got, got, got, got)} {
		require.NotContains(t, text, payee.Number)
	}

	require.NoError(t, v.Destroy(t.Context(), uuid.MustParse(ada), noon))
	for _, id := range []string{withdrawal, uuid.NewString(), "nonsense"} {
		_, err = v.Payee(t.Context(), id)
		require.ErrorIs(t, err, vault.ErrGone)
	}
}

func TestThePayeesOfManyAreOpenedTogetherAndThoseOfTheGoneAreAbsent(t *testing.T) {
	t.Parallel()
	_, v := setup(t)
	of := map[string]string{}
	var people, ids []string
	for n := range 3 {
		person := uuid.NewString()
		_, err := v.Set(t.Context(), person, named)
		require.NoError(t, err)
		for range 2 {
			id, theirs := uuid.NewString(), payee
			theirs.Number = fmt.Sprintf("%010d", 10*n+len(ids))
			require.NoError(t, v.SealPayee(t.Context(), person, id, theirs, noon))
			of[id], ids = theirs.Number, append(ids, id)
		}
		people = append(people, person)
	}
	require.NoError(t, v.Destroy(t.Context(), uuid.MustParse(people[2]), noon))
	found, err := v.Payees(t.Context(), append(ids, uuid.NewString(), "nonsense")...)
	require.NoError(t, err)
	require.Len(t, found, 4)
	for _, id := range ids[:4] {
		require.Equal(t, of[id], found[id].Number)
	}
	found, err = v.Payees(t.Context())
	require.NoError(t, err)
	require.Empty(t, found)
}

func TestAPayeeOfARefusedWithdrawalIsSwept(t *testing.T) {
	t.Parallel()
	_, v := setup(t)
	ada, kept, refused, young, waits := uuid.NewString(), uuid.NewString(), uuid.NewString(), uuid.NewString(), uuid.NewString()
	_, err := v.Set(t.Context(), ada, named)
	require.NoError(t, err)
	for id, at := range map[string]time.Time{kept: noon, refused: noon, young: noon.Add(time.Hour), waits: noon} {
		require.NoError(t, v.SealPayee(t.Context(), ada, id, payee, at))
	}
	asked := 0
	known := func(_ context.Context, id string) (bool, error) {
		if id == waits {
			return true, vault.ErrUndecided
		}
		asked++
		return id == kept, nil
	}
	for range 2 {
		require.NoError(t, v.SweepPayees(t.Context(), noon.Add(time.Minute), known))
	}
	require.Equal(t, 2, asked, "what is settled is not asked about again")
	for id, there := range map[string]bool{kept: true, refused: false, young: true, waits: true} {
		_, err := v.Payee(t.Context(), id)
		require.Equal(t, there, err == nil, id)
	}
}
