package correction

import "time"

// The commands that decide by a time of their own implement event.Dated: what they record is of the same day.

// DecidesAt implements event.Dated.
func (c Propose) DecidesAt() time.Time { return c.Now }
