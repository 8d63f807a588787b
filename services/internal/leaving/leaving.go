// Package leaving is how a member closes their account: every area is asked whether something still ties them to
// Adashi, and the profile closes it when nothing does.
package leaving

import (
	"context"
	"strings"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/profile"
)

// Area is asked what still ties a member to Adashi.
type Area interface {
	// Ties says it in sentences; none means that they may leave as far as the area knows.
	Ties(ctx context.Context, user string) ([]string, error)
}

// Service closes accounts.
type Service struct {
	People  *people.Service
	Profile *profile.Service
	Areas   []Area // In the order that their ties are told in.
}

// Close closes a member's account for ever. It is Conflict, with every reason, while money of theirs is in it or in a
// group, or a group depends on them. Asking again finishes a closing that was cut short.
func (s *Service) Close(ctx context.Context, user string) error {
	if _, err := s.People.Member(ctx, user); err != nil {
		return err
	}
	var ties []string
	for _, area := range s.Areas {
		more, err := area.Ties(ctx, user)
		if err != nil {
			return err
		}
		ties = append(ties, more...)
	}
	if len(ties) > 0 {
		return fault.New(fault.Conflict, "Your account cannot be closed yet. %s", strings.Join(ties, " "))
	}
	return s.Profile.Close(ctx, user)
}
