package config

import "adashi.ng/services/internal/secret"

// Secret is a setting that never shows itself.
type Secret = secret.Text

// redacted is all that generated secrets ever show.
const redacted = secret.Redacted
