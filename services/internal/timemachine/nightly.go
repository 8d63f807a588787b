package timemachine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/replay"
	"adashi.ng/projections/ajos"
	"adashi.ng/projections/groups"
	"adashi.ng/services/internal/items"
)

// decidedAtOnce is how many groups' histories are decided again in an hour, and as many ajo's.
const decidedAtOnce = 10

// DecideAgain has the rules decide the history of some groups and ajo again, other ones each hour and those again of
// which something was found: a lab without edits. It is a job. Where the rules of today come to something else, its
// failing item says at which position, until that history was decided again and nothing differs.
func (s *Service) DecideAgain(ctx context.Context) error {
	hour := s.Now().UTC().Truncate(time.Hour)
	from := uuid.NewSHA1(uuid.NameSpaceOID, []byte(hour.Format(time.RFC3339))).String()
	job := s.Job("decide history again")
	due, err := job.Due(ctx, decidedAtOnce)
	if err != nil {
		return err
	}
	var all []replay.Subject
	add := func(of replay.Subject) {
		if !slices.Contains(all, of) {
			all = append(all, of)
		}
	}
	for _, failing := range due {
		if of, err := replay.ParseSubject(failing.Item); err == nil {
			add(of)
		}
	}
	ids, err := groups.From(ctx, s.Pool, from, decidedAtOnce)
	if err != nil {
		return err
	}
	for _, id := range ids {
		add(replay.Subject{Group: id})
	}
	if ids, err = ajos.From(ctx, s.Pool, from, decidedAtOnce); err != nil {
		return err
	}
	for _, id := range ids {
		add(replay.Subject{Ajo: id})
	}
	return items.Each(ctx, job, all, replay.Subject.String, s.decideAgain)
}

func (s *Service) decideAgain(ctx context.Context, of replay.Subject) error {
	_, head, err := history.Head(ctx, s.Pool)
	if err != nil {
		return err
	}
	records, err := s.history(ctx, of, head)
	if fault.Is(err, fault.Conflict) {
		return items.ErrNotTried // It has too many events, or some are archived. `adashi ledger verify --deep` goes through all.
	}
	if err != nil {
		return err
	}
	found, err := s.run(ctx, records, nil, head)
	var archived *history.ArchivedError
	if errors.As(err, &archived) {
		return items.ErrNotTried
	}
	if err != nil {
		return err
	}
	if len(found.Lines) > 0 {
		return items.Finding{Says: fmt.Sprintf("the rules of today come to something else at position %d", found.Lines[0].Position)}
	}
	return nil
}
