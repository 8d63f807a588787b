// Package demo fills an empty ledger with a history that looks lived in. It gives the same commands that people give,
// through the same doors, only with effective dates in the past, and pays through the sandbox bank.
package demo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	contract "adashi.ng/proto/gen/httpapi"
	"adashi.ng/proto/wire"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/services/internal/app"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/dues"
	"adashi.ng/services/internal/groups"
	"adashi.ng/services/internal/payments"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/rails/sandbox"
	"adashi.ng/services/internal/usecase"
)

// Password opens every demo account.
const Password = "Naira-Demo-2026" //nolint:gosec // It opens made-up people only.

// domain is the demo people's; nothing is ever sent there.
const domain = "@demo.adashi.example"

type person struct{ first, last string }

func (p person) email() string { return strings.ToLower(p.first) + domain }

var crowd = []person{
	{"Amaka", "Okafor"},
	{"Bisi", "Adeyemi"},
	{"Chidi", "Eze"},
	{"Dayo", "Balogun"},
	{"Efe", "Omoregie"},
	{"Fatima", "Bello"},
	{"Gozie", "Nwosu"},
	{"Halima", "Sani"},
	{"Ife", "Ogunleye"},
	{"Jide", "Afolabi"},
	{"Kemi", "Adebayo"},
	{"Ladi", "Danjuma"},
}

// collection is a sub-account to seed and how it is kept up.
type collection struct {
	name, about, kind, rhythm string
	naira                     int64
	hidden                    bool
	every                     func(step int, since time.Time) time.Time
}

type plan struct {
	name, about string
	naira       int64
	members     []int // Of the crowd; the first owns it, the second validates, the third approves too.
	collections []collection
	spends      bool // Its members ask it for payments.
}

func monthly(step int, since time.Time) time.Time { return since.AddDate(0, step, 2) }
func weekly(step int, since time.Time) time.Time  { return since.AddDate(0, 0, 7*step+1) }

// plans are in the order they were founded: the last is the newest and stands first on a screen.
var plans = []plan{
	{"Mile 12 Market Women", "Tomato and pepper sellers of Mile 12.", 8_000, []int{7, 8, 9, 10, 11, 0}, []collection{
		{"Weekly thrift", "Every week, before Saturday.", "FIXED", "WEEKLY", 2_000, false, weekly},
	}, false},
	{"Class of 2009 Alumni", "Old students rebuilding the school library.", 5_000, []int{2, 0, 5, 8, 11, 3}, []collection{
		{"Library fund", "One small brick a month.", "FIXED", "MONTHLY", 5_000, false, monthly},
		{"Dinner tickets", "Only the committee sees the total before the night.", "ONE_OFF", "ONE_TIME", 15_000, true, nil},
	}, false},
	{"Yaba Tech Cooperative", "Engineers of Yaba saving towards a shared workshop.", 10_000, []int{0, 1, 2, 3, 4, 5, 6, 7}, []collection{
		{"Monthly dues", "Everybody, every month.", "FIXED", "MONTHLY", 10_000, false, monthly},
		{"Welfare", "For births, weddings and hard times; give what you can.", "FLEXIBLE", "MONTHLY", 1_000, false, nil},
	}, true},
}

const monthsBack = 6

// Roles are those of a process while it tells the demo. The jobs come after: they go by today's date, and would cancel
// an ajo that the past has only begun.
var Roles = boot.Roles{API: true, Relay: true, Projector: true}

// Seed fills an empty ledger and answers the lines to print. One that was cut short goes on: each step has a key, and
// is done once. A ledger that holds something else, or the whole of it, is left as it is.
func Seed(ctx context.Context, i *boot.Instance) ([]string, error) {
	began, err := begin(ctx, i)
	if err != nil || began.IsZero() {
		return nil, err
	}
	if i.Bank == nil {
		return nil, fmt.Errorf("the demo needs ADASHI_RAIL=sandbox")
	}
	s := seeder{i: i, now: began, founded: map[string]string{}}
	if err := s.seed(ctx); err != nil {
		return nil, err
	}
	_, err = i.Pool.Exec(ctx, "UPDATE demo SET whole = true")
	return logins(), err
}

// begin answers when the history that is to be told began, or nothing when there is none to tell.
func begin(ctx context.Context, i *boot.Instance) (began time.Time, err error) {
	if _, err := i.Pool.Exec(ctx, "CREATE TABLE IF NOT EXISTS demo (began timestamptz NOT NULL, whole boolean NOT NULL DEFAULT false)"); err != nil {
		return began, err
	}
	_, head, err := history.Head(ctx, i.Pool)
	if err != nil {
		return began, err
	}
	if head == 0 {
		_, err = i.Pool.Exec(ctx, "INSERT INTO demo (began) SELECT $1 WHERE NOT EXISTS (SELECT FROM demo)", i.Now())
	}
	if err == nil {
		err = i.Pool.QueryRow(ctx, "SELECT began FROM demo WHERE NOT whole").Scan(&began)
	}
	if errors.Is(err, pgx.ErrNoRows) {
		return time.Time{}, nil
	}
	return began.UTC(), err
}

// seed tells the history, from wherever an earlier try came to.
func (s *seeder) seed(ctx context.Context) error {
	s.start = time.Date(s.now.Year(), s.now.Month()-monthsBack+1, 1, 8, 0, 0, 0, time.UTC)
	for n, p := range crowd {
		id, err := s.i.People.CreateVerified(ctx, people.Registration{
			Email: p.email(), Password: Password, FirstName: p.first, LastName: p.last,
			Phone: fmt.Sprintf("+2348030000%03d", n+1), DateOfBirth: "1988-04-12",
		}, people.RoleUser)
		if err != nil {
			return fmt.Errorf("demo: %s: %w", p.first, err)
		}
		s.users = append(s.users, usecase.Who{User: id, Email: p.email()})
	}
	if err := s.staff(ctx); err != nil {
		return err
	}
	for _, p := range plans {
		for _, m := range p.members[:3] { // Its officials: who decides on money has a verified BVN.
			if err := s.verify(ctx, m); err != nil {
				return fmt.Errorf("demo: %s: %w", crowd[m].first, err)
			}
		}
	}
	for n := range ajoSeats + 1 { // Who takes part in an ajo, and who saves on a card.
		if err := s.verify(ctx, n); err != nil {
			return fmt.Errorf("demo: %s: %w", crowd[n].first, err)
		}
	}
	if _, err := s.i.Bank.AddPerson(ctx, vendor); err != nil && !fault.Is(err, fault.Conflict) {
		return fmt.Errorf("demo: %s: %w", vendor.LastName, err)
	}
	s.fund()
	for _, p := range plans {
		s.group(p)
	}
	s.ajo()
	if err := s.play(ctx); err != nil {
		return err
	}
	if err := s.readAll(ctx); err != nil {
		return fmt.Errorf("demo: the notifications: %w", err)
	}
	if err := s.audit(ctx); err != nil {
		return fmt.Errorf("demo: the validator: %w", err)
	}
	if err := s.count(ctx); err != nil {
		return fmt.Errorf("demo: the finance desk: %w", err)
	}
	if err := s.dispute(ctx); err != nil {
		return fmt.Errorf("demo: the dispute: %w", err)
	}
	return nil
}

// logins are the lines that say who may be.
func logins() []string {
	last := plans[len(plans)-1]
	lines := []string{"Demo logins (password " + Password + "):"}
	for _, p := range slices.Backward(plans) {
		lines = append(lines, fmt.Sprintf("  %-30s owns %s", crowd[p.members[0]].email(), p.name))
	}
	lines = append(lines, fmt.Sprintf("  %-30s validates %s, where a request waits", crowd[last.members[1]].email(), last.name))
	lines = append(lines, fmt.Sprintf("  %-30s validates %s: see /audit", crowd[plans[1].members[1]].email(), plans[1].name))
	lines = append(lines, fmt.Sprintf("  %-30s a member of two groups", crowd[3].email()))
	for _, h := range helpers {
		lines = append(lines, fmt.Sprintf("  %-30s %s", h.email(), h.what))
	}
	return lines
}

// helpers are of Adashi's own staff. Two may decide at the finance desk, since nobody agrees to their own proposal.
var helpers = []struct {
	person
	role, what string
}{
	{person{"Sade", "Coker"}, people.RoleSupport, "of Adashi's own support: see /support and /operator"},
	{person{"Tunde", "Bakare"}, people.RoleFinanceOps, "of the finance desk: see /finance"},
	{person{"Uche", "Obi"}, people.RoleAdmin, "an admin: see /finance, /support and /operator"},
	{person{"Yemi", "Alade"}, people.RoleAdmin, "another admin: two approve a correction"},
}

func (s *seeder) staff(ctx context.Context) error {
	for n, h := range helpers {
		_, err := s.i.People.CreateVerified(ctx, people.Registration{
			Email: h.email(), Password: Password, FirstName: h.first, LastName: h.last,
			Phone: fmt.Sprintf("+2348030000%03d", 99-n), DateOfBirth: "1988-04-12",
		}, people.RoleUser, h.role)
		if err != nil {
			return fmt.Errorf("demo: %s: %w", h.first, err)
		}
	}
	return nil
}

// verify has a member's bank account and BVN verified by the sandbox bank, if they are not yet.
func (s *seeder) verify(ctx context.Context, n int) error {
	account, err := s.i.Profile.Account(ctx, s.users[n].User)
	if err != nil || account.BvnVerified {
		return err
	}
	if account.BvnStatus == contract.AccountBvnStatusPENDING { // The demo was cut short while the bank was asked.
		return s.i.Profile.AskNow(ctx, s.users[n].User)
	}
	// The same person in every run: a run that was cut short may have saved the account already.
	at := sandbox.Person{
		FirstName: crowd[n].first, LastName: crowd[n].last, BankCode: vendor.BankCode,
		Account: fmt.Sprintf("20123460%02d", n), BVN: fmt.Sprintf("229876550%02d", n),
	}
	if _, err := s.i.Bank.AddPerson(ctx, at); err != nil && !fault.Is(err, fault.Conflict) {
		return err
	}
	_, err = s.i.Profile.VerifyBvn(ctx, s.users[n].User, contract.BvnLookUpRequest{
		AccountNumber: at.Account, BankCode: at.BankCode, FirstName: at.FirstName, LastName: at.LastName, Bvn: at.BVN,
	})
	return err
}

// deed does something at its time. by is who does it, under a key of this step.
type deed func(ctx context.Context, then *app.App, by usecase.Who) error

// moment is something that somebody did.
type moment struct {
	at  time.Time
	by  usecase.Who
	act deed
}

// seeder writes the story down first, so that it can be played in the order of time.
type seeder struct {
	i       *boot.Instance
	now     time.Time
	start   time.Time
	users   []usecase.Who
	story   []moment
	founded map[string]string // The groups' ids by their names.
}

// on notes what happens at a time; what would be in the future does not happen.
func (s *seeder) on(at time.Time, by usecase.Who, act deed) {
	if !at.After(s.now) {
		by.Key = fmt.Sprintf("demo %d", len(s.story))
		s.story = append(s.story, moment{at, by, act})
	}
}

func (s *seeder) play(ctx context.Context) error {
	slices.SortStableFunc(s.story, func(a, b moment) int { return a.at.Compare(b.at) })
	for _, m := range s.story {
		if err := m.act(ctx, s.i.App.At(m.at), m.by); err != nil {
			return fmt.Errorf("demo: on %s: %w", m.at.Format(time.DateOnly), err)
		}
	}
	return nil
}

func amount(naira int64) wire.Naira { return wire.FromKobo(naira * 100) }

func naira(whole int64) money.Kobo { return money.Kobo(whole) * money.Naira }

// fund gives everybody two transfers through the bank: one as the history begins, one half way.
func (s *seeder) fund() {
	for n, who := range s.users {
		first, second := 60_000+int64(n)*2_500, 70_000+int64(n)*1_500
		if n == 0 { // Who is in three groups.
			first, second = first+30_000, second+30_000
		}
		for round, naira := range []int64{first, second} {
			when := s.start.AddDate(0, round*3, 0).Add(time.Duration(n) * time.Minute)
			s.on(when, who, func(ctx context.Context, then *app.App, by usecase.Who) error {
				payment, _, err := then.Payments.FundWallet(ctx, by, amount(naira), nil, payments.CardUse{})
				if err != nil || payment.AccountNumber == nil { // It was paid before the demo was cut short.
					return err
				}
				sender := crowd[n].first + " " + crowd[n].last
				err = s.i.Bank.Send(ctx, *payment.AccountNumber, money.Kobo(naira*100), sender, when.Add(30*time.Second))
				if err != nil && !fault.Is(err, fault.Conflict) { // It has its money already.
					return err
				}
				_, err = s.i.App.Payments.Settle(ctx, payment.TransactionRef)
				return err
			})
		}
	}
}

// group founds a group, fills it and has it collect.
func (s *seeder) group(p plan) {
	owner, born := s.users[p.members[0]], s.start.Add(time.Hour)
	var id string
	s.on(born, owner, func(ctx context.Context, then *app.App, by usecase.Who) (err error) {
		id, _, err = then.Groups.CreateGroup(ctx, by, groups.NewGroup{
			Name: p.name, Description: p.about, Amount: amount(p.naira), Capacity: 30, StartMonth: int(born.Month()), ShowTotal: true,
		})
		s.founded[p.name] = id
		return err
	})
	for n, m := range p.members[1:] {
		when := born.Add(time.Duration(n+1) * 20 * time.Minute)
		s.on(when, s.users[m], func(ctx context.Context, then *app.App, by usecase.Who) error {
			_, _, err := then.Groups.JoinGroup(ctx, by, id, then.Groups.InvitationCode(id))
			return err
		})
		s.on(when.Add(10*time.Minute), owner, func(ctx context.Context, then *app.App, by usecase.Who) error {
			_, _, err := then.Groups.ApproveMember(ctx, by, id, s.users[m].User)
			return err
		})
	}
	s.on(born.Add(4*time.Hour), owner, func(ctx context.Context, then *app.App, by usecase.Who) error {
		_, err := then.Groups.AppointApprover(ctx, by, id, s.users[p.members[2]].User)
		return err
	})
	s.on(born.Add(5*time.Hour), owner, func(ctx context.Context, then *app.App, by usecase.Who) error {
		_, err := then.Groups.AppointValidator(ctx, by, id, s.users[p.members[1]].User)
		return err
	})
	for n, c := range p.collections {
		sub := s.collect(p, c, owner, &id, born.Add(6*time.Hour))
		if n == 0 && p.spends {
			s.spend(p, &id, sub)
		}
	}
}

// collect opens a sub-account and has its members keep it up: most on time, a few late, and some who still owe.
func (s *seeder) collect(p plan, c collection, owner usecase.Who, group *string, opened time.Time) *string {
	var sub string
	s.on(opened, owner, func(ctx context.Context, then *app.App, by usecase.Who) (err error) {
		sub, _, err = then.Groups.OpenSubAccount(ctx, by, groups.NewSubAccount{
			GroupID: *group, Name: c.name, Description: c.about, Type: c.kind, Frequency: c.rhythm, Amount: amount(c.naira), ShowTotal: !c.hidden,
		})
		return err
	})
	if c.every == nil {
		for n, m := range p.members {
			if n%2 == 0 {
				s.pay(s.users[m], &sub, c.naira, opened.AddDate(0, n%monthsBack, 3))
			}
		}
		return &sub
	}
	for step := 0; !c.every(step, opened).After(s.now); step++ {
		current := c.every(step+1, opened).After(s.now)
		for n, m := range p.members {
			if current && n%3 == 2 {
				continue // Still to come this time round.
			}
			s.pay(s.users[m], &sub, c.naira, c.every(step, opened).Add(time.Duration(n*11+step*3)*time.Hour))
		}
	}
	return &sub
}

// pay contributes from the wallet. A wallet that has run dry has its owner skip the payment, as in life.
func (s *seeder) pay(who usecase.Who, sub *string, naira int64, when time.Time) {
	s.on(when, who, func(ctx context.Context, then *app.App, by usecase.Who) error {
		_, err := then.Dues.PayFromWallet(ctx, by, *sub, amount(naira), dues.Due{})
		if fault.Is(err, fault.Insufficient) {
			return nil
		}
		return err
	})
}
