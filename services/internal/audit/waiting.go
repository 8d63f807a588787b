package audit

import (
	"context"

	"adashi.ng/projections/ajos"
	"adashi.ng/projections/groups"
	"adashi.ng/projections/months"
)

// Work is what waits for a person as a validator, and as an owner who checks payments again.
type Work struct {
	Unseen, Answered int // Payments that nobody has marked, and answered queries; at most countedMost each.
	Samples          []SampleWork
	Rechecks         map[string]int // How many wait, by the group or ajo.
}

// SampleWork is the drawn sample of a month, YYYY-MM, that nobody has attested.
type SampleWork struct {
	Place, Name, Month string
	Ajo                bool
}

// Waiting returns the work of a person, who owns some groups and ajo.
func (s *Service) Waiting(ctx context.Context, user string, owned []string) (w Work, err error) {
	if len(owned) > 0 {
		if w.Rechecks, err = months.Rechecks(ctx, s.Pool, owned); err != nil {
			return w, err
		}
	}
	d := desk{user: user}
	if d.groups, err = groups.ValidatedBy(ctx, s.Pool, user); err != nil {
		return w, err
	}
	if d.ajos, err = ajos.ValidatedBy(ctx, s.Pool, user); err != nil || len(d.groups)+len(d.ajos) == 0 {
		return w, err
	}
	counts, err := s.queues(ctx, d, QueueOLDEST, QueueANSWERED)
	if err != nil {
		return w, err
	}
	w.Unseen, w.Answered = counts[0].Count, counts[1].Count
	return w, s.waitingSamples(ctx, d, &w)
}

func (s *Service) waitingSamples(ctx context.Context, d desk, w *Work) error {
	open, err := months.ToLookAt(ctx, s.Pool, d.ids())
	names := map[string]string{}
	for _, g := range d.groups {
		names[g.ID] = g.Name
	}
	for _, a := range d.ajos {
		names[a.ID] = a.Name
	}
	for _, m := range open {
		w.Samples = append(w.Samples, SampleWork{Place: m.Place, Name: names[m.Place], Month: m.Month, Ajo: m.Ajo})
	}
	return err
}
