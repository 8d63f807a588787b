package config

import "log/slog"

// redacted is all that a Secret ever shows.
const redacted = "[redacted]"

// Secret is a string that never shows itself: fmt, JSON and slog print "[redacted]". Reveal is the only way out.
type Secret string

// Reveal is the secret itself, for the one place that needs it.
func (s Secret) Reveal() string { return string(s) }

// String hides it from fmt's %s and %v.
func (s Secret) String() string { return redacted }

// GoString hides it from %#v.
func (s Secret) GoString() string { return redacted }

// MarshalText hides it from JSON and every other encoding.
func (s Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// LogValue hides it from slog.
func (s Secret) LogValue() slog.Value { return slog.StringValue(redacted) }
