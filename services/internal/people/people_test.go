package people_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/fault"
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
	pool  *pgxpool.Pool
	clock *clock
	ctx   context.Context //nolint:containedctx // A test's bundle.
}

func setup(t *testing.T) *bundle {
	t.Helper()
	pool := ledgertest.Pool(t)
	require.NoError(t, people.Migrate(t.Context(), pool))
	require.NoError(t, people.Migrate(t.Context(), pool), "migrating twice is harmless")
	require.NoError(t, mail.Migrate(t.Context(), pool))
	b := &bundle{pool: pool, clock: &clock{at: time.Date(2026, 3, 10, 22, 30, 0, 0, time.UTC)}, ctx: t.Context()} // 23:30 in Lagos.
	b.Service = b.process(t, nil)
	return b
}

func (b *bundle) heard(_ context.Context, _, kind string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.kinds = append(b.kinds, kind)
}

// process is one more process on the same database.
func (b *bundle) process(t *testing.T, conn *nats.Conn) *people.Service {
	t.Helper()
	service, err := people.New(people.Options{Pool: b.pool, PublicURL: "http://adashi.test/", Key: key, Now: b.clock.now, NATS: conn, OnSecurity: b.heard})
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

// mails answers the letters to an address, oldest first, as subject and text.
func (b *bundle) mails(t *testing.T, to string) [][2]string {
	t.Helper()
	rows, err := b.pool.Query(b.ctx, `SELECT subject, body_text FROM mail_outbox WHERE recipient = $1 ORDER BY id`, to)
	require.NoError(t, err)
	defer rows.Close()
	var letters [][2]string
	for rows.Next() {
		var letter [2]string
		require.NoError(t, rows.Scan(&letter[0], &letter[1]))
		letters = append(letters, letter)
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

func TestSignUpVerifyLogIn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.Register(b.ctx, ada()))
	_, err := b.enter("ada@example.com", "correct horse")
	requireFault(t, err, fault.Forbidden, "Kindly click on the email verification link sent to your email.")
	token := b.lastToken(t, "ada@example.com")

	require.NoError(t, b.VerifyEmail(b.ctx, token, "correct horse"))
	requireFault(t, b.VerifyEmail(b.ctx, token, "correct horse"), fault.Credentials, "already been used")
	login, err := b.enter(" ADA@example.com ", "correct horse")
	require.NoError(t, err)
	require.Equal(t, "+2348031234567", login.Profile.Phone)
	require.Equal(t, []string{"User"}, login.Profile.Roles)

	caller, err := b.Authenticate(b.ctx, login.Token, login.Secret)
	require.NoError(t, err)
	require.Equal(t, "ada@example.com", caller.Email)
	profile, err := b.Profile(b.ctx, caller.UserID)
	require.NoError(t, err)
	require.True(t, profile.EmailVerified)
	require.Equal(t, "Ada", profile.FirstName)
}

func TestNothingSecretIsAtRest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	login := b.login(t)
	var dump string
	require.NoError(t, b.pool.QueryRow(b.ctx, `SELECT (SELECT string_agg(a::text, '') FROM accounts a) || (SELECT string_agg(s::text, '') FROM sessions s)`).Scan(&dump))
	require.NotContains(t, dump, login.Token)
	require.NotContains(t, dump, login.Secret)
	require.NotContains(t, dump, "correct horse")
	require.Contains(t, dump, "$argon2id$v=19$m=19456,t=2,p=1$")
}

func TestRegisterRules(t *testing.T) {
	t.Parallel()
	b := setup(t)
	change := func(f func(*people.Registration)) people.Registration {
		r := ada()
		f(&r)
		return r
	}
	for name, c := range map[string]struct {
		r     people.Registration
		field string
		says  string
	}{
		"turns 15 tomorrow":      {change(func(r *people.Registration) { r.DateOfBirth = "2011-03-11" }), "dateOfBirth", "You must be 15 years or older to use Adashi."},
		"not born yet":           {change(func(r *people.Registration) { r.DateOfBirth = "2027-01-01" }), "dateOfBirth", "still to come"},
		"no such day":            {change(func(r *people.Registration) { r.DateOfBirth = "1990-02-30" }), "dateOfBirth", "year-month-day"},
		"day first":              {change(func(r *people.Registration) { r.DateOfBirth = "17/05/1990" }), "dateOfBirth", "year-month-day"},
		"no at":                  {change(func(r *people.Registration) { r.Email = "ada.example.com" }), "email", "valid email"},
		"no domain":              {change(func(r *people.Registration) { r.Email = "ada@localhost" }), "email", "valid email"},
		"two dots":               {change(func(r *people.Registration) { r.Email = "a..da@example.com" }), "email", "valid email"},
		"look-alike letter":      {change(func(r *people.Registration) { r.Email = "аda@example.com" }), "email", "valid email"},
		"a second header":        {change(func(r *people.Registration) { r.Email = "ada@example.com\r\nBcc: x@y.zz" }), "email", "valid email"},
		"long email":             {change(func(r *people.Registration) { r.Email = strings.Repeat("a", 320) + "@example.com" }), "email", "320"},
		"short password":         {change(func(r *people.Registration) { r.Password = "seven77" }), "password", "at least 8"},
		"long password":          {change(func(r *people.Registration) { r.Password = strings.Repeat("é", 129) }), "password", "at most 128"},
		"common password":        {change(func(r *people.Registration) { r.Password = "Password123" }), "password", "guess"},
		"no first name":          {change(func(r *people.Registration) { r.FirstName = "  " }), "firstName", "first name"},
		"digits in a name":       {change(func(r *people.Registration) { r.LastName = "Ob1" }), "lastName", "letters"},
		"markup in a name":       {change(func(r *people.Registration) { r.LastName = "<b>Obi</b>" }), "lastName", "letters"},
		"a name without letters": {change(func(r *people.Registration) { r.LastName = "-'." }), "lastName", "in letters"},
		"long name":              {change(func(r *people.Registration) { r.LastName = strings.Repeat("o", 61) }), "lastName", "60"},
		"foreign phone":          {change(func(r *people.Registration) { r.Phone = "+447911123456" }), "phone", "Nigerian"},
		"short phone":            {change(func(r *people.Registration) { r.Phone = "0803123456" }), "phone", "Nigerian"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := b.Register(b.ctx, c.r)
			requireFault(t, err, fault.Invalid, c.says)
			require.Equal(t, c.field, fault.As(err).Field)
		})
	}
	t.Run("fifteen today in Lagos passes", func(t *testing.T) {
		t.Parallel()
		require.NoError(t, b.Register(b.ctx, change(func(r *people.Registration) { r.Email, r.DateOfBirth = "young@example.com", "2011-03-10" })))
	})
}

func TestLagosDayDecidesTheBirthday(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.clock.pass(45 * time.Minute) // 23:15 UTC is already the next day in Lagos.
	r := ada()
	r.DateOfBirth = "2011-03-11"
	require.NoError(t, b.Register(b.ctx, r))
}

func TestTakenEmailAnswersTheSameAndTellsItsOwner(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	other := ada()
	other.Password, other.FirstName = "another password", "Eve"
	require.NoError(t, b.Register(b.ctx, other))
	letters := b.mails(t, "ada@example.com")
	require.Len(t, letters, 1)
	require.Equal(t, "You already have an Adashi account", letters[0][0])
	_, err := b.enter("ada@example.com", "another password")
	requireFault(t, err, fault.Credentials, "The email or password is not right.")
	b.login(t)
}

func TestUnverifiedAccountTakesTheNewestRegistration(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.Register(b.ctx, ada()))
	first := b.lastToken(t, "ada@example.com")
	again := ada()
	again.Password = "a newer password"
	require.NoError(t, b.Register(b.ctx, again))
	requireFault(t, b.VerifyEmail(b.ctx, first, "correct horse"), fault.Credentials, "expired")
	require.NoError(t, b.VerifyEmail(b.ctx, b.lastToken(t, "ada@example.com"), "a newer password"))
	_, err := b.enter("ada@example.com", "a newer password")
	require.NoError(t, err)
}

func TestMailsToOneAddressAreBounded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	for range 8 {
		require.NoError(t, b.Register(b.ctx, ada()))
	}
	require.Len(t, b.mails(t, "ada@example.com"), 6)
}

func TestTheLastLinkVerifiesThePasswordThatItCameWith(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range 6 {
		require.NoError(t, b.Register(b.ctx, ada()))
	}
	intruder := ada()
	intruder.Password = "the intruder's own"
	require.NoError(t, b.Register(b.ctx, intruder)) // No mail goes out for this one.
	require.NoError(t, b.VerifyEmail(b.ctx, b.lastToken(t, "ada@example.com"), "correct horse"))
	_, err := b.enter("ada@example.com", intruder.Password)
	requireFault(t, err, fault.Credentials, "The email or password is not right.")
	b.login(t)
}

func TestVerificationLinkExpires(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.Register(b.ctx, ada()))
	b.clock.pass(24*time.Hour + time.Second)
	requireFault(t, b.VerifyEmail(b.ctx, b.lastToken(t, "ada@example.com"), "correct horse"), fault.Credentials, "expired")
	for _, junk := range []string{"", "x", strings.Repeat("\x00", 43), strings.Repeat("a", 43)} {
		requireFault(t, b.VerifyEmail(b.ctx, junk, "correct horse"), fault.Credentials, "expired")
	}
}

func TestWrongCredentialsAllReadAlike(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	for _, c := range [][2]string{
		{"ada@example.com", "wrong"},
		{"nobody@example.com", "correct horse"},
		{"", ""},
		{"\x00", "\x00"},
		{"\xff", "x"},
		{strings.Repeat("a", 5000), "x"},
		{"ada@example.com", strings.Repeat("x", 60_000)},
	} {
		_, err := b.enter(c[0], c[1])
		requireFault(t, err, fault.Credentials, "The email or password is not right.")
	}
}

func TestSessionsEnd(t *testing.T) {
	t.Parallel()
	t.Run("unknown tokens", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for _, junk := range []string{"", "x", strings.Repeat("\x00", 43), strings.Repeat("a", 43), strings.Repeat("a", 100_000)} {
			b.over(t, people.Login{Token: junk, Secret: junk})
		}
	})
	t.Run("after 24 idle hours", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.verified(t)
		token := b.login(t)
		b.clock.pass(24*time.Hour + time.Second)
		b.over(t, token)
	})
	t.Run("use keeps it, for 14 days at most", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.verified(t)
		token := b.login(t)
		for range 27 {
			b.clock.pass(12 * time.Hour)
			_, err := b.Authenticate(b.ctx, token.Token, token.Secret)
			require.NoError(t, err)
		}
		b.clock.pass(12 * time.Hour)
		b.over(t, token)
	})
	t.Run("at logout, at once", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.verified(t)
		token, kept := b.login(t), b.login(t)
		caller, err := b.Authenticate(b.ctx, token.Token, token.Secret)
		require.NoError(t, err)
		require.NoError(t, b.Logout(b.ctx, caller.SessionID))
		b.over(t, token)
		require.NoError(t, b.Logout(b.ctx, caller.SessionID))
		_, err = b.Authenticate(b.ctx, kept.Token, kept.Secret)
		require.NoError(t, err)
	})
	t.Run("the oldest at the sixth login", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.verified(t)
		var ended []string
		b.OnSessionEnded(func(id string) { ended = append(ended, id) })
		tokens := make([]people.Login, 6)
		for i := range tokens {
			tokens[i] = b.login(t)
			_, err := b.Authenticate(b.ctx, tokens[i].Token, tokens[i].Secret)
			require.NoError(t, err)
		}
		b.over(t, tokens[0])
		require.Len(t, ended, 1)
		for _, token := range tokens[1:] {
			_, err := b.Authenticate(b.ctx, token.Token, token.Secret)
			require.NoError(t, err)
		}
	})
}

func TestLogoutReachesTheOtherProcesses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	bus := natsServer(t)
	here, there := b.process(t, connect(t, bus)), b.process(t, connect(t, bus))
	heard := make(chan string, 1)
	there.OnSessionEnded(func(id string) { heard <- id })
	token := b.login(t)
	caller, err := here.Authenticate(b.ctx, token.Token, token.Secret)
	require.NoError(t, err)
	_, err = there.Authenticate(b.ctx, token.Token, token.Secret)
	require.NoError(t, err)

	require.NoError(t, here.Logout(b.ctx, caller.SessionID))
	select {
	case id := <-heard:
		require.Equal(t, caller.SessionID, id)
	case <-time.After(10 * time.Second):
		t.Fatal("not heard")
	}
	_, err = there.Authenticate(b.ctx, token.Token, token.Secret)
	requireFault(t, err, fault.Unauthenticated, "expired")
}

func TestBusySessionIsReadFromMemory(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	token := b.login(t)
	_, err := b.Authenticate(b.ctx, token.Token, token.Secret)
	require.NoError(t, err)
	b.pool.Close()
	_, err = b.Authenticate(b.ctx, token.Token, token.Secret)
	require.NoError(t, err)
	b.clock.pass(5 * time.Second)
	_, err = b.Authenticate(b.ctx, token.Token, token.Secret)
	requireFault(t, err, fault.Unavailable, "try again")
}

func TestLoginsAtOnceKeepFiveSessions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			_, err := b.enter("ada@example.com", "correct horse")
			require.NoError(t, err)
		})
	}
	wait.Wait()
	var count int
	require.NoError(t, b.pool.QueryRow(b.ctx, `SELECT count(*) FROM sessions`).Scan(&count))
	require.Equal(t, 5, count)
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

func natsServer(t *testing.T) *server.Server {
	t.Helper()
	s, err := server.NewServer(&server.Options{DontListen: true, NoSigs: true, NoLog: true})
	require.NoError(t, err)
	s.Start()
	t.Cleanup(s.Shutdown)
	require.True(t, s.ReadyForConnections(10*time.Second))
	return s
}

func connect(t *testing.T, s *server.Server) *nats.Conn {
	t.Helper()
	conn, err := nats.Connect("", nats.InProcessServer(s))
	require.NoError(t, err)
	t.Cleanup(conn.Close)
	return conn
}

func BenchmarkAuthenticate(b *testing.B) {
	pool := ledgertest.Pool(b)
	ctx := context.Background()
	require.NoError(b, people.Migrate(ctx, pool))
	service, err := people.New(people.Options{Pool: pool, PublicURL: "http://x", Key: key})
	require.NoError(b, err)
	_, err = service.CreateVerified(ctx, ada())
	require.NoError(b, err)
	login, err := service.Login(ctx, people.Attempt{Email: "ada@example.com", Password: "correct horse"})
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := service.Authenticate(ctx, login.Token, login.Secret); err != nil {
			b.Fatal(fmt.Sprint(err))
		}
	}
}
