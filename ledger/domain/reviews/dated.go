package reviews

import "time"

// The commands that decide by a time of their own implement event.Dated: what they record is of the same day.

// DecidesAt implements event.Dated.
func (c Mark) DecidesAt() time.Time { return c.Now }

// DecidesAt implements event.Dated.
func (c MarkAjo) DecidesAt() time.Time { return c.Now }
