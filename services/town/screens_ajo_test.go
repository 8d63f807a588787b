package town

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/draw"
)

// ajoPage is what the town reads of the page of an ajo, or of an invitation to one.
type ajoPage struct {
	ID, Status, Order, Draw, TermsHash string
	Me                                 *struct {
		DepositDue                            decimal.Decimal
		Seats                                 []int
		IsOwner, IsValidator, AcceptedTerms   bool
		MayClose, MustReveal, MustAcceptOrder bool
		BidSealed, MayBidReveal               bool
		ConsentDues, ConsentSweep             bool
		VotedFor                              int
		PastAnswer                            string
		Prepay                                *decimal.Decimal
	}
	PaymentDto *struct {
		Cycle, Seat int
		Amount      decimal.Decimal
		IsPaid      bool
	}
	Seats []struct {
		Seat    int
		Leaving bool
	}
	Cycles []struct {
		Cycle  int
		Status string
	}
	CurrentAjoCyle *struct{ Cycle int }
	Debts          []struct {
		ID             string
		Left           decimal.Decimal
		IOwe, OwedToMe bool
	}
	Swaps []struct {
		ID                   string
		MayAgree, MayDecline bool
	}
	Motions []struct {
		ID      string
		MayVote bool
	}
	FreeHalves int
	OpenPlaces []struct {
		Seat    int
		Price   decimal.Decimal
		Holders []struct{ UserID string }
	}
}

func (s *screen) ajo() { s.ajoOf(s.of("ajo")) }

// ajoOf is the page of an ajo, or an invitation to one.
func (s *screen) ajoOf(id string) {
	if id == "" {
		return
	}
	code := s.instance.App.Ajo.InvitationCode(id)
	var page ajoPage
	if !s.get("/api/Ajo/GetAjoDataById/"+id+query("code", code), &page) {
		return
	}
	switch {
	case page.Me == nil:
		s.ajoInvitation(id, code, page)
	case page.Status == "OPEN" || page.Status == "ORDERING":
		s.ajoBefore(id, page)
	default:
		s.ajoRuns(id, page)
	}
}

func (s *screen) ajoInvitation(id, code string, page ajoPage) {
	if page.FreeHalves > 0 {
		body := fields{"ajoId": id, "code": code, "termsHash": page.TermsHash, "hands": one(s.rng, "0.5", "1", "1"), "nonce": nonce(s.who), "commitment": strings.Repeat("ab", 32), "commitmentVersion": 2}
		if page.Draw == "PHONES" {
			body["commitment"] = commitment(id, s.who)
		}
		s.offer(8, "joinAjo", body)
	}
	for _, place := range page.OpenPlaces {
		for _, holder := range place.Holders {
			s.offer(8, "takeAjoPlace", fields{"seat": place.Seat, "fromUserId": holder.UserID, "price": place.Price, "code": code, "termsHash": page.TermsHash}, id)
		}
	}
}

// ajoBefore is the page of an ajo whose order is not set yet.
func (s *screen) ajoBefore(id string, page ajoPage) {
	me := page.Me
	if me.DepositDue.IsPositive() {
		s.offer(8, "payAjo", fields{"what": "DEPOSIT", "amount": me.DepositDue}, id)
	}
	if me.MayClose {
		s.offer(8, "closeAjoList", fields{}, id)
	}
	if me.MustAcceptOrder {
		s.offer(8, "acceptAjoOrder", nil, id)
	}
	if me.MustReveal {
		s.offer(8, "revealAjoSecret", fields{"secret": hex.EncodeToString(secretOf(s.who))}, id)
	}
	if !me.AcceptedTerms {
		s.offer(4, "acceptAjoTerms", fields{"termsHash": page.TermsHash}, id)
	}
	s.seldom(20, "leaveAjo", nil, id)
	if me.IsOwner {
		s.seldom(40, "cancelAjo", fields{}, id)
	}
}

// ajoRuns is the page of an ajo whose order is set.
func (s *screen) ajoRuns(id string, page ajoPage) {
	if p := page.PaymentDto; p != nil && !p.IsPaid {
		s.offer(10, "payAjo", fields{"what": "DUE", "amount": p.Amount, "cycle": p.Cycle, "seat": p.Seat}, id)
	}
	if page.Me.Prepay != nil {
		s.seldom(6, "payAjo", fields{"what": "ALL", "amount": *page.Me.Prepay}, id)
	}
	for _, debt := range page.Debts {
		if debt.IOwe {
			s.offer(6, "payAjo", fields{"what": "DEBT", "amount": debt.Left, "debtId": debt.ID}, id)
		}
		if debt.OwedToMe {
			s.seldom(4, "forgiveAjoDebt", nil, id, debt.ID)
		}
	}
	for _, swap := range page.Swaps {
		if swap.MayAgree {
			s.offer(4, "agreeAjoSwap", nil, id, swap.ID)
		}
		if swap.MayDecline {
			s.offer(1, "declineAjoSwap", nil, id, swap.ID)
		}
	}
	for _, motion := range page.Motions {
		if motion.MayVote {
			s.offer(4, "voteAjoMotion", fields{"agrees": s.ending || s.half()}, id, motion.ID)
		}
	}
	if page.Me.PastAnswer == "" {
		s.seldom(20, "answerAjoPast", fields{"confirmed": s.half()}, id)
	}
	s.ajoChoice(id, page)
	s.ajoPots(id, page)
	s.ajoPlaces(id, page)
	if page.Me.IsValidator || s.rng.IntN(10) == 0 {
		s.marks("/api/v1/ajo/"+id+"/audit", "markAjoPayments", id)
	}
}

// ajoChoice is where members choose who collects.
func (s *screen) ajoChoice(id string, page ajoPage) {
	me := page.Me
	if page.CurrentAjoCyle == nil || len(me.Seats) == 0 {
		return
	}
	cycle, seat := page.CurrentAjoCyle.Cycle, me.Seats[0]
	switch {
	case page.Order == "NEED" && me.VotedFor == 0:
		s.offer(3, "voteAjoNeed", fields{"cycle": cycle, "forSeat": 1 + s.rng.IntN(max(1, len(page.Seats)))}, id)
	case page.Order == "BIDDING" && me.MayBidReveal:
		s.offer(8, "revealAjoBid", fields{"cycle": cycle, "seat": seat, "discount": s.bid(seat).Decimal(), "salt": hex.EncodeToString(secretOf(s.who))}, id)
	case page.Order == "BIDDING" && !me.BidSealed:
		sealed := ajopot.BidHash(cycle, seat, s.bid(seat), secretOf(s.who))
		s.offer(5, "bidForAjoTurn", fields{"cycle": cycle, "seat": seat, "commitment": hex.EncodeToString(sealed[:])}, id)
	}
}

// bid is what somebody always bids for a seat.
func (s *screen) bid(seat int) money.Kobo {
	return money.Kobo((s.who.number+seat)%4) * 500 * money.Naira
}

// ajoPots are the pots of an ajo that are full or nearly.
func (s *screen) ajoPots(id string, page ajoPage) {
	for _, c := range page.Cycles {
		if c.Status == "PAID" || page.CurrentAjoCyle != nil && c.Cycle > page.CurrentAjoCyle.Cycle+1 {
			continue
		}
		var pot struct {
			Mine                              *decimal.Decimal
			MayRequest, MayApprove, MayRefuse bool
		}
		cycle := fmt.Sprint(c.Cycle)
		if !s.get("/api/v1/ajo/"+id+"/payouts/"+cycle, &pot) {
			continue
		}
		if pot.MayRequest && pot.Mine != nil {
			s.offer(10, "requestAjoPayout", fields{"ajoId": id, "cycle": c.Cycle, "amount": *pot.Mine})
		}
		if pot.MayApprove {
			s.offer(10, "approveAjoPayout", nil, id, cycle)
		}
		if pot.MayRefuse {
			s.seldom(5, "refuseAjoPayout", nil, id, cycle)
		}
	}
}

// ajoPlaces are the places of an ajo: one's own is given up or swapped, another's is taken.
func (s *screen) ajoPlaces(id string, page ajoPage) {
	mine := map[int]bool{}
	for _, seat := range page.Me.Seats {
		mine[seat] = true
	}
	for _, seat := range page.Seats {
		switch {
		case mine[seat.Seat] && seat.Leaving:
			s.seldom(8, "keepAjoPlace", fields{"seat": seat.Seat}, id)
		case mine[seat.Seat]:
			s.seldom(5, "openAjoPlace", fields{"seat": seat.Seat}, id)
		case len(page.Me.Seats) > 0:
			s.seldom(12, "proposeAjoSwap", fields{"seat": page.Me.Seats[0], "withSeat": seat.Seat}, id)
		}
	}
	s.seldom(6, "setAjoConsent", fields{"dues": s.half(), "sweep": s.half()}, id)
	kind := one(s.rng, "EXPEL", "PAUSE", "TERMINATE")
	if s.ending {
		kind = "TERMINATE"
	}
	s.seldom(20, "moveInAjo", fields{"kind": kind}, id)
}

// secretOf is what somebody's phone keeps.
func secretOf(p *person) []byte { return bytes.Repeat([]byte{byte(p.number)}, 32) }

func nonce(p *person) string { return strings.Repeat(fmt.Sprintf("%02x", p.number), 16) }

// commitment is what somebody's phone commits to in an ajo.
func commitment(ajo string, p *person) string {
	raw, _ := hex.DecodeString(nonce(p))
	sum, _ := draw.CommitmentOfNonce(ajo, [16]byte(raw), [32]byte(secretOf(p))) // Of an id that is a UUID.
	return hex.EncodeToString(sum[:])
}
