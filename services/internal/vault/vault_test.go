package vault_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/infra/roles"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/secret"
	"adashi.ng/services/internal/session"
	"adashi.ng/services/internal/vault"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

const (
	first  = secret.Text("the first master key of the tests, long enough")
	second = secret.Text("the second master key of the tests, long enough")
)

var noon = time.Date(2026, 11, 21, 11, 0, 0, 0, time.UTC)

func keys(t *testing.T, current secret.Text, previous ...secret.Text) vault.Keys {
	t.Helper()
	k, err := vault.NewKeys(current, previous...)
	require.NoError(t, err)
	return k
}

func setup(t *testing.T) (*pgxpool.Pool, *vault.Vault) {
	t.Helper()
	pool := ledgertest.Pool(t)
	require.NoError(t, vault.Migrate(t.Context(), pool))
	require.NoError(t, vault.Grant(t.Context(), pool))
	return pool, unlock(t, pool, keys(t, first))
}

func unlock(t *testing.T, pool *pgxpool.Pool, k vault.Keys) *vault.Vault {
	t.Helper()
	v, err := vault.Open(context.Background(), pool, k, 6)
	require.NoError(t, err)
	t.Cleanup(v.Close)
	return v
}

func named(r *vault.Record) { r.Address, r.Bank.AccountName = "12 Marina", "ADA OBI" }

func TestARecordComesBackAndIsSealedInTheTable(t *testing.T) {
	t.Parallel()
	pool, v := setup(t)
	ada := uuid.NewString()
	r, err := v.Read(t.Context(), ada)
	require.NoError(t, err)
	require.Empty(t, r.Address)
	_, err = v.Set(t.Context(), ada, named)
	require.NoError(t, err)
	r, err = v.Read(t.Context(), ada)
	require.NoError(t, err)
	require.Equal(t, "12 Marina", r.Address)
	require.NotContains(t, dump(t, pool, "records", "people"), "Marina")
}

// dump returns the contents of some of the vault's tables, as text and as bytes.
func dump(t *testing.T, pool *pgxpool.Pool, tables ...string) string {
	t.Helper()
	schema, err := vault.Schema(t.Context(), pool)
	require.NoError(t, err)
	out := ""
	for _, table := range tables {
		var rows string
		require.NoError(t, pool.QueryRow(t.Context(), "SELECT coalesce(string_agg(x::text, ' '), '') FROM "+schema+"."+table+" x").Scan(&rows))
		out += rows
	}
	return out
}

func TestASealedRowOpensForNobodyElse(t *testing.T) {
	t.Parallel()
	pool, v := setup(t)
	ada, bisi := uuid.NewString(), uuid.NewString()
	for _, id := range []string{ada, bisi} {
		_, err := v.Set(t.Context(), id, named)
		require.NoError(t, err)
	}
	schema, err := vault.Schema(t.Context(), pool)
	require.NoError(t, err)
	for name, statement := range map[string]string{
		"another's row":  "UPDATE %s.records SET sealed = (SELECT sealed FROM %s.records WHERE person = '" + bisi + "') WHERE person = '" + ada + "'",
		"a changed byte": "UPDATE %s.records SET sealed = set_byte(sealed, 20, get_byte(sealed, 20) # 1) WHERE person = '" + ada + "' AND '%s' <> ''",
	} {
		_, err = pool.Exec(t.Context(), fmt.Sprintf(statement, schema, schema))
		require.NoError(t, err, name)
		_, err = v.Read(t.Context(), ada)
		require.ErrorContains(t, err, "does not open", name)
	}
	// Nor another field of the same person.
	file, err := v.PutFile(t.Context(), bisi, "document", "image/png", []byte("png"), noon)
	require.NoError(t, err)
	_, err = pool.Exec(t.Context(), fmt.Sprintf("UPDATE %[1]s.records SET sealed = (SELECT sealed FROM %[1]s.files WHERE id = '%[2]s') WHERE person = '%[3]s'", schema, file.ID, bisi))
	require.NoError(t, err)
	_, err = v.Read(t.Context(), bisi)
	require.ErrorContains(t, err, "does not open")
	// Not even when another person's key and record are moved together.
	_, err = pool.Exec(t.Context(), fmt.Sprintf(`WITH key AS (UPDATE %[1]s.people a SET wrapped = b.wrapped FROM %[1]s.people b WHERE a.id = '%[2]s' AND b.id = '%[3]s')
		UPDATE %[1]s.records SET sealed = (SELECT sealed FROM %[1]s.records WHERE person = '%[3]s') WHERE person = '%[2]s'`, schema, ada, bisi))
	require.NoError(t, err)
	_, err = v.Read(t.Context(), ada)
	require.ErrorContains(t, err, "does not open")
}

func TestADestroyedKeyLeavesNothingReadableAndNoNewOneIsMade(t *testing.T) {
	t.Parallel()
	pool, v := setup(t)
	ada := uuid.New()
	_, err := v.Set(t.Context(), ada.String(), named)
	require.NoError(t, err)
	file, err := v.PutFile(t.Context(), ada.String(), "document", "application/pdf", []byte("%PDF"), noon)
	require.NoError(t, err)
	require.NoError(t, v.Destroy(t.Context(), ada, noon))
	_, err = v.Read(t.Context(), ada.String())
	require.ErrorIs(t, err, vault.ErrGone)
	_, err = v.Set(t.Context(), ada.String(), named)
	require.ErrorIs(t, err, vault.ErrGone)
	_, _, err = v.File(t.Context(), file.ID)
	require.True(t, fault.Is(err, fault.NotFound))
	require.NotContains(t, dump(t, pool, "records", "files"), ada.String())
}

func TestKeysAreRotated(t *testing.T) {
	t.Parallel()
	pool, v := setup(t)
	ada := uuid.NewString()
	_, err := v.Set(t.Context(), ada, named)
	require.NoError(t, err)
	_, err = vault.Open(t.Context(), pool, keys(t, second), 2)
	require.EqualError(t, err, "ADASHI_VAULT_KEY is not the key that the vault was locked with: set that one, or name it among ADASHI_VAULT_PREVIOUS_KEYS")
	both := unlock(t, pool, keys(t, second, first))
	n, err := both.Rewrap(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, n) // Ada's key and the vault's own.
	alone := unlock(t, pool, keys(t, second))
	r, err := alone.Read(t.Context(), ada)
	require.NoError(t, err)
	require.Equal(t, "12 Marina", r.Address)
	n, err = alone.Rewrap(t.Context())
	require.NoError(t, err)
	require.Zero(t, n)
}

func TestAShortMasterKeyIsRefused(t *testing.T) {
	t.Parallel()
	_, err := vault.NewKeys("short")
	require.ErrorContains(t, err, "at least 32 characters")
	_, err = vault.NewKeys(first, "short")
	require.ErrorContains(t, err, "at least 32 characters")
}

func TestARecordNeverShowsItself(t *testing.T) {
	t.Parallel()
	r := vault.Record{Address: "12 Marina", Bvn: vault.Bvn{Asked: vault.Claim{Number: "22222222223"}}}
	encoded, err := json.Marshal(map[string]any{"r": r, "p": &r})
	require.NoError(t, err)
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "r", r, "p", &r)
	for _, text := range []string{fmt.Sprintf("%v %+v %#v %s %d %q %x %v", r, r, r, r, r, r, r, &r), string(encoded), log.String()} {
		require.NotContains(t, text, "Marina")
		require.NotContains(t, text, "22222222223")
		require.Contains(t, text, secret.Redacted)
	}
}

func claim(bvn string) vault.Claim { return vault.Claim{Number: bvn, First: "Ada", Last: "Obi"} }

func TestABvnIsOneAccountsAndKeptAsAHash(t *testing.T) {
	t.Parallel()
	pool, v := setup(t)
	ada, eve := uuid.NewString(), uuid.NewString()
	for _, id := range []string{ada, eve} {
		_, err := v.BeginCheck(t.Context(), id, claim("22222222223"), noon)
		require.NoError(t, err) // A mere check does not take a BVN from its owner.
	}
	took, err := v.ClaimBvn(t.Context(), ada, "22222222223")
	require.NoError(t, err)
	require.True(t, took)
	took, err = v.ClaimBvn(t.Context(), ada, "22222222223")
	require.NoError(t, err)
	require.True(t, took, "again is no harm")
	took, err = v.ClaimBvn(t.Context(), eve, "22222222223")
	require.NoError(t, err)
	require.False(t, took)
	r, err := v.Read(t.Context(), ada)
	require.NoError(t, err)
	r, err = v.EndCheck(t.Context(), ada, r.Bvn.Check, vault.Verified, "", noon)
	require.NoError(t, err)
	require.Equal(t, vault.Bvn{Status: vault.Verified, Last2: "23"}, r.Bvn, "the number is gone once it is known")
	require.NotContains(t, dump(t, pool, "bvns", "checks"), "22222222223")

	third := uuid.NewString()
	r, err = v.BeginCheck(t.Context(), third, claim("22222222223"), noon)
	require.NoError(t, err)
	require.Equal(t, vault.Failed, r.Bvn.Status)
	require.Equal(t, vault.ElsewhereReason, r.Bvn.Reason)
}

func TestABvnThatIsClaimedTwiceAtOnceIsItsOwnersBothTimes(t *testing.T) {
	t.Parallel()
	_, v := setup(t)
	for n := range 20 {
		ada, eve, bvn := uuid.NewString(), uuid.NewString(), fmt.Sprintf("222222222%02d", n)
		for _, who := range []string{ada, eve} {
			_, err := v.Set(t.Context(), who, named)
			require.NoError(t, err)
		}
		var together sync.WaitGroup
		took := make([]bool, 5)
		for i := range took {
			together.Go(func() { took[i], _ = v.ClaimBvn(t.Context(), ada, bvn) })
		}
		together.Wait()
		require.NotContains(t, took, false, "a bank's webhook and our own question may come at once")
		other, err := v.ClaimBvn(t.Context(), eve, bvn)
		require.NoError(t, err)
		require.False(t, other)
	}
}

func TestACardIsForgottenOnlyInASessionThatLasts(t *testing.T) {
	t.Parallel()
	pool := ledgertest.Pool(t)
	for _, migrate := range []func(context.Context, *pgxpool.Pool) error{mail.Migrate, people.Migrate, vault.Migrate, vault.Grant} {
		require.NoError(t, migrate(t.Context(), pool))
	}
	require.NoError(t, session.Grant(t.Context(), pool, vault.Role))
	v, ada := unlock(t, pool, keys(t, first)), uuid.NewString()
	require.NoError(t, v.KeepCard(t.Context(), ada, vault.Card{Token: "AUTH_1", Last4: "4081"}, noon))
	kept, err := v.Cards(t.Context(), ada)
	require.NoError(t, err)
	require.Len(t, kept, 1)
	ended := session.With(t.Context(), uuid.NewString())
	err = v.ForgetCard(ended, ada, kept[0].ID)
	require.True(t, fault.Is(err, fault.Unauthenticated), "%v", err)
	require.True(t, fault.Is(v.ForgetCard(t.Context(), uuid.NewString(), kept[0].ID), fault.NotFound), "another's")
	left, err := v.Cards(t.Context(), ada)
	require.NoError(t, err)
	require.Len(t, left, 1)
	require.NoError(t, v.ForgetCard(t.Context(), ada, kept[0].ID))
	require.True(t, fault.Is(v.ForgetCard(t.Context(), ada, kept[0].ID), fault.NotFound), "it is gone")
}

func TestSixChecksADayAreOneTooMany(t *testing.T) {
	t.Parallel()
	_, v := setup(t)
	ada := uuid.NewString()
	for n := range 5 {
		r, err := v.BeginCheck(t.Context(), ada, claim("22222222224"), noon.Add(time.Duration(n)*time.Hour))
		require.NoError(t, err)
		_, err = v.BeginCheck(t.Context(), ada, claim("22222222224"), noon)
		require.True(t, fault.Is(err, fault.Conflict), "one at a time: %v", err)
		_, err = v.EndCheck(t.Context(), ada, r.Bvn.Check, vault.Failed, "no", noon)
		require.NoError(t, err)
	}
	_, err := v.BeginCheck(t.Context(), ada, claim("22222222224"), noon.Add(23*time.Hour))
	require.True(t, fault.Is(err, fault.TooMany), "%v", err)
	_, err = v.BeginCheck(t.Context(), ada, claim("22222222224"), noon.Add(25*time.Hour))
	require.NoError(t, err)
}

func TestFilesHaveAQuotaAndLooseOnesAreSwept(t *testing.T) {
	t.Parallel()
	_, v := setup(t)
	ada, eve := uuid.NewString(), uuid.NewString()
	var ids []string
	for range 12 {
		f, err := v.PutFile(t.Context(), ada, "document", "image/png", []byte("png"), noon)
		require.NoError(t, err)
		ids = append(ids, f.ID)
	}
	_, err := v.PutFile(t.Context(), ada, "document", "image/png", []byte("png"), noon)
	require.True(t, fault.Is(err, fault.Conflict), "%v", err)
	use := func(who, kind string) error {
		_, err := v.Update(t.Context(), who, func(ctx context.Context, tx vault.Tx) error { return tx.Use(ctx, "document", kind, ids[0], "") })
		return err
	}
	require.True(t, fault.Is(use(eve, "document"), fault.Invalid), "another's file")
	require.True(t, fault.Is(use(ada, "profile"), fault.Invalid), "a file of another kind")
	require.NoError(t, use(ada, "document"))
	_, err = v.PutFile(t.Context(), ada, "document", "image/png", []byte("png"), noon)
	require.NoError(t, err, "what is put to use leaves room for another")
	require.NoError(t, v.Sweep(t.Context(), noon.Add(25*time.Hour)))
	left, err := v.Files(t.Context(), ada)
	require.NoError(t, err)
	require.Len(t, left, 1)
	_, data, err := v.File(t.Context(), ids[0])
	require.NoError(t, err)
	require.Equal(t, "png", string(data))
}

func TestADraftIsItsOwnersAloneAndKeepsItsFiles(t *testing.T) {
	t.Parallel()
	pool, v := setup(t)
	ada, eve, about := uuid.NewString(), uuid.NewString(), uuid.NewString()
	file, err := v.PutFile(t.Context(), ada, "document", "image/png", []byte("png"), noon)
	require.NoError(t, err)
	draft := vault.Draft{Words: "I paid at noon", Files: []vault.DraftFile{{ID: file.ID, Name: "slip.png"}}}
	require.True(t, fault.Is(v.SaveDraft(t.Context(), eve, about, draft, noon), fault.Invalid), "another's file")
	require.NoError(t, v.SaveDraft(t.Context(), ada, about, draft, noon))
	draft.Words = "I paid at one"
	require.NoError(t, v.SaveDraft(t.Context(), ada, about, draft, noon.Add(time.Hour)))
	kept, err := v.Draft(t.Context(), ada, about)
	require.NoError(t, err)
	require.Equal(t, draft.Words, kept.Words)
	require.Equal(t, draft.Files, kept.Files)
	none, err := v.Draft(t.Context(), eve, about)
	require.NoError(t, err)
	require.Empty(t, none.Words)
	require.NotContains(t, dump(t, pool, "drafts"), "noon", "it is sealed")

	require.NoError(t, v.Sweep(t.Context(), noon.Add(29*24*time.Hour)))
	_, _, err = v.File(t.Context(), file.ID)
	require.NoError(t, err, "a file of a draft is not swept away")
	require.NoError(t, v.Sweep(t.Context(), noon.Add(31*24*time.Hour)))
	kept, err = v.Draft(t.Context(), ada, about)
	require.NoError(t, err)
	require.Empty(t, kept.Words, "nobody worked on it for a month")
	_, _, err = v.File(t.Context(), file.ID)
	require.True(t, fault.Is(err, fault.NotFound), "%v", err)

	require.NoError(t, v.SaveDraft(t.Context(), ada, about, vault.Draft{Words: "Again"}, noon))
	require.NoError(t, v.SaveDraft(t.Context(), ada, about, vault.Draft{}, noon))
	require.NotContains(t, dump(t, pool, "drafts"), about, "an empty one is removed")
	require.NoError(t, v.SaveDraft(t.Context(), ada, about, vault.Draft{Words: "Again"}, noon))
	require.NoError(t, v.Destroy(t.Context(), uuid.MustParse(ada), noon))
	require.NotContains(t, dump(t, pool, "drafts"), about, "it goes with its owner's key")
}

func TestAPictureIsShownAsItWasLastChanged(t *testing.T) {
	t.Parallel()
	_, v := setup(t)
	ada := uuid.NewString()
	shown := func() string {
		avatars, err := v.Avatars(t.Context(), []string{ada, "junk"})
		require.NoError(t, err)
		return avatars[ada]
	}
	shows := func(file string) {
		_, err := v.Update(t.Context(), ada, func(ctx context.Context, tx vault.Tx) error { return tx.ShowAvatar(ctx, file) })
		require.NoError(t, err)
	}
	require.Empty(t, shown())
	f, err := v.PutFile(t.Context(), ada, "profile", "image/png", []byte("png"), noon)
	require.NoError(t, err)
	shows(f.ID)
	require.Equal(t, f.ID, shown())
	shows("")
	require.Empty(t, shown())
	shows(f.ID)
	require.Equal(t, f.ID, shown())
	require.NoError(t, v.Destroy(t.Context(), uuid.MustParse(ada), noon))
	require.Empty(t, shown())
}

func TestNoOtherRoleMayReadTheVault(t *testing.T) {
	t.Parallel()
	pool, v := setup(t)
	_, err := v.Set(t.Context(), uuid.NewString(), named)
	require.NoError(t, err)
	schema, err := vault.Schema(t.Context(), pool)
	require.NoError(t, err)
	for _, role := range []string{roles.Appender, roles.Relay, roles.Projector} {
		require.NoError(t, roles.Create(t.Context(), pool, role))
		other, err := roles.Pool(t.Context(), pool, role, 1)
		require.NoError(t, err)
		_, err = other.Exec(t.Context(), "SELECT * FROM "+schema+".records")
		other.Close()
		require.ErrorContains(t, err, "permission denied", role)
	}
}

func TestChangesOfOnePersonTakeTurns(t *testing.T) {
	t.Parallel()
	_, v := setup(t)
	ada := uuid.NewString()
	var wg sync.WaitGroup
	for range 12 {
		wg.Go(func() {
			if _, err := v.Set(t.Context(), ada, func(r *vault.Record) { r.Address += "x" }); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	r, err := v.Read(t.Context(), ada)
	require.NoError(t, err)
	require.Equal(t, strings.Repeat("x", 12), r.Address)
}

func TestTheRecordsOfSomePeopleAreReadWithoutThoseWhoAreGone(t *testing.T) {
	t.Parallel()
	_, v := setup(t)
	ada, obi, nobody := uuid.NewString(), uuid.NewString(), uuid.NewString()
	for id, address := range map[string]string{ada: "12 Marina", obi: "3 Broad Street"} {
		_, err := v.Set(t.Context(), id, func(r *vault.Record) { r.Address = address })
		require.NoError(t, err)
	}
	records, err := v.ReadAll(t.Context(), obi, nobody, ada)
	require.NoError(t, err)
	require.Equal(t, []string{"12 Marina", "3 Broad Street", ""}, []string{records[ada].Address, records[obi].Address, records[nobody].Address})

	require.NoError(t, v.Destroy(t.Context(), uuid.MustParse(obi), noon))
	records, err = v.ReadAll(t.Context(), ada, obi)
	require.NoError(t, err, "one who is gone must not stop the letters to all others")
	require.Equal(t, []string{"12 Marina", ""}, []string{records[ada].Address, records[obi].Address})
	_, err = v.ReadAll(t.Context(), ada, "not an id")
	require.True(t, fault.Is(err, fault.NotFound))
}

// A letter about a change is queued if and only if the change is made, and needs only the change's connection. The
// vault's role may queue letters, and read none.
func TestALetterGoesOutWithItsChangeOnly(t *testing.T) {
	t.Parallel()
	pool := ledgertest.Pool(t)
	for _, step := range []func(context.Context, *pgxpool.Pool) error{mail.Migrate, vault.Migrate, vault.Grant} {
		require.NoError(t, step(t.Context(), pool))
	}
	v, err := vault.Open(t.Context(), pool, keys(t, first), 1)
	require.NoError(t, err)
	t.Cleanup(v.Close)
	ada, refused := uuid.NewString(), fault.New(fault.Conflict, "Not now.")
	letters := func() (n int) {
		require.NoError(t, pool.QueryRow(t.Context(), "SELECT count(*) FROM mail_outbox").Scan(&n))
		return n
	}
	tell := func(after error) func(context.Context, vault.Tx) error {
		return func(ctx context.Context, tx vault.Tx) error {
			tx.Address = "12 Marina"
			return errors.Join(mail.Queue(ctx, tx.Letters(), mail.Notice("ada@example.com", "Ada", "It moved", "To Marina.", "https://example.com"), noon), after)
		}
	}
	_, err = v.Update(t.Context(), ada, tell(refused))
	require.ErrorIs(t, err, refused)
	require.Zero(t, letters())
	schema, err := vault.Schema(t.Context(), pool)
	require.NoError(t, err)
	records := pgx.Identifier{schema, "records"}.Sanitize()
	_, err = pool.Exec(t.Context(), `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''not this commit''; END';
		CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON `+records+` DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()`)
	require.NoError(t, err)
	_, err = v.Update(t.Context(), ada, tell(nil))
	require.ErrorContains(t, err, "not this commit")
	require.Zero(t, letters())
	_, err = pool.Exec(t.Context(), "DROP FUNCTION refuse CASCADE")
	require.NoError(t, err)
	_, err = v.Update(t.Context(), ada, tell(nil))
	require.NoError(t, err)
	require.Equal(t, 1, letters())

	config := pool.Config()
	config.ConnConfig.RuntimeParams["role"] = vault.Role
	as, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(as.Close)
	for _, statement := range []string{"SELECT said FROM mail_outbox", "UPDATE mail_outbox SET said = ''", "DELETE FROM mail_outbox", "SELECT * FROM goose_mail"} {
		_, err := as.Exec(t.Context(), statement)
		require.ErrorContains(t, err, "permission denied", statement)
	}
}

func TestAPaperThatIsThereIsThereAlsoWhenNoMoreFit(t *testing.T) {
	t.Parallel()
	pool, v := setup(t)
	ada, last := uuid.NewString(), uuid.NewString()
	_, err := v.PutPaper(t.Context(), ada, uuid.NewString(), "The first.", time.Now())
	require.NoError(t, err)
	schema, err := vault.Schema(t.Context(), pool)
	require.NoError(t, err)
	_, err = pool.Exec(t.Context(), "INSERT INTO "+schema+".papers SELECT gen_random_uuid(), person, created_at, sealed FROM "+schema+".papers, generate_series(1, 998)")
	require.NoError(t, err)
	fresh, err := v.PutPaper(t.Context(), ada, last, "The last.", time.Now())
	require.NoError(t, err)
	require.True(t, fresh)
	fresh, err = v.PutPaper(t.Context(), ada, last, "The last.", time.Now())
	require.NoError(t, err)
	require.False(t, fresh)
	_, err = v.PutPaper(t.Context(), ada, uuid.NewString(), "One more.", time.Now())
	require.Error(t, err)
	require.NoError(t, v.DropPaper(t.Context(), ada, last))
	kept, err := v.Papers(t.Context(), ada, []string{last})
	require.NoError(t, err)
	require.Empty(t, kept)
}

// Closing keeps data that belongs to others: documents of groups, and those that were sent with a dispute, which no
// action of their owner removes. We store nothing new about the owner, but the desk still writes about their case.
func TestWhatBelongsToOthersStaysWhenAnAccountIsClosed(t *testing.T) {
	t.Parallel()
	_, v := setup(t)
	ctx, now, ada := t.Context(), time.Now(), uuid.NewString()
	put := func() string {
		f, err := v.PutFile(ctx, ada, "document", "application/pdf", []byte("paper"), now)
		require.NoError(t, err)
		return f.ID
	}
	uses := func(id, instead string) {
		_, err := v.Update(ctx, ada, func(ctx context.Context, tx vault.Tx) error {
			tx.UtilityBill = id
			return tx.Use(ctx, "document", "document", id, instead)
		})
		require.NoError(t, err)
	}
	given, bill, loose, group := put(), put(), put(), uuid.NewString()
	_, err := v.KeepDocument(ctx, ada, "files", given)
	require.NoError(t, err)
	uses(given, "") // It is used as a utility bill too, which another one replaces.
	uses(bill, given)
	require.NoError(t, v.PutGroupFile(ctx, ada, group, "Rules", "application/pdf", []byte("rules"), now))
	require.NoError(t, v.KeepFile(ctx, group))
	require.NoError(t, v.Minimise(ctx, ada, now))
	for id, stays := range map[string]bool{given: true, group: true, bill: false, loose: false} {
		_, _, err := v.File(ctx, id)
		require.Equal(t, stays, err == nil, "%v", err)
	}
	kept, err := v.KeptForOthers(ctx, uuid.MustParse(ada))
	require.NoError(t, err)
	require.WithinDuration(t, now, kept, time.Second)
	_, err = v.PutFile(ctx, ada, "document", "application/pdf", []byte("paper"), now)
	require.ErrorIs(t, err, vault.ErrClosed)
	fresh, err := v.PutPaper(ctx, ada, uuid.NewString(), "The desk decides.", now)
	require.NoError(t, err)
	require.True(t, fresh)
}
