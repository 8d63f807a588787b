package people_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/people"
)

// TestNobodyUsesUpAnothersResetLetters: neither other kinds of letters nor what strangers ask for; whoever asks has a
// link in their mailbox that works for ten minutes more.
func TestNobodyUsesUpAnothersResetLetters(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	for n := range 20 {
		require.NoError(t, mail.Queue(b.ctx, b.pool, mail.Notice(email, "Ada", fmt.Sprint("News ", n), "A busy group.", "http://x"), b.clock.now()))
	}
	resets := func() (count int) {
		for _, letter := range b.mails(t, email) {
			if letter[0] == "Choose a new Adashi password" {
				count++
			}
		}
		return count
	}
	ask := func(from string) {
		require.NoError(t, b.Service.SendPasswordResetLink(b.ctx, email, people.Origin{Address: from}))
	}
	var wait sync.WaitGroup
	for n := range 40 {
		wait.Go(func() { ask(fmt.Sprint("102.0.0.", n)) })
	}
	wait.Wait()
	require.Equal(t, 30, resets(), "a mailbox is not flooded")
	first := b.linkTo(t, email, "/forgot_password")
	b.clock.pass(9 * time.Minute)
	ask("105.1.1.1")
	require.Equal(t, 30, resets(), "the last link works for eleven minutes more")
	b.clock.pass(time.Minute)
	ask("105.1.1.1")
	require.Equal(t, 31, resets())
	require.NoError(t, b.ResetPassword(b.ctx, first, "a better password"))
}

// TestADeviceThatIsKnownHasTriesOfItsOwn which a wrong password there uses up, and nothing else does; and its secret is
// not at rest.
func TestADeviceThatIsKnownHasTriesOfItsOwn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	first := b.login(t)
	at := func(address, secret, password string) error {
		_, err := b.Login(b.ctx, people.Attempt{Email: email, Password: password, Device: "Chrome on Android", From: people.Origin{Address: address, Secret: secret}})
		return err
	}
	for n := range 50 {
		requireFault(t, at(fmt.Sprint("102.0.0.", n), "", "guess"), fault.Credentials, "not right")
	}
	requireFault(t, at("102.1.0.1", "", "guess"), fault.Credentials, "not right") // From here on, each costs a wait.
	requireFault(t, at("102.1.0.2", "", "correct horse"), fault.TooMany, "by a link that we mail you")
	requireFault(t, at("102.1.0.3", strings.Repeat("A", 43), "correct horse"), fault.TooMany, "Please wait")
	for range 11 {
		requireFault(t, at("105.1.1.1", first.DeviceSecret, "guess"), fault.Credentials, "not right")
	}
	requireFault(t, at("105.1.1.1", first.DeviceSecret, "correct horse"), fault.TooMany, "Please wait")
	require.NoError(t, b.StepUp(b.ctx, b.caller(t, first), "correct horse", ""))
	b.clock.pass(2 * time.Second)
	require.NoError(t, at("105.1.1.1", first.DeviceSecret, "correct horse"))
	require.Equal(t, []string{people.PasswordTried}, b.kinds)

	other := ada()
	other.Email = "bisi@example.com"
	_, err := b.CreateVerified(b.ctx, other)
	require.NoError(t, err)
	for n := range 51 {
		_, err := b.Login(b.ctx, people.Attempt{Email: other.Email, Password: "guess", From: people.Origin{Address: fmt.Sprint("103.0.0.", n), Secret: first.DeviceSecret}})
		requireFault(t, err, fault.Credentials, "not right")
	}
	_, err = b.Login(b.ctx, people.Attempt{Email: other.Email, Password: "correct horse", From: people.Origin{Address: "105.1.1.1", Secret: first.DeviceSecret}})
	requireFault(t, err, fault.TooMany, "Please wait")
	var dump string
	require.NoError(t, b.pool.QueryRow(b.ctx, `SELECT string_agg(d::text, '') FROM known_devices d`).Scan(&dump))
	require.NotContains(t, dump, first.DeviceSecret)
}

// TestGuessesFromEverywhereAreFewADay: an account takes them ever more slowly, and never stops for good.
func TestGuessesFromEverywhereAreFewADay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	judged := 0
	for n := range 48 * 20 { // Another address each time, for a day: twenty tries each half hour.
		if n%20 == 0 {
			b.clock.pass(30 * time.Minute)
		}
		_, err := b.Login(b.ctx, people.Attempt{Email: email, Password: "guess", From: people.Origin{Address: fmt.Sprint("a", n)}})
		if !fault.Is(err, fault.TooMany) {
			judged++
		}
	}
	require.LessOrEqual(t, judged, 120)
	b.clock.pass(5 * time.Minute)
	b.login(t)
}

// TestWrongPasswordsOfTenAddressesDoNotMakeAKnownDeviceWait: hashing takes the processors long, and those who guess
// wait behind each other for it.
func TestWrongPasswordsOfTenAddressesDoNotMakeAKnownDeviceWait(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.atFullCost(t)
	b.verified(t)
	first := b.login(t)
	const guesses, begun = 120, 10
	var judged atomic.Int32
	started := make(chan struct{})
	var wait sync.WaitGroup
	for n := range guesses {
		wait.Go(func() {
			_, err := b.Login(b.ctx, people.Attempt{
				Email: fmt.Sprintf("member-%d@example.com", n), Password: "guess", From: people.Origin{Address: fmt.Sprint("102.2.0.", n%10)},
			})
			requireFault(t, err, fault.Credentials, "not right")
			if judged.Add(1) == begun {
				close(started)
			}
		})
	}
	<-started
	_, err := b.Login(b.ctx, people.Attempt{Email: email, Password: "correct horse", Device: "Chrome on Android", From: people.Origin{Address: "105.1.1.1", Secret: first.DeviceSecret}})
	require.NoError(t, err)
	require.Less(t, judged.Load(), int32(guesses*3/4), "she waited for nobody's guesses but those under way")
	wait.Wait()
}
