// Package paystack takes card payments in, and pays out, through Paystack: a checkout page for each payment, a
// verification call that we trust, and a signed webhook that says when to verify. The gateway uses whole kobo.
package paystack
