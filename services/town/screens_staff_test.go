package town

import (
	"strconv"

	"github.com/shopspring/decimal"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/rails/sandbox"
)

// cases is the desk of Support and Admin.
func (s *screen) cases() {
	var list struct {
		Cases []struct {
			ID, StaffName string
			IsMine        bool
		}
	}
	if !s.get("/api/v1/support/cases"+query("list", one(s.rng, "OPEN", "MINE")), &list) || len(list.Cases) == 0 {
		return
	}
	row := one(s.rng, list.Cases...)
	if row.StaffName == "" {
		s.offer(6, "takeCase", nil, row.ID)
	}
	s.caseOf(row.ID, row.IsMine)
}

// caseOf is the page of a case.
func (s *screen) caseOf(id string, mine bool) {
	var kase struct {
		UserID string
		IsOpen bool
		Hold   *struct{ State string }
	}
	if !s.get("/api/v1/support/cases/"+id, &kase) {
		return
	}
	if mine && kase.IsOpen {
		s.offer(2, "askMember", fields{}, id)
		s.offer(3, "resolveCase", fields{"upheld": s.half(), "entries": []string{}}, id)
		if kase.Hold != nil {
			s.offer(2, "allowHold", nil, id)
		}
		adjust := fields{"kind": "ADJUST", "amount": one(s.rng, 500, 1000), "takesBack": s.rng.IntN(4) == 0, "words": s.says()}
		s.offer(1, "proposeCorrection", fields{"steps": []any{adjust}}, id)
		s.offer(1, "unmaskNames", fields{"userIds": []string{kase.UserID}}, id)
	}
	var plan struct {
		Plan *struct {
			ID                     string
			MayApprove, MayDecline bool
		}
	}
	if s.get("/api/v1/support/cases/"+id+"/plan", &plan) && plan.Plan != nil {
		if plan.Plan.MayApprove {
			s.offer(8, "approveCorrection", fields{"planId": plan.Plan.ID}, id)
		}
		if plan.Plan.MayDecline {
			s.offer(1, "declineCorrection", fields{"planId": plan.Plan.ID}, id)
		}
	}
	var answer struct {
		Disputed                     decimal.Decimal
		MayAnswer, MayAgree, MayDrop bool
		AnswerID                     string
	}
	if s.get("/api/v1/support/cases/"+id+"/bank-answer", &answer) {
		if answer.MayAnswer {
			s.offer(6, "giveBankAnswer", fields{"accept": s.half()}, id)
		}
		if answer.MayAgree {
			s.offer(8, "agreeBankAnswer", fields{"answerId": answer.AnswerID}, id)
		}
		if answer.MayDrop {
			s.offer(1, "dropBankAnswer", fields{"answerId": answer.AnswerID}, id)
		}
	}
}

// remedies is the desk for stolen accounts.
func (s *screen) remedies() {
	var waiting []struct {
		RemedyID, Kind, Version string
		MayAgree                bool
	}
	if !s.get("/api/v1/support/remedies", &waiting) {
		return
	}
	for _, r := range waiting {
		if r.MayAgree {
			s.offer(6, "agreeRemedy", fields{"seen": r.Version}, r.RemedyID)
		}
		s.seldom(6, "declineRemedy", nil, r.RemedyID)
	}
	s.seldom(30, "proposeRemedy", fields{"kind": "ANOTHER_BVN", "userId": one(s.rng, s.members()...).id})
	if s.who.role == people.RoleSupport {
		s.stolen()
	}
}

// operator is what an Admin does about groups.
func (s *screen) operator() {
	id := recent(s.rng, s.memory.known["group"])
	if s.memory.halted[id] {
		s.offer(6, "resumeGroup", fields{}, id)
	}
	s.seldom(60, "suspendGroup", fields{}, id)
}

// unmatched is the desk of money that belongs to nobody known.
func (s *screen) unmatched() { s.arrivals(one(s.rng, "OPEN", "PROPOSED", "PROPOSED", "HELD")) }

// arrivals are those of a status.
func (s *screen) arrivals(status string) {
	var page struct {
		Arrivals []struct {
			ID, Status, Channel, ProviderRef, Reference string
			Proposal, SendBack                          *struct {
				Version string
				Mine    bool
			}
			PaymentID *string
		}
	}
	if !s.get("/api/v1/finance/unmatched"+query("status", status), &page) || len(page.Arrivals) == 0 {
		return
	}
	a := one(s.rng, page.Arrivals...)
	switch {
	case a.Status == "OPEN":
		whose := s.sender(a.ProviderRef, a.Reference) // Mostly they find out who sent it.
		gone := whose == nil || s.closed(whose)
		if !s.ending && !s.Plain && s.rng.IntN(4) == 0 {
			whose, gone = one(s.rng, s.members()...), false
		}
		switch {
		case !gone:
			s.offer(3, "proposeUnmatched", fields{"email": whose.email}, a.ID)
		case a.Channel == "BANK_TRANSFER" && s.rng.IntN(3) > 0:
			s.offer(3, "proposeSendBack", fields{"reason": s.says()}, a.ID)
		case s.ending: // What we cannot send back, the desk has the bank or the gateway return.
			s.returns(a.Channel, a.Reference)
		}
	case a.Status == "HELD":
		s.offer(3, "settleHeld", fields{}, a.ID)
	case a.SendBack != nil && !a.SendBack.Mine:
		s.offer(6, "decideUnmatched", fields{"approve": s.ending || s.rng.IntN(5) > 0, "seen": a.SendBack.Version, "reason": s.says()}, a.ID)
	case a.Proposal != nil && !a.Proposal.Mine:
		s.offer(6, "decideUnmatched", fields{"approve": s.ending || s.rng.IntN(5) > 0, "seen": a.Proposal.Version, "reason": s.says()}, a.ID)
	}
}

// closed reports whether somebody has closed their account.
func (s *screen) closed(p *person) (closed bool) {
	err := s.instance.Pool.QueryRow(s.ctx, "SELECT EXISTS (SELECT FROM events WHERE stream = $1 AND type = 'naira.v1.AccountClosed')", account.Stream(p.id)).Scan(&closed)
	if err != nil {
		s.err = err
	}
	return closed
}

// returns has the bank return a transfer, or the gateway refund a card payment, of which it may have done so already.
func (s *screen) returns(channel, reference string) {
	err := s.instance.Bank.Recall(s.ctx, reference)
	if channel == "CARD" {
		err = s.instance.Bank.TakeBack(s.ctx, sandbox.Takeback{Reference: reference})
	}
	if fault.As(err) == nil && err != nil {
		s.err = err
	}
}

// debts is the desk of what members owe Adashi, and of those who may not pay by card.
func (s *screen) debts() {
	var page struct {
		Debts []struct {
			UserID   string
			Proposal *struct {
				Version string
				Mine    bool
			}
		}
		Locked []struct{ UserID string }
	}
	if !s.get("/api/v1/finance/debts", &page) {
		return
	}
	for _, d := range page.Debts {
		switch {
		case d.Proposal == nil && s.rng.IntN(4) == 0:
			s.offer(1, "proposeWriteOff", fields{"reason": s.says()}, d.UserID)
		case d.Proposal != nil && !d.Proposal.Mine:
			s.offer(4, "decideWriteOff", fields{"approve": s.rng.IntN(2) == 0, "seen": d.Proposal.Version, "reason": s.says()}, d.UserID)
		}
	}
	for _, l := range page.Locked {
		s.offer(2, "unlockCards", fields{"reason": s.says()}, l.UserID)
	}
}

// sender is who truly sent money, by what the bank calls it and by our reference; nil for a stranger.
func (s *screen) sender(providerRef, reference string) *person {
	var account string
	err := s.instance.Pool.QueryRow(s.ctx, `SELECT coalesce((SELECT payer_account FROM sandbox_charges WHERE id::text = $1 OR reference = $2 LIMIT 1),
		(SELECT sender_account FROM sandbox_transfers t JOIN sandbox_accounts a USING (account_number) WHERE 'sandbox-' || t.id = $1 OR t.session_id = $1 OR a.reference = $2 ORDER BY t.id LIMIT 1), '')`,
		providerRef, reference).Scan(&account)
	if err != nil {
		s.err = err
	}
	for _, p := range s.members() {
		if p.truth.Account == account {
			return p
		}
	}
	return nil
}

// ajoAsks is the desk of requests for ajo access, and that of payouts.
func (s *screen) ajoAsks() {
	var page struct{ Asks []struct{ UserID string } }
	if s.get("/api/v1/finance/ajo-access", &page) && len(page.Asks) > 0 {
		user := one(s.rng, page.Asks...).UserID
		var ask struct{ AskID string }
		if s.get("/api/v1/finance/ajo-access/"+user, &ask) {
			s.offer(4, "grantAjoAccess", fields{"askId": ask.AskID}, user)
			s.offer(1, "refuseAjoAccess", fields{"askId": ask.AskID}, user)
		}
	}
	var payouts struct{ Payouts []struct{ ID string } }
	if s.get("/api/v1/finance/payouts?limit="+strconv.Itoa(10), &payouts) && len(payouts.Payouts) > 0 {
		s.offer(1, "queryPayout", nil, one(s.rng, payouts.Payouts...).ID)
	}
}
