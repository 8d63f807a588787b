package town

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"adashi.ng/ledger/base/money"
	"adashi.ng/services/internal/rails/sandbox"
)

// scene is a short year in which people do what it says, and not what chance has them do.
type scene struct {
	*Town
	ctx        context.Context
	group, sub string
	ajo        string
	refused    []string // What should have gone through.
	err        error    // Of the town itself; nothing is done after it.
}

// TriesCells plays a scene that has people do what a year may never come to, and tries the table of standings by it.
// They are named by their place among characters.
func (t *Town) TriesCells(ctx context.Context) error {
	if err := t.founds(ctx); err != nil {
		return err
	}
	s := &scene{Town: t, ctx: ctx, group: t.memory.known["group"][0], sub: t.memory.known["sub account"][0], ajo: t.memory.known["ajo"][0]}
	for _, part := range []func(){s.dues, s.young, s.pot, s.requests, s.support, s.finance, s.frozen} {
		part()
	}
	if len(s.refused) > 0 {
		s.err = errors.Join(s.err, &Failure{"the scene", strings.Join(s.refused, "\n")})
	}
	return errors.Join(s.err, t.decidedAgain(ctx))
}

// gives has somebody give a command.
func (s *scene) gives(p *person, name string, body fields, path ...string) reply {
	if s.err != nil {
		return reply{}
	}
	looks := &screen{Town: s.Town, ctx: s.ctx, rng: s.dice(-1), who: p}
	w := looks.wish(offer{name, 1, body, path})
	var said any
	if w.Body != nil {
		said = w.body
	}
	stands, err := s.standingOf(s.ctx, p)
	from := s.memory.at
	var r reply
	if err == nil {
		r, err = s.does(s.ctx, p, w.Method, w.path, said, "Idempotency-Key", uuid.NewString())
	}
	if err == nil {
		s.tells(0, w.String(), r)
		err = w.cell(stands, r)
	}
	if err == nil {
		err = s.learns(s.ctx)
	}
	s.gave(p, w.operation, from)
	s.err = err
	return r
}

// must has somebody give a command that has to go through.
func (s *scene) must(p *person, name string, body fields, path ...string) reply {
	r := s.gives(p, name, body, path...)
	if s.err == nil && r.status != http.StatusOK {
		s.refused = append(s.refused, fmt.Sprintf("%s: %s %v %v was answered %d: %s", p, name, path, body, r.status, r.Message))
	}
	return r
}

// offered has somebody give the first command of a name that a screen offers them, with other values in some fields.
func (s *scene) offered(p *person, name string, look func(*screen), but ...any) reply {
	if s.err != nil {
		return reply{}
	}
	s.err = s.reads(s.ctx)
	looks := &screen{Town: s.Town, ctx: s.ctx, rng: s.dice(-1), who: p}
	look(looks)
	i := slices.IndexFunc(looks.offers, func(o offer) bool { return o.command == name })
	if i < 0 || looks.err != nil {
		s.err, s.refused = looks.err, append(s.refused, fmt.Sprintf("no screen offers %s to %s", name, p))
		return reply{}
	}
	body := maps.Clone(looks.offers[i].body)
	for n := 0; n+1 < len(but); n += 2 {
		body[but[n].(string)] = but[n+1]
	}
	return s.must(p, name, body, looks.offers[i].path...)
}

// newest is the id of a kind that was named last.
func (s *scene) newest(kind string) string {
	known := s.memory.known[kind]
	if len(known) == 0 {
		s.refused = append(s.refused, "there is no "+kind)
		return ""
	}
	return known[len(known)-1]
}

// days has some days go by, in which the jobs run.
func (s *scene) days(n int) {
	for range n {
		if s.err == nil {
			s.err = s.nextDay(s.ctx)
		}
	}
}

// dues: somebody pays, for themselves, for another and by a standing order, and is let off.
func (s *scene) dues() {
	p := s.people
	s.must(p[6], "makePaymentWithWallet", fields{"amount": 5000, "subAccountId": s.sub})
	s.must(p[5], "makePaymentWithWallet", fields{"amount": 5000, "subAccountId": s.sub})
	s.must(p[7], "coverMember", fields{"amount": 3000, "subAccountId": s.sub, "memberId": p[3].id})
	s.must(p[7], "createStandingOrder", fields{
		"amount": 5000, "subAccountId": s.sub, "frequency": "MONTHLY", "firstDay": s.Now().Add(24 * time.Hour).Format("2006-01-02"), "consent": true,
	})
	s.must(p[4], "createSubAccount", fields{
		"groupSavingsId": s.group, "name": "Market day", "paymentType": "FIXED", "paymentFrequency": "DAILY", "amountPayable": 500, "penaltyType": "FLAT", "penaltyAmount": 100, "graceDays": 0,
	})
}

// young: somebody who is not 18 yet tries what they may not.
func (s *scene) young() {
	p := s.people[8]
	s.gives(p, "makePaymentWithWallet", fields{"amount": 5000, "subAccountId": s.sub})
	s.gives(p, "createGroupSavings", fields{"name": "Young traders", "amount": 5000, "memberCapacity": 5, "startMonthId": 1})
	s.gives(p, "openAjoCard", fields{"name": "Shoes", "amount": 500, "frequency": "DAILY"})
	s.gives(p, "askAjoAccess", nil)
}

// requests: somebody is let off a due, a member asks for their savings, and an official for a payment of the group, to
// which members object and which the bank does not carry out; then the group gets another owner.
func (s *scene) requests() {
	p := s.people
	s.days(5) // Until the offices count.
	due := func(member string) fields {
		return fields{"subAccountId": s.sub, "memberId": member, "period": s.Now().Format("2006-01") + "-01", "kind": "WAIVED"}
	}
	s.gives(p[3], "requestWaiver", due(p[3].id))
	s.must(p[3], "requestWaiver", due(p[10].id))
	s.offered(p[4], "decideWaiver", func(looks *screen) { looks.approves(s.group) })
	own := s.asks(p[6], "MEMBER_WITHDRAWAL", sandbox.Person{})
	s.must(p[6], "cancelLiquidation", nil, own)
	spent := s.asks(p[3], "GROUP_DISBURSEMENT", p[18].truth)
	s.gives(p[3], "validateLiquidation", nil, s.group, spent, "approve")
	for _, objects := range []*person{p[6], p[7]} {
		s.must(objects, "objectToLiquidation", nil, spent)
	}
	s.gives(p[3], "answerObjections", nil, spent)
	for _, answers := range []*person{p[4], p[0]} {
		s.must(answers, "answerObjections", nil, spent)
	}
	for _, decides := range []*person{p[5], p[4], p[0]} {
		s.must(decides, "validateLiquidation", nil, s.group, spent, "approve")
	}
	if s.err == nil {
		s.err = s.instance.Bank.Behave(s.ctx, sandbox.Manner{Code: "99"})
	}
	s.days(4)
	s.gives(p[3], "retryLiquidation", nil, spent)
	s.must(p[4], "retryLiquidation", nil, spent)
	s.audits(p[5])
	s.must(p[0], "offerOwnership", fields{"memberId": p[4].id}, s.group)
	s.offered(p[4], "answerOwnership", func(looks *screen) { looks.groupOf(s.group) }, "accept", true)
}

// asks has somebody ask for money of the group, for themselves or for a payee.
func (s *scene) asks(by *person, kind string, payee sandbox.Person) string {
	body := fields{"subAccountId": s.sub, "amount": 1000, "kind": kind}
	if payee.Account != "" {
		body["bankCode"], body["accountNumber"] = payee.BankCode, payee.Account
	}
	net := s.must(by, "quoteLiquidation", body).object()["net"]
	body["groupId"], body["net"], body["reason"] = s.group, net, sentences[0]
	s.must(by, "requestLiquidation", body)
	return s.newest("liquidation")
}

// audits has the validator mark what others paid, and what they paid themselves.
func (s *scene) audits(p *person) {
	var page struct{ Payments []struct{ ID string } }
	looks := &screen{Town: s.Town, ctx: s.ctx, who: p}
	looks.get("/api/v1/savings/groups/"+s.group+"/audit", &page)
	for _, payment := range page.Payments {
		s.gives(p, "markPayments", fields{"marks": []any{fields{"id": payment.ID, "mark": "VALIDATED"}}}, s.group)
	}
}

// pot: all pay their dues to the ajo, and its first pot is paid out.
func (s *scene) pot() {
	p := s.people
	s.days(1)
	in := []*person{p[10], p[3], p[6], p[7], p[18]}
	for n, one := range in {
		s.gives(one, "payAjo", fields{"what": "DUE", "amount": []int{5000, 5000, 5000, 2500, 2500}[n], "cycle": 1, "seat": min(n+1, 4)}, s.ajo)
	}
	// Who made the ajo collects last.
	s.must(p[3], "requestAjoPayout", fields{"ajoId": s.ajo, "cycle": 1, "amount": 19800, "destination": "WALLET"})
	s.gives(p[3], "approveAjoPayout", nil, s.ajo, "1")
	s.gives(p[3], "refuseAjoPayout", nil, s.ajo, "1")
	s.must(p[10], "approveAjoPayout", nil, s.ajo, "1")
	s.must(p[6], "refuseAjoPayout", nil, s.ajo, "1")
	s.must(p[6], "openAjoCard", fields{"name": "Rent", "amount": 500, "frequency": "DAILY"})
	card := s.newest("card")
	var page struct{ CollectorVersion string }
	(&screen{Town: s.Town, ctx: s.ctx, who: p[6]}).get("/api/v1/ajo/cards/"+card, &page)
	s.must(p[6], "setAjoCollector", fields{"email": p[7].email, "seen": page.CollectorVersion}, card)
}

// support: somebody disputes, and the desk decides, puts right and lets another BVN in.
func (s *scene) support() {
	p := s.people
	knows, other, admin := p[11], p[12], p[16]
	opens := func(who *person, kind string, about fields) string {
		about["kind"], about["amount"] = kind, 500
		s.must(who, "openDispute", about)
		return s.newest("dispute")
	}
	lost := func() fields { return fields{"paidOn": s.Now().Format("2006-01-02")} }
	of := opens(p[6], "WRONG_AMOUNT", fields{"groupId": s.group})
	s.gives(knows, "takeCase", nil, of)
	s.gives(knows, "resolveCase", fields{"upheld": true}, of)
	step := fields{"kind": "ADJUST", "amount": 500, "takesBack": false, "words": sentences[0]}
	s.gives(knows, "proposeCorrection", fields{"steps": []any{step}}, of)
	of = opens(p[6], "NOT_CREDITED", lost())
	s.must(other, "takeCase", nil, of)
	for _, back := range []bool{false, true} {
		step["takesBack"] = back
		s.must(other, "proposeCorrection", fields{"steps": []any{step}}, of)
		for _, agrees := range []*person{admin, p[15]} {
			s.offered(agrees, "approveCorrection", func(looks *screen) { looks.caseOf(of, false) })
		}
		s.days(1)
	}
	s.must(other, "resolveCase", fields{"upheld": true, "entries": []string{}}, of)
	mine := opens(other, "NOT_CREDITED", lost())
	s.gives(other, "takeCase", nil, mine)
	s.gives(other, "resolveCase", fields{"upheld": true}, mine)
	s.gives(other, "proposeCorrection", fields{"steps": []any{step}}, mine)
	s.gives(other, "proposeRemedy", fields{"kind": "ANOTHER_BVN", "userId": other.id})
	s.gives(knows, "proposeRemedy", fields{"kind": "ANOTHER_BVN", "userId": p[7].id})
	s.must(other, "proposeRemedy", fields{"kind": "ANOTHER_BVN", "userId": p[7].id})
	s.offered(admin, "agreeRemedy", (*screen).remedies)
	s.gives(p[15], "suspendGroup", nil, s.group)
	s.must(admin, "suspendGroup", nil, s.group)
	s.must(admin, "resumeGroup", nil, s.group)
}

// finance: money comes that nobody knows, and the desk looks at members.
func (s *scene) finance() {
	p := s.people
	desk := p[13]
	var once struct{ AccountNumber string }
	if r := s.must(p[6], "fundWallet", fields{"amount": 1000}); s.err == nil {
		s.err = r.read(&once)
	}
	if s.err == nil { // It is more than was asked for.
		from := sandbox.Account{Bank: s.stranger.BankCode, Number: s.stranger.Account}
		s.err = s.instance.Bank.Transfer(s.ctx, sandbox.Transfer{
			Account: once.AccountNumber, Amount: 1500 * money.Naira, Loose: true, From: from, Sender: "Amaka Stranger",
		})
	}
	s.days(1)
	var page struct{ Arrivals []struct{ ID string } }
	looks := &screen{Town: s.Town, ctx: s.ctx, who: desk}
	if looks.get("/api/v1/finance/unmatched?status=OPEN", &page); len(page.Arrivals) != 1 {
		s.refused = append(s.refused, "the desk sees no money")
		return
	}
	arrival := page.Arrivals[0].ID
	s.gives(desk, "proposeUnmatched", fields{"email": desk.email}, arrival)
	s.must(desk, "proposeUnmatched", fields{"email": p[6].email}, arrival)
	s.offered(p[14], "decideUnmatched", func(looks *screen) { looks.arrivals("PROPOSED") }, "approve", true)
	s.gives(desk, "setMemberTier", fields{"email": desk.email, "tier": 2, "case": "AD-1"})
	looked := s.must(desk, "lookUpMember", fields{"email": p[6].email, "case": "AD-1"}).object()
	s.must(desk, "setMemberTier", fields{"email": p[6].email, "tier": 2, "case": "AD-1", "seen": looked["version"]})
	for _, paper := range []string{"saveBankStatement", "saveOfferLetter"} {
		s.offered(p[6], paper, (*screen).profile)
	}
	s.offered(p[6], "askAjoAccess", (*screen).profile)
	s.offered(p[14], "grantAjoAccess", (*screen).ajoAsks)
	s.must(p[14], "reconcile", nil)
	s.must(p[14], "freezeMoney", nil)
	s.must(p[14], "reconcile", nil)
}

// frozen: somebody froze their account.
func (s *scene) frozen() {
	p := s.people[18]
	s.must(p, "changeEmail", fields{"email": "sade.new@example.com"})
	net := s.must(p, "quoteWithdrawal", fields{"amount": 1000}).object()["net"]
	s.must(p, "withdraw", fields{"amount": 1000, "net": net})
	s.must(p, "freezeMoney", nil)
	s.must(p, "nameEnquiry", fields{"account_number": p.truth.Account, "bank_code": p.truth.BankCode})
	s.gives(p, "updateUserInfo", fields{"email": p.email, "bankAccountNumber": s.people[1].truth.Account, "bankCode": s.people[1].truth.BankCode})
	s.gives(p, "changeEmail", fields{"email": "sade.thief@example.com"})
	s.must(p, "updateUserSettings", fields{"settings": fields{"inApp": true, "email": true, "mutedInApp": []string{}, "mutedEmail": []string{}}})
}
