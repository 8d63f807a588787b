package savings

import "time"

// The commands that decide by a time of their own implement event.Dated: what they record is of the same day.

// DecidesAt implements event.Dated.
func (c AcceptInvitation) DecidesAt() time.Time { return c.Now }

// DecidesAt implements event.Dated.
func (c CreateGroup) DecidesAt() time.Time { return c.Now }

// DecidesAt implements event.Dated.
func (c EndSuccession) DecidesAt() time.Time { return c.Now }

// DecidesAt implements event.Dated.
func (c InviteMember) DecidesAt() time.Time { return c.Now }

// DecidesAt implements event.Dated.
func (c JoinGroup) DecidesAt() time.Time { return c.Now }

// DecidesAt implements event.Dated.
func (c LapseInvitation) DecidesAt() time.Time { return c.Now }

// DecidesAt implements event.Dated.
func (c OpenSubAccount) DecidesAt() time.Time { return c.Now }

// DecidesAt implements event.Dated.
func (c ProposeSuccession) DecidesAt() time.Time { return c.Now }

// DecidesAt implements event.Dated.
func (c SetNotice) DecidesAt() time.Time { return c.Now }

// DecidesAt implements event.Dated.
func (c VoteSuccession) DecidesAt() time.Time { return c.Now }
