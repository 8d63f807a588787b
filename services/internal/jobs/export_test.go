package jobs

import "time"

// Tests do not wait a minute.
func init() { pullEvery = 200 * time.Millisecond }
