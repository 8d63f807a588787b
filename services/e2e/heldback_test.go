package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/rails/sandbox"
)

// holdsBack begins a request and keeps back the last byte of its body, once the server has looked at the session and
// asks for the body. The function that it answers sends that byte and answers the reply.
func (p *person) holdsBack(method, path string, body object) (ends func() reply) {
	p.Helper()
	raw, err := json.Marshal(body)
	require.NoError(p, err)
	at, err := url.Parse(p.base)
	require.NoError(p, err)
	conn, err := net.Dial("tcp", at.Host)
	require.NoError(p, err)
	p.Cleanup(func() { _ = conn.Close() })
	_, err = fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nAuthorization: Bearer %s\r\nX-Session-Secret: %s\r\n"+
		"X-Forwarded-For: %s\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n", method, path, at.Host, p.token, p.secret, fromAnywhere(), len(raw))
	require.NoError(p, err)
	answers := bufio.NewReader(conn)
	asked, err := http.ReadResponse(answers, nil)
	require.NoError(p, err)
	require.Equal(p, http.StatusContinue, asked.StatusCode, "the server asks for the body")
	_, err = conn.Write(raw[:len(raw)-1])
	require.NoError(p, err)
	return func() reply {
		p.Helper()
		_, err := conn.Write(raw[len(raw)-1:])
		require.NoError(p, err)
		answer, err := http.ReadResponse(answers, nil)
		require.NoError(p, err)
		text, err := io.ReadAll(answer.Body)
		require.NoError(p, err)
		r := reply{status: answer.StatusCode, header: answer.Header}
		require.NoError(p, json.Unmarshal(text, &r))
		return r
	}
}

// expired holds that a request was refused as one of a session that has ended.
func (p *person) expired(r reply, what string) {
	p.Helper()
	require.Equal(p, http.StatusUnauthorized, r.status, "%s: %s", what, r.Message)
	require.Equal(p, "Your session has expired, please log in to continue", r.Message, what)
}

// elsewhere is the same person on another device.
func (p *person) elsewhere() *person {
	other := &person{TB: p.TB, base: p.base, email: p.email}
	other.logIn()
	return other
}

func TestARequestThatIsHeldBackDoesNothingOnceItsSessionEnded(t *testing.T) {
	i := product(t)
	c := settled(t, i)
	at, err := i.Bank.AddPerson(t.Context(), sandbox.Person{FirstName: "Ngozi", LastName: "Test", BankCode: "082"})
	require.NoError(t, err)
	for name, try := range map[string]struct {
		ends func(p *person) // Ends the session of the device that holds back.
		act  func(p *person) func() reply
	}{
		"an account does not move after a new password": {
			func(p *person) {
				changed := p.ask("POST", "/api/Account/ChangePassword", object{"email": p.email, "userId": p.id, "currentPassword": password, "newPassword": "Another-Naira-2026"})
				require.Equal(t, 200, changed.status, changed.Message)
			},
			func(p *person) func() reply {
				return p.stepsUp().holdsBack("POST", "/api/v1/account/email", object{"email": fmt.Sprintf("loot-%s@example.com", p.id)})
			},
		},
		"a bank account does not change after all other devices were logged out": {
			func(p *person) { must[any](p, "DELETE", "/api/v1/account/sessions", nil) },
			func(p *person) func() reply {
				return p.stepsUp().holdsBack("POST", updateInfo, object{"email": p.email, "bankAccountNumber": at.Account, "bankCode": at.BankCode})
			},
		},
		"a wallet does not pay after a new password": {
			func(p *person) {
				changed := p.ask("POST", "/api/Account/ChangePassword", object{"email": p.email, "userId": p.id, "currentPassword": password, "newPassword": "Another-Naira-2026"})
				require.Equal(t, 200, changed.status, changed.Message)
			},
			func(p *person) func() reply {
				return p.holdsBack("POST", fund, object{"amount": 900, "email": p.email})
			},
		},
		"nobody joins a group after they closed their account": {
			func(p *person) {
				closed := p.stepsUp().ask("POST", "/api/v1/account/close", object{"email": p.email})
				require.Equal(t, 200, closed.status, closed.Message)
			},
			func(p *person) func() reply {
				return p.holdsBack("POST", "/api/GroupSavings/JoinGroupSavings", object{"groupId": c.group, "code": c.owner.code(c.group), "email": p.email})
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			owner := somebody(t, i, "Ngozi")
			phone := owner.elsewhere()
			lets := try.act(phone)
			try.ends(owner)
			phone.expired(lets(), name)
		})
	}
}

func TestAPaymentThatIsHeldBackIsNotTakenAfterALogOut(t *testing.T) {
	i := product(t)
	c := settled(t, i)
	b := c.member.funded(6000)
	before := b.balance()
	lets := b.holdsBack("POST", pay, object{"amount": 5000, "subAccountId": c.sub, "userId": b.id})
	b.logsOut()
	b.expired(lets(), "a payment")
	b.logIn()
	require.Equal(t, before, b.balance())
}

func TestOfTwoPasswordChangesAtOnceOneSucceeds(t *testing.T) {
	i := product(t)
	for range 3 {
		owner := somebody(t, i, "Ngozi")
		thief := owner.elsewhere()
		succeeded := 0
		for _, r := range bothAtOnce(owner, thief, func(p *person, n int) reply {
			return p.ask("POST", "/api/Account/ChangePassword", object{"email": p.email, "userId": owner.id, "currentPassword": password, "newPassword": fmt.Sprintf("Naira-of-%d-2026", n)})
		}) {
			if r.status == 200 {
				succeeded++
			} else {
				require.Contains(t, []int{400, 401}, r.status, r.Message)
			}
		}
		require.Equal(t, 1, succeeded)
	}
}

func TestOfTwoChangesOfEmailAtOnceOneSucceeds(t *testing.T) {
	i := product(t)
	owner := somebody(t, i, "Ngozi")
	other := owner.elsewhere().stepsUp()
	owner.stepsUp()
	address := func(n int) string { return fmt.Sprintf("next-%d-%s@example.com", n, owner.id) }
	for _, r := range bothAtOnce(owner, other, func(p *person, n int) reply {
		return p.ask("POST", "/api/v1/account/email", object{"email": address(n)})
	}) {
		require.Equal(t, 200, r.status, r.Message)
	}
	moved := 0
	for n := range 2 {
		var token string
		require.Eventually(t, func() bool {
			_, after, found := strings.Cut(owner.page("/dev/inbox?to="+url.QueryEscape(address(n))), "confirm-email?token=")
			if found {
				token = after[:43]
			}
			return found
		}, 30*time.Second, 20*time.Millisecond)
		if r := nobody(t, i.Address).ask("POST", "/api/v1/account/confirm-email", object{"token": token}); r.status == 200 {
			moved++
		}
	}
	require.Equal(t, 1, moved, "the later wish voids the link of the earlier one")
}

// bothAtOnce has two people do something at the same time.
func bothAtOnce(one, other *person, do func(p *person, n int) reply) []reply {
	var both sync.WaitGroup
	replies := make([]reply, 2)
	for n, p := range []*person{one, other} {
		both.Go(func() { replies[n] = do(p, n) })
	}
	both.Wait()
	return replies
}
