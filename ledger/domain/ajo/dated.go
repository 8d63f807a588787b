package ajo

import "time"

// The commands that decide by a time of their own implement event.Dated: what they record is of the same day.

// DecidesAt implements event.Dated.
func (c Cancel) DecidesAt() time.Time { return c.Now }

// DecidesAt implements event.Dated.
func (c CloseList) DecidesAt() time.Time { return c.Now }

// DecidesAt implements event.Dated.
func (c Create) DecidesAt() time.Time { return c.Now }

// DecidesAt implements event.Dated.
func (c Leave) DecidesAt() time.Time { return c.Now }

// DecidesAt implements event.Dated.
func (c Move) DecidesAt() time.Time { return c.Now }
