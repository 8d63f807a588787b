package people_test

import (
	"context"
	"regexp"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/people"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

// clock is a time that tests move.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// key is the identity key of all tests.
var key = []byte("an identity key for tests, not for people")

type bundle struct {
	*people.Service
	mu    sync.Mutex
	kinds []string // What OnSecurity heard of.
	slow  bool     // Passwords are hashed at full cost.
	pool  *pgxpool.Pool
	clock *clock
	ctx   context.Context
}

// Migrating twice is harmless.
var migrated = ledgertest.Migrated(people.Migrate, people.Migrate, mail.Migrate)

func setup(t *testing.T) *bundle {
	t.Helper()
	pool := migrated.Pool(t)
	b := &bundle{pool: pool, clock: &clock{at: time.Date(2026, 3, 10, 22, 30, 0, 0, time.UTC)}, ctx: t.Context()} // 23:30 in Lagos.
	b.Service = b.process(t, nil)
	return b
}

// atFullCost has passwords hashed as those of members are.
func (b *bundle) atFullCost(t *testing.T) {
	t.Helper()
	b.slow = true
	b.Service = b.process(t, nil)
}

func (b *bundle) heard(_ context.Context, _, kind string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.kinds = append(b.kinds, kind)
}

// changes are the kinds that were heard of, but for new devices: most tests log in without a device's secret.
func (b *bundle) changes() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(b.kinds), func(kind string) bool { return kind == people.NewDevice })
}

// process is one more process on the same database.
func (b *bundle) process(t *testing.T, conn *nats.Conn) *people.Service {
	t.Helper()
	service, err := people.New(people.Options{Pool: b.pool, PublicURL: "http://adashi.test/", Key: key, Clock: b.clock.now, NATS: conn, OnSecurity: b.heard, FastHashing: !b.slow})
	require.NoError(t, err)
	t.Cleanup(service.Close)
	return service
}

func ada() people.Registration {
	return people.Registration{
		Email: "Ada@Example.com", Password: "correct horse", FirstName: "Ada", LastName: "O’Neil-Obi", Phone: "0803 123 4567", DateOfBirth: "1990-05-17",
	}
}

var link = regexp.MustCompile(`http://adashi\.test/verifyMail\?token=([A-Za-z0-9_-]{43})`)

// The doors as most tests use them: from one address, on a device that nobody knows.

func (b *bundle) Register(ctx context.Context, r people.Registration) error {
	return b.Service.Register(ctx, r, people.Origin{})
}

func (b *bundle) VerifyEmail(ctx context.Context, token, password string) error {
	_, err := b.Service.VerifyEmail(ctx, token, password, people.Origin{})
	return err
}

func (b *bundle) ResendVerification(ctx context.Context, email string) error {
	return b.Service.ResendVerification(ctx, email, people.Origin{})
}

func (b *bundle) SendPasswordResetLink(ctx context.Context, email string) error {
	return b.Service.SendPasswordResetLink(ctx, email, people.Origin{})
}

func (b *bundle) ResetPassword(ctx context.Context, token, next string) error {
	_, err := b.Service.ResetPassword(ctx, token, next, people.Origin{})
	return err
}

// mails answers the letters to an address, oldest first, as subject and text.
func (b *bundle) mails(t *testing.T, to string) [][2]string {
	t.Helper()
	all, err := mail.Newest(b.ctx, b.pool, to)
	require.NoError(t, err)
	var letters [][2]string
	for _, letter := range slices.Backward(all) {
		letters = append(letters, [2]string{letter.Subject, letter.Text})
	}
	return letters
}

// enter is somebody's try to log in, from a browser.
func (b *bundle) enter(email, password string) (people.Login, error) {
	return b.Login(b.ctx, people.Attempt{Email: email, Password: password, Device: "Chrome on Android"})
}

func (b *bundle) lastToken(t *testing.T, to string) string {
	t.Helper()
	letters := b.mails(t, to)
	require.NotEmpty(t, letters)
	match := link.FindStringSubmatch(letters[len(letters)-1][1])
	require.NotNil(t, match, letters[len(letters)-1][1])
	return match[1]
}

func (b *bundle) verified(t *testing.T) {
	t.Helper()
	_, err := b.CreateVerified(b.ctx, ada())
	require.NoError(t, err)
}

// login is Ada's, a moment after whatever came before.
func (b *bundle) login(t *testing.T) people.Login {
	t.Helper()
	login, err := b.enter("ada@example.com", "correct horse")
	require.NoError(t, err)
	b.clock.pass(time.Millisecond)
	return login
}

// caller is who a session belongs to.
func (b *bundle) caller(t *testing.T, login people.Login) people.Caller {
	t.Helper()
	caller, err := b.Authenticate(b.ctx, login.Token, login.Secret)
	require.NoError(t, err)
	return caller
}

// over holds that a session has ended.
func (b *bundle) over(t *testing.T, logins ...people.Login) {
	t.Helper()
	for _, login := range logins {
		_, err := b.Authenticate(b.ctx, login.Token, login.Secret)
		requireFault(t, err, fault.Unauthenticated, "Your session has expired")
	}
}

func requireFault(t *testing.T, err error, code fault.Code, says string) {
	t.Helper()
	refusal := fault.As(err)
	require.NotNil(t, refusal, "%v", err)
	require.Equal(t, code, refusal.Code)
	require.Contains(t, refusal.Message, says)
}

func TestNothingSecretIsAtRest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.atFullCost(t)
	b.verified(t)
	login := b.login(t)
	var dump string
	require.NoError(t, b.pool.QueryRow(b.ctx, `SELECT (SELECT string_agg(a::text, '') FROM accounts a) || (SELECT string_agg(s::text, '') FROM sessions s)`).Scan(&dump))
	require.NotContains(t, dump, login.Token)
	require.NotContains(t, dump, login.Secret)
	require.NotContains(t, dump, "correct horse")
	require.Contains(t, dump, "$argon2id$v=19$m=19456,t=2,p=1$")
}

func TestCards(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id, err := b.CreateVerified(b.ctx, ada(), "User", "Support")
	require.NoError(t, err)
	same, err := b.CreateVerified(b.ctx, ada())
	require.NoError(t, err)
	require.Equal(t, id, same)
	for range 2 {
		cards, err := b.Cards(b.ctx, []string{id, "junk", "0199a000-0000-7000-8000-000000000001", "\x00"})
		require.NoError(t, err)
		require.Equal(t, map[string]people.Card{id: {FirstName: "Ada", LastName: "O’Neil-Obi"}}, cards)
	}
	_, err = b.Profile(b.ctx, "\x00")
	requireFault(t, err, fault.NotFound, "no such account")
}
