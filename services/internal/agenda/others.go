package agenda

import (
	"context"
	"fmt"
	"slices"

	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/domain/sampling"
	"adashi.ng/projections/ajos"
	"adashi.ng/projections/debts"
	"adashi.ng/projections/disputes"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/usecase"
)

// debts adds what the person owes, and what others owe them.
func (r *reading) debts(ctx context.Context) error {
	list, err := ajos.DebtsOf(ctx, r.Pool, r.caller.UserID)
	if err != nil {
		return err
	}
	var users []string
	for _, d := range list {
		users = append(users, d.Debtor, d.Creditor)
	}
	cards, err := r.People.Cards(ctx, usecase.UniqueIDs(users))
	if err != nil {
		return err
	}
	for _, d := range list {
		w := Row{Id: "debt:" + d.AjoID + ":" + d.ID, Kind: DebtToMe, Place: &place{Kind: ofAjo, Id: d.AjoID, Name: d.AjoName}, Button: "See", Link: "/ajo/" + d.AjoID}
		switch {
		case d.Debtor != r.caller.UserID:
			w.Title = usecase.FullName(cards, d.Debtor) + " owes you"
		case d.Creditor == "":
			w.Kind, w.Title, w.Button = Debt, "You owe Adashi", "Pay"
		default:
			w.Kind, w.Title, w.Button = Debt, "You owe "+usecase.FullName(cards, d.Creditor), "Pay"
		}
		r.add(w, d.Left, "")
	}
	owed, err := debts.Of(ctx, r.Pool, r.caller.UserID)
	if err == nil && owed > 0 {
		r.add(Row{Id: "debt", Kind: AdashiDebt, Title: "You owe Adashi for money that the bank took back", Button: "Fund", Link: "/dashboard/wallet/?fund=1"}, owed, "")
	}
	return err
}

// disputesMax limits the disputes of a person that are looked at; the open ones are the latest.
const disputesMax = 20

// cases adds what Support asks the person, and decisions that they may still have looked at again.
func (r *reading) cases(ctx context.Context) error {
	list, err := disputes.Of(ctx, r.Pool, r.caller.UserID, 0, disputesMax)
	for _, d := range list {
		link := "/disputes/" + d.ID
		switch {
		case d.Status == "INFO_REQUESTED":
			r.add(Row{Id: "dispute:" + d.ID, Kind: Dispute, Title: "Support asks you about " + dispute.Number(d.ID), Button: "Answer", Link: link}, d.Amount, dayOf(d.AnswerBy))
		case d.ReopenUntil != nil && r.now.Before(*d.ReopenUntil):
			r.add(Row{Id: "decided:" + d.ID, Kind: DisputeNews, Title: "Decided: " + dispute.Number(d.ID), Button: "Read", Link: link}, d.Amount, dayOf(d.ReopenUntil))
		}
	}
	return err
}

// questions adds what a validator asks the person about their payments.
func (r *reading) questions(ctx context.Context) error {
	list, err := r.Audit.Questions(ctx, r.caller.UserID)
	for _, q := range list {
		if !q.Answered {
			r.add(Row{Id: "question:" + q.PaymentId, Kind: Question, Title: q.Place + " asks: “" + q.Reason + "”", Button: "Answer", Link: "/dashboard/activity/" + q.PaymentId}, kobo(q.Amount), "")
		}
	}
	return err
}

// desks adds the work of validators, of owners who check payments again, and of staff.
func (r *reading) desks(ctx context.Context) error {
	owned := make([]string, 0, len(r.owned))
	for _, p := range r.owned {
		owned = append(owned, p.Id)
	}
	work, err := r.Audit.Waiting(ctx, r.caller.UserID, owned)
	if err != nil {
		return err
	}
	if work.Unseen > 0 {
		r.add(Row{Id: "audit", Kind: Audit, Title: counted(work.Unseen, "payment") + " to look at", Button: "Look", Link: "/audit"}, 0, "")
	}
	if work.Answered > 0 {
		r.add(Row{Id: "answered", Kind: Audit, Title: counted(work.Answered, "answer") + " to your questions", Button: "Read", Link: "/audit?queue=ANSWERED"}, 0, "")
	}
	for _, p := range r.owned {
		if n := work.Rechecks[p.Id]; n > 0 {
			r.add(Row{Id: "recheck:" + p.Id, Kind: Audit, Title: counted(n, "payment") + " to check again", Place: &p, Button: "Look", Link: auditPage(p) + "?recheck=1"}, 0, "")
		}
	}
	for _, m := range work.Samples {
		p := place{Kind: ofGroup, Id: m.Place, Name: m.Name}
		if m.Ajo {
			p.Kind = ofAjo
		}
		r.add(Row{Id: "sample:" + p.Id + ":" + m.Month, Kind: Sample, Title: "The sample of " + sampling.Named(m.Month), Place: &p, Button: "Look", Link: auditPage(p) + "?sample=1"}, 0, "")
	}
	return r.staff(ctx)
}

func auditPage(p place) string {
	if p.Kind == ofAjo {
		return "/ajo/" + p.Id + "/audit"
	}
	return "/savings/" + p.Id + "/audit"
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if n >= 1000 {
		return "999+ " + what + "s"
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// correctionsMax limits the corrections in the list of an Admin.
const correctionsMax = 20

// staff adds the cases of a person of Support, and the corrections that an Admin may approve.
func (r *reading) staff(ctx context.Context) error {
	if !r.caller.Has(people.RoleSupport, people.RoleAdmin) {
		return nil
	}
	_, _, mine, _, err := disputes.Counts(ctx, r.Pool, r.caller.UserID)
	if err != nil {
		return err
	}
	if mine > 0 {
		r.add(Row{Id: "cases", Kind: Case, Title: counted(mine, "open case") + " of yours", Button: "Open", Link: "/support?tab=mine"}, 0, "")
	}
	if !slices.Contains(r.caller.Roles, people.RoleAdmin) {
		return nil
	}
	proposed, err := disputes.Proposed(ctx, r.Pool, 0, correctionsMax)
	for _, d := range proposed {
		if d.Staff != r.caller.UserID && d.User != r.caller.UserID {
			r.add(Row{Id: "correction:" + d.ID, Kind: Correction, Title: "A correction waits: " + dispute.Number(d.ID), Button: "Approve", Link: "/support/" + d.ID}, 0, day(d.DecideBy))
		}
	}
	return err
}
