// Package paystack takes card payments in, and pays out, through Paystack: a checkout page for each payment, a
// verification that is believed, and a signed webhook that says when to verify. The gateway speaks whole kobo.
package paystack
