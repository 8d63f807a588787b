package e2e

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzAnyBodyIsAnsweredAndNeverWithA5xx posts whatever comes to the doors that take JSON.
func FuzzAnyBodyIsAnsweredAndNeverWithA5xx(f *testing.F) {
	s := newScene(f)
	doors := []struct{ method, path string }{
		{"POST", fund},
		{"POST", pay},
		{"POST", rail},
		{"POST", group},
		{"POST", open},
		{"POST", join},
		{"PATCH", admit},
		{"PATCH", elect},
		{"POST", "/api/Payment/verifyFirstTransaction"},
		{"POST", "/api/Account/Register"},
		{"POST", "/api/v1/account/verify-email"},
		{"POST", cardHook},
	}
	for door := range doors {
		for _, body := range []string{
			``, `{}`, `[]`, `null`, `{"amount":1e999}`, `{"amount":5000,"email":"` + s.member.email + `"}`, `{"amount":0.01,"subAccountId":"` + s.flexible + `","userId":"` + s.member.id + `"}`,
			`{"groupId":"` + s.group + `","memberId":"` + s.member.id + `"}`, `{"transactionRef":"\u0000"}`, `{"token":"\ud800"}`, "\x00", `{"a":` + strings.Repeat(`{"a":`, 50),
			`{"groupId":"` + s.group + `","code":"","email":"` + s.member.email + `"}`, `{"name":"\u202e\u0007","amount":5000,"memberCapacity":-9223372036854775808,"startMonthId":1,"userEmail":"` + s.member.email + `"}`,
		} {
			f.Add(uint8(door), []byte(body))
		}
	}
	f.Fuzz(func(t *testing.T, door uint8, body []byte) {
		at := doors[int(door)%len(doors)]
		r, err := s.member.try(at.method, at.path, string(body))
		require.NoError(t, err)
		require.Less(t, r.status, 500, "%s %s %q: %s", at.method, at.path, body, r.Message)
		if r.status != 200 {
			require.NotEmpty(t, r.Message)
			require.NotEqual(t, "INTERNAL", r.ReturnedCode)
		}
	})
}
