package rails

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
)

// Mac proves that the gateway gave these instructions for a payment: HMAC-SHA-256 under a key that is not in the
// database. Otherwise a person who can write to the database could send payers elsewhere.
func (i Instructions) Mac(key []byte, payment string) []byte {
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "adashi payment instructions v1\n%q %q %q %q %q\n", payment, i.AccountNumber, i.AccountName, i.BankName, i.CheckoutURL)
	return mac.Sum(nil)
}

// Holds reports whether a Mac belongs to these instructions.
func (i Instructions) Holds(key []byte, payment string, mac []byte) bool {
	return hmac.Equal(mac, i.Mac(key, payment))
}
