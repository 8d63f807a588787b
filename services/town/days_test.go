package town

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"adashi.ng/ledger/base/money"
	"adashi.ng/services/internal/rails/sandbox"
)

// founds has the people of the first group come together by the ordinary ways.
func (t *Town) founds(ctx context.Context) error {
	var home []*person
	for _, p := range t.people {
		if p.role != "" {
			continue
		}
		if !p.unverified && p.name != "minor" {
			if err := t.proves(ctx, p); err != nil {
				return err
			}
		}
		if p.home {
			home = append(home, p)
		}
	}
	for _, p := range home {
		if err := t.saves(ctx, p); err != nil {
			return err
		}
	}
	owner, others := home[0], home[1:]
	var made struct{ ID string }
	if err := t.must(ctx, owner, "POST", "/api/GroupSavings/CreateGroupSavings", map[string]any{
		"name": "Balogun Traders", "amount": 5000, "memberCapacity": 30, "startMonthId": int(t.Now().Month()), "userEmail": owner.email, "monthlyDues": false,
	}, &made); err != nil {
		return err
	}
	code := t.instance.App.Groups.InvitationCode(made.ID)
	if err := t.onceIn(ctx, owner, made.ID, code); err != nil {
		return err
	}
	if err := t.must(ctx, owner, "POST", "/api/GroupSavings/CreateSubAccount", map[string]any{
		"groupSavingsId": made.ID, "name": "Monthly dues", "paymentType": "FIXED", "paymentFrequency": "MONTHLY", "amountPayable": 5000, "userId": owner.id,
	}, nil); err != nil {
		return err
	}
	for _, p := range others {
		if err := t.must(ctx, p, "POST", "/api/GroupSavings/JoinGroupSavings", map[string]any{"groupId": made.ID, "code": code, "email": p.email}, nil); err != nil {
			return err
		}
		if err := t.must(ctx, owner, "PATCH", "/api/GroupSavings/ApproveGroupMember", map[string]any{"groupId": made.ID, "memberId": p.id}, nil); err != nil {
			return err
		}
	}
	for _, p := range others[2:4] { // The treasurer and the secretary, not the puppets.
		if err := t.must(ctx, owner, "POST", "/api/v1/savings/groups/"+made.ID+"/approvers", map[string]any{"memberId": p.id}, nil); err != nil {
			return err
		}
	}
	if err := t.must(ctx, owner, "PATCH", "/api/GroupSavings/SetGroupValidator", map[string]any{"groupId": made.ID, "memberId": others[4].id}, nil); err != nil {
		return err
	}
	if t.Plain {
		return t.reads(ctx)
	}
	if err := t.foundsAjo(ctx, others[8], others[2], others[5], others[6], others[9]); err != nil {
		return err
	}
	return t.reads(ctx)
}

// proves has somebody's bank say who they are. The founder typed the treasurer's account number into their profile
// before, to look like one with an official.
func (t *Town) proves(ctx context.Context, p *person) error {
	at := p.truth
	if p.name == "founder" {
		for _, at := range []sandbox.Person{t.people[3].truth, at} {
			if err := t.paidAt(ctx, p, at); err != nil {
				return err
			}
		}
	}
	return t.must(ctx, p, "POST", "/api/Payment/bvn-look-up", map[string]any{
		"account_number": at.Account, "bank_code": at.BankCode, "first_name": p.first, "last_name": "Town", "bvn": at.BVN,
	}, nil)
}

// paidAt has somebody say where they are paid to.
func (t *Town) paidAt(ctx context.Context, p *person, at sandbox.Person) error {
	return t.must(ctx, p, "POST", "/api/Account/UpdateUserInfo", map[string]any{
		"email": p.email, "bankAccountNumber": at.Account, "bankCode": at.BankCode, "monthlySalaray": 250000, "dateForSalary": "2026-12-28",
	}, nil)
}

// onceIn has one person of each desk come into the group, and leave it before anything is due: its people know them.
func (t *Town) onceIn(ctx context.Context, owner *person, group, code string) error {
	known := map[string]bool{}
	for _, p := range t.people {
		if p.role == "" || known[p.role] {
			continue
		}
		known[p.role] = true
		if err := t.must(ctx, p, "POST", "/api/GroupSavings/JoinGroupSavings", map[string]any{"groupId": group, "code": code, "email": p.email}, nil); err != nil {
			return err
		}
		if err := t.must(ctx, owner, "PATCH", "/api/GroupSavings/ApproveGroupMember", map[string]any{"groupId": group, "memberId": p.id}, nil); err != nil {
			return err
		}
		if err := t.must(ctx, p, "POST", "/api/v1/savings/groups/"+group+"/leave", map[string]any{"forfeit": false}, nil); err != nil {
			return err
		}
	}
	return nil
}

// foundsAjo has some people begin a weekly ajo, which is due for the first time in that week. The last two share a
// seat. They collect in the order of their joining: a draw goes by ids, which no seed decides.
func (t *Town) foundsAjo(ctx context.Context, owner *person, others ...*person) error {
	rng := t.dice(0)
	var made struct{ ID string }
	if err := t.must(ctx, owner, "POST", "/api/Ajo/CreateExistingGroupAjo", map[string]any{
		"name": "Balogun ajo", "description": "", "type": "GROUP", "amount": 5000, "duration": 4, "memberCapacity": 4, "startMonthId": int(t.Now().Month()), "year": t.Now().Year(),
		"frequency": "WEEKLY", "order": "JOIN_ORDER", "dueDay": t.Now().Day() + 4, "deposit": 0, "nonce": nonce(owner), "email": owner.email,
	}, &made); err != nil {
		return err
	}
	code := t.instance.App.Ajo.InvitationCode(made.ID)
	for n, p := range others {
		var page ajoPage
		if err := t.must(ctx, p, "GET", "/api/Ajo/GetAjoDataById/"+made.ID+query("code", code), nil, &page); err != nil {
			return err
		}
		hands := "1"
		if n >= len(others)-2 {
			hands = "0.5"
		}
		if err := t.must(ctx, p, "POST", "/api/Ajo/JoinAjoGroup", map[string]any{
			"ajoId": made.ID, "code": code, "hands": hands, "termsHash": page.TermsHash, "nonce": nonce(p), "email": p.email,
		}, nil); err != nil {
			return err
		}
		if rng.IntN(2) == 0 {
			continue
		}
		if err := t.must(ctx, p, "POST", "/api/v1/ajo/"+made.ID+"/consent", map[string]any{"dues": true, "sweep": rng.IntN(2) == 0}, nil); err != nil {
			return err
		}
	}
	return t.must(ctx, owner, "POST", "/api/v1/ajo/"+made.ID+"/close", map[string]any{}, nil)
}

// saves has somebody say where they are paid to, and brings ₦60,000 of theirs from the bank.
func (t *Town) saves(ctx context.Context, p *person) error {
	if p.name != "minor" {
		if err := t.paidAt(ctx, p, p.truth); err != nil {
			return err
		}
	}
	var started struct{ AccountNumber string }
	if err := t.must(ctx, p, "POST", "/api/Wallet/FundWalletVfd", map[string]any{"amount": 60000, "email": p.email}, &started); err != nil {
		return err
	}
	return t.sends(ctx, p, started.AccountNumber, 60_000*money.Naira)
}

// sends has somebody pay from their bank account as they should, and the bank tell of it.
func (t *Town) sends(ctx context.Context, p *person, account string, amount money.Kobo) error {
	if err := t.instance.Bank.Transfer(ctx, sandbox.Transfer{Account: account, Amount: amount, From: p.account(), Sender: p.first + " Town"}); err != nil {
		return err
	}
	return t.instance.Bank.Deliver(ctx)
}

// must gives a command that has to go through, and reads what it answers.
func (t *Town) must(ctx context.Context, p *person, method, path string, body, into any) error {
	from := t.memory.at
	r, err := t.does(ctx, p, method, path, body)
	if err != nil {
		return err
	}
	if r.status != http.StatusOK {
		return &Failure{"the town is founded", fmt.Sprintf("%s: %s %s was answered %d: %s", p, method, path, r.status, r.Message)}
	}
	t.tells(0, p.String()+": "+path, r)
	if into != nil {
		if err := r.read(into); err != nil {
			return err
		}
	}
	if err := t.learns(ctx); err != nil {
		return err
	}
	t.gave(p, t.commandAt(method, path), from)
	return nil
}

// daily is what a day ends with: some jobs, and the questions that are asked each day.
func (t *Town) daily(ctx context.Context, rng *rand.Rand) error {
	if rng.IntN(4) > 0 {
		for _, job := range t.jobs {
			if rng.IntN(3) == 0 {
				continue
			}
			if err := t.run(ctx, 0, job.Name); err != nil {
				return err
			}
		}
	}
	if err := t.reads(ctx); err != nil {
		return err
	}
	return t.asks(ctx, rng)
}

// settleDays are enough for all that the jobs do within days, and for what the bank tells so late that no line says so.
const settleDays = 5

// lateMost is longer than any webhook is late, and than the jobs take to come to what is told.
const lateMost = 3 * 24 * time.Hour

// settles brings everything that is under way to its end: the bank behaves, tells all that it has to tell, and the jobs
// run for some days.
func (t *Town) settles(ctx context.Context) error {
	if err := t.instance.Bank.BehaveAgain(ctx); err != nil {
		return err
	}
	var over time.Time
	for day := 0; day < settleDays || t.Now().Before(over); day++ {
		for run := range 2 {
			if run == 0 && day > 0 {
				t.moves(t.Now().Add(24 * time.Hour))
			}
			t.moves(t.Now().Add(15 * time.Minute))
			if err := t.instance.Bank.Deliver(ctx); err != nil {
				return err
			}
			for _, job := range t.jobs {
				if err := t.run(ctx, 0, job.Name); err != nil {
					return err
				}
			}
		}
		told, err := t.allTold(ctx)
		if err != nil {
			return err
		}
		over = told
	}
	return t.reads(ctx)
}

// allTold is three days after the banks have told of all money that has moved by now. The money of an early refund
// leaves at once, and the gateway calls it pending until its end. A line of a statement may be a week late.
func (t *Town) allTold(ctx context.Context) (at time.Time, err error) {
	err = t.instance.Pool.QueryRow(ctx, `SELECT coalesce(greatest((SELECT max(refunded_at) FROM sandbox_refunds WHERE early OR refunded_at <= $1),
		(SELECT max(told_at) FROM sandbox_journal WHERE booked_at <= $1)), $1)`, t.Now()).Scan(&at)
	return at.Add(lateMost), err
}

// ends is what a year ends with.
func (t *Town) ends(ctx context.Context) error {
	for _, p := range t.people { // The questions must record nothing.
		if p.given {
			if _, err := t.logIn(ctx, p); err != nil {
				return err
			}
		}
	}
	if err := t.settles(ctx); err != nil {
		return err
	}
	return t.questions(ctx)
}
