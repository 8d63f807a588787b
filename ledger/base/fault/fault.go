// Package fault is the error that crosses package boundaries: a code for machines and a sentence for people. The HTTP
// edge translates it once; everything that is not a Fault is a bug or an outage, never a refusal.
package fault

import (
	"errors"
	"fmt"
	"time"
)

// Code is the kind of refusal. It is the wire's returnedCode.
type Code string

// The codes, with the HTTP status that each becomes.
const (
	Invalid         Code = "INVALID"         // 400: the input breaks a rule; Field names it
	Credentials     Code = "CREDENTIALS"     // 400: wrong e-mail, password or link
	Unauthenticated Code = "UNAUTHENTICATED" // 401: no session; the app logs the person out
	Forbidden       Code = "FORBIDDEN"       // 403
	StepUp          Code = "STEP_UP"         // 403: the person must confirm again who they are
	NotFound        Code = "NOT_FOUND"       // 404, also for things that the caller may not see
	Conflict        Code = "CONFLICT"        // 409: not in this state, or already done
	TooLarge        Code = "TOO_LARGE"       // 413
	TooMany         Code = "TOO_MANY"        // 429: too many tries; wait
	Insufficient    Code = "INSUFFICIENT"    // 422: not enough money
	Unavailable     Code = "UNAVAILABLE"     // 503: nothing was decided; the same request may be tried again
)

// Fault is a refusal.
type Fault struct {
	Code    Code
	Message string // A sentence for the person who reads it.
	Field   string // The input field that it is about, if there is one.

	Wait time.Duration // How long before another try may work, with TooMany.
}

func (f *Fault) Error() string { return f.Message }

// New makes a fault from a code and a format.
func New(code Code, format string, args ...any) *Fault {
	return &Fault{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Field makes an Invalid fault about one input field.
func Field(field, format string, args ...any) *Fault {
	return &Fault{Code: Invalid, Message: fmt.Sprintf(format, args...), Field: field}
}

// Wait makes a TooMany fault that says how long to wait.
func Wait(d time.Duration) *Fault {
	seconds := int((d + time.Second - 1) / time.Second)
	return &Fault{Code: TooMany, Wait: d, Message: "That was too many tries. Please wait " + spoken(seconds) + " and try again."}
}

func spoken(seconds int) string {
	switch {
	case seconds <= 1:
		return "a second"
	case seconds < 120:
		return fmt.Sprintf("%d seconds", seconds)
	default:
		return fmt.Sprintf("%d minutes", (seconds+59)/60)
	}
}

// As finds the fault in an error, or nil.
func As(err error) *Fault {
	var f *Fault
	if errors.As(err, &f) {
		return f
	}
	return nil
}

// Is reports whether the error is a fault of that code.
func Is(err error, code Code) bool {
	f := As(err)
	return f != nil && f.Code == code
}
