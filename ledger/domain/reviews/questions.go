package reviews

import (
	"cmp"
	"slices"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
)

// TurnMax is how many messages one side sends about a payment until the other side says something.
const TurnMax = 10

// FilesMax is how many files a member may add about one payment.
const FilesMax = 5

// Thread is a payment whose query is talked about. Ajo is empty for a payment of a group.
type Thread struct {
	Group, Ajo string
	Member     string // Who answers: who paid, or was paid.
	Other      string // Who answers too: the other holder of a seat whose pot was paid to both. Usually nobody.

	ofGroup Payment
	ofAjo   AjoPayment
}

// ThreadOf reads a recorded event as a payment that can be talked about.
func ThreadOf(r event.Record) (Thread, bool) {
	if p, ok := PaymentOf(r); ok {
		t := Thread{Group: p.Group, Member: p.User, ofGroup: p}
		if p.PaidBy != "" {
			t.Member = p.PaidBy
		}
		return t, true
	}
	p, ok := AjoPaymentOf(r)
	if !ok {
		return Thread{}, false
	}
	t := Thread{Ajo: p.Ajo, ofAjo: p}
	m, err := r.Message()
	if err != nil {
		return Thread{}, false
	}
	switch m := m.(type) {
	case *nairav1.AjoContributed:
		t.Member = m.GetPaidBy()
	case *nairav1.AjoContributionReturned:
		t.Member = m.GetToUserId()
	case *nairav1.AjoPaid:
		t.Other = m.GetOtherUserId()
	}
	if t.Member == "" {
		t.Member = m.(interface{ GetUserId() string }).GetUserId()
	}
	return t, true
}

// Answers reports whether a user answers in a thread.
func (t Thread) Answers(user string) bool {
	return user == t.Member || t.Other != "" && user == t.Other
}

// Paying is the thread of a payment that went to some officials' own bank account, or to one of somebody tied to them.
func (t Thread) Paying(officials []string) Thread {
	t.ofGroup.PaidTo = officials
	return t
}

// Place is the stream of the group or ajo whose payment it is.
func (t Thread) Place() string {
	if t.Ajo != "" {
		return ajo.Stream(t.Ajo)
	}
	return savings.GroupStream(t.Group)
}

// May is what a user may do in a thread, as its place and its payment's review stand: read it, and ask in it.
func (t Thread) May(place any, r Review, user string) (read, ask bool) {
	if a, is := place.(ajo.Ajo); is {
		ask = MayMarkAjoNow(a, t.ofAjo, r, user)
		return ask || t.Answers(user) || a.IsMember(user) && slices.Contains([]string{a.Validator, a.Owner}, user), ask
	}
	g := place.(savings.Group)
	ask = MayMarkNow(g, t.ofGroup, r, user)
	return ask || t.Answers(user) || user == g.Validator || user == g.Owner, ask
}

// Say is a message about a queried payment: an answer of its member's, in words or with a file, or a question of
// whoever audits it.
type Say struct {
	Original event.Record // As the ledger holds it.
	PaidTo   []string     // As Payment has it: the giver of the command knows them.
	By       string
	Words    *nairav1.Words
	File     *nairav1.Words // In place of words.
}

func (c Say) mark() string { return Stream(c.Original.ID().String()) }

// asker is who learns of an answer: the person who asked, or who audits the payment now, where that person does not any
// more. Earlier builds told the person who asked.
func (c Say) asker(v event.View, t Thread, r Review) string {
	place := v.State(t.Place())
	_, earlier := v.(standing.Earlier)
	if _, asks := t.May(place, r, r.Asked); asks || earlier {
		return r.Asked
	}
	if a, is := place.(ajo.Ajo); is {
		return cmp.Or(AjoMarker(a, t.ofAjo), r.Asked)
	}
	return cmp.Or(Marker(place.(savings.Group), t.ofGroup), r.Asked)
}

// Streams implements event.Command.
func (c Say) Streams() []string {
	t, _ := ThreadOf(c.Original)
	return []string{t.Place(), c.mark()}
}

// Accounts implements event.Command.
func (Say) Accounts() []string { return nil }

// Decide implements event.Command.
func (c Say) Decide(v event.View) ([]event.Draft, error) {
	t, ok := ThreadOf(c.Original)
	t = t.Paying(c.PaidTo)
	r := event.StateOf[Review](v, c.mark())
	read, ask := t.May(v.State(t.Place()), r, c.By)
	if _, earlier := v.(standing.Earlier); earlier {
		t.Other = "" // Builds before asked the first holder alone.
	}
	answers := t.Answers(c.By)
	switch {
	case !ok || !read || r.Mark == nairav1.Mark_MARK_UNSPECIFIED || r.Mark == nairav1.Mark_MARK_VALIDATED && answers:
		return nil, fault.New(fault.NotFound, "There is no such question.")
	case !answers && !ask:
		return nil, fault.New(fault.Forbidden, "Only who paid or was paid answers, and only who audits the payment asks. You can read what they say.")
	case r.Mark == nairav1.Mark_MARK_RESOLVED:
		return nil, fault.New(fault.Conflict, "This question is resolved. What was said can be read, and nothing is added.")
	case r.Mark != nairav1.Mark_MARK_QUERIED:
		return nil, fault.New(fault.Conflict, "This payment is not queried. Query it with a reason first.")
	case r.Answered == answers && r.InARow >= TurnMax:
		return nil, fault.New(fault.Conflict, "You wrote %d messages in a row. Wait until you are answered.", TurnMax)
	}
	id, pos, to := c.Original.ID().String(), c.Original.Pos, c.asker(v, t, r)
	switch {
	case c.File != nil && !answers:
		return nil, fault.Field("fileId", "Ask in words. Only who answers adds files.")
	case c.File != nil && r.Files >= FilesMax:
		return nil, fault.Field("fileId", "There are %d files already. Say the rest in words.", FilesMax)
	case c.File != nil:
		return []event.Draft{{Stream: c.mark(), Message: &nairav1.QuestionFileAdded{
			EventId: id, Position: pos, GroupId: t.Group, AjoId: t.Ajo, UserId: c.By, PaperId: c.File.GetPaperId(), Sha256: c.File.GetSha256(), ToUserId: to,
		}}}, nil
	case c.Words == nil:
		return nil, fault.Field("words", "Say it in words.")
	}
	if answers {
		return []event.Draft{{Stream: c.mark(), Message: &nairav1.QuestionAnswered{
			EventId: id, Position: pos, GroupId: t.Group, AjoId: t.Ajo, UserId: c.By, Words: c.Words, ToUserId: to,
		}}}, nil
	}
	return []event.Draft{{Stream: c.mark(), Message: &nairav1.QuestionAskedV2{
		EventId: id, Position: pos, GroupId: t.Group, AjoId: t.Ajo, UserId: t.Member, OtherUserId: t.Other, By: c.By, Words: c.Words,
	}}}, nil
}
