// Package secret is text that never shows itself.
package secret

import "log/slog"

// Redacted is all that a Text ever shows.
const Redacted = "[redacted]"

// Text is a string that never shows itself: fmt, JSON and slog print "[redacted]". Reveal is the only way out.
type Text string

// Reveal is the secret itself, for the one place that needs it.
func (s Text) Reveal() string { return string(s) }

// String hides it from fmt's %s and %v.
func (s Text) String() string { return Redacted }

// GoString hides it from %#v.
func (s Text) GoString() string { return Redacted }

// MarshalText hides it from JSON and every other encoding.
func (s Text) MarshalText() ([]byte, error) { return []byte(Redacted), nil }

// LogValue hides it from slog.
func (s Text) LogValue() slog.Value { return slog.StringValue(Redacted) }
