package town

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"adashi.ng/services/internal/people"
)

// screen is what somebody looks at before they act: they do what it offers them.
type screen struct {
	*Town
	ctx    context.Context
	rng    *rand.Rand
	who    *person
	ending bool // Everybody brings things to their end.
	offers []offer
	err    error
}

// offer is something that a screen lets somebody do now.
type offer struct {
	command string
	weight  int
	body    fields
	path    []string // What stands in the path, in its order.
}

// fields are what a body says.
type fields = map[string]any

// screens are what people look at, by their role; members have none.
var screens = map[string][]func(*screen){
	"":                    {(*screen).ajo, (*screen).ajo, (*screen).group, (*screen).group, (*screen).request, (*screen).disputes, (*screen).profile},
	people.RoleSupport:    {(*screen).cases, (*screen).cases, (*screen).remedies},
	people.RoleAdmin:      {(*screen).cases, (*screen).remedies, (*screen).operator},
	people.RoleFinanceOps: {(*screen).unmatched, (*screen).ajoAsks, (*screen).debts},
}

// looks has somebody open a screen and do one of the things that it offers.
func (t *Town) looks(ctx context.Context, number int, rng *rand.Rand) error {
	s := &screen{Town: t, ctx: ctx, rng: rng, who: one(rng, t.people...)}
	look := one(rng, screens[s.who.role]...)
	switch thieves := t.thieves(); {
	case len(thieves) > 0 && rng.IntN(3) == 0: // They make haste, and so does the desk.
		s.who, look = one(rng, thieves...), (*screen).thief
		if s.half() {
			s.who, look = one(rng, append(t.staff(people.RoleSupport), t.staff(people.RoleAdmin)...)...), (*screen).remedies
		}
	case len(t.memory.near("ajo", s.who.id)) > 0 && s.half(): // Who is in an ajo looks there often: its money is wanted each week.
		look = (*screen).ajo
	}
	look(s)
	total := 0
	for _, o := range s.offers {
		total += o.weight
	}
	if s.err != nil || total == 0 {
		return s.err
	}
	at := rng.IntN(total)
	for _, o := range s.offers {
		if at -= o.weight; at < 0 {
			return t.give(ctx, number, s.wish(o))
		}
	}
	return nil
}

// wish is the command of an offer, with what it does not say made up from the contract.
func (s *screen) wish(o offer) *wish {
	w := &wish{town: s.Town, rng: s.rng, who: s.who, ids: map[string]string{}, offered: true}
	for _, command := range s.commands {
		if command.Name == o.command {
			w.operation = command
		}
	}
	w.path = w.Path
	for _, part := range o.path {
		from, to := strings.Index(w.path, "{"), strings.Index(w.path, "}")
		w.path = w.path[:from] + part + w.path[to+1:]
	}
	if w.Body == nil {
		return w
	}
	w.body = fields{}
	for _, name := range w.Body.Required {
		if _, said := o.body[name]; !said {
			w.body[name] = w.value(name, w.Body.Properties[name].Value)
		}
	}
	for name, value := range o.body {
		if amount, is := value.(decimal.Decimal); is {
			value = naira(amount)
		}
		w.body[name] = value
	}
	return w
}

// offer takes note of something that can be done.
func (s *screen) offer(weight int, command string, body fields, path ...string) {
	if len(body) == 0 && slices.ContainsFunc(s.offers, func(o offer) bool { return o.command == command && slices.Equal(o.path, path) }) {
		return
	}
	s.offers = append(s.offers, offer{command, weight, body, path})
}

// seldom offers something one time in so many.
func (s *screen) seldom(times int, command string, body fields, path ...string) {
	if s.ending || s.rng.IntN(times) == 0 {
		s.offer(1, command, body, path...)
	}
}

// get reads a page; it answers false where that is refused.
func (s *screen) get(path string, into any) bool {
	if s.err != nil {
		return false
	}
	r, err := s.does(s.ctx, s.who, "GET", path, nil)
	if err != nil {
		s.err = err
	}
	if err != nil || r.status != http.StatusOK {
		return false
	}
	s.err = r.read(into)
	return s.err == nil
}

// of picks one of a kind that somebody has to do with; now and then any.
func (s *screen) of(kind string) string {
	if near := s.memory.near(kind, s.who.id); len(near) > 0 && s.rng.IntN(5) > 0 {
		return recent(s.rng, near)
	}
	return recent(s.rng, s.memory.known[kind])
}

// half is true every other time.
func (s *screen) half() bool { return s.rng.IntN(2) == 0 }

// says is a sentence.
func (s *screen) says() string { return one(s.rng, sentences...) }

func query(name, value string) string { return "?" + name + "=" + url.QueryEscape(value) }

// naira is an amount as a body says it.
func naira(amount decimal.Decimal) json.Number { return json.Number(amount.String()) }
