package people

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/people/turns"
)

const horse = "correct horse"

// kept is an account whose password was hashed at a cost.
func kept(t *testing.T, c cost) (s *Service, stands func() string) {
	t.Helper()
	pool := ledgertest.Pool(t)
	require.NoError(t, Migrate(t.Context(), pool))
	require.NoError(t, mail.Migrate(t.Context(), pool))
	s, err := New(Options{Pool: pool, PublicURL: "http://adashi.test", Key: make([]byte, 32)})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	id, err := s.CreateVerified(t.Context(), Registration{
		Email: "ada@example.com", Password: horse, FirstName: "Ada", LastName: "Obi", Phone: "08031234567", DateOfBirth: "1990-05-17",
	})
	require.NoError(t, err)
	s.keeps(t, id, at(c))
	return s, func() (hash string) {
		require.NoError(t, pool.QueryRow(t.Context(), "SELECT password FROM accounts WHERE id = $1", id).Scan(&hash))
		return hash
	}
}

// keeps has an account's password be kept in other words.
func (s *Service) keeps(t *testing.T, id, hash string) {
	t.Helper()
	_, err := s.pool.Exec(t.Context(), "UPDATE accounts SET password = $2 WHERE id = $1", id, hash)
	require.NoError(t, err)
}

// keepsOnly has the one account's password be kept so.
func (s *Service) keepsOnly(t *testing.T, hash string) {
	t.Helper()
	_, err := s.pool.Exec(t.Context(), "UPDATE accounts SET password = $1", hash)
	require.NoError(t, err)
}

// at is the password as it is kept at a cost.
func at(c cost) string { return hashOf(c, horse) }

// hashOf is a password as it was typed, as it is kept at a cost.
func hashOf(c cost, password string) string {
	salt := []byte("a salt of theirs")
	return stored{c, salt, argon2.IDKey([]byte(password), salt, c.Passes, c.KiB, c.Threads, hashBytes)}.String()
}

func (s *Service) enters(ctx context.Context, password string) error {
	_, err := s.Login(ctx, Attempt{Email: "ada@example.com", Password: password, Device: "a device"})
	return err
}

func TestAPasswordThatWasHashedAtAnotherCostOpensAndIsHashedAnew(t *testing.T) {
	t.Parallel()
	for _, c := range []cost{{8 * 1024, 1, 1}, {64 * 1024, 3, 4}} {
		t.Run(c.String(), func(t *testing.T) {
			t.Parallel()
			s, stands := kept(t, c)
			require.True(t, fault.Is(s.enters(t.Context(), "another horse"), fault.Credentials))
			require.Contains(t, stands(), "$"+c.String()+"$", "who does not know it changes nothing")
			require.NoError(t, s.enters(t.Context(), horse))
			anew := stands()
			require.Contains(t, anew, "$m=19456,t=2,p=1$")
			require.NoError(t, s.enters(t.Context(), horse))
			require.Equal(t, anew, stands(), "once is enough")
			require.True(t, fault.Is(s.enters(t.Context(), "another horse"), fault.Credentials))
		})
	}
}

// Phones and computers write the same letters in different ways.
func TestAPasswordOpensHoweverADeviceWritesItsLetters(t *testing.T) {
	t.Parallel()
	composed, apart := norm.NFC.String("Ọláníyì 1990"), norm.NFD.String("Ọláníyì 1990")
	for name, way := range map[string][2]string{"apart": {apart, composed}, "composed": {composed, apart}} {
		t.Run("kept "+name, func(t *testing.T) {
			t.Parallel()
			s, stands := kept(t, today)
			s.keepsOnly(t, hashOf(today, way[0]))
			require.True(t, fault.Is(s.enters(t.Context(), "Olaniyi 1990"), fault.Credentials))
			require.NoError(t, s.enters(t.Context(), way[1]))
			now := stands()
			right, err := hasHash(t.Context(), turns.Known, composed, now)
			require.NoError(t, err)
			require.True(t, right, "it is kept in one form from then on")
			require.NoError(t, s.enters(t.Context(), way[0]))
			require.Equal(t, now, stands(), "once is enough")
		})
	}
}

func TestTestsMayHashFastAndMembersPasswordsAreHashedAtFullCostAgain(t *testing.T) {
	t.Parallel()
	s, stands := kept(t, today)
	quick, err := New(Options{Pool: s.pool, PublicURL: "http://adashi.test", Key: make([]byte, 32), FastHashing: true})
	require.NoError(t, err)
	t.Cleanup(quick.Close)
	for _, opens := range []struct {
		service *Service
		cost    string
	}{{quick, "$m=8,t=1,p=1$"}, {s, "$m=19456,t=2,p=1$"}} {
		require.True(t, fault.Is(opens.service.enters(t.Context(), "another horse"), fault.Credentials))
		require.NoError(t, opens.service.enters(t.Context(), horse))
		require.Contains(t, stands(), opens.cost)
	}
}

func TestLoginsAtOnceAllOpenWhileThePasswordIsHashedAnew(t *testing.T) {
	t.Parallel()
	s, stands := kept(t, cost{8 * 1024, 1, 1})
	var wg sync.WaitGroup
	errs := make([]error, 4)
	for n := range errs {
		wg.Go(func() { errs[n] = s.enters(t.Context(), horse) })
	}
	wg.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	require.Contains(t, stands(), "$m=19456,t=2,p=1$")
}

// The race of a login with a new password, in its worst order: judged, changed, hashed anew.
func TestAPasswordThatChangedIsNotPutBackByHashingItAnew(t *testing.T) {
	t.Parallel()
	s, stands := kept(t, cost{8 * 1024, 1, 1})
	profile, judged, err := s.credentials(t.Context(), "ada@example.com")
	require.NoError(t, err)
	hash, err := today.hash(t.Context(), turns.Known, "a better password")
	require.NoError(t, err)
	require.NoError(t, pgx.BeginFunc(t.Context(), s.pool, func(tx pgx.Tx) error {
		_, err := s.storePassword(t.Context(), tx, uuid.MustParse(profile.UserID), hash)
		return err
	}))
	after, err := s.rehashed(t.Context(), profile.UserID, horse, judged)
	require.NoError(t, err)
	require.Equal(t, hash, stands())
	_, err = s.openSession(t.Context(), profile, after, "a device", "")
	require.True(t, fault.Is(err, fault.Credentials), "%v", err)
}

// Whoever writes the database is not to take all memory, nor have any password fit.
func TestAStoredHashThatIsNoneOfOursIsNotTried(t *testing.T) {
	t.Parallel()
	right := at(today)
	ok, err := checkHash(t.Context(), turns.Known, horse, right)
	require.NoError(t, err)
	require.True(t, ok)
	for _, hash := range []string{
		"", "plain", strings.Replace(right, "m=19456", "m=4194304", 1), strings.Replace(right, "m=19456", "m=65537", 1), strings.Replace(right, "m=19456", "m=7", 1),
		strings.Replace(right, "t=2", "t=1000000", 1), strings.Replace(right, "t=2", "t=0", 1), strings.Replace(right, "p=1", "p=0", 1), strings.Replace(right, "p=1", "p=5", 1),
		strings.Replace(right, "p=1", "p=1,x=1", 1), strings.Replace(right, "m=19456", "m=+19456", 1), strings.Replace(right, "m=19456,t=2", "t=2,m=19456", 1),
		strings.Replace(right, "v=19", "v=16", 1), strings.Replace(right, "argon2id", "argon2i", 1), "x" + right, right + "$",
		stored{today, nil, make([]byte, hashBytes)}.String(), stored{today, make([]byte, saltBytes), nil}.String(), stored{today, make([]byte, saltBytes), make([]byte, 4)}.String(),
		stored{today, make([]byte, saltBytes), make([]byte, 1<<16)}.String(),
	} {
		_, err := checkHash(t.Context(), turns.Known, horse, hash)
		require.ErrorContains(t, err, "stored", hash)
		require.False(t, today.isOld(hash))
	}
}
