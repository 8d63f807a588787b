package vfd

import "adashi.ng/services/internal/rails"

// codeNoSuch is “no such transaction”. It may be called failed only after two queries 15 minutes apart.
const codeNoSuch = "108"

// Outcome is what one of the bank's codes means. Failed covers every way to fail; for collections they are one.
func Outcome(code string) rails.State {
	switch code {
	case "00", "26":
		return rails.Paid
	case "01", "02", "09", "25", "94", "96", "500", "":
		return rails.Pending
	case codeNoSuch:
		return rails.Unknown
	default: // 51, 98, 99 without a debit; 34, 35, 63 without a reversal; the others with one.
		return rails.Failed
	}
}

// kept reports whether a code says that a payout failed and that the bank does not put its money back. Whether it left
// is not known then: it is asked about, and left to the finance desk.
func kept(code string) bool { return code == "34" || code == "35" || code == "63" }

const keptWords = ". The bank failed it and does not say that it put the money back. Ask the bank whether it left our account."
