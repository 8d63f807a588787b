package sampling

import "time"

// The commands that decide by a time of their own implement event.Dated: what they record is of the same day.

// DecidesAt implements event.Dated.
func (c Close) DecidesAt() time.Time { return c.Now }

// DecidesAt implements event.Dated.
func (c Draw) DecidesAt() time.Time { return c.Now }
