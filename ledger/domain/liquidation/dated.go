package liquidation

import "time"

// The commands that decide by a time of their own implement event.Dated: what they record is of the same day.

// DecidesAt implements event.Dated.
func (c Request) DecidesAt() time.Time { return c.At }

// DecidesAt implements event.Dated.
func (c inTime) DecidesAt() time.Time { return c.now }
