package dues

import "time"

// The commands that decide by a time of their own implement event.Dated: what they record is of the same day.

// DecidesAt implements event.Dated.
func (c Contribute) DecidesAt() time.Time { return c.At }

// DecidesAt implements event.Dated.
func (c Cover) DecidesAt() time.Time { return c.At }

// DecidesAt implements event.Dated.
func (c DecideWaiver) DecidesAt() time.Time { return c.Now }

// DecidesAt implements event.Dated.
func (c LeaveGroup) DecidesAt() time.Time { return c.Now }

// DecidesAt implements event.Dated.
func (c Penalise) DecidesAt() time.Time { return c.Now }

// DecidesAt implements event.Dated.
func (c Remind) DecidesAt() time.Time { return c.Now }

// DecidesAt implements event.Dated.
func (c RequestWaiver) DecidesAt() time.Time { return c.Now }

// DecidesAt implements event.Dated.
func (c ReverseContribution) DecidesAt() time.Time { return c.At }

// DecidesAt implements event.Dated.
func (c CloseAccount) DecidesAt() time.Time { return c.Now }
