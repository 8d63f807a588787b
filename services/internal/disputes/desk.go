package disputes

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/correction"
	rules "adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/wording"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/activity"
	"adashi.ng/projections/ajos"
	"adashi.ng/projections/disputes"
	"adashi.ng/projections/groups"
	"adashi.ng/projections/trail"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/usecase"
	"adashi.ng/services/internal/vault"
)

// Cases returns a page of the desk: open cases, those due first; the caller's own; or closed cases, the latest first.
func (s *Service) Cases(ctx context.Context, staff, list string, before *string, limit int) (CasePage, error) {
	page := CasePage{Cases: []CaseRow{}}
	at, err := placeOf(before)
	if err != nil {
		return page, err
	}
	if err = s.counts(ctx, &page, staff); err != nil {
		return page, err
	}
	var rows []disputes.Dispute
	switch list {
	case "OVER":
		rows, err = disputes.Over(ctx, s.Pool, at, limit+1)
	case "MINE":
		rows, err = disputes.Open(ctx, s.Pool, staff, at, limit+1)
	case "", "OPEN":
		rows, err = disputes.Open(ctx, s.Pool, "", at, limit+1)
	default:
		err = fault.Field("list", "Choose OPEN, MINE or OVER.")
	}
	if err != nil {
		return page, err
	}
	if len(rows) > limit {
		rows = rows[:limit]
		page.Next = usecase.OrNil(placeAfter(rows[limit-1], list))
	}
	return s.withRows(ctx, page, staff, rows)
}

// counts adds the numbers of cases.
func (s *Service) counts(ctx context.Context, page *CasePage, staff string) (err error) {
	if page.Open, page.Waiting, page.Mine, page.Late, err = disputes.Counts(ctx, s.Pool, staff); err != nil {
		return err
	}
	page.Bank, err = disputes.Unanswered(ctx, s.Pool, s.Now())
	return err
}

// placeAfter returns the position where a page of the desk continues.
func placeAfter(d disputes.Dispute, list string) string {
	at := d.DueAt
	if list == "OVER" && d.ResolvedAt != nil {
		at = *d.ResolvedAt
	}
	return fmt.Sprintf("%d.%d", at.UnixMicro(), d.Pos)
}

func placeOf(before *string) (at disputes.After, err error) {
	if before == nil || *before == "" {
		return at, nil
	}
	micros, pos, _ := strings.Cut(*before, ".")
	since, err := strconv.ParseInt(micros, 10, 64)
	if err == nil {
		at.Pos, err = strconv.ParseInt(pos, 10, 64)
	}
	if err != nil || at.Pos <= 0 || since < 0 || since > 1<<53 {
		return at, fault.Field("before", "This page cannot be found. Go back to the first one.")
	}
	at.At = time.UnixMicro(since)
	return at, nil
}

// masked is a member's label before anybody gave a reason to see their name.
func masked(userID string) string { return "Member " + strings.ToUpper(userID[max(0, len(userID)-4):]) }

func caseRow(d disputes.Dispute, staff string, cards map[string]people.Card) CaseRow {
	row := rowView(d)
	out := CaseRow{
		Id: row.Id, Number: row.Number, Kind: row.Kind, Status: row.Status, Title: row.Title, Amount: row.Amount, OpenedAt: row.OpenedAt, DecideBy: row.DecideBy,
		AnswerBy: row.AnswerBy, ResolvedAt: row.ResolvedAt, Late: row.Late, BankReason: row.BankReason, Member: masked(d.User), IsMine: d.Staff == staff,
	}
	if d.Plan != "" {
		plan := CaseRowPlan(d.Plan)
		out.Plan = &plan
	}
	if out.BankAnswerBy = d.BankAnswerBy; d.BankAnswer != "" {
		status := BankAnswerStatus(d.BankAnswer)
		out.BankAnswer = &status
	}
	if d.Staff != "" {
		out.StaffName = usecase.OrNil(usecase.ShortName(cards, d.Staff))
	}
	return out
}

// opened returns a case for a person who may look at it and is no party to it. It records the look before it shows
// anything.
func (s *Service) opened(ctx context.Context, who usecase.Who, id string, action nairav1.StaffAction, subject func(disputes.Dispute) string) (disputes.Dispute, error) {
	d, err := s.byID(ctx, id)
	if err != nil {
		return d, err
	}
	return d, s.Looks(ctx, who, store.NewCommandID(), d, rules.Look{Action: action, Subject: subject(d)})
}

// Looks records that a colleague at the desk looks at something in a case.
func (s *Service) Looks(ctx context.Context, who usecase.Who, command uuid.UUID, d disputes.Dispute, look rules.Look) (err error) {
	if look.Case, err = s.OfCase(ctx, d, who.User); err != nil {
		return err
	}
	_, err = s.Record(ctx, usecase.Who{User: who.User}, command, d.ID, store.Fingerprint(look.Subject), look)
	return err
}

// mayLook refuses a look at a case, and records nothing. It checks each time, while the record is made only once in a
// while.
func (s *Service) mayLook(ctx context.Context, who usecase.Who, d disputes.Dispute, inHand bool) error {
	c, err := s.OfCase(ctx, d, who.User)
	if err != nil {
		return err
	}
	_, err = s.Ledger.DryRun(ctx, rules.Look{Case: c, Action: nairav1.StaffAction_STAFF_ACTION_READ_ACCOUNT, Subject: d.User, InHand: inHand})
	return err
}

// OfAnother returns a case to which the caller is no party. Use it before a command that is itself recorded: it does
// not record the look.
func (s *Service) OfAnother(ctx context.Context, who usecase.Who, id string) (disputes.Dispute, error) {
	d, err := s.byID(ctx, id)
	if err != nil {
		return d, err
	}
	return d, s.mayLook(ctx, who, d, false)
}

// byID returns any case.
func (s *Service) byID(ctx context.Context, id string) (disputes.Dispute, error) {
	id, err := usecase.ParseID(id, "case")
	if err != nil {
		return disputes.Dispute{}, err
	}
	d, err := disputes.ByID(ctx, s.Pool, id)
	return d, usecase.NotThere(err, disputes.ErrNone, "case")
}

// CaseRow returns a case as the desk's list shows it. It shows no more than the list does, so it does not count as a
// look at the case.
func (s *Service) CaseRow(ctx context.Context, staff, id string) (CaseRow, error) {
	d, err := s.byID(ctx, id)
	if err != nil {
		return CaseRow{}, err
	}
	page, err := s.withRows(ctx, CasePage{}, staff, []disputes.Dispute{d})
	if err != nil {
		return CaseRow{}, err
	}
	return page.Cases[0], nil
}

// Opened returns a case for a person who may look at it. It records the look.
func (s *Service) Opened(ctx context.Context, who usecase.Who, id string) (disputes.Dispute, error) {
	return s.opened(ctx, who, id, nairav1.StaffAction_STAFF_ACTION_READ_ACCOUNT, ofMember)
}

// Planned returns a page of the cases whose correction waits for approval, the oldest first.
func (s *Service) Planned(ctx context.Context, staff string, before *string, limit int) (CasePage, error) {
	page := CasePage{Cases: []CaseRow{}}
	after, err := usecase.Cursor(before)
	if err != nil {
		return page, err
	}
	if err = s.counts(ctx, &page, staff); err != nil {
		return page, err
	}
	rows, err := disputes.Proposed(ctx, s.Pool, after, limit+1)
	if err != nil {
		return page, err
	}
	if len(rows) > limit {
		rows = rows[:limit]
		page.Next = usecase.OrNil(strconv.FormatInt(rows[limit-1].Pos, 10))
	}
	return s.withRows(ctx, page, staff, rows)
}

// withRows adds cases to a page.
func (s *Service) withRows(ctx context.Context, page CasePage, staff string, rows []disputes.Dispute) (CasePage, error) {
	var ids, staffIDs []string
	for _, d := range rows {
		ids, staffIDs = append(ids, d.ID), append(staffIDs, d.Staff)
	}
	counts, err := disputes.StepCounts(ctx, s.Pool, ids)
	if err != nil {
		return page, err
	}
	cards, err := s.People.Cards(ctx, usecase.UniqueIDs(staffIDs))
	for _, d := range rows {
		row := caseRow(d, staff, cards)
		row.StepCount = counts[d.ID]
		page.Cases = append(page.Cases, row)
	}
	return page, err
}

func ofMember(d disputes.Dispute) string { return d.User }

// Case returns a case with all its messages.
func (s *Service) Case(ctx context.Context, who usecase.Who, id string) (Case, error) {
	d, err := s.opened(ctx, who, id, nairav1.StaffAction_STAFF_ACTION_READ_ACCOUNT, ofMember)
	if err != nil {
		return Case{}, err
	}
	return s.caseView(ctx, who.User, d)
}

func (s *Service) caseView(ctx context.Context, staff string, d disputes.Dispute) (Case, error) {
	cards, err := s.People.Cards(ctx, usecase.UniqueIDs([]string{d.Staff}))
	if err != nil {
		return Case{}, err
	}
	now, err := s.dispute(ctx, d.ID)
	if err != nil {
		return Case{}, err
	}
	row := caseRow(d, staff, cards)
	view := Case{
		Version: now.Version, Id: row.Id, Number: row.Number, Kind: row.Kind, Status: row.Status, Title: row.Title, Amount: row.Amount, OpenedAt: row.OpenedAt, DecideBy: row.DecideBy,
		AnswerBy: row.AnswerBy, ResolvedAt: row.ResolvedAt, Late: row.Late, Member: row.Member, IsMine: row.IsMine, StaffName: row.StaffName,
		BankReason: row.BankReason, BankAnswer: row.BankAnswer, BankAnswerBy: row.BankAnswerBy, UserId: d.User, AcknowledgeBy: d.AcknowledgeBy.UTC(), ReopenUntil: d.ReopenUntil, IsOpen: d.ResolvedAt == nil,
		Claimed: usecase.OrNil(d.Arrival), PaidAt: d.PaidAt, Subjects: []ReplaySubject{Member}, Hold: holdView(d),
	}
	if d.Plan != "" {
		plan := CasePlan(d.Plan)
		view.Plan = &plan
	}
	if d.Position > 0 {
		view.Position = &d.Position
	}
	if d.Group != "" {
		view.Subjects = append(view.Subjects, GROUP)
	}
	if err := s.showGroup(ctx, &view, d); err != nil {
		return view, err
	}
	if d.Ajo != "" {
		view.Subjects = append(view.Subjects, AJO)
		a, err := ajos.ByID(ctx, s.Pool, d.Ajo)
		if err != nil {
			return view, err
		}
		view.AjoName, view.AjoDues = usecase.OrNil(a.State.Name), s.ajoDues(a.State, d.User)
	}
	if d.Amount > 0 && d.PaidAt != nil {
		found, err := s.search(ctx, d.User, toDesk, d.Amount, *d.PaidAt, d.PaidAt.AddDate(0, 0, 1))
		if err != nil {
			return view, err
		}
		view.Found = &found
	}
	view.Steps, err = s.steps(ctx, d, func(disputes.Step) bool { return true })
	view.StepCount = len(view.Steps)
	return view, err
}

// ajoDues returns a member's dues in the cycles of an ajo up to the current one, the latest first; nil before it
// starts.
func (s *Service) ajoDues(a ajo.Ajo, user string) *[]CaseAjoDue {
	if len(a.Order) == 0 {
		return nil
	}
	all := []CaseAjoDue{}
	for k := min(a.Current(), len(a.Order)); k > len(a.Past); k-- {
		for _, seat := range a.SeatsOf(user) {
			place, _ := a.Place(seat, user)
			if due := a.DueOf(seat, place, k); due > 0 && seat != a.Order[k-1] && !savings.Day(s.Now()).Before(a.Opens(k)) {
				all = append(all, CaseAjoDue{Cycle: int32(k), Seat: int32(seat), Amount: usecase.Naira(due), Day: a.Due(k).Format(time.DateOnly)})
			}
		}
	}
	return &all
}

// showGroup names the group of a case, and its sub-accounts. This includes the group of a payment that the card's bank
// disputes.
func (s *Service) showGroup(ctx context.Context, view *Case, d disputes.Dispute) error {
	if d.Group == "" {
		paid, err := s.PaidFor(ctx, d.ID)
		if err != nil || paid.Group == "" {
			return err
		}
		d.Group = paid.Group
	}
	n, err := s.Names(ctx, []string{d.Group}, nil)
	if err != nil {
		return err
	}
	subs, err := groups.SubAccounts(d.Group).Read(ctx, s.Pool)
	if err != nil {
		return err
	}
	all := make([]CaseSubAccount, len(subs))
	for i, sub := range subs {
		all[i] = CaseSubAccount{Id: sub.ID, Name: sub.Name}
	}
	view.GroupId, view.GroupName, view.SubAccountId, view.SubAccounts = &d.Group, usecase.OrNil(n.Groups[d.Group].Name), usecase.OrNil(d.SubAccount), &all
	return nil
}

// CasePaper returns a file of a case.
func (s *Service) CasePaper(ctx context.Context, who usecase.Who, id, paper string) (vault.File, []byte, error) {
	d, err := s.opened(ctx, who, id, nairav1.StaffAction_STAFF_ACTION_READ_DOCUMENT, func(disputes.Dispute) string { return paper })
	if err != nil {
		return vault.File{}, nil, err
	}
	return s.file(ctx, d, paper)
}

// OfCase returns the facts of a case that a decider needs.
func (s *Service) OfCase(ctx context.Context, d disputes.Dispute, staff string) (rules.Case, error) {
	paid, err := s.PaidFor(ctx, d.ID)
	if err != nil {
		return rules.Case{}, err
	}
	ties, err := s.CaseTies(ctx, d, staff)
	return rules.Case{DisputeID: d.ID, User: d.User, Staff: staff, Group: d.Group, Sub: d.SubAccount, Ajo: d.Ajo, Paid: paid, Ties: ties}, err
}

// CaseTies returns the ties between a colleague and a case that the case itself does not name: the deciders get them.
func (s *Service) CaseTies(ctx context.Context, d disputes.Dispute, staff string) (ties rules.Ties, err error) {
	if id, parsed := uuid.Parse(d.Event); parsed == nil {
		m, err := activity.One(ctx, s.Pool, d.User, id)
		if err != nil && !errors.Is(err, activity.ErrNone) {
			return ties, err
		}
		ties.Ajo, ties.Card = m.AjoID, m.AjoID // A movement names one of them by the same field.
	}
	r, err := s.Vault.Read(ctx, d.User)
	if errors.Is(err, vault.ErrGone) {
		return ties, nil
	}
	if err == nil {
		ties.Guardian, err = s.IsGuardian(ctx, r, staff)
	}
	return ties, err
}

// work records a step in a case, and returns the case after it.
func (s *Service) work(ctx context.Context, who usecase.Who, operation, id, text string, least int, command func(rules.Case, *nairav1.Words) event.Command, hashed ...any) (Case, int64, error) {
	d, err := s.byID(ctx, id)
	if err != nil {
		return Case{}, 0, err
	}
	commandID, _ := who.ID(operation)
	var words *nairav1.Words
	var said []usecase.Said
	if least > 0 {
		if text, err = usecase.ReadWords(text, least, 2000); err != nil {
			return Case{}, 0, err
		}
		said = []usecase.Said{usecase.Say(commandID, d.User, text)}
		words = said[0].Words
	}
	c, err := s.OfCase(ctx, d, who.User)
	if err != nil {
		return Case{}, 0, err
	}
	result, err := s.Record(ctx, who, commandID, d.ID, store.Fingerprint(append(hashed, operation, d.ID, text)...), command(c, words), said...)
	if err != nil {
		return Case{}, 0, err
	}
	s.did(ctx, result)
	if d, err = s.byID(ctx, id); err != nil {
		return Case{}, 0, err
	}
	view, err := s.caseView(ctx, who.User, d)
	return view, result.Position(), err
}

// Take assigns a case, in the version that the caller saw, to that colleague of Support: they need the version to take
// over another's case. Without a version they can take only a case that nobody has.
func (s *Service) Take(ctx context.Context, who usecase.Who, id string, version *int) (Case, int64, error) {
	id, err := usecase.ParseID(id, "case")
	if err != nil {
		return Case{}, 0, err
	}
	d, err := s.dispute(ctx, id)
	if err != nil {
		return Case{}, 0, err
	}
	saw, hashed := -1, []any{}
	switch {
	case version != nil:
		saw, hashed = *version, []any{*version}
	case d.Waits():
		saw = d.Version
	}
	p, a, err := s.proposed(ctx, id)
	if err != nil {
		return Case{}, 0, err
	}
	return s.work(ctx, who, "take case", id, "", 0, func(c rules.Case, _ *nairav1.Words) event.Command {
		c.Version = saw
		return append(store.Bulk{rules.Take(c)}, ends(c, p, a)...)
	}, hashed...)
}

// proposed returns the latest correction of a case, and the latest answer to the card's bank.
func (s *Service) proposed(ctx context.Context, id string) (correction.Plan, rules.CardAnswer, error) {
	p, err := s.Ledger.Load(ctx, correction.Stream(id))
	if err != nil {
		return correction.Plan{}, rules.CardAnswer{}, err
	}
	a, err := s.Ledger.Load(ctx, rules.AnswerStream(id))
	if err != nil {
		return correction.Plan{}, rules.CardAnswer{}, err
	}
	return p.(correction.Plan), a.(rules.CardAnswer), nil
}

// ends returns the commands that end a former colleague's proposals in a case that is taken over: the new colleague
// decides for themselves.
func ends(c rules.Case, p correction.Plan, a rules.CardAnswer) (commands store.Bulk) {
	if p.Status == correction.Proposed && p.ProposedBy != c.Staff {
		commands = append(commands, correction.Decision{
			DisputeID: c.DisputeID, Dispute: rules.Dispute{User: c.User, Group: c.Group, Ajo: c.Ajo}, Paid: c.Paid, Ties: c.Ties, Plan: p, By: c.Staff,
		})
	}
	if a.Status == rules.AnswerProposed && a.Staff != c.Staff {
		commands = append(commands, rules.JudgeAnswer{Case: c, AnswerID: a.ID})
	}
	return commands
}

// Ask asks the member something.
func (s *Service) Ask(ctx context.Context, who usecase.Who, id, text string) (Case, int64, error) {
	return s.work(ctx, who, "ask member", id, text, 3, func(c rules.Case, words *nairav1.Words) event.Command { return rules.Ask(c, words, s.Now()) })
}

// Resolve decides a case.
func (s *Service) Resolve(ctx context.Context, who usecase.Who, id string, form ResolveCaseRequest) (Case, int64, error) {
	var entries []string
	if form.Entries != nil {
		for _, entry := range *form.Entries {
			entry, err := usecase.ParseID(entry, "entry")
			if err != nil {
				return Case{}, 0, fault.Field("entries", "Name entries by their ids, as the time machine shows them.")
			}
			entries = append(entries, entry)
		}
	}
	d, err := s.OfAnother(ctx, who, id)
	if err != nil {
		return Case{}, 0, err
	}
	if err := s.answered(ctx, id); err != nil {
		return Case{}, 0, err
	}
	if err := s.concern(ctx, d.User, entries); err != nil {
		return Case{}, 0, err
	}
	and, err := s.holdsUpheld(ctx, d.ID, form.Upheld)
	if err != nil {
		return Case{}, 0, err
	}
	return s.work(ctx, who, "resolve case", id, form.Words, 10, func(c rules.Case, words *nairav1.Words) event.Command {
		return append(store.Bulk{rules.Resolve(c, form.Upheld, words, entries, s.Now())}, and...)
	}, form.Upheld, strings.Join(entries, " "))
}

// answered refuses to decide a case while the card's bank waits for an answer: nobody would give one after that.
func (s *Service) answered(ctx context.Context, id string) error {
	d, err := s.dispute(ctx, id)
	if err != nil || d.Card.Ref == "" || d.Card.AnswerBy.IsZero() || d.Card.Late(s.Now()) != nil {
		return err
	}
	state, err := s.Ledger.Load(ctx, rules.AnswerStream(id))
	if err == nil && state.(rules.CardAnswer).Status != rules.AnswerTaken {
		err = fault.New(fault.Conflict, "The bank of the card waits for an answer until %s. Answer it first, then decide the case.", lagos.Clock(d.Card.AnswerBy))
	}
	return err
}

// CaseNames returns the names of people in the caller's own case, for a reason that it records.
func (s *Service) CaseNames(ctx context.Context, who usecase.Who, id string, form UnmaskRequest) ([]CaseName, error) {
	reason, err := usecase.ReadWords(form.Reason, 3, 200)
	if err != nil {
		return nil, fault.Field("reason", "Say why you need the names, in 3 to 200 characters.")
	}
	if wording.Particulars(reason) {
		return nil, fault.Field("reason", "This is kept for ever. Please leave emails and account numbers out.")
	}
	d, err := s.InHand(ctx, who, id)
	if err != nil {
		return nil, err
	}
	users, err := s.inCase(ctx, d, form.UserIds)
	if err != nil {
		return nil, err
	}
	for _, user := range users {
		look := rules.Look{Action: nairav1.StaffAction_STAFF_ACTION_READ_ACCOUNT, Subject: user, InHand: true, Reason: reason}
		if err := s.Looks(ctx, who, store.NewCommandID(), d, look); err != nil {
			return nil, err
		}
	}
	names := []CaseName{}
	cards, err := s.People.Cards(ctx, users)
	for _, user := range users {
		names = append(names, CaseName{UserId: user, Name: usecase.FullName(cards, user)})
	}
	return names, err
}

// inCase returns people whom an event names together with the subject of a case. It fails when one is not among them.
func (s *Service) inCase(ctx context.Context, d disputes.Dispute, ids []string) ([]string, error) {
	subjects := []int64{trail.Key(trail.Member, d.User), trail.Key(trail.Group, d.Group), trail.Key(trail.Ajo, d.Ajo)}
	users := make([]string, len(ids))
	for i, id := range ids {
		user, err := usecase.ParseID(id, "member")
		if err != nil {
			return nil, err
		}
		met := user == d.User
		if !met {
			if met, err = trail.Meet(ctx, s.Pool, user, subjects); err != nil {
				return nil, err
			}
		}
		if !met {
			return nil, fault.New(fault.Forbidden, "Nothing in this case names that member. Choose people whom the time machine shows.")
		}
		users[i] = user
	}
	return usecase.UniqueIDs(users), nil
}

// InHand returns an open case that the caller has, and to which they are no party.
func (s *Service) InHand(ctx context.Context, who usecase.Who, id string) (disputes.Dispute, error) {
	d, err := s.byID(ctx, id)
	if err != nil {
		return d, err
	}
	return d, s.mayLook(ctx, who, d, true)
}
