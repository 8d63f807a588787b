package membership

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/singleflight"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/projections/groups"
	"adashi.ng/projections/query"
)

// Tally is how a group's members stand on a day.
type Tally struct {
	day       time.Time
	changes   int64 // What the group's row said before it was counted: it counts no less than that.
	Due, Paid int   // Active members with something due this month, and those of them who paid all of it.
	Overdue   int   // Members with something not paid that was due before today.
}

// of reports whether a tally still holds for a group on a day.
func (t Tally) of(g groups.Group, day time.Time) bool {
	return t.changes >= g.Changes && t.day.Equal(day)
}

// Tallies keeps the latest tally of each group until the group changes, and has the same groups counted by one caller
// at a time: a group of thousands is told of each payment, and all of them look.
type Tallies struct {
	latest  sync.Map // Group id → Tally.
	callers singleflight.Group
}

// Tally answers groups' tallies on a day, none older than the groups' rows.
func (r *Reader) Tally(ctx context.Context, day time.Time, gs ...groups.Group) (map[string]Tally, error) {
	out := make(map[string]Tally, len(gs))
	var missing []groups.Group
	for _, g := range gs {
		if t, ok := r.Tallies.latest.Load(g.ID); ok && t.(Tally).of(g, day) {
			out[g.ID] = t.(Tally)
		} else {
			missing = append(missing, g)
		}
	}
	// Another's count may have begun before the group came to where its row is; one that begins after that one cannot.
	for range 2 {
		if len(missing) == 0 {
			break
		}
		fresh, err := r.countOnce(ctx, day, missing)
		if err != nil {
			return nil, err
		}
		missing = slices.DeleteFunc(missing, func(g groups.Group) bool {
			out[g.ID] = fresh[g.ID]
			return fresh[g.ID].of(g, day)
		})
	}
	return out, nil
}

func (r *Reader) countOnce(ctx context.Context, day time.Time, gs []groups.Group) (map[string]Tally, error) {
	ids := GroupIDs(gs)
	fresh, err, _ := r.Tallies.callers.Do(day.Format(time.DateOnly)+strings.Join(ids, ""), func() (any, error) {
		// Whoever began it may go away while others wait for it.
		fresh, err := r.count(context.WithoutCancel(ctx), day, ids)
		for id, t := range fresh {
			r.Tallies.latest.Store(id, t)
		}
		return fresh, err
	})
	if err != nil {
		return nil, err
	}
	return fresh.(map[string]Tally), nil
}

// count counts groups' members. The rows are read before what is counted.
func (r *Reader) count(ctx context.Context, day time.Time, ids []string) (map[string]Tally, error) {
	of := make(map[string]*counting, len(ids))
	for _, id := range ids {
		of[id] = &counting{tally: Tally{day: day}, places: map[string]int{}, odd: map[int]dues.State{}, known: map[alike]outcome{}}
	}
	if err := r.countIn(ctx, of, ids); err != nil {
		return nil, err
	}
	out := make(map[string]Tally, len(ids))
	for id, c := range of {
		out[id] = c.count()
	}
	return out, nil
}

// countIn reads what groups are counted from.
func (r *Reader) countIn(ctx context.Context, of map[string]*counting, ids []string) error {
	batch := &pgx.Batch{}
	groups.ByIDs(ids...).Queue(batch, func(gs []groups.Group) {
		for _, g := range gs {
			of[g.ID].tally.changes = g.Changes
		}
	})
	groups.Members("", ids...).Queue(batch, func(members []groups.Member) {
		for _, m := range members {
			of[m.GroupID].seat(m)
		}
	})
	groups.SubAccounts(ids...).Queue(batch, func(subs []groups.SubAccount) {
		for _, s := range subs {
			of[s.GroupID].opens(s)
		}
	})
	groups.Contributors("", ids...).Queue(batch, func(paid []groups.Contributor) {
		for _, p := range paid {
			of[p.GroupID].pays(p)
		}
	})
	groups.Absences("", ids...).Queue(batch, func(away map[[2]string][]groups.Span) {
		for _, c := range of {
			c.away = away
		}
	})
	return query.Send(ctx, r.Pool, batch)
}

// counting is one group being counted.
type counting struct {
	tally   Tally
	subs    []string
	terms   []savings.SubAccount // As subs.
	members []groups.Member      // Active and inactive.
	away    map[[2]string][]groups.Span
	places  map[string]int     // Of members, by user.
	totals  []money.Kobo       // By member and sub-account.
	odd     map[int]dues.State // Those of the totals that come with dues unlike the others.
	known   map[alike]outcome
}

// alike is all that decides how a member stands whose dues are the usual ones: most stand like many others, and that is
// worked out once.
type alike struct {
	sub    int
	joined int64 // The day, in Unix seconds.
	total  money.Kobo
}

// outcome is how a member stands with one sub-account.
type outcome struct{ overdue, due, open bool }

func (c *counting) seat(m groups.Member) {
	if m.Status == string(savings.Active) || m.Status == string(savings.Inactive) {
		c.places[m.User] = len(c.members)
		c.members = append(c.members, m)
	}
}

func (c *counting) opens(s groups.SubAccount) {
	c.subs, c.terms = append(c.subs, s.ID), append(c.terms, TermsOf(s))
}

func (c *counting) pays(p groups.Contributor) {
	if c.totals == nil {
		c.totals = make([]money.Kobo, len(c.members)*len(c.subs))
	}
	place, in := c.places[p.User]
	sub := slices.Index(c.subs, p.SubAccountID)
	if !in || sub < 0 {
		return
	}
	at := place*len(c.subs) + sub
	c.totals[at] = p.Total
	if len(p.Changes) > 0 {
		c.odd[at] = paidOf(p)
	}
}

func (c *counting) count() Tally {
	for place, m := range c.members {
		var all outcome
		for sub := range c.subs {
			one := c.outcome(place, sub)
			all.overdue, all.due, all.open = all.overdue || one.overdue, all.due || one.due, all.open || one.open
		}
		if all.overdue {
			c.tally.Overdue++
		}
		if m.Status != string(savings.Active) || !all.due {
			continue
		}
		c.tally.Due++
		if !all.open {
			c.tally.Paid++
		}
	}
	return c.tally
}

func (c *counting) outcome(place, sub int) outcome {
	m, at := c.members[place], place*len(c.subs)+sub
	paid, odd := c.odd[at]
	away := len(c.away[[2]string{m.GroupID, m.User}]) > 0
	if !odd && c.totals != nil {
		paid.Total = c.totals[at]
	}
	key := alike{sub, savings.Day(m.Since).Unix(), paid.Total}
	if s, ok := c.known[key]; ok && !odd && !away {
		return s
	}
	d := dues.Of(c.terms[sub], memberOf(m, c.away), paid).Shut(shutOf(m.GroupID, c.away))
	due, settled := Monthly([]dues.Dues{d}, c.tally.day)
	s := outcome{overdue: d.Overdue(c.tally.day), due: due, open: due && !settled}
	if !odd && !away {
		c.known[key] = s
	}
	return s
}
