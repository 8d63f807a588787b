package town

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/services/internal/people"
)

// wish is a command that somebody is about to give.
type wish struct {
	operation
	town    *Town
	rng     *rand.Rand
	who     *person
	offered bool              // A screen offered it, with all that it needs.
	odd     bool              // It is about somebody else's things, stale, or given by the wrong person.
	ids     map[string]string // By kind: what it is about.
	body    map[string]any
	path    string
	then    func() // What follows for the town once it went through.
	form    form
}

// one picks one of some values.
func one[T any](rng *rand.Rand, of ...T) (none T) {
	if len(of) == 0 {
		return none
	}
	return of[rng.IntN(len(of))]
}

// recent picks one of some ids, the newer the likelier.
func recent(rng *rand.Rand, of []string) string {
	for i := len(of) - 1; i >= 0; i-- {
		if rng.IntN(4) == 0 {
			return of[i]
		}
	}
	return one(rng, of...)
}

// id picks what of a kind the wish is about: near what it is about already, if it makes sense.
func (w *wish) id(kind string) string {
	if id := w.ids[kind]; id != "" {
		return id
	}
	id := w.near(kind)
	w.ids[kind] = id
	return id
}

func (w *wish) near(kind string) string {
	m := w.town.memory
	if !w.odd {
		for _, about := range []string{w.ids["liquidation"], w.ids["dispute"], w.ids["ajo"], w.ids["sub account"], w.ids["group"], w.who.id} {
			if found := m.near(kind, about); about != "" && len(found) > 0 {
				return recent(w.rng, found)
			}
		}
	}
	return recent(w.rng, m.known[kind])
}

// another picks somebody else of the town; of those who belong to what the wish is about, if it makes sense.
func (w *wish) another() *person {
	for range 6 {
		if p := w.town.byID[w.near("user")]; p != nil && p != w.who {
			return p
		}
	}
	return one(w.rng, w.town.people...)
}

// begin chooses what the command is about and who gives it.
func (w *wish) begin(ctx context.Context) error {
	kind := w.about()
	w.who = one(w.rng, w.town.members()...)
	switch w.Who {
	case "support", "finance", "admins", "lookOn":
		role := map[string]string{"support": people.RoleSupport, "finance": people.RoleFinanceOps, "admins": people.RoleAdmin, "lookOn": people.RoleAdmin}[w.Who]
		if !w.odd {
			w.who = one(w.rng, w.town.staff(role)...)
		}
		if kind != "" {
			w.ids[kind] = recent(w.rng, w.town.memory.known[kind])
		}
		return nil
	case "own", "public":
		if kind != "" && !strings.Contains(w.Path, "{") {
			kind = ""
		}
	}
	if kind == "" {
		return nil
	}
	about := w.id(kind)
	for tries := 4; !w.odd && about != "" && tries > 0; tries-- {
		lives, err := w.lives(ctx, kind, about)
		if err != nil || lives {
			break
		}
		delete(w.ids, kind)
		about = w.id(kind)
	}
	if w.odd || about == "" {
		return nil
	}
	return w.official(ctx, kind, about)
}

// lives reports whether a group or an ajo has not ended; of other things nobody knows.
func (w *wish) lives(ctx context.Context, kind, about string) (bool, error) {
	switch kind {
	case "ajo":
		state, err := w.town.load(ctx, ajo.Stream(about))
		if err != nil {
			return false, err
		}
		s := state.(ajo.Ajo).Status
		return s == ajo.Open || s == ajo.Ordering || s == ajo.Active || s == ajo.Paused, nil
	case "group":
		state, err := w.town.load(ctx, savings.GroupStream(about))
		if err != nil {
			return false, err
		}
		s := state.(savings.Group).Status
		return !s.Ended(), nil
	default:
		return true, nil
	}
}

// official has somebody act who holds the office that the command asks for, where there is one.
func (w *wish) official(ctx context.Context, kind, about string) error {
	group, ajoID := about, ""
	switch kind {
	case "ajo":
		ajoID = about
	case "card", "saved card", "session", "notification", "order":
		group = "" // They are somebody's own.
	case "liquidation", "waiver", "document", "payment":
		group = recent(w.rng, w.town.memory.near("group", about))
	}
	var able []string
	switch {
	case ajoID != "":
		state, err := w.town.load(ctx, ajo.Stream(ajoID))
		if err != nil {
			return err
		}
		if w.Who == "ownerOnly" {
			able = []string{state.(ajo.Ajo).Owner}
		}
	case group != "":
		state, err := w.town.load(ctx, savings.GroupStream(group))
		if err != nil {
			return err
		}
		g := state.(savings.Group)
		able = map[string][]string{"ownerOnly": {g.Owner}, "approvers": g.Approvers, "officials": append(slices.Clone(g.Approvers), g.Validator), "validator": {g.Validator}}[w.Who]
	}
	if len(able) == 0 {
		able = w.town.memory.near("user", about)
	}
	if p := w.town.byID[one(w.rng, able...)]; p != nil {
		w.who = p
	}
	return nil
}

// fill makes up the path and the body from the contract.
func (w *wish) fill() {
	w.path = w.Path
	for strings.Contains(w.path, "{") {
		from, to := strings.Index(w.path, "{"), strings.Index(w.path, "}")
		w.path = w.path[:from] + w.part(w.path[from+1:to]) + w.path[to+1:]
	}
	if w.Body == nil || w.Form {
		return
	}
	w.body = map[string]any{}
	for _, name := range namesOf(w.Body) {
		if !slices.Contains(w.Body.Required, name) && w.rng.IntN(3) > 0 {
			continue
		}
		w.body[name] = w.value(name, w.Body.Properties[name].Value)
	}
}

func namesOf(s *openapi3.Schema) []string {
	names := make([]string, 0, len(s.Properties))
	for name := range s.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// part is what stands at a place of the path.
func (w *wish) part(name string) string {
	switch name {
	case "id", "a":
		if id := w.id(w.about()); id != "" {
			return id
		}
		return "00000000-0000-4000-8000-000000000000"
	case "member":
		return w.another().id
	case "cycle":
		return fmt.Sprint(max(1, w.number("cycle", 6)))
	case "swap", "motion", "debt":
		return w.id(name)
	case "name":
		return "balances"
	default:
		return "none"
	}
}

// number picks a number that was said in a field beside what the wish is about, or any up to a most.
func (w *wish) number(field string, most int) int {
	for _, about := range []string{w.ids["liquidation"], w.ids["sub account"], w.ids["ajo"], w.ids["card"], w.ids["group"]} {
		if said := w.town.memory.said(about, field); about != "" && len(said) > 0 && w.rng.IntN(4) > 0 {
			return int(one(w.rng, said...).num)
		}
	}
	return w.rng.IntN(most + 1)
}

// amount is in naira: one that was named before, or any.
func (w *wish) amount() float64 {
	var said []fact
	for _, about := range []string{w.ids["liquidation"], w.ids["sub account"], w.ids["ajo"], w.ids["card"], w.ids["payment"], w.ids["dispute"]} {
		for _, f := range w.town.memory.numbers[about] {
			if strings.HasSuffix(f.name, "_kobo") && f.num > 0 {
				said = append(said, f)
			}
		}
	}
	if len(said) > 0 && w.rng.IntN(5) > 0 {
		return float64(one(w.rng, said...).num) / 100
	}
	return float64(one(w.rng, 500, 1000, 2500, 5000, 7500, 10000, 20000))
}

// value makes up a field of the body.
func (w *wish) value(name string, s *openapi3.Schema) any {
	if len(s.Enum) > 0 {
		return one(w.rng, s.Enum...)
	}
	switch {
	case s.Type.Is("boolean"):
		return w.rng.IntN(4) > 0
	case s.Type.Is("integer"):
		return w.integer(name, s)
	case s.Type.Is("number"):
		return w.amount()
	case s.Type.Is("array"):
		var all []any
		for range 1 + w.rng.IntN(2) {
			all = append(all, w.value(strings.TrimSuffix(name, "s"), s.Items.Value))
		}
		return all
	case s.Type.Is("object"):
		o := map[string]any{}
		for _, field := range namesOf(s) {
			if slices.Contains(s.Required, field) || w.rng.IntN(2) == 0 {
				o[field] = w.value(field, s.Properties[field].Value)
			}
		}
		return o
	}
	return w.text(name)
}

func (w *wish) integer(name string, s *openapi3.Schema) int {
	switch name {
	case "cycle", "seat", "boxes":
		return max(1, w.number(name, 5))
	case "forSeat", "withSeat":
		return max(1, w.number("seat", 5))
	case "monthId", "startMonthId":
		return int(w.town.Now().In(lagos.Zone).Month())
	case "year":
		return w.town.Now().In(lagos.Zone).Year()
	}
	low, high := 0, 12
	if s.Min != nil {
		low = int(*s.Min)
	}
	if s.Max != nil {
		high = int(*s.Max)
	}
	return low + w.rng.IntN(max(1, min(high-low, 40)+1))
}

var sentences = []string{"The money was paid twice on Friday.", "I was at the market when it happened.", "We agreed on this at the meeting.", "Please look at this again, it is not right."}

// text makes up a word: an id of the right kind, what is the caller's own, or a sentence.
func (w *wish) text(name string) string {
	switch name {
	case "email", "userEmail", "emails":
		return w.who.email
	case "userId":
		return w.who.id
	case "memberId", "candidateId", "fromUserId", "memberIds", "userIds":
		return w.another().id
	case "groupId", "groupSavingsId":
		return w.id("group")
	case "subAccountId":
		return w.id("sub account")
	case "ajoId":
		return w.id("ajo")
	case "movementId", "eventId", "entries", "entrie", "arrivalId":
		return w.movement()
	case "period":
		if said := w.town.memory.said(w.ids["sub account"], "period"); len(said) > 0 {
			return one(w.rng, said...).text
		}
		return w.town.Now().In(lagos.Zone).Format("2006-01")
	case "month":
		return w.town.Now().In(lagos.Zone).AddDate(0, -1, 0).Format("2006-01")
	case "paidOn", "day":
		return w.town.Now().In(lagos.Zone).AddDate(0, 0, -w.rng.IntN(5)).Format("2006-01-02")
	case "firstDay", "startDate":
		return w.town.Now().In(lagos.Zone).AddDate(0, 0, w.rng.IntN(5)).Format("2006-01-02")
	case "countsFrom", "from", "to", "at", "before":
		return w.town.Now().Add(-time.Duration(w.rng.IntN(100)) * time.Hour).UTC().Format(time.RFC3339)
	case "name":
		return one(w.rng, "Balogun Traders", "Market women", "School fees", "Welfare", "Night drivers")
	case "hands":
		return one(w.rng, "0.5", "1", "1")
	case "nonce":
		return strings.Repeat(fmt.Sprintf("%02x", w.who.number), 16)
	case "secret", "salt":
		return strings.Repeat(fmt.Sprintf("%02x", w.who.number), 32)
	case "commitment", "termsHash":
		return strings.Repeat("ab", 32)
	case "accountNumber", "account_number", "bankAccountNumber":
		return w.who.truth.Account
	case "bankCode", "bank_code":
		return w.who.truth.BankCode
	case "requestId":
		return w.id("liquidation")
	}
	if kind, is := strings.CutSuffix(name, "Id"); is {
		return w.id(strings.ToLower(kind))
	}
	return one(w.rng, sentences...)
}

// movement is the id of an event that moved money near what the wish is about.
func (w *wish) movement() string {
	for _, about := range []string{w.ids["sub account"], w.ids["ajo"], w.who.id} {
		if r, known := w.town.memory.last[about]; known && about != "" {
			return r.ID().String()
		}
	}
	return ""
}

func (w *wish) String() string {
	said, _ := json.Marshal(w.body)
	return fmt.Sprintf("%s: %s %s %s", w.who, w.Name, w.path, said)
}
