package town

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"time"

	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/event"
)

// A thief who knows somebody's password moves the account to an address of their own, and does from then on what its
// owner did, until our staff give the account back.

// thefts is how many acts go by, on average, until an account is stolen.
const thefts = 150

// steals has a thief take somebody's account over. Now and then they leave the address as it is, so that the owner
// notices nothing.
func (t *Town) steals(ctx context.Context, number int, rng *rand.Rand) error {
	p := one(rng, t.members()...)
	if p.stolen.IsZero() && !p.given && rng.IntN(4) == 0 {
		p.stolen = t.Now()
		t.tells(number, p.String()+": their account is stolen, and stays at its address", reply{status: http.StatusOK})
		return nil
	}
	if !p.stolen.IsZero() || p.given {
		return nil
	}
	began, loot := t.Now(), fmt.Sprintf("thief%d@example.com", number)
	r, err := t.does(ctx, p, "POST", "/api/v1/account/email", fields{"email": loot})
	t.tells(number, p.String()+": a thief moves their account to "+loot, r)
	if err != nil || r.status != http.StatusOK {
		return err
	}
	code, err := t.code(ctx, loot, "/confirm-email?token=")
	if err != nil {
		return err
	}
	r, err = t.call(ctx, nil, "POST", "/api/v1/account/confirm-email", fields{"token": code})
	t.tells(number, p.String()+": a thief confirms "+loot, r)
	if err == nil && r.status == http.StatusOK {
		p.stolen, p.email, p.token = began, loot, ""
	}
	return err
}

// movedUnheard finds accounts that a thief moved where the answer was lost.
func (t *Town) movedUnheard(ctx context.Context) error {
	for _, p := range t.members() {
		m, err := t.instance.People.Member(ctx, p.id)
		if err != nil && !fault.Is(err, fault.NotFound) { // Some have closed theirs.
			return err
		}
		if err == nil && m.Email != p.email && !p.given {
			p.email, p.stolen, p.token = m.Email, t.Now(), ""
		}
	}
	return nil
}

// thieves are who uses another's account now, by whose it is.
func (t *Town) thieves() (all []*person) {
	for _, p := range t.members() {
		if !p.stolen.IsZero() {
			all = append(all, p)
		}
	}
	return all
}

// thief is what somebody does who uses another's account: they set up what pays on its own, and give offices away.
func (s *screen) thief() {
	loot := s.people[2].truth // A puppet helps them.
	s.offer(1, "updateUserInfo", fields{"email": s.who.email, "bankAccountNumber": loot.Account, "bankCode": loot.BankCode})
	for _, id := range s.memory.near("ajo", s.who.id) {
		s.offer(3, "setAjoConsent", fields{"dues": true, "sweep": s.half()}, id)
	}
	for _, id := range s.memory.near("group", s.who.id) {
		s.offer(2, "createStandingOrder", fields{
			"subAccountId": recent(s.rng, s.memory.near("sub account", id)), "amount": 500, "frequency": "WEEKLY", "consent": true,
			"firstDay": s.Now().AddDate(0, 0, 1+s.rng.IntN(4)).Format("2006-01-02"),
		})
		s.offer(1, "offerOwnership", fields{"memberId": one(s.rng, s.members()...).id}, id)
		s.groupOf(id) // They decide in its offices, and ask for its money.
	}
}

// stolen is what the desk for stolen accounts does about one: its owner has proven an address.
func (s *screen) stolen() {
	for _, p := range s.thieves() {
		state, err := s.load(s.ctx, account.Stream(p.id))
		if s.err = err; err != nil {
			return
		}
		if !state.(account.Account).Waits(s.Now()) && s.Now().Sub(p.stolen) > 24*time.Hour {
			s.offer(4, "proposeRemedy", fields{
				"userId": p.id, "kind": "GIVE_BACK", "newEmail": fmt.Sprintf("proven%d@example.com", s.played), "since": p.stolen.Format(time.RFC3339Nano), "case": "AD-1",
			})
		}
	}
}

// givesBack notes that an account was given back.
func (t *Town) givesBack(records []event.Record) error {
	for _, r := range records {
		m, err := event.Decode(r.Type, r.Body)
		if err != nil {
			return err
		}
		if back, is := m.(*nairav1.AccountGivenBackV2); is {
			if p := t.byID[back.GetUserId()]; p != nil {
				p.given, p.stolen, p.token = true, time.Time{}, ""
			}
		}
	}
	return nil
}

// comesBack has somebody choose a password by the address to which their account was given back.
func (t *Town) comesBack(ctx context.Context, p *person) error {
	m, err := t.instance.People.Member(ctx, p.id)
	if err != nil {
		return err
	}
	if r, err := t.call(ctx, nil, "POST", "/api/Account/SendPasswordResetLink", fields{"email": m.Email}); err != nil || r.status != http.StatusOK {
		return err
	}
	code, err := t.code(ctx, m.Email, "/forgot_password?token=")
	if err != nil || code == "" {
		return err
	}
	next := password + "x"
	if p.password == next {
		next = password
	}
	r, err := t.call(ctx, nil, "POST", "/api/Account/ResetPassword", fields{"token": code, "newPassword": next})
	if err == nil && r.status == http.StatusOK {
		p.given, p.email, p.password = false, m.Email, next
	}
	return err
}

// The questions about accounts that are given back.
const (
	heldBack = "nothing leaves an account that is being given back"
	theftIs  = "what a thief set up ends"
)

// holdsFor is for how long a proposal to give an account back keeps its money in, and how long no other does it again.
const (
	holdsFor = 72 * time.Hour
	onceIn   = 30 * 24 * time.Hour
)

// span is the time in which somebody else used an account, to the agreement to give it back.
type span struct{ since, until time.Time }

// acted is somebody's doing that may count later.
type acted struct {
	user string
	at   time.Time
}

// returned reads all events in their order, and holds what comes after an account was given back to what was so before.
type returned struct {
	proposed map[string]time.Time // By member whose account it is proposed to give back: since when its money is kept.
	held     map[string]time.Time // When that began last, by member.
	until    map[string]time.Time // Until when no withdrawal is asked for.
	spans    map[string][]span    // By member.
	orders   map[string]acted     // Standing orders, as they were set or resumed last.
	consents map[string]acted     // By ajo and member.
	offers   map[string]acted     // By group: who offers it.
	waivers  map[string]acted     // By waiver: who asks for it.
	decided  map[string][]acted   // By payout of a group: who was for it, each with what they said last.
	needed   map[string]int       // By payout of a group: how many must be for it.
	sent     map[string]bool      // Payouts of groups that a bank was told of.
}

func newReturned() returned {
	return returned{
		map[string]time.Time{},
		map[string]time.Time{},
		map[string]time.Time{},
		map[string][]span{},
		map[string]acted{},
		map[string]acted{},
		map[string]acted{},
		map[string]acted{},
		map[string][]acted{},
		map[string]int{},
		map[string]bool{},
	}
}

// stolen reports whether somebody did something while their account was another's.
func (b returned) stolen(a acted) bool {
	return slices.ContainsFunc(b.spans[a.user], func(s span) bool { return !a.at.Before(s.since) && a.at.Before(s.until) })
}

// before reports whether somebody did something before their account was given back.
func (b returned) before(a acted) bool {
	return slices.ContainsFunc(b.spans[a.user], func(s span) bool { return a.at.Before(s.until) })
}

// remedies takes in what is proposed, declined and done.
func (b returned) remedies(m proto.Message, r event.Record) *Failure {
	switch m := m.(type) {
	case *nairav1.AccountRemedyProposed:
		if user := m.GetUserId(); m.GetKind() == nairav1.RemedyKind_REMEDY_KIND_GIVE_BACK && !r.RecordedAt.Before(b.held[user].Add(onceIn)) {
			b.proposed[user], b.held[user] = r.RecordedAt, r.RecordedAt
		}
	case *nairav1.AccountRemedyDeclined:
		delete(b.proposed, m.GetUserId())
	case *nairav1.AccountGivenBackV2:
		user := m.GetUserId()
		delete(b.proposed, user)
		b.until[user] = m.GetHeldUntil().AsTime()
		b.spans[user] = append(b.spans[user], span{m.GetSince().AsTime(), r.RecordedAt})
	case *nairav1.AnotherBvnLetIn:
		b.until[m.GetUserId()] = m.GetHeldUntil().AsTime()
	case *nairav1.WithdrawalRequestedV2:
		if until := b.until[m.GetUserId()]; r.RecordedAt.Before(until) {
			return &Failure{heldBack, fmt.Sprintf("%s asked at %d for a withdrawal that is held until %s", m.GetUserId(), r.Pos, until)}
		}
		return b.kept(m.GetUserId(), r)
	case *nairav1.WithdrawalSent:
		return b.kept(m.GetUserId(), r)
	}
	return nil
}

// kept refuses what leaves between a proposal and its decision.
func (b returned) kept(user string, r event.Record) *Failure {
	if at, is := b.proposed[user]; is && r.RecordedAt.Before(at.Add(holdsFor)) {
		return &Failure{heldBack, fmt.Sprintf("%s recorded at %d of %s, whose account it was proposed to give back at %s", r.Type, r.Pos, user, at)}
	}
	return nil
}

// sets holds what a thief set up to be over once the account is given back.
func (b returned) sets(m proto.Message, r event.Record) *Failure {
	wrong := func(what string, a acted) *Failure {
		return &Failure{theftIs, fmt.Sprintf("at %d %s that %s set up at %s, before their account was given back", r.Pos, what, a.user, a.at)}
	}
	switch m := m.(type) {
	case *nairav1.StandingOrderSet:
		b.orders[m.GetOrderId()] = acted{m.GetUserId(), r.RecordedAt}
	case *nairav1.StandingOrderResumed:
		b.orders[m.GetOrderId()] = acted{m.GetUserId(), r.RecordedAt}
	case *nairav1.StandingOrderRan:
		if a := b.orders[m.GetOrderId()]; b.stolen(a) {
			return wrong("a standing order ran", a)
		}
	case *nairav1.AjoConsentSet:
		b.consents[m.GetAjoId()+m.GetUserId()] = acted{m.GetUserId(), r.RecordedAt}
	case *nairav1.AjoDebtPaid:
		if a := b.consents[m.GetAjoId()+m.GetPaidBy()]; m.GetTaken() != "" && b.stolen(a) {
			return wrong("a debt was taken by a consent", a)
		}
	case *nairav1.OwnershipOffered:
		b.offers[m.GetGroupId()] = acted{m.GetOfferedBy(), r.RecordedAt}
	case *nairav1.OwnershipPassed:
		if a := b.offers[m.GetGroupId()]; !m.GetByVote() && b.before(a) {
			return wrong("a group passed by an offer", a)
		}
	}
	return nil
}

// offices holds what a member decided in an office to count no more where it still waits.
func (b returned) offices(m proto.Message, r event.Record) *Failure {
	switch m := m.(type) {
	case *nairav1.LiquidationDecidersFixed:
		b.needed[m.GetLiquidationId()] = int(m.GetApprovalsNeeded()) + 1 // And who validates.
	case *nairav1.LiquidationValidated:
		b.decides(m.GetLiquidationId(), acted{m.GetValidatedBy(), r.RecordedAt})
	case *nairav1.LiquidationApproved:
		b.decides(m.GetLiquidationId(), acted{m.GetApprovedBy(), r.RecordedAt})
	case *nairav1.LiquidationSent:
		id := m.GetLiquidationId()
		counts := slices.DeleteFunc(slices.Clone(b.decided[id]), b.before)
		if !b.sent[id] && len(counts) < len(b.decided[id]) && len(counts) < b.needed[id] {
			return &Failure{theftIs, fmt.Sprintf("payout %s was sent at %d, and of its decisions %v some were made before the account was given back", id, r.Pos, b.decided[id])}
		}
		b.sent[id] = true
	case *nairav1.WaiverRequested:
		b.waivers[m.GetWaiverId()] = acted{m.GetRequestedBy(), r.RecordedAt}
	case *nairav1.WaiverApproved:
		if a := b.waivers[m.GetWaiverId()]; b.before(a) {
			return &Failure{theftIs, fmt.Sprintf("a due was let off at %d, as %s had asked at %s, before their account was given back", r.Pos, a.user, a.at)}
		}
	}
	return nil
}

// decides takes in that somebody is for a payout of a group.
func (b returned) decides(id string, a acted) {
	b.decided[id] = append(slices.DeleteFunc(b.decided[id], func(earlier acted) bool { return earlier.user == a.user }), a)
}
