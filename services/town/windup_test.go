package town

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/shopspring/decimal"
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/event"
	"adashi.ng/services/internal/people"
)

// windUpDays are how long it may take until everybody has left.
const windUpDays = 120

// deskDays are how long people wait before they leave: the desk finds out whose money is meanwhile.
const deskDays = 12

// endings are the commands with which people bring things to their end; what else a screen offers is left alone.
var endings = []string{
	"payAjo", "acceptAjoOrder", "revealAjoSecret", "acceptAjoTerms", "voteAjoMotion", "requestAjoPayout", "approveAjoPayout", "leaveAjo", "cancelAjo", "moveInAjo",
	"agreeAjoSwap", "breakAjoCard", "makePaymentWithWallet", "decideWaiver", "requestLiquidation", "validateLiquidation", "retryLiquidation", "answerObjections", "answerOwnership",
	"voteSuccession", "leaveGroup", "closeGroup", "cancelGroup", "withdrawDispute", "answerDispute", "thawMoney", "endStandingOrder", "rejectGroupMember", "resumeGroup", "declineInvitation",
	"takeCase", "resolveCase", "approveCorrection", "giveBankAnswer", "agreeBankAnswer", "proposeUnmatched", "proposeSendBack", "decideUnmatched", "settleHeld", "grantAjoAccess", "withdraw", "sayOfQuestion", "bvnLookUp", "updateUserInfo",
	"setMemberTier", "decideWriteOff", "unlockCards",
}

// windsUp has everybody pay what they owe, leave and close their account, by what their screens offer. It answers what
// still ties those that could not leave.
func (t *Town) windsUp(ctx context.Context) error {
	if err := t.instance.Bank.BehaveAgain(ctx); err != nil {
		return err
	}
	for _, p := range t.people { // Who finds another name at their account has their bank put it right.
		if err := t.instance.Bank.Rename(ctx, p.account(), p.truth.FirstName, p.truth.LastName); err != nil {
			return err
		}
	}
	left, ties := map[*person]bool{}, map[*person]string{}
	for day := range windUpDays {
		if err := t.nextDay(ctx); err != nil {
			return err
		}
		for _, p := range t.people {
			if left[p] {
				continue
			}
			if err := t.finishes(ctx, p, day); err != nil {
				return err
			}
			if p.role != "" || day%3 > 0 || day < deskDays {
				continue
			}
			r, err := t.does(ctx, p, "POST", "/api/v1/account/close", fields{"email": p.email})
			if err != nil {
				return err
			}
			left[p], ties[p] = r.status == http.StatusOK, r.Message
			t.tells(0, p.String()+": closeAccount", r)
		}
		if len(left) >= len(t.members()) && !slices.ContainsFunc(t.members(), func(p *person) bool { return !left[p] }) {
			break
		}
	}
	var stay []string
	for _, p := range t.members() {
		if !left[p] {
			stay = append(stay, fmt.Sprintf("%s: %s", p, ties[p]))
		}
	}
	if len(stay) > 0 {
		return &Failure{woundUp, fmt.Sprintf("after %d days these cannot leave: %s", windUpDays, strings.Join(stay, "\n"))}
	}
	return t.empty(ctx)
}

// nextDay is a day in which the bank and the jobs do their work.
func (t *Town) nextDay(ctx context.Context) error {
	for range 2 {
		if err := t.instance.Bank.Deliver(ctx); err != nil {
			return err
		}
		for _, job := range t.jobs {
			if err := t.run(ctx, 0, job.Name); err != nil {
				return err
			}
		}
		t.moves(t.Now().Add(12 * time.Hour))
	}
	return t.reads(ctx)
}

// finishes has somebody do all that their screens offer and that brings something to its end.
func (t *Town) finishes(ctx context.Context, p *person, day int) error {
	s := &screen{Town: t, ctx: ctx, rng: t.dice(-t.played - 1000*day - p.number), who: p, ending: true}
	switch p.role {
	case "":
		for _, id := range t.memory.near("ajo", p.id) {
			s.ajoOf(id)
		}
		for _, id := range t.memory.near("group", p.id) {
			s.groupOf(id)
		}
		for _, id := range t.memory.near("liquidation", p.id) {
			s.requestOf(id)
		}
		s.disputes()
		s.profile()
		s.purse()
	case people.RoleFinanceOps:
		for range 4 {
			s.unmatched()
		}
		s.ajoAsks()
		s.debts()
		s.tiers()
	default:
		for range 3 {
			s.cases()
		}
		s.operator()
	}
	for _, o := range s.offers {
		if s.err == nil && slices.Contains(endings, o.command) {
			s.err = t.give(ctx, 0, s.wish(o))
		}
	}
	return s.err
}

// tiers has the desk look again at members of tier 0, who can take nothing out.
func (s *screen) tiers() {
	for _, p := range s.members() {
		state, err := s.load(s.ctx, account.Stream(p.id))
		if s.err = err; err != nil {
			return
		}
		if a := state.(account.Account); a.Bvn == account.Verified && a.Level() == 0 {
			s.offer(1, "setMemberTier", fields{"email": p.email, "tier": 1, "case": "NIN-4711", "seen": string(a.TierShown(p.id))})
		}
	}
}

// purse is somebody's wallet: what they owe and lack comes from their bank, and what is left goes there.
func (s *screen) purse() {
	var wallet struct{ Balance, Owed decimal.Decimal }
	if !s.get("/api/Wallet/GetWalletBalance/?email="+url.QueryEscape(s.who.email), &wallet) {
		return
	}
	if wallet.Owed.IsPositive() { // What comes in pays it.
		if s.err = s.brings(wallet.Owed.Ceil().Add(decimal.NewFromInt(100))); s.err != nil {
			return
		}
	}
	owed := decimal.Zero
	for _, o := range s.offers {
		if amount, is := o.body["amount"].(decimal.Decimal); is && (o.command == "payAjo" || o.command == "makePaymentWithWallet") {
			owed = owed.Add(amount)
		}
	}
	if owed.GreaterThan(wallet.Balance) {
		s.err = s.brings(owed.Sub(wallet.Balance).Ceil().Add(decimal.NewFromInt(100)))
	}
	if !owed.IsZero() {
		return
	}
	var limits struct{ Left *decimal.Decimal }
	if !s.get("/api/v1/wallet/limits", &limits) {
		return
	}
	amount := wallet.Balance
	if limits.Left != nil {
		amount = decimal.Min(amount, *limits.Left)
	}
	if !amount.IsPositive() {
		return
	}
	r, err := s.does(s.ctx, s.who, "POST", "/api/v1/wallet/withdrawals/quote", fields{"amount": naira(amount)})
	if s.err = err; err == nil && r.status == http.StatusOK {
		s.offer(1, "withdraw", fields{"amount": amount, "net": r.object()["net"]})
	}
}

// brings has somebody pay into their wallet from their bank.
func (s *screen) brings(amount decimal.Decimal) error {
	r, err := s.does(s.ctx, s.who, "POST", "/api/Wallet/FundWalletVfd", fields{"amount": naira(amount), "email": s.who.email})
	if err != nil || r.status != http.StatusOK {
		return err
	}
	account, _ := r.object()["accountNumber"].(string)
	return s.sends(s.ctx, s.who, account, money.Kobo(amount.Shift(2).IntPart()))
}

// empty: when everybody has left, the ledger holds nothing but Adashi's own money.
func (t *Town) empty(ctx context.Context) error {
	if err := t.settles(ctx); err != nil {
		return err
	}
	if _, err := t.instance.Pool.Exec(ctx, "SELECT ledger_settle()"); err != nil {
		return err
	}
	rows, err := t.instance.Pool.Query(ctx, `SELECT account || ' has ' || sum(balance) FROM ledger_accounts WHERE account !~ '^(fees|tax|losses|bank|equity|capital|income)[:_]'
		GROUP BY account HAVING sum(balance) <> 0 UNION ALL SELECT 'parked since ' || recorded_at || ': ' || reason FROM rm_unmatched WHERE status IN ('OPEN', 'PROPOSED', 'HELD', 'LEAVING') ORDER BY 1`)
	if err != nil {
		return err
	}
	rest, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(rest) == 0 {
		return err
	}
	return &Failure{woundUp, "everybody has left, and " + strings.Join(rest, "; ")}
}

// gifts are the commands by which somebody may gain: they are left out of a plain year.
var gifts = []string{"coverMember", "proposeCorrection", "correctionFromLab", "giveBankAnswer", "requestWaiver", "setAjoCollector", "settleHeld"}

// gives reports whether somebody may gain by a command. In an ajo who is late pays the others for it.
func gives(w *wish) bool {
	return slices.Contains(gifts, w.Name) || w.about() == "ajo" || w.Name == "createAjo" || w.Name == "joinAjo" || w.Name == "proposeUnmatched" && !w.offered ||
		w.body["kind"] == "GROUP_DISBURSEMENT"
}

// nobodyGains: in a plain year in which everybody left, nobody has more at the bank than they began with.
func (t *Town) nobodyGains(ctx context.Context) error {
	gains, err := t.instance.Bank.Gains(ctx)
	if err != nil {
		return err
	}
	var said []string
	for _, p := range t.members() {
		if gain := gains[p.truth.BVN]; gain > 0 {
			said = append(said, fmt.Sprintf("%s gained %s", p, gain))
		}
	}
	if len(said) == 0 {
		return nil
	}
	return &Failure{nobodyGains, strings.Join(said, "; ")}
}

// stake is what somebody has of an ajo: by how much their wallet grew by it, and by how much it may have grown and
// shrunk by what its events name: penalties, bids, fees, gifts, and debts that are not paid.
type stake struct{ net, mayGain, mayLose money.Kobo }

// ajoBook is one ajo by its events.
type ajoBook struct {
	over   bool
	stakes map[string]*stake
}

func (b *ajoBook) of(user string) *stake {
	if b.stakes[user] == nil {
		b.stakes[user] = &stake{}
	}
	return b.stakes[user]
}

// gives takes note of what one may lose and the other gain by it.
func (b *ajoBook) gives(from, to string, kobo int64) {
	b.of(from).mayLose += money.Kobo(kobo)
	b.of(to).mayGain += money.Kobo(kobo)
}

// take takes in an event of the ajo.
func (b *ajoBook) take(m proto.Message, r event.Record) {
	for user, kobo := range moved(r) {
		b.of(user).net += money.Kobo(kobo)
	}
	switch m := m.(type) {
	case *nairav1.AjoCompleted, *nairav1.AjoCancelled:
		b.over = true
	case *nairav1.AjoContributed:
		if m.GetGift() {
			b.gives(m.GetPaidBy(), m.GetUserId(), m.GetAmountKobo())
		}
	case *nairav1.AjoDebtOpened:
		b.gives(m.GetDebtorId(), m.GetCreditorId(), m.GetPenaltyKobo())
		b.gives(m.GetCreditorId(), m.GetDebtorId(), m.GetAmountKobo()+m.GetPenaltyKobo())
	case *nairav1.AjoDebtPaid:
		b.gives(m.GetCreditorId(), m.GetDebtorId(), -m.GetAmountKobo())
		if m.GetPaidBy() != m.GetDebtorId() && m.GetFrom() == nairav1.AjoDebtFrom_AJO_DEBT_FROM_WALLET {
			b.gives(m.GetPaidBy(), m.GetDebtorId(), m.GetAmountKobo())
		}
	case *nairav1.AjoDiscountPaid:
		b.of(m.GetUserId()).mayGain += money.Kobo(m.GetAmountKobo())
	case *nairav1.AjoPaid:
		for _, user := range []string{m.GetUserId(), m.GetOtherUserId()} {
			b.of(user).mayLose += money.Kobo(m.GetFeeKobo() + m.GetDiscountKobo())
		}
	}
}

// even: of an ajo that is over nobody has more than they paid in, and nobody less, but for penalties, bids, fees, gifts
// and debts that are not paid.
func (t *Town) even(ctx context.Context) error {
	books := map[string]*ajoBook{}
	if err := t.each(ctx, func(r event.Record) error {
		m, err := event.Decode(r.Type, r.Body)
		about, is := m.(interface{ GetAjoId() string })
		if err != nil || !is || about.GetAjoId() == "" || !strings.HasPrefix(r.Type, "naira.v1.Ajo") {
			return err
		}
		if books[about.GetAjoId()] == nil {
			books[about.GetAjoId()] = &ajoBook{stakes: map[string]*stake{}}
		}
		books[about.GetAjoId()].take(m, r)
		return nil
	}); err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(books)) {
		for _, user := range slices.Sorted(maps.Keys(books[id].stakes)) {
			if s := books[id].stakes[user]; t.byID[user] != nil && books[id].over && (s.net > s.mayGain || -s.net > s.mayLose) {
				return &Failure{ajoIsEven, fmt.Sprintf("ajo %s is over, and %s has %s more of it than they paid in; its events explain from %s to %s", id, t.byID[user], s.net, -s.mayLose, s.mayGain)}
			}
		}
	}
	return nil
}
