package ajopot

import "time"

// The commands that decide by a time of their own implement event.Dated: what they record is of the same day.

// DecidesAt implements event.Dated.
func (c Judge) DecidesAt() time.Time { return c.Now }

// DecidesAt implements event.Dated.
func (c Pay) DecidesAt() time.Time { return c.At }

// DecidesAt implements event.Dated.
func (c Prepay) DecidesAt() time.Time { return c.At }

// DecidesAt implements event.Dated.
func (c pot) DecidesAt() time.Time { return c.now }
