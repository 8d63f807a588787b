package correction

import (
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
)

// ThereBy refuses steps that would count from a time at which what they are about was not there: a membership, or the
// contribution that goes back. Whether an account had the money then the caller asks the ledger. Earlier builds did not
// ask. It records nothing.
type ThereBy struct {
	Steps []Step
	From  time.Time
}

// Streams implements event.Command.
func (c ThereBy) Streams() (streams []string) {
	for _, s := range c.Steps {
		if s.Group != "" {
			streams = append(streams, savings.MemberStream(s.Group, s.User))
		}
	}
	return streams
}

// Accounts implements event.Command.
func (ThereBy) Accounts() []string { return nil }

// Decide implements event.Command.
func (c ThereBy) Decide(v event.View) ([]event.Draft, error) {
	if _, earlier := v.(standing.Earlier); earlier {
		return nil, nil
	}
	from := c.From
	for _, s := range c.Steps {
		switch {
		case s.Kind == nairav1.CorrectionStepKind_CORRECTION_STEP_KIND_REVERSE && from.Before(s.Original.EffectiveAt):
			return nil, fault.Field("countsFrom", "The contribution counts from %s, so it cannot go back before that.", second(s.Original.EffectiveAt))
		case s.Group != "":
			is := event.StateOf[savings.Member](v, savings.MemberStream(s.Group, s.User))
			if is.Status != savings.None && from.Before(is.Since) {
				return nil, fault.Field("countsFrom", "The member is in the group since %s, so nothing counts there before that.", second(is.Since))
			}
		}
	}
	return nil, nil
}

// second is a moment to the second, in Lagos.
func second(at time.Time) string { return at.In(lagos.Zone).Format("2 January 2006, 15:04:05") }
