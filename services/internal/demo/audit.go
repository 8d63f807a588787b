package demo

import (
	"context"
	"encoding/hex"
	"fmt"
	"time"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/domain/reviews"
	"adashi.ng/ledger/domain/sampling"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/projections/groups"
	"adashi.ng/projections/notifications"
	"adashi.ng/projections/requests"
	"adashi.ng/services/internal/audit"
	"adashi.ng/services/internal/months"
	"adashi.ng/services/internal/phones"
	"adashi.ng/services/internal/usecase"
)

// unmarked is how many of the latest payments a validator has not come to, and how many unusual ones.
const unmarked, oddUnmarked = 6, 2

// look is a validator's look at a group: they query one payment of a member, who may have answered.
type look struct {
	group            string
	validator, asked int // Of the crowd.
	reason, answer   string
}

var looks = []look{
	{"Yaba Tech Cooperative", 1, 0, "Was this meant for Welfare?", ""},
	{"Class of 2009 Alumni", 0, 8, "The slip that you sent names somebody else. Who paid this?", "My sister Ronke sent it for me. My own bank was down that day."},
}

// readAll has everybody read what they were told so far: months of it would hide what is new.
func (s *seeder) readAll(ctx context.Context) error {
	_, head, err := history.Head(ctx, s.i.Pool)
	if err != nil {
		return err
	}
	s.i.App.Tracker.WaitFor(ctx, head, 30*time.Second, notifications.Name, groups.Name)
	for _, user := range s.users {
		if err := s.i.App.Notices.MarkAllRead(ctx, user.User); err != nil {
			return err
		}
	}
	return nil
}

// audit has the validators go through their groups' payments.
func (s *seeder) audit(ctx context.Context) error {
	_, head, err := history.Head(ctx, s.i.Pool)
	if err != nil {
		return err
	}
	s.i.App.Tracker.WaitFor(ctx, head, 30*time.Second, groups.Name, requests.Name)
	for _, l := range looks {
		if err := s.look(ctx, l); err != nil {
			return fmt.Errorf("%s: %w", l.group, err)
		}
	}
	if err := s.signMonth(ctx, s.users[looks[0].validator], s.users[plans[len(plans)-1].members[0]], s.founded[looks[0].group]); err != nil {
		return fmt.Errorf("a signed month: %w", err)
	}
	return s.closeMonth(ctx, s.users[looks[1].validator], s.founded[looks[1].group])
}

// signMonth has a validator close the latest month that may be closed, from its list to the signature of their phone.
// The list was sealed some minutes ago, so that its round has come. It goes on from wherever an earlier try came to.
func (s *seeder) signMonth(ctx context.Context, validator, owner usecase.Who, group string) error {
	if s.i.TestBeacon == nil {
		return nil // The round is another network's, and nobody here signs it.
	}
	then := s.i.App.At(s.now.Add(-2 * sampling.NamedBefore)).Months
	validator.Key = "demo signed month"
	view, err := then.Months(ctx, validator.User, group)
	if err == nil && len(view.Months) == 0 && len(view.ToClose) > 0 {
		view, _, err = then.Close(ctx, validator, group, months.CloseMonthRequest{Month: view.ToClose[0].Month, MarginPercent: 5})
	}
	if err == nil && len(view.Months) > 0 && view.Months[0].Status == months.NAMED {
		round := s.i.TestBeacon.Sign(uint64(view.Months[0].Round))
		view, _, err = s.i.App.Months.Submit(ctx, validator, group, hex.EncodeToString(round))
	}
	if err != nil || len(view.Months) == 0 || view.Months[0].Status != months.DRAWN {
		return err
	}
	for _, who := range []usecase.Who{validator, owner} { // The validator's own are the owner's.
		if err := s.looksAtSample(ctx, who, group); err != nil {
			return err
		}
	}
	phone := phones.Of("demo " + validator.User)
	if _, _, err := then.Register(ctx, validator, phone.Registers(validator.User)); err != nil {
		return err
	}
	draw, err := s.i.App.Months.Draw(ctx, validator.User, group, view.Months[0].Month)
	if err == nil {
		_, _, err = s.i.App.Months.Attest(ctx, validator, group, phone.Attests(draw))
	}
	return err
}

// looksAtSample has somebody validate what they may mark of a sample.
func (s *seeder) looksAtSample(ctx context.Context, who usecase.Who, group string) error {
	page, err := s.i.App.Audit.Audit(ctx, who.User, group, audit.WhichPayments{Sample: new(true)}, nil, reviews.MarksAtOnce)
	marks := []audit.Marking{}
	for _, p := range page.Payments {
		if p.MayMark && p.Mark == contract.AuditMarkUNREVIEWED {
			marks = append(marks, audit.Marking{ID: p.Id, Mark: "VALIDATED"})
		}
	}
	if err == nil && len(marks) > 0 {
		_, _, err = s.i.App.Audit.MarkPayments(ctx, who, group, marks)
	}
	return err
}

// closeMonth has a validator seal the list of the latest month that may be closed. The beacon draws its sample some
// minutes later.
func (s *seeder) closeMonth(ctx context.Context, validator usecase.Who, group string) error {
	view, err := s.i.App.Months.Months(ctx, validator.User, group)
	if err != nil || len(view.ToClose) == 0 {
		return err
	}
	validator.Key = "demo month"
	_, _, err = s.i.App.Months.Close(ctx, validator, group, months.CloseMonthRequest{Month: view.ToClose[0].Month, MarginPercent: 5})
	return err
}

func (s *seeder) look(ctx context.Context, l look) error {
	validator, member, group := s.users[l.validator], s.users[l.asked], s.founded[l.group]
	page, err := s.i.App.Audit.Audit(ctx, validator.User, group, audit.WhichPayments{}, nil, reviews.MarksAtOnce)
	if err != nil {
		return err
	}
	query, marks := "", []audit.Marking{}
	for n, payment := range page.Payments {
		odd := len(payment.Oddities) > 0
		switch {
		case payment.Mark == contract.AuditMarkQUERIED:
			return s.answer(ctx, member, payment.Id, l.answer) // They are marked together.
		case !payment.MayMark || odd && n < oddUnmarked || n >= len(page.Payments)-unmarked:
		case query == "" && payment.UserId == member.User:
			query = payment.Id
			marks = append(marks, audit.Marking{ID: payment.Id, Mark: "QUERIED", Reason: l.reason})
		default:
			marks = append(marks, audit.Marking{ID: payment.Id, Mark: "VALIDATED"})
		}
	}
	if _, _, err = s.i.App.Audit.MarkPayments(ctx, validator, group, marks); err != nil {
		return err
	}
	return s.answer(ctx, member, query, l.answer)
}

// answer has a member say something of a queried payment, once.
func (s *seeder) answer(ctx context.Context, member usecase.Who, payment, words string) error {
	if words == "" {
		return nil
	}
	member.Key = "demo answer"
	_, _, err := s.i.App.Audit.Say(ctx, member, payment, audit.QuestionSayRequest{Words: &words})
	return err
}
