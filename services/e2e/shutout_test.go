package e2e

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/mail"
)

// siege is fifty addresses that know somebody's e-mail.
type siege struct {
	*testing.T
	eve    *person
	target string
}

// from has every address do something at once, and counts the answers by status.
func (s siege) from(addresses int, do func(from string) reply) map[int]int {
	s.Helper()
	var wait sync.WaitGroup
	answers := make(chan reply, addresses)
	for n := range addresses {
		wait.Go(func() { answers <- do(fmt.Sprintf("41.90.%d.%d", n/250, n%250+1)) })
	}
	wait.Wait()
	close(answers)
	count := map[int]int{}
	for r := range answers {
		count[r.status]++
	}
	return count
}

// guesses tries a wrong password from each of the addresses.
func (s siege) guesses(addresses int) map[int]int {
	return s.from(addresses, func(from string) reply {
		return s.eve.ask("POST", "/api/Account/GetToken", object{"email": s.target, "password": "a wild guess"}, "X-Forwarded-For", from)
	})
}

// letters are the texts of the letters to an address whose subject is like one, newest first.
func lettersTo(t *testing.T, i *boot.Instance, to, subject string) (texts []string) {
	t.Helper()
	all, err := mail.Newest(context.Background(), i.Pool, to)
	require.NoError(t, err)
	like := regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(subject), "%", ".*") + "$")
	for _, letter := range all {
		if like.MatchString(letter.Subject) {
			texts = append(texts, letter.Text)
		}
	}
	return texts
}

// TestWrongPasswordsFromFiftyAddressesShutNobodyOut: whoever has logged in on a device before logs in there at once,
// and shows in an open session that it is them, however many strangers guess.
func TestWrongPasswordsFromFiftyAddressesShutNobodyOut(t *testing.T) {
	t.Parallel()
	i := product(t)
	ada := somebody(t, i, "Ada")
	s := siege{t, nobody(t, i.Address), ada.email}
	judged := 0
	for range 4 {
		count := s.guesses(50)
		judged += count[400]
		require.Equal(t, 50, count[400]+count[429], "%v", count)
	}
	require.Positive(t, judged)
	require.LessOrEqual(t, judged, 60, "guesses from devices that nobody knows are few, wherever they come from")

	require.Equal(t, 200, ada.ask("POST", "/api/v1/account/step-up", object{"password": password}).status)
	same := ada.again()
	require.NotEqual(t, ada.token, same.token)

	require.Eventually(t, func() bool {
		for _, n := range must[object](ada, "GET", "/api/Notification/all", nil)["notifications"].([]any) {
			if n.(object)["type"] == "security_alert" {
				return true
			}
		}
		return false
	}, time.Minute, 20*time.Millisecond, "she is told")
	require.Len(t, lettersTo(t, i, ada.email, "%wrong passwords%"), 1, "one letter, however many guesses")
}

// TestStrangersAtOnesOwnAddressShutNobodyOut: of an address that has used up its calls, a device that is known has its
// own.
func TestStrangersAtOnesOwnAddressShutNobodyOut(t *testing.T) {
	t.Parallel()
	i := product(t)
	ada := somebody(t, i, "Ada")
	here := []string{"X-Forwarded-For", "41.91.7.7", "X-Session-Binding", "header"}
	eve := nobody(t, i.Address)
	for refused := 0; refused < 20; {
		if eve.ask("POST", "/api/v1/account/confirm-email", object{"token": strings.Repeat("x", 43)}, here...).status == 429 {
			refused++
		}
	}
	wish := object{"email": ada.email, "password": password}
	require.Equal(t, 429, eve.ask("POST", "/api/Account/GetToken", wish, here...).status)
	eve.device = strings.Repeat("x", 43)
	require.Equal(t, 429, eve.ask("POST", "/api/Account/GetToken", wish, here...).status, "a secret that nobody gave out is none")
	require.Equal(t, 200, ada.ask("POST", "/api/Account/GetToken", wish, here...).status)
	require.Equal(t, 200, ada.ask("POST", "/api/v1/account/step-up", object{"password": password}, here...).status)
}

var resetInLetter = regexp.MustCompile(`/forgot_password\?token=([A-Za-z0-9_-]{43})`)

// TestTheWayBackByMailIsNobodysToUseUp: while strangers guess and ask for letters, somebody on a device that is new has
// a letter to open, and who opened it is known there.
func TestTheWayBackByMailIsNobodysToUseUp(t *testing.T) {
	t.Parallel()
	i := product(t)
	ada := somebody(t, i, "Ada")
	s := siege{t, nobody(t, i.Address), ada.email}
	for range 3 {
		s.from(50, func(from string) reply {
			return s.eve.ask("POST", "/api/Account/SendPasswordResetLink", object{"email": ada.email}, "X-Forwarded-For", from)
		})
		s.guesses(50)
	}
	fresh := &person{TB: t, base: i.Address, email: ada.email}
	wish := object{"email": ada.email, "password": password}
	require.Eventually(t, func() bool {
		s.guesses(50)
		return fresh.ask("POST", "/api/Account/GetToken", wish).status == 429
	}, time.Minute, time.Millisecond, "a device that is new waits meanwhile")
	must[any](fresh, "POST", "/api/Account/SendPasswordResetLink", object{"email": ada.email})
	mailed := lettersTo(t, i, ada.email, "Choose a new Adashi password")
	require.NotEmpty(t, mailed)
	require.LessOrEqual(t, len(mailed), 40, "and her mailbox is not flooded")

	opened := resetInLetter.FindStringSubmatch(mailed[len(mailed)-1])[1] // The oldest: no later one took it away.
	next := "Naira-Again-2026"
	chosen := fresh.ask("POST", "/api/Account/ResetPassword", object{"token": opened, "newPassword": next}, "X-Session-Binding", "header")
	require.Equal(t, 200, chosen.status, chosen.Message)
	fresh.device = chosen.header.Get("X-Device-Secret")
	s.guesses(50)
	reset := fresh.ask("POST", "/api/Account/GetToken", object{"email": ada.email, "password": next}, "X-Session-Binding", "header")
	require.Equal(t, 200, reset.status, reset.Message)
}

// TestTokensThatSomebodyMadeUpAreLimitedByAddress: each is looked up in the database. A member at that address goes on,
// on a device that is known.
func TestTokensThatSomebodyMadeUpAreLimitedByAddress(t *testing.T) {
	t.Parallel()
	i := product(t)
	ada := somebody(t, i, "Ada")
	here := []string{"X-Forwarded-For", "41.92.8.8"}
	eve := nobody(t, i.Address)
	count := map[int]int{}
	for n := range 300 {
		eve.token = fmt.Sprintf("%043d", n)
		eve.secret = eve.token
		count[eve.ask("GET", "/api/v1/dashboard", nil, here...).status]++
	}
	require.Equal(t, 300, count[401]+count[429], "%v", count)
	require.Greater(t, count[429], 100, "%v", count)
	require.Equal(t, 401, eve.ask("GET", "/api/v1/dashboard", nil, "X-Forwarded-For", "41.92.8.9").status, "another address has its own")
	require.Equal(t, 200, ada.ask("GET", "/api/v1/dashboard", nil, here...).status)
}
