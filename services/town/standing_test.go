package town

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"adashi.ng/proto/gen/access"

	"adashi.ng/ledger/domain/standing"
)

// asStanding is the question whether each answer is what the table of standings says.
const asStanding = "standing"

// standingOf is how somebody's account stands.
func (t *Town) standingOf(ctx context.Context, p *person) (standing.Standing, error) {
	state, err := t.load(ctx, standing.Stream(p.id))
	if err != nil {
		return standing.Open, err
	}
	return state.(standing.Account).Standing(), nil
}

// routed writes a path of the contract as the router does.
var routed = strings.NewReplacer("{", ":", "}", "")

// acts are those that the contract says a command is.
func (o operation) acts() (acts []standing.Act) {
	for _, name := range access.Routes[o.Method+" "+routed.Replace(o.Path)].Acts {
		act, _ := standing.Named(name)
		acts = append(acts, act)
	}
	return acts
}

// heard counts the cells that an answer of the API shows: an act that a standing allowed, where the call is one act
// alone, and an act that was refused with the sentence of a standing.
func (t *Town) heard(acts []standing.Act, s standing.Standing, r reply) {
	for _, act := range acts {
		if _, allowed := act.Answer(s); r.status == http.StatusOK && len(acts) == 1 && allowed {
			t.Cells[Cell{act, s}]++
		}
		for _, is := range []standing.Standing{s, standing.Minor, standing.Ward, standing.Own, standing.Party, standing.Tied} {
			if sentence, allowed := act.Answer(is); r.status != http.StatusOK && !allowed && strings.Contains(r.Message, sentence) {
				t.Cells[Cell{act, is}]++
			}
		}
	}
}

// cell holds the answer to a command to the table: what is refused in somebody's standing does not go through, and what
// is allowed is not refused with a sentence about that standing.
func (w *wish) cell(s standing.Standing, r reply) error {
	w.town.heard(w.acts(), s, r)
	allowed := false
	var may []string
	for _, act := range w.acts() {
		sentence, is := act.Answer(s)
		allowed = allowed || is
		if !is {
			may = append(may, sentence)
		}
	}
	if !allowed && r.status == http.StatusOK {
		return &Failure{asStanding, fmt.Sprintf("%s went through while the account was %s", w, s)}
	}
	if slices.ContainsFunc(w.town.people, func(p *person) bool { return p != w.who && strings.Contains(w.path, p.id) }) {
		return nil // The sentence may be about them.
	}
	for _, act := range standing.Acts() {
		for _, other := range []standing.Standing{standing.Frozen, standing.Closed} {
			sentence, is := act.Answer(other)
			if act.ByThem() && !is && r.Message == sentence && !strings.Contains(strings.Join(may, "\n"), sentence) {
				return &Failure{asStanding, fmt.Sprintf("%s was refused though the account is %s: %s", w, s, r.Message)}
			}
		}
	}
	return nil
}
