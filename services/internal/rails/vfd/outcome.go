package vfd

import (
	"strings"

	"adashi.ng/services/internal/rails"
)

const (
	codeNoSuch    = "108" // No such transaction. It may be called failed only after two queries 15 minutes apart.
	codeNoAccount = "104" // No such account, or BVN,
	codeInvalid   = "07"  // and the network's code for no such account.
)

// Outcome is the meaning of a code that the bank publishes for transfers. Failed covers every way to fail; for
// collections they are the same. That the other bank answered too late (68, 97) does not mean that it did nothing.
func Outcome(code string) rails.State {
	switch code {
	case "00", "26":
		return rails.Paid
	case "51", "98", "99", // Nothing was debited.
		"34", "35", "63", // The bank does not put the money back; see kept.
		"03", "05", "06", "07", "08", "12", "13", "14", "15", "16", "17", "18", "21", "30", "57", "58", "61", "65", "69", "70", "71", "81", "91", "92": // The bank puts the money back.
		return rails.Failed
	case codeNoSuch:
		return rails.Unknown
	default: // 01, 02, 09, 25, 68, 94, 96, 97, 500, and every unpublished code.
		return rails.Pending
	}
}

// kept reports whether a code says that a payout failed and that the bank does not put its money back. We do not know
// then whether the money left: we ask the bank, and leave the payout to the finance desk.
func kept(code string) bool { return code == "34" || code == "35" || code == "63" }

const keptWords = "The bank failed it and does not say that it put the money back. Ask the bank whether it left our account."

// had reports whether a refusal of an order says that the bank already has that order; several codes can mean that.
func had(message string) bool {
	message = strings.ToLower(message)
	return strings.Contains(message, "exist") || strings.Contains(message, "already") || strings.Contains(message, "duplicate")
}
