package town

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/guard"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/redecide"
)

// Cell is one of the table of standings.
type Cell struct {
	Act      standing.Act
	Standing standing.Standing
}

func (c Cell) String() string { return c.Standing.String() + " " + c.Act.String() }

// did is a command of the contract that somebody gave: what they did by it, and the events that were recorded then.
type did struct {
	user     string
	name     string
	acts     []standing.Act
	from, to int64 // After the one and up to the other.
}

// done is what a command does to somebody, or what they do by it.
type done struct {
	user string
	act  standing.Act
}

// cells tries the table: each command that a year came to is decided once more by the ledger as it was then, as if the
// person who gave it, or the one whom it is about, were in another standing.
type cells struct {
	t      *Town
	actors map[int64]string // Who caused an event.
}

// as shows one stream in another state.
type as struct {
	redecide.Whole
	stream string
	state  any
}

// State implements event.View.
func (v as) State(stream string) any {
	if stream == v.stream {
		return v.state
	}
	return v.Whole.State(stream)
}

// actors are who caused the events, but for those of the house.
func (t *Town) actors(ctx context.Context) (map[int64]string, error) {
	all := map[int64]string{}
	return all, t.each(ctx, func(r event.Record) error {
		if t.byID[r.Actor] != nil {
			all[r.Pos] = r.Actor
		}
		return nil
	})
}

// gave remembers that somebody gave a command, and what was recorded since a position.
func (t *Town) gave(p *person, o operation, from int64) {
	t.did = append(t.did, did{p.id, o.Name, o.acts(), from, t.memory.at})
}

// commandAt is the command of the contract that a request is; one without a name where it is none.
func (t *Town) commandAt(method, path string) operation {
	path, _, _ = strings.Cut(path, "?")
	is := func(o operation) bool {
		parts, of := strings.Split(path, "/"), strings.Split(o.Path, "/")
		return o.Method == method && slices.EqualFunc(parts, of, func(part, of string) bool { return part == of || strings.HasPrefix(of, "{") })
	}
	if i := slices.IndexFunc(t.commands, is); i >= 0 {
		return t.commands[i]
	}
	return operation{}
}

// again tries the cells of a command that went through.
func (c *cells) again(v redecide.Whole, command event.Command, pos int64, events []redecide.Recorded) {
	if _, earlier := command.(standing.Earlier); earlier {
		return // Of what an earlier build may have decided the table was not asked.
	}
	for _, d := range happens(v, command, events) {
		if d.user == c.actors[pos] {
			continue // They do it themselves.
		}
		c.account(v, command, d.user, d.act.String(), []standing.Act{d.act}, pos)
		c.member(v, command, events, d, pos)
	}
	i, is := slices.BinarySearchFunc(c.t.did, pos, func(d did, pos int64) int {
		switch {
		case d.to < pos:
			return -1
		case d.from >= pos:
			return 1
		}
		return 0
	})
	_, ahead := command.(dues.Penalise) // It comes ahead of what somebody pays, and is nothing that they do.
	if !is || ahead || c.actors[pos] != c.t.did[i].user {
		return
	}
	d := c.t.did[i]
	if c.follows(d, pos) && !slices.Contains(command.Streams(), standing.Stream(d.user)) {
		return
	}
	acts := chosen(d.acts, events)
	c.account(v, command, d.user, d.name, acts, pos)
	if len(acts) == 1 {
		c.member(v, command, events, done{d.user, acts[0]}, pos)
	}
}

// follows reports whether an event follows from what somebody did, and is not what they did.
func (c *cells) follows(d did, pos int64) bool {
	for before := d.from + 1; before < pos; before++ {
		if c.actors[before] == d.user {
			return true
		}
	}
	return false
}

// account tries a command with the account of somebody in each standing that it may have by itself.
func (c *cells) account(v redecide.Whole, command event.Command, user, what string, acts []standing.Act, pos int64) {
	stream := standing.Stream(user)
	reads := slices.Contains(command.Streams(), stream)
	another := slices.ContainsFunc(command.Streams(), func(s string) bool { return strings.HasPrefix(s, standing.Stream("")) })
	asks := slices.ContainsFunc(acts, func(act standing.Act) bool {
		_, frozen := act.Answer(standing.Frozen)
		_, closed := act.Answer(standing.Closed)
		return !frozen || !closed
	})
	if !reads && another && asks {
		return // It is not recorded who gave it, and another could have.
	}
	for _, s := range []standing.Standing{standing.Open, standing.Frozen, standing.Closed} {
		a := event.StateOf[account.Account](v, stream)
		a.Closed, a.Frozen = s == standing.Closed, s == standing.Frozen
		c.tried(fmt.Sprintf("%s (%T)", what, command), acts, s, answers(command, as{v, stream, a}), pos)
	}
}

// member tries a command with somebody as no active member of the group that it is about.
func (c *cells) member(v redecide.Whole, command event.Command, events []redecide.Recorded, d done, pos int64) {
	group, sub := groupOf(events)
	stream := savings.MemberStream(group, d.user)
	if group == "" || !slices.Contains(command.Streams(), stream) {
		return
	}
	for _, status := range []savings.Status{savings.None, savings.Invited, savings.Pending, savings.Inactive} {
		m := event.StateOf[savings.Member](v, stream)
		m.Status, m.Was = status, false
		view := as{v, stream, m}
		if d.act == standing.WithdrawSavings { // Whoever has something saved may ask for it, also once they have left.
			view = as{view, dues.Stream(sub, d.user), dues.State{}}
		}
		if _, allowed := d.act.Answer(m.Standing()); !allowed {
			c.tried(d.act.String(), []standing.Act{d.act}, m.Standing(), answers(command, view), pos)
		}
	}
}

// tried holds what a command came to to the cells of its acts in a standing. What all of them refuse is refused because
// of that standing, and what all of them allow is not. A command that decides something is told first that its account
// is closed.
func (c *cells) tried(what string, acts []standing.Act, s standing.Standing, said []string, pos int64) {
	first, _ := standing.Cancel.Answer(standing.Closed)
	var allow, refuse []standing.Act
	for _, act := range acts {
		if sentence, allowed := act.Answer(s); allowed {
			allow = append(allow, act)
		} else if answered(said, sentence) || s == standing.Closed && slices.Contains(said, first) {
			refuse = append(refuse, act)
		}
	}
	wrong := func(but string) {
		c.t.wrong = append(c.t.wrong, fmt.Sprintf("%d: %s %v of somebody who is %s %s: %q", pos, what, acts, s, but, said))
	}
	switch {
	case len(refuse) > 0:
		for _, act := range refuse {
			c.t.Cells[Cell{act, s}]++
		}
	case len(allow) == 0 && len(acts) > 0:
		wrong("is not refused as the table says")
	case len(allow) == len(acts):
		for _, act := range allow {
			c.t.Cells[Cell{act, s}]++
		}
		if act, is := refusal(said); is {
			wrong("is allowed by the table, and refused as " + act)
		}
	}
}

// answers is with which sentence a command is refused; of one that is not, what its events say in words.
func answers(c event.Command, v event.View) (said []string) {
	var drafts []event.Draft
	err := guard.Call(func() (err error) { drafts, err = c.Decide(v); return err })
	if err != nil {
		return []string{err.Error()}
	}
	for _, d := range drafts {
		d.Message.ProtoReflect().Range(func(_ protoreflect.FieldDescriptor, value protoreflect.Value) bool {
			if text, is := value.Interface().(string); is {
				said = append(said, text)
			}
			return true
		})
	}
	return said
}

// refusal is which act somebody is told that the standing of an account does not let them do.
func refusal(said []string) (string, bool) {
	for _, act := range standing.Acts() {
		for _, s := range []standing.Standing{standing.Frozen, standing.Closed} {
			if sentence, allowed := act.Answer(s); !allowed && answered(said, sentence) {
				return act.String(), true
			}
		}
	}
	return "", false
}

// answered reports whether one of some answers is the sentence of a cell, in which … stands for what the decider
// filled in.
func answered(said []string, sentence string) bool {
	return slices.ContainsFunc(said, func(answer string) bool {
		for n, part := range strings.Split(sentence, "…") {
			i := strings.Index(answer, part)
			if i < 0 || n == 0 && i > 0 {
				return false
			}
			answer = answer[i+len(part):]
		}
		return answer == "" || strings.HasSuffix(sentence, "…")
	})
}

// groupOf is the group that events are about, with its sub-account, if they are.
func groupOf(events []redecide.Recorded) (group, sub string) {
	for _, e := range events {
		if m, is := e.Message.(interface{ GetSubAccountId() string }); is && sub == "" {
			sub = m.GetSubAccountId()
		}
		if m, is := e.Message.(interface{ GetGroupId() string }); is && group == "" {
			group = m.GetGroupId()
		}
	}
	return group, sub
}

// chosen are the acts of a command that its events show: the contract names two where the body says which it is.
func chosen(acts []standing.Act, events []redecide.Recorded) []standing.Act {
	for _, e := range events {
		act, is := chose(e.Message)
		if is && slices.Contains(acts, act) {
			return []standing.Act{act}
		}
	}
	return acts
}

func chose(m proto.Message) (standing.Act, bool) {
	either := func(is bool, act, other standing.Act) (standing.Act, bool) {
		if is {
			return act, true
		}
		return other, true
	}
	switch m := m.(type) {
	case *nairav1.OwnershipPassed:
		return standing.Decide, true
	case *nairav1.OwnershipOfferEnded:
		return standing.Speak, true
	case *nairav1.AjoPastAnswered:
		return either(m.GetConfirmed(), standing.Decide, standing.Speak)
	case *nairav1.AjoCardCollectorSet:
		return either(m.GetCollectorId() != "", standing.Decide, standing.Speak)
	case *nairav1.UnmatchedAssigned, *nairav1.DebtWrittenOff:
		return standing.Credit, true
	case *nairav1.UnmatchedDeclined, *nairav1.WriteOffDeclined:
		return standing.Speak, true
	case *nairav1.LiquidationAskedV2:
		return standing.WithdrawSavings, true
	case *nairav1.LiquidationRequestedV2:
		return either(m.GetKind() == nairav1.LiquidationKind_LIQUIDATION_KIND_MEMBER_WITHDRAWAL, standing.WithdrawSavings, standing.Claim)
	case *nairav1.MemberExited:
		return either(m.GetForfeitedKobo() > 0, standing.Decide, standing.Leave)
	}
	return 0, false
}

// happens is what a command does to others than the person who gave it, by its events. It is written here by hand: the
// sentence of a refusal would show nothing where a rule has forgotten to refuse.
func happens(v event.View, command event.Command, events []redecide.Recorded) (all []done) {
	if c, is := command.(dues.Penalise); is {
		return []done{{c.User, standing.BePenalised}}
	}
	for _, e := range events {
		switch m := e.Message.(type) {
		case *nairav1.AjoListClosedV2:
			for _, seat := range event.StateOf[ajo.Ajo](v, ajo.Stream(m.GetAjoId())).Seats {
				for _, p := range seat.Places {
					all = append(all, done{p.User, standing.HoldSeat})
				}
			}
		case *nairav1.AdjustmentPosted:
			act := standing.BeAdjusted
			if m.GetTakesBack() {
				act = standing.BeTakenFrom
			}
			all = append(all, done{m.GetUserId(), act})
		default:
			if d, is := happened(m); is && d.user != "" {
				all = append(all, d)
			}
		}
	}
	return all
}

func happened(m proto.Message) (done, bool) {
	switch m := m.(type) {
	case *nairav1.ApproverAppointed:
		return done{m.GetUserId(), standing.Serve}, true
	case *nairav1.ValidatorAppointed:
		return done{m.GetUserId(), standing.Serve}, true
	case *nairav1.OwnershipOffered:
		return done{m.GetToUserId(), standing.Serve}, true
	case *nairav1.SuccessionProposed:
		return done{m.GetCandidateId(), standing.Serve}, true
	case *nairav1.OwnershipPassed:
		return done{m.GetFromUserId(), standing.HandOver}, !m.GetByVote()
	case *nairav1.MemberInvited:
		return done{m.GetUserId(), standing.BeGiven}, true
	case *nairav1.MembershipApproved:
		return done{m.GetUserId(), standing.BeGiven}, true
	case *nairav1.MemberReactivated:
		return done{m.GetUserId(), standing.BeGiven}, true
	case *nairav1.WaiverRequested:
		return done{m.GetUserId(), standing.BeGiven}, true
	case *nairav1.ContributionCovered:
		return done{m.GetUserId(), standing.BePaidFor}, true
	case *nairav1.AjoContributed:
		return done{m.GetUserId(), standing.BePaidFor}, m.GetPaidBy() != m.GetUserId()
	case *nairav1.AjoCardFilled:
		return done{m.GetUserId(), standing.BePaidFor}, m.GetPaidBy() != m.GetUserId()
	case *nairav1.PaymentConfirmedV2:
		return done{m.GetUserId(), standing.BePaidIn}, true
	case *nairav1.UnmatchedProposed:
		return done{m.GetUserId(), standing.Receive}, true
	case *nairav1.UnmatchedAssigned:
		return done{m.GetUserId(), standing.BeCredited}, true
	case *nairav1.AjoCardCollectorSet:
		return done{m.GetCollectorId(), standing.Collect}, true
	case *nairav1.TierSet:
		return done{m.GetUserId(), standing.BeReviewed}, true
	case *nairav1.AjoAccessGranted:
		return done{m.GetUserId(), standing.BeReviewed}, true
	case *nairav1.AccountRemedyProposed:
		return done{m.GetUserId(), standing.BeReviewed}, true
	}
	return done{}, false
}

// Untried are the cells that were not tried: those of accounts, and those that refuse somebody because of what they are
// to the matter.
func (t *Town) Untried() (untried []string) {
	for _, s := range standing.Standings() {
		for _, cell := range cellsOf(s) {
			if t.Cells[cell] == 0 {
				untried = append(untried, cell.String())
			}
		}
	}
	return untried
}

// Tried says of each standing how many of its cells were tried, and how often in all.
func (t *Town) Tried() (lines []string) {
	for _, s := range standing.Standings() {
		tried, times, all := 0, 0, cellsOf(s)
		for _, cell := range all {
			times += t.Cells[cell]
			tried += min(t.Cells[cell], 1)
		}
		lines = append(lines, fmt.Sprintf("| %s | %d | %d | %d |", s, len(all), tried, times))
	}
	return lines
}

func cellsOf(s standing.Standing) (all []Cell) {
	for _, act := range standing.Acts() {
		if _, allowed := act.Answer(s); s.OfAccount() || !allowed {
			all = append(all, Cell{act, s})
		}
	}
	return all
}
