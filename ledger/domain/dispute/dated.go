package dispute

import "time"

// The commands that decide by a time of their own implement event.Dated: what they record is of the same day.

// DecidesAt implements event.Dated.
func (c AllowHold) DecidesAt() time.Time { return c.Now }

// DecidesAt implements event.Dated.
func (c Claim) DecidesAt() time.Time { return c.Now }

// DecidesAt implements event.Dated.
func (c GiveAnswer) DecidesAt() time.Time { return c.Now }

// DecidesAt implements event.Dated.
func (c HoldPayout) DecidesAt() time.Time { return c.Now }

// DecidesAt implements event.Dated.
func (c JudgeAnswer) DecidesAt() time.Time { return c.Now }

// DecidesAt implements event.Dated.
func (c RemindAnswer) DecidesAt() time.Time { return c.Now }

// DecidesAt implements event.Dated.
func (c SendAnswer) DecidesAt() time.Time { return c.Now }

// DecidesAt implements event.Dated.
func (c TellCard) DecidesAt() time.Time { return c.Now }

// DecidesAt implements event.Dated.
func (c tick) DecidesAt() time.Time { return c.now }
