package town

import (
	"net/http"
	"slices"

	"github.com/shopspring/decimal"
)

// The screens of one thing, of those that somebody has to do with.
func (s *screen) group()   { s.groupOf(s.of("group")) }
func (s *screen) request() { s.requestOf(s.of("liquidation")) }

// groupOf is the page of a group, or an invitation to one.
func (s *screen) groupOf(id string) {
	var page struct {
		Group struct {
			ID, Status, Role, MemberStatus string
			Missing                        []string
		}
		OwnershipOfferedTo *string
		OwnershipOffer     *string
		Succession         *struct {
			CandidateID, Version string
			Voted                bool
		}
		MayDecide []string
	}
	if id == "" {
		return
	}
	if !s.get("/api/GroupSavings/GetGroupDetails/"+id, &page) {
		if page.Group.MemberStatus == "" {
			s.offer(1, "joinGroupSavings", fields{"groupId": id, "code": s.instance.App.Groups.InvitationCode(id)})
			s.seldom(2, "acceptInvitation", nil, id)
			s.seldom(6, "declineInvitation", nil, id)
		}
		return
	}
	if page.Group.Status == "ACTIVE" || !s.ending {
		s.dues(id)
	}
	if s.ending || s.rng.IntN(3) == 0 {
		s.savings(id)
		s.leaving(id)
	}
	switch {
	case page.Group.Role != "OWNER":
	case page.Group.Status == "PENDING_APPROVAL":
		s.seldom(60, "cancelGroup", fields{}, id)
	case page.Group.Status == "ACTIVE" || page.Group.Status == "CLOSING":
		s.seldom(60, "closeGroup", fields{}, id)
	}
	if v := page.Succession; v != nil && !v.Voted {
		s.offer(4, "voteSuccession", fields{"candidateId": v.CandidateID, "seen": v.Version, "agrees": s.rng.IntN(3) > 0}, id)
	}
	if page.OwnershipOfferedTo != nil && *page.OwnershipOfferedTo == s.who.id {
		s.offer(4, "answerOwnership", fields{"accept": s.half(), "seen": page.OwnershipOffer}, id)
	}
	if page.Group.Role == "MEMBER" || page.Group.Role == "" {
		return
	}
	s.approves(id)
	s.requests(id)
	if !s.ending && !s.Plain {
		s.spends(id)
	}
	if page.Group.Role == "VALIDATOR" || s.half() {
		s.marks("/api/v1/savings/groups/"+id+"/audit", "markPayments", id)
	}
}

// dues are what somebody still owes to a group.
func (s *screen) dues(group string) {
	var page struct {
		Dues []struct {
			SubAccountID, Period string
			Outstanding          decimal.Decimal
		}
	}
	if !s.get("/api/GroupSavings/user-unsettled-payments/"+group+"/"+s.who.id, &page) {
		return
	}
	for _, due := range page.Dues {
		body := fields{"amount": due.Outstanding, "subAccountId": due.SubAccountID}
		if !s.ending && s.rng.IntN(4) == 0 {
			body["amount"] = due.Outstanding.Div(decimal.NewFromInt(2)).Floor()
		}
		s.offer(6, "makePaymentWithWallet", body)
		s.offer(1, "subAccountPayment", body)
	}
}

// savings are what somebody has in a group, and may ask for.
func (s *screen) savings(group string) {
	var page struct {
		SubAccounts []struct {
			ID        string
			MySavings *decimal.Decimal
		}
	}
	if !s.get("/api/GroupSavings/GetGroupSubAccounts/"+group, &page) {
		return
	}
	for _, sub := range page.SubAccounts {
		if sub.MySavings == nil || !sub.MySavings.IsPositive() {
			continue
		}
		body := fields{"subAccountId": sub.ID, "amount": naira(*sub.MySavings), "kind": "MEMBER_WITHDRAWAL"}
		r, err := s.does(s.ctx, s.who, "POST", "/api/v1/savings/liquidations/quote", body)
		if s.err = err; err == nil && r.status == http.StatusOK {
			body["groupId"], body["net"], body["reason"] = group, r.object()["net"], s.says()
			s.offer(1, "requestLiquidation", body)
		}
	}
}

// leaving is what somebody reads before they leave a group.
func (s *screen) leaving(group string) {
	var page struct{ MayLeave, MayForfeit bool }
	if s.get("/api/v1/savings/groups/"+group+"/leaving", &page) && page.MayLeave {
		s.seldom(10, "leaveGroup", fields{"forfeit": page.MayForfeit && s.rng.IntN(30) == 0}, group)
	}
}

// approves is what waits for an official of a group.
func (s *screen) approves(group string) {
	var pending struct {
		Members []struct{ Member struct{ UserID string } }
	}
	if s.get("/api/GroupSavings/pending-group-savings/"+group, &pending) {
		for _, m := range pending.Members {
			s.offer(6, "approveGroupMember", fields{"groupId": group, "memberId": m.Member.UserID})
			s.seldom(4, "rejectGroupMember", fields{"groupId": group, "memberId": m.Member.UserID})
		}
	}
	var waivers struct {
		Waivers []struct {
			ID, Version string
			MayDecide   bool
		}
	}
	if s.get("/api/v1/savings/groups/"+group+"/waivers", &waivers) {
		for _, w := range waivers.Waivers {
			if w.MayDecide {
				s.offer(6, "decideWaiver", fields{"approve": s.ending || s.rng.IntN(3) > 0, "seen": w.Version, "reason": s.says()}, w.ID)
			}
		}
	}
	var owes struct{ Members []struct{ UserID string } }
	if s.get("/api/v1/savings/groups/"+group+"/unsettled", &owes) && len(owes.Members) > 0 {
		s.owes(group, one(s.rng, owes.Members...).UserID)
	}
}

// owes is what somebody else owes to a group.
func (s *screen) owes(group, member string) {
	s.offer(1, "remindMembers", fields{"memberIds": []string{member}}, group)
	var page struct {
		Dues []struct {
			SubAccountID, Period string
			Outstanding          decimal.Decimal
		}
	}
	if !s.get("/api/GroupSavings/user-unsettled-payments/"+group+"/"+member, &page) {
		return
	}
	for _, due := range page.Dues {
		s.offer(1, "coverMember", fields{"subAccountId": due.SubAccountID, "memberId": member, "amount": due.Outstanding})
		s.offer(1, "requestWaiver", fields{"subAccountId": due.SubAccountID, "memberId": member, "period": due.Period})
	}
}

// marks are payments to be audited.
func (s *screen) marks(path, command, about string) {
	var page struct {
		Payments []struct {
			ID, Mark string
			MayMark  bool
		}
	}
	if !s.get(path, &page) {
		return
	}
	var all []any
	for _, p := range page.Payments {
		if p.MayMark && len(all) < 3 {
			mark := one(s.rng, "VALIDATED", "VALIDATED", "QUERIED")
			if p.Mark == "QUERIED" {
				mark = "RESOLVED"
			}
			all = append(all, fields{"id": p.ID, "mark": mark, "reason": s.says()})
		}
	}
	if len(all) > 0 {
		s.offer(3, command, fields{"marks": all}, about)
	}
}

// spends has an official ask their group to pay somebody.
func (s *screen) spends(group string) {
	sub, payee := recent(s.rng, s.memory.near("sub account", group)), one(s.rng, s.members()...).truth
	if sub == "" || s.rng.IntN(4) > 0 {
		return
	}
	body := fields{
		"subAccountId": sub, "amount": one(s.rng, 1000, 2500, 5000), "kind": "GROUP_DISBURSEMENT", "accountNumber": payee.Account, "bankCode": payee.BankCode,
	}
	r, err := s.does(s.ctx, s.who, "POST", "/api/v1/savings/liquidations/quote", body)
	if s.err = err; err == nil && r.status == http.StatusOK {
		body["groupId"], body["net"], body["reason"] = group, r.object()["net"], s.says()
		s.offer(4, "requestLiquidation", body)
	}
}

// requests are those of a group that wait for its officials.
func (s *screen) requests(group string) {
	var page struct {
		Requests []struct{ ID, Status string }
	}
	if !s.get("/api/GroupSavings/get-savings-liquidation-request-list/"+group, &page) {
		return
	}
	for _, r := range page.Requests {
		switch r.Status {
		case "REQUESTED", "VALIDATED", "ON_HOLD", "PAYOUT_FAILED":
			s.requestOf(r.ID)
		}
	}
}

// requestOf is the page of somebody's wish for money of a group.
func (s *screen) requestOf(id string) {
	var page struct {
		GroupID, Status string
		May             []string
	}
	if id == "" || s.over[id] || !s.get("/api/v1/savings/liquidations/"+id, &page) {
		return
	}
	s.over[id] = s.ending && slices.Contains(overRequests, page.Status)
	for _, may := range page.May {
		switch may {
		case "VALIDATE", "APPROVE":
			s.offer(10, "validateLiquidation", fields{}, page.GroupID, id, "approve")
		case "REJECT":
			if s.ending {
				continue
			}
			s.seldom(6, "validateLiquidation", fields{"reason": s.says()}, page.GroupID, id, "reject")
		case "OBJECT":
			s.seldom(4, "objectToLiquidation", fields{}, id)
		case "ANSWER":
			s.offer(4, "answerObjections", fields{}, id)
		case "CANCEL":
			s.seldom(6, "cancelLiquidation", nil, id)
		case "RETRY":
			s.offer(4, "retryLiquidation", nil, id)
		case "RELEASE":
			s.seldom(3, "releaseLiquidation", fields{}, id)
		case "DISPUTE":
			s.seldom(6, "openDispute", fields{"kind": "NOT_ME", "requestId": id, "hold": s.half()})
		}
	}
}

// overRequests are the statuses of a request that nobody brings to an end any more.
var overRequests = []string{"PAID", "REVERSED", "VALIDATION_REJECTED", "APPROVAL_REJECTED", "CANCELLED", "EXPIRED", "RELEASED"}

// disputes are somebody's own, and what they are asked about their payments.
func (s *screen) disputes() {
	var page struct{ Disputes []struct{ ID string } }
	if !s.get("/api/v1/disputes", &page) {
		return
	}
	for _, row := range page.Disputes {
		id := row.ID
		var d struct{ MayAdd, MayAnswer, MayWithdraw, MayReopen bool }
		if s.get("/api/v1/disputes/"+id, &d) {
			if d.MayAdd {
				s.offer(2, "addEvidence", fields{"words": s.says()}, id)
			}
			if d.MayAnswer {
				s.offer(8, "answerDispute", fields{}, id)
			}
			if d.MayWithdraw {
				s.seldom(5, "withdrawDispute", nil, id)
			}
			if d.MayReopen {
				s.offer(3, "reopenDispute", fields{}, id)
			}
		}
	}
	var asked []struct{ PaymentID string }
	if s.get("/api/v1/questions", &asked) {
		for _, q := range asked {
			s.offer(3, "sayOfQuestion", fields{"words": s.says()}, q.PaymentID)
		}
	}
	s.movements()
}

// movements are the lines of somebody's wallet, about which they may open a dispute.
func (s *screen) movements() {
	var page struct {
		Transactions []struct {
			ID        string
			Direction string
		}
	}
	if s.get("/api/Wallet/GetUserWalletTransactions"+query("email", s.who.email), &page) && len(page.Transactions) > 0 {
		line := one(s.rng, page.Transactions...)
		s.offer(1, "openDispute", fields{"kind": one(s.rng, "WRONG_AMOUNT", "TWICE", "NOT_ME"), "movementId": line.ID, "freeze": s.rng.IntN(4) == 0})
	}
}

// profile is what somebody has of their own.
func (s *screen) profile() {
	var frozen struct{ Frozen bool }
	switch is := s.get("/api/v1/account/freeze", &frozen); {
	case is && frozen.Frozen:
		s.offer(6, "thawMoney", nil)
	case is && !s.ending:
		s.seldom(10, "freezeMoney", fields{}) // They think that somebody else is at it.
	}
	var sessions []struct {
		ID      string
		Current bool
	}
	if s.get("/api/v1/account/sessions", &sessions) {
		for _, session := range sessions {
			if !session.Current {
				s.seldom(4, "endSession", nil, session.ID)
			}
		}
	}
	var cards []struct{ ID string }
	if s.get("/api/v1/wallet/cards", &cards) {
		for _, c := range cards {
			s.seldom(6, "deleteCard", nil, c.ID)
			s.offer(2, "fundWallet", fields{"channel": "CARD", "cardId": c.ID})
		}
	}
	s.bank()
	s.owing()
	var letters struct{ Items []struct{ ID string } }
	if s.get("/api/Notification/all", &letters) && len(letters.Items) > 0 {
		s.offer(1, "readNotification", nil, one(s.rng, letters.Items...).ID)
	}
	var orders []struct{ ID, Status string }
	if s.get("/api/v1/wallet/standing-orders", &orders) {
		for _, o := range orders {
			switch o.Status {
			case "ACTIVE":
				s.seldom(4, "pauseStandingOrder", nil, o.ID)
			case "PAUSED":
				s.offer(2, "resumeStandingOrder", nil, o.ID)
			}
		}
	}
	var access struct {
		MayAsk    bool
		Checklist []struct {
			What string
			Done bool
		}
	}
	if s.get("/api/v1/ajo/access", &access) {
		if access.MayAsk {
			s.offer(4, "askAjoAccess", nil)
		}
		for _, need := range access.Checklist {
			if !need.Done {
				s.paper(need.What)
			}
		}
	}
}

// bank is where somebody says whose account is theirs, truly.
func (s *screen) bank() {
	var me struct {
		BvnVerified       bool
		BankAccountNumber string
	}
	if !s.get("/api/Account/GetUserInfoById/"+s.who.id, &me) {
		return
	}
	at := s.who.truth
	switch {
	case me.BankAccountNumber != at.Account:
		s.offer(4, "updateUserInfo", fields{"email": s.who.email, "bankAccountNumber": at.Account, "bankCode": at.BankCode, "monthlySalaray": 250000, "dateForSalary": "2026-12-28"})
	case !me.BvnVerified:
		s.offer(4, "bvnLookUp", fields{"account_number": at.Account, "bank_code": at.BankCode, "first_name": s.who.first, "last_name": "Town", "bvn": at.BVN})
	}
}

// owing is what somebody owes, and is owed, in all their ajo, also in those that are over.
func (s *screen) owing() {
	var page struct {
		Debts []struct {
			ID, AjoID      string
			Left           decimal.Decimal
			IOwe, OwedToMe bool
		}
	}
	if !s.get("/api/v1/ajo/dues", &page) {
		return
	}
	for _, debt := range page.Debts {
		if debt.IOwe {
			s.offer(4, "payAjo", fields{"what": "DEBT", "amount": debt.Left, "debtId": debt.ID}, debt.AjoID)
		}
		if debt.OwedToMe {
			s.seldom(6, "forgiveAjoDebt", nil, debt.AjoID, debt.ID)
		}
	}
}

// paper brings what is still needed for ajo access.
func (s *screen) paper(what string) {
	command, known := map[string]string{"BANK_STATEMENT": "saveBankStatement", "OFFER_LETTER": "saveOfferLetter"}[what]
	if !known || s.err != nil {
		return
	}
	sent, err := paper([2]string{"kind", "document"})
	if err != nil {
		s.err = err
		return
	}
	r, err := s.does(s.ctx, s.who, "POST", "/api/file/profile", sent)
	if s.err = err; err == nil && r.status == http.StatusOK {
		s.offer(4, command, fields{"document": r.object()["id"]})
	}
}
