// Package totp is the second factor of authenticator apps (RFC 6238), and the recovery codes beside it. It keeps
// nothing.
package totp

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1" //nolint:gosec // RFC 6238 as authenticator apps have it; HMAC-SHA-1 is not broken.
	"crypto/subtle"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// SecretBytes is the length of an app's secret.
const SecretBytes = 20

const (
	stepTime = 30 * time.Second
	digits   = 6
	drift    = 1 // Steps before and after this one, for clocks that differ.
)

// Base32 is how an app's secret is written.
var Base32 = base32.StdEncoding.WithPadding(base32.NoPadding)

// stepOf is RFC 6238's T.
func stepOf(at time.Time) int64 { return at.Unix() / int64(stepTime/time.Second) }

// codeAt is the code of a step (RFC 4226, section 5.3).
func codeAt(secret []byte, step int64) string {
	mac := hmac.New(sha1.New, secret)
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(step)))
	sum := mac.Sum(nil)
	offset := sum[len(sum)-1] & 0x0f
	number := binary.BigEndian.Uint32(sum[offset:]) & 0x7fffffff
	return fmt.Sprintf("%0*d", digits, number%1_000_000)
}

// StepWith finds the step whose code this is, among those around now and after last; 0 is none.
func StepWith(secret []byte, code string, now time.Time, last int64) int64 {
	var found int64
	for step := stepOf(now) - drift; step <= stepOf(now)+drift; step++ {
		if subtle.ConstantTimeCompare([]byte(codeAt(secret, step)), []byte(code)) == 1 && step > last {
			found = step
		}
	}
	return found
}

// URI is what a QR code holds for an authenticator app.
func URI(secret []byte, email string) string {
	query := url.Values{
		"secret": {Base32.EncodeToString(secret)}, "issuer": {"Adashi"}, "algorithm": {"SHA1"}, "digits": {"6"}, "period": {"30"},
	}
	return "otpauth://totp/Adashi:" + url.PathEscape(email) + "?" + query.Encode()
}

const recoveryCodes = 10

// NewRecoveryCodes makes codes of 50 random bits, to be read and typed: K7QX2-M4ZPA.
func NewRecoveryCodes() []string {
	codes := make([]string, recoveryCodes)
	for n := range codes {
		text := rand.Text() // Base32.
		codes[n] = text[:5] + "-" + text[5:10]
	}
	return codes
}

// Plain is a code as it is judged: without what people put between its parts.
func Plain(code string) string {
	return strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(code))
}
