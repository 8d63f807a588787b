package account_test

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base32"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/services/internal/people"
)

// A person with an open session and the password still lacks the second factor.
func TestThePasswordAloneNeitherRenewsCodesNorTurnsTwoStepLoginOff(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.people.CreateVerified(t.Context(), people.Registration{
		Email: "ada@example.com", Password: "correct horse", FirstName: "Ada", LastName: "Obi", Phone: "08031234567", DateOfBirth: "1990-05-17",
	})
	require.NoError(t, err)
	_, r := b.call(t, "POST", "/api/Account/GetToken", "", creds)
	var login contract.Login
	require.NoError(t, json.Unmarshal(r.ReturnedObject, &login))
	session := login.Token + " " + *login.SessionSecret
	status, _ := b.call(t, "POST", "/api/v1/account/step-up", session, `{"password":"correct horse"}`)
	require.Equal(t, 200, status)
	_, r = b.call(t, "POST", "/api/v1/account/totp", session, "")
	var e contract.TotpEnrolment
	require.NoError(t, json.Unmarshal(r.ReturnedObject, &e))
	secret, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(e.Secret)
	require.NoError(t, err)
	mac := hmac.New(sha1.New, secret)
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(time.Now().Unix()/30)))
	sum := mac.Sum(nil)
	code := fmt.Sprintf("%06d", binary.BigEndian.Uint32(sum[sum[19]&15:])&0x7fffffff%1_000_000)
	status, r = b.call(t, "POST", "/api/v1/account/totp/confirm", session, `{"code":"`+code+`"}`)
	require.Equal(t, 200, status, r.Message)
	var codes contract.RecoveryCodes
	require.NoError(t, json.Unmarshal(r.ReturnedObject, &codes))

	status, r = b.call(t, "POST", "/api/v1/account/step-up", session, `{"password":"correct horse"}`)
	require.Equal(t, 200, status, r.Message)
	status, r = b.call(t, "POST", "/api/v1/account/totp/recovery-codes", session, "")
	require.Equal(t, 403, status, "ten second factors for the password: %s", r.Message)
	status, r = b.call(t, "DELETE", "/api/v1/account/totp", session, "")
	require.Equal(t, []any{403, "STEP_UP"}, []any{status, r.ReturnedCode})

	status, r = b.call(t, "POST", "/api/v1/account/step-up", session, `{"code":"`+codes.Codes[0]+`"}`)
	require.Equal(t, 200, status, r.Message)
	status, _ = b.call(t, "POST", "/api/v1/account/totp/recovery-codes", session, "")
	require.Equal(t, 200, status)
	status, _ = b.call(t, "DELETE", "/api/v1/account/totp", session, "")
	require.Equal(t, 200, status)
	status, _ = b.call(t, "DELETE", "/api/v1/account/totp", session, "")
	require.Equal(t, 200, status, "where it is off a step-up is enough")
}
