package ajocard

import "time"

// The commands that decide by a time of their own implement event.Dated: what they record is of the same day.

// DecidesAt implements event.Dated.
func (c End) DecidesAt() time.Time { return c.Now }

// DecidesAt implements event.Dated.
func (c Fill) DecidesAt() time.Time { return c.At }

// DecidesAt implements event.Dated.
func (c OpenCard) DecidesAt() time.Time { return c.Now }
