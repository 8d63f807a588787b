package agenda

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"adashi.ng/ledger/base/money"
	"adashi.ng/proto/wire"
	"adashi.ng/services/internal/ajo"
)

// inAjo is an ajo while its rows are read.
type inAjo struct {
	*reading
	ajo.Waiting
}

// ajos adds the rows of ajo.
func (r *reading) ajos(ctx context.Context) error {
	all, err := r.Ajo.Waiting(ctx, r.caller.UserID)
	if err != nil {
		return err
	}
	for _, w := range all {
		in := inAjo{r, w}
		if w.Me.IsOwner {
			r.owned = append(r.owned, *in.place())
		}
		in.dues()
		in.pots()
		in.turns()
		in.beforeStart()
	}
	return nil
}

func (in inAjo) place() *place { return &place{Kind: ofAjo, Id: in.Id, Name: in.Name} }

func (in inAjo) row(id string, kind Kind, title, button, link string) Row {
	return Row{Id: id + ":" + in.Id, Kind: kind, Title: title, Place: in.place(), Button: button, Link: link}
}

func (in inAjo) page() string { return "/ajo/" + in.Id }

// kobo is an amount that another area answers; those are whole kobo.
func kobo(n wire.Naira) money.Kobo {
	amount, _ := money.FromNaira(n.Decimal)
	return amount
}

// dues adds the person's unpaid dues.
func (in inAjo) dues() {
	until := in.today.AddDate(0, 0, daysAhead).Format(time.DateOnly)
	for _, line := range in.Owes.Dues {
		if line.Status == "PAID" || line.Due > until {
			continue
		}
		query := url.Values{"ajoId": {in.Id}, "cycle": {strconv.Itoa(line.Cycle)}, "seat": {strconv.Itoa(line.Seat)}}
		in.add(in.row(
			fmt.Sprintf("due:%d:%d", line.Cycle, line.Seat), AjoDue, fmt.Sprintf("Turn %d: %s", line.Cycle, line.Collects), "Pay", "/dashboard/ajo/payment?"+query.Encode(),
		), kobo(line.Amount), line.Due)
	}
	for _, line := range in.Owes.Deposits {
		in.add(in.row("deposit", AjoDeposit, "Your deposit", "Pay", "/dashboard/ajo/payment?"+url.Values{"ajoId": {in.Id}}.Encode()), kobo(line.Amount), "")
	}
}

func (in inAjo) pots() {
	for _, p := range in.Pots {
		id, link := fmt.Sprintf("pot:%d", p.Cycle), in.page()+"/payment-requests?cycle="+strconv.Itoa(p.Cycle)
		if p.MayRequest && p.Mine != nil && kobo(*p.Mine) > 0 {
			in.add(in.row(id, Pot, "Your pot is ready", "Collect", link), kobo(*p.Mine), "")
		}
		if p.MayApprove {
			in.add(in.row(id, PotRequest, *p.RequestedBy+" asks for the pot", "Approve", link), kobo(p.Gross), dayOf(p.PaysItselfAt))
		}
	}
}

var motions = map[string]string{"EXPEL": " give up their place", "PAUSE": "Pause the ajo?", "TERMINATE": "End the ajo early?"}

// turns adds swaps, votes and bids.
func (in inAjo) turns() {
	for _, s := range in.Swaps {
		if s.MayAgree {
			in.add(in.row("swap:"+s.Id, Swap, fmt.Sprintf("%s asks to swap turns: seats %d and %d", s.By, s.Seat, s.WithSeat), "Answer", in.page()), 0, "")
		}
	}
	for _, m := range in.Motions {
		if !m.MayVote {
			continue
		}
		title := motions[string(m.Kind)]
		if m.About != nil {
			title = "Does " + *m.About + title + "?"
		}
		in.add(in.row("vote:"+m.Id, Vote, title, "Vote", in.page()), 0, day(m.Until))
	}
	if c := in.CurrentAjoCyle; in.Me.MayBidReveal && c != nil && c.ChosenBy != nil {
		in.add(in.row("bid", Bid, "Open your bid, or it does not count", "Open", in.page()), 0, *c.ChosenBy)
	}
}

// beforeStart adds what an ajo needs of its members before it starts.
func (in inAjo) beforeStart() {
	if in.AcceptBy != nil && !in.Me.AcceptedTerms {
		in.add(in.row("terms", Terms, "The terms have changed", "Read", in.page()), 0, dayOf(in.AcceptBy))
	}
	if c := in.Closing; c != nil && in.Me.MustAcceptOrder {
		in.add(in.row("order", Order, "The owner proposes the order of turns", "Answer", in.page()), 0, dayOf(c.AcceptBy))
	}
	if c := in.Closing; c != nil && in.Me.MustReveal && in.now.Before(c.DrawAt) {
		in.add(in.row("draw", PhoneDraw, "Your phone takes part in the draw", "Open", in.page()), 0, day(c.DrawAt))
	}
	if in.Status == "OPEN" && len(in.Past) > 0 && in.Me.PastAnswer == nil {
		in.add(in.row("past", Past, "Is it right who has collected before?", "Answer", in.page()), 0, "")
	}
	if in.Me.MayClose {
		in.add(in.row("close", AjoSetup, "Everybody is here: close the list", "Close", in.page()), 0, "")
	}
}
