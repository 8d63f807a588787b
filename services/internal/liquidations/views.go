package liquidations

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"time"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/projections/groups"
	"adashi.ng/projections/requests"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/usecase"
	"adashi.ng/services/internal/vault"
)

// Liquidation is one request as a user sees it. It stands as the ledger has it, and its story is told as far.
func (s *Service) Liquidation(ctx context.Context, user, id string) (Liquidation, error) {
	id, err := usecase.ParseID(id, "request")
	if err != nil {
		return Liquidation{}, err
	}
	l, who, err := s.liquidationFor(ctx, user, id)
	if err != nil {
		return Liquidation{}, err
	}
	_, head, err := history.Head(ctx, s.Pool)
	if err != nil {
		return Liquidation{}, err
	}
	s.Tracker.WaitFor(ctx, head, usecase.ReadModelWait, requests.Name)
	steps, err := requests.Steps(ctx, s.Pool, []string{id})
	if err != nil {
		return Liquidation{}, err
	}
	views, err := s.liquidationViews(ctx, func(liquidation.Liquidation) onlooker { return who }, map[string]liquidation.Liquidation{id: l}, steps, id)
	if err != nil {
		return Liquidation{}, err
	}
	return views[0], s.showHoldable(ctx, user, &views[0])
}

// Liquidations is a page of a group's requests that a user may see, newest first.
func (s *Service) Liquidations(ctx context.Context, user, groupID string, status string, before *string, limit int) (LiquidationPage, error) {
	page := LiquidationPage{Requests: []Liquidation{}}
	groupID, err := usecase.ParseID(groupID, "group")
	if err != nil {
		return page, err
	}
	pos, err := usecase.Cursor(before)
	if err != nil {
		return page, err
	}
	filter, who, err := s.requestsFor(ctx, user, groupID)
	if err != nil {
		return page, err
	}
	held, err := requests.Held(ctx, s.Pool, groupID, filter)
	if err != nil {
		return page, err
	}
	page.Held = usecase.Naira(held)
	if status == "OPEN" {
		filter.Statuses = liquidation.OpenStatuses
	} else if status != "" {
		filter.Statuses = []string{status}
	}
	rows, err := requests.Page(ctx, s.Pool, groupID, filter, pos, limit+1)
	if err != nil {
		return page, err
	}
	if len(rows) > limit {
		rows = rows[:limit]
		page.Next = usecase.OrNil(strconv.FormatInt(rows[limit-1].Pos, 10))
	}
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	steps, err := requests.Steps(ctx, s.Pool, ids)
	if err != nil {
		return page, err
	}
	states := map[string]liquidation.Liquidation{}
	for _, row := range rows {
		states[row.ID] = standsBy(row, steps[row.ID])
	}
	page.Requests, err = s.liquidationViews(ctx, func(l liquidation.Liquidation) onlooker {
		of := who
		of.blind = l.RequestedBy != user && !who.Official() && !slices.Contains(filter.Shown, l.SubAccount)
		return of
	}, states, steps, ids...)
	return page, err
}

// Waiting is a request that waits for an official.
type Waiting struct {
	requests.Request
	May string // VALIDATE, APPROVE, ANSWER or RETRY.
}

// Waiting returns the open requests of some groups that wait for a user who holds an office in each, the oldest first.
func (s *Service) Waiting(ctx context.Context, user string, groups map[string]savings.Group) ([]Waiting, error) {
	rows, err := requests.OpenIn(ctx, s.Pool, slices.Sorted(maps.Keys(groups)), append(slices.Clone(liquidation.OpenStatuses), string(liquidation.PayoutFailed)))
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	steps, err := requests.Steps(ctx, s.Pool, ids)
	if err != nil {
		return nil, err
	}
	var out []Waiting
	for _, row := range rows {
		may := liquidation.May(standsBy(row, steps[row.ID]), groups[row.Group], savings.Member{Status: savings.Active}, user, s.Now())
		for _, act := range []string{"VALIDATE", "APPROVE", "ANSWER", "RETRY"} {
			if slices.Contains(may, act) {
				out = append(out, Waiting{row, act})
			}
		}
	}
	return out, nil
}

// requestsFor is which of a group's requests a user may see: all of them, or their own and what the group pays out.
func (s *Service) requestsFor(ctx context.Context, user, groupID string) (filter requests.Filter, who onlooker, err error) {
	if who.Relation, err = s.Relation(ctx, user, groupID); err != nil {
		return filter, who, err
	}
	if err := who.MustBeInside(); err != nil || who.Official() {
		return filter, who, err
	}
	filter = requests.Filter{Own: user, Payments: who.Active()}
	if !filter.Payments || !who.Group.ShowTotal {
		return filter, who, nil
	}
	subs, err := groups.SubAccounts(groupID).Read(ctx, s.Pool)
	for _, sub := range subs {
		if sub.ShowTotal {
			filter.Shown = append(filter.Shown, sub.ID)
		}
	}
	return filter, who, err
}

// standsBy is where a request stands, by its row and what happened to it.
func standsBy(row requests.Request, steps []requests.Step) liquidation.Liquidation {
	l := liquidation.Liquidation{
		Status: liquidation.Status(row.Status), Group: row.Group, SubAccount: row.SubAccount, RequestedBy: row.RequestedBy, Kind: row.Kind, Amount: row.Amount,
		Fee: row.Fee, VAT: row.VAT, Duty: row.Duty, Provider: row.Provider, Reason: row.Reason, RequestedAt: row.RequestedAt, ExpiresAt: row.ExpiresAt,
		Unfunded: row.Unfunded, Answered: row.Stage == "ANSWERED",
		Deciders: liquidation.Deciders{Validators: row.Validators, Approvers: row.Approvers, Needed: row.Needed, OwnAccount: row.OwnAccount, Shown: row.Shown},
	}
	if l.Status == liquidation.OnHold {
		l.Before = liquidation.Status(row.Stage)
	}
	if row.PayableFrom != nil {
		l.PayableFrom = *row.PayableFrom
	}
	if row.PaidAt != nil {
		l.PaidAt = *row.PaidAt
	}
	for _, s := range steps {
		switch s.Step {
		case "VALIDATED":
			l.ValidatedBy = s.By
		case "APPROVED":
			if s.By != "" {
				l = l.ApprovedBy(s.By, s.At)
			}
		case "OBJECTED":
			if s.By == "" { // A case was decided for its member, and the approvers answer again.
				l.Answers, l.AnsweredAt = nil, nil
			} else {
				l.Objections = append(l.Objections, s.By)
			}
		case "ANSWERED":
			l = l.AnsweredBy(s.By, s.At)
		case "RETRIED":
			l.Retries++
		case "PAID":
			l.ProviderRef, l.EndReason = s.Detail, ""
		case "REJECTED", "FAILED", "RELEASED", "REVERSED":
			l.EndReason = s.Detail
		}
	}
	return l
}

// liquidationViews are requests of one group, with what happened to each, as a user sees them.
func (s *Service) liquidationViews(ctx context.Context, by func(liquidation.Liquidation) onlooker, states map[string]liquidation.Liquidation, steps map[string][]requests.Step, ids ...string) ([]Liquidation, error) {
	views := []Liquidation{}
	if len(ids) == 0 {
		return views, nil
	}
	var subIDs, userIDs []string
	for id, l := range states {
		subIDs, userIDs = append(subIDs, l.SubAccount), append(userIDs, l.RequestedBy, l.ValidatedBy)
		userIDs = append(userIDs, append(slices.Clone(l.Deciders.Validators), l.Deciders.Approvers...)...)
		for _, step := range steps[id] {
			userIDs = append(userIDs, step.By)
		}
	}
	group := states[ids[0]].Group
	n, err := s.Names(ctx, []string{group}, subIDs)
	if err != nil {
		return views, err
	}
	cards, err := s.People.Cards(ctx, usecase.UniqueIDs(userIDs))
	if err != nil {
		return views, err
	}
	payees, err := s.Vault.Payees(ctx, ids...)
	if err != nil {
		return views, err
	}
	for _, id := range ids {
		l, who := states[id], by(states[id])
		view := liquidationView(id, who.Group, l, n, cards, payees[id], s.Now())
		view.Story = requestStory(l, steps[id], cards, payees[id], who)
		for _, may := range liquidation.May(l, who.Group, who.Member, who.User, s.Now()) {
			view.May = append(view.May, LiquidationMay(may))
		}
		if who.blind {
			none := usecase.Naira(0)
			view.AmountHidden, view.Amount, view.Fee, view.Vat, view.StampDuty, view.Charges, view.Net = true, none, none, none, none, none, none
		}
		views = append(views, view)
	}
	return views, s.showDisputed(ctx, views, states)
}

func liquidationView(id string, g savings.Group, l liquidation.Liquidation, n usecase.Names, cards map[string]people.Card, payee vault.Payee, now time.Time) Liquidation {
	undecided := l.Status == liquidation.Requested || l.Status == liquidation.Validated || l.Status == liquidation.OnHold
	if undecided {
		l = l.Counted(g)
	}
	view := Liquidation{
		Id: id, GroupId: l.Group, GroupName: n.Groups[l.Group].Name, SubAccountId: l.SubAccount, SubAccountName: n.Subs[l.SubAccount].Name,
		Kind: liquidationOf(l.Kind), Status: LiquidationStatus(l.Status), Amount: usecase.Naira(l.Amount), Fee: usecase.Naira(l.Fee), Vat: usecase.Naira(l.VAT), StampDuty: usecase.Naira(l.Duty),
		Charges: usecase.Naira(l.Charges().Total()), Net: usecase.Naira(l.Net()), Reason: l.Reason, BankName: usecase.OrNil(payee.BankName), AccountNumber: usecase.OrNil(usecase.LastFour(payee.Number)),
		AccountName: usecase.OrNil(payee.AccountName), RequestedBy: l.RequestedBy, RequestedByName: usecase.FullName(cards, l.RequestedBy), Approvals: len(l.Approvals),
		ApprovalsNeeded: len(l.Approvals), DateCreated: l.RequestedAt.UTC(), Expires: l.ExpiresAt.UTC(), EndReason: usecase.OrNil(l.EndReason), ProviderRef: usecase.OrNil(l.ProviderRef),
		May: []LiquidationMay{},
	}
	if l.ValidatedBy != "" {
		view.ValidatedByName = usecase.OrNil(usecase.FullName(cards, l.ValidatedBy))
	}
	if undecided {
		view.ApprovalsNeeded = max(1, liquidation.Needed(g, l))
	}
	if !l.PaidAt.IsZero() {
		at := l.PaidAt.UTC()
		view.DatePaid = &at
	}
	if now.Before(l.PayableFrom) {
		at := l.PayableFrom.UTC()
		view.PayableFrom = &at
	}
	view.Objections, view.ObjectionsNeeded, view.Answers, view.OwnAccount = len(l.Objections), liquidation.ObjectionsNeeded, len(l.Answers), l.Deciders.OwnAccount
	if l.Deciders.Fixed() {
		view.Deciders = &LiquidationDeciders{Validators: namesOf(cards, l.Deciders.Validators), Approvers: namesOf(cards, l.Deciders.Approvers)}
	}
	return view
}

func namesOf(cards map[string]people.Card, users []string) []string {
	names := []string{}
	for _, user := range users {
		names = append(names, usecase.FullName(cards, user))
	}
	return names
}

// requestStory is what happened to a request, in words, to whoever may see it.
func requestStory(l liquidation.Liquidation, steps []requests.Step, cards map[string]people.Card, payee vault.Payee, who onlooker) []StoryStep {
	story := []StoryStep{}
	call := func(id string) string {
		if id == who.User {
			return "You"
		}
		return usecase.FullName(cards, id)
	}
	sum := func(k money.Kobo) string {
		if who.blind {
			return "An amount that the owner hides"
		}
		return k.String()
	}
	asked := l.Amount.String() + ". With charges of " + l.Charges().Total().String() + " out of it, " + l.Net().String() + " arrives."
	if who.blind {
		asked = "an amount that the owner hides."
	}
	back := sum(l.Amount) + " is with the group again. "
	if l.Withdrawal() {
		back = sum(l.Amount) + " counts as savings again. "
	}
	for _, s := range steps {
		by, pos := call(s.By), s.Pos
		if s.Step == "OBJECTED" && s.By == "" {
			by = "Adashi"
		}
		told := map[string]StoryStep{
			"REQUESTED":  {Step: StoryStepStepINITIATED, Title: "Asked for", Detail: by + " asked for " + asked + " " + s.Detail},
			"VALIDATED":  {Step: StoryStepStepVALIDATED, Title: "Validated", Detail: by + " validated it."},
			"APPROVED":   {Step: StoryStepStepAPPROVED, Title: "Approved", Detail: by + " approved it."},
			"OBJECTED":   {Step: StoryStepStepOBJECTED, Title: "Objected", Detail: by + " objected: " + s.Detail},
			"ANSWERED":   {Step: StoryStepStepANSWERED, Title: "Answered", Detail: by + " answered: " + s.Detail},
			"REJECTED":   {Step: StoryStepStepREJECTED, Title: "Rejected", Detail: by + " rejected it: " + s.Detail + " " + back},
			"CANCELLED":  {Step: StoryStepStepCANCELLED, Title: "Cancelled", Detail: call(l.RequestedBy) + " took it back. " + back},
			"EXPIRED":    {Step: StoryStepStepEXPIRED, Title: "Expired", Detail: "It was not approved in time. " + back},
			"SENT":       {Step: StoryStepStepSENT, Title: "Sent to the bank", Detail: sum(l.Net()) + " is on its way to " + payee.BankName + ". It is never sent twice."},
			"PAID":       {Step: StoryStepStepCONFIRMED, Title: "Confirmed by the bank", Detail: sum(l.Net()) + " has arrived. The bank's reference is " + s.Detail + "."},
			"FAILED":     {Step: StoryStepStepFAILED, Title: "Not paid", Detail: "The bank did not pay it. " + s.Detail + " It stays set aside until an approver sends it anew or releases it."},
			"RETRIED":    {Step: StoryStepStepAPPROVED, Title: "To be sent anew", Detail: by + " has it sent anew."},
			"RELEASED":   {Step: StoryStepStepRELEASED, Title: "Released", Detail: by + " gave it up: " + s.Detail + " " + back},
			"DISPUTED":   {Step: DISPUTED, Title: "In dispute", Detail: "A member disputes money of the sub-account. It is paid only where enough stays for that while " + disputedUntil(s.Detail) + "."},
			"UNDISPUTED": {Step: UNDISPUTED, Title: "No longer in dispute", Detail: "That dispute holds nothing of the sub-account any more."},
			"REVERSED":   {Step: StoryStepStepRETURNED, Title: "Sent back by the receiving bank", Detail: back + "The charges too. " + s.Detail},
		}[s.Step]
		if s.Step == "APPROVED" && s.By == "" {
			told.Detail = "It has enough approvals, for fewer are needed now."
		}
		told.At, told.Position = s.At.UTC(), &pos
		story = append(story, told)
	}
	return story
}

// Ties says that something is not over that somebody asked for who wants to leave Adashi.
func (s *Service) Ties(ctx context.Context, user string) ([]string, error) {
	asked, err := requests.OpenOf(ctx, s.Pool, user)
	if err != nil || asked == 0 {
		return nil, err
	}
	return []string{"You have asked for money of a group, and that is not over yet."}, nil
}
