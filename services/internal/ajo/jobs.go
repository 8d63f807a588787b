package ajo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	rules "adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajocard"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/posting"
	"adashi.ng/projections/ajos"
	"adashi.ng/services/internal/ajo/sweep"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/usecase"
)

const (
	// batch is how many items a job takes from its list at a time. It handles them one by one: several at once would be
	// faster but delay members' payments.
	batch = 500
	// runFor limits how long a run starts further batches. The next run does the rest.
	runFor = 20 * time.Second
	// caughtUpDays is for how many days after a day for collecting a debt the debtor's wallet is still tried, as long
	// as nothing was taken for that day: a day without a job run is not lost.
	caughtUpDays = 3
)

// through works through a list that may be long, a batch at a time. It leaves out items that this run has already
// handled. For each list of a run it does at least one batch.
func through[T any](began clock.Watch, key func(T) string, read func(without []string) ([]T, error), do func([]T) error) error {
	var seen []string
	var failed []error
	for first := true; first || began.Took() < runFor; first = false {
		some, err := read(seen)
		if err != nil || len(some) == 0 {
			return errors.Join(append(failed, err)...)
		}
		for _, item := range some {
			seen = append(seen, key(item))
		}
		failed = append(failed, do(some))
	}
	return errors.Join(failed...)
}

func idOf(a ajos.Ajo) string { return a.ID }

// by records a job's command. A refusal means that something else happened meanwhile, and is not an error.
func (s *Service) by(ctx context.Context, operation, key, ajoID string, c event.Command) error {
	_, err := s.Record(ctx, usecase.System, systemID(operation, key), ajoID, store.Fingerprint(key), c)
	if fault.Is(err, fault.Conflict) || fault.Is(err, fault.Insufficient) {
		return nil
	}
	return err
}

// byConsent is by for a payment that the member agreed to: it skips a member whose consent was withdrawn or no longer
// counts.
func (s *Service) byConsent(ctx context.Context, operation, key, ajoID string, c event.Command) error {
	err := s.by(ctx, operation, key, ajoID, c)
	if fault.Is(err, fault.Forbidden) {
		return nil
	}
	return err
}

// judge makes the current cycle's pot ready.
func (s *Service) judge(ctx context.Context, r room) error {
	return s.makeReady(ctx, r.id, r.a.Current(), r.people())
}

// makeReady makes a pot ready. people is empty when the pot is full.
func (s *Service) makeReady(ctx context.Context, id string, k int, people []string) error {
	_, err := s.Record(ctx, usecase.System, systemID("judge ajo", fmt.Sprintf("%s %d", id, k)), id, store.Fingerprint(id, k),
		ajopot.Judge{AjoID: id, Cycle: k, People: people, Now: s.Now()})
	return err
}

// pot reads the part of an ajo that a command about one cycle's pot needs: no book, no deposit and no other cycle.
func (s *Service) pot(ctx context.Context, id string, k int) (room, error) {
	r := room{id: id, cycles: map[int]ajopot.Cycle{}}
	streams := []string{rules.Stream(id), rules.DebtStream(id), ajopot.CycleStream(id, k)}
	return r, s.See(ctx, streams, nil, func(v event.View) {
		r.a, r.debts = event.StateOf[rules.Ajo](v, streams[0]), event.StateOf[ajopot.Debts](v, streams[1])
		r.cycles[k] = event.StateOf[ajopot.Cycle](v, streams[2])
	})
}

// each works through a job's list of ajo, and reads each one's present state.
func (s *Service) each(ctx context.Context, job string, list []ajos.Ajo, do func(context.Context, room) error) error {
	return items.Each(ctx, s.Job(job), list, idOf, s.inRoom(do))
}

// inRoom runs a function with the present state of an ajo in a list.
func (s *Service) inRoom(do func(context.Context, room) error) func(context.Context, ajos.Ajo) error {
	return func(ctx context.Context, a ajos.Ajo) error {
		r, err := s.current(ctx, "", a.ID)
		if err != nil {
			return err
		}
		return do(ctx, r)
	}
}

// Judge makes pots ready when their time has come, and collects dues from members who agreed.
func (s *Service) Judge(ctx context.Context) error {
	today, began := s.today().Format(time.DateOnly), clock.Start()
	agreed := through(began, idOf, func(without []string) ([]ajos.Ajo, error) { return ajos.Agreed(ctx, s.Pool, today, without, batch) },
		func(list []ajos.Ajo) error { return s.takeDues(ctx, list) })
	return errors.Join(agreed, through(began, idOf, func(without []string) ([]ajos.Ajo, error) { return ajos.ToJudge(ctx, s.Pool, today, without, batch) },
		func(list []ajos.Ajo) error {
			return items.Each(ctx, s.Job("judge ajo"), list, idOf, func(ctx context.Context, a ajos.Ajo) error {
				r, err := s.pot(ctx, a.ID, a.Cycle)
				if err != nil || !r.a.HasStarted() || r.a.Over() || r.a.Current() != a.Cycle {
					return err // The ajo changed meanwhile.
				}
				return usecase.UnlessConflict(s.judge(ctx, r))
			})
		}))
}

// takeDues pays the dues of members who agreed to it, from their wallets, from the due day on. The read model lists who
// has not paid; the ledger decides again.
func (s *Service) takeDues(ctx context.Context, list []ajos.Ajo) error {
	ids := make([]string, len(list))
	for i, a := range list {
		ids[i] = a.ID
	}
	current, err := ajos.CurrentOf(ctx, s.Pool, ids)
	if err != nil {
		return err
	}
	agreed, err := ajos.Agreeing(ctx, s.Pool, ids)
	if err != nil {
		return err
	}
	today := s.today().Format(time.DateOnly)
	return items.Each(ctx, s.Job("take ajo dues"), list, idOf, func(ctx context.Context, a ajos.Ajo) error {
		missing := slices.DeleteFunc(a.Missing(current[a.ID].State), func(m ajos.Missing) bool { return !agreed[a.ID][m.User] })
		if len(missing) == 0 {
			return nil
		}
		r, err := s.pot(ctx, a.ID, a.Cycle)
		if err != nil || !r.a.HasStarted() || r.a.Current() != a.Cycle || r.a.Over() {
			return err // The ajo changed meanwhile.
		}
		collects := ajopot.Collects(r.a, r.cycles[a.Cycle], r.debts, s.today())
		var failed []error
		for _, m := range missing {
			if m.Seat == collects {
				continue // It is taken from the pot.
			}
			failed = append(failed, s.byConsent(ctx, "take ajo due", fmt.Sprintf("%s %d %d %s %s", a.ID, a.Cycle, m.Seat, m.User, today), a.ID, ajopot.Pay{
				AjoID: a.ID, Cycle: a.Cycle, Seat: m.Seat, User: m.User, By: m.User, Amount: m.Amount, Channel: nairav1.Channel_CHANNEL_WALLET, Ready: true, Taken: true, At: s.Now(),
			}))
		}
		return errors.Join(failed...)
	})
}

// PaySilent pays the pots that nobody decided about in time, and sends money on to bank accounts.
func (s *Service) PaySilent(ctx context.Context) error {
	began := clock.Start()
	failed := through(began, ajos.Cycle.Key, func(without []string) ([]ajos.Cycle, error) { return ajos.Unpaid(ctx, s.Pool, s.Now(), without, batch) },
		func(list []ajos.Cycle) error {
			return items.Each(ctx, s.Job("pay silent ajo"), list, ajos.Cycle.Key, func(ctx context.Context, c ajos.Cycle) error {
				r, err := s.pot(ctx, c.AjoID, c.Cycle)
				if err != nil {
					return err
				}
				key := c.Key() + s.today().Format(time.DateOnly)
				result, err := s.Record(ctx, usecase.System, systemID("pay silent ajo", key), r.id, store.Fingerprint(key), ajopot.PaySilent(r.id, c.Cycle, r.people(), s.Now()))
				if err != nil {
					return usecase.UnlessConflict(err)
				}
				return s.sweptPot(ctx, result.Decided)
			})
		})
	if s.Withdraw == nil {
		return failed
	}
	since := s.Now().AddDate(0, 0, -toBankDays)
	return errors.Join(failed, through(began, ajos.Cycle.Key, func(without []string) ([]ajos.Cycle, error) { return ajos.ToBank(ctx, s.Pool, since, without, batch) },
		func(list []ajos.Cycle) error {
			return items.Each(ctx, s.Job("send ajo pots on"), list, ajos.Cycle.Key, s.sendOn)
		}))
}

// toBankDays is how long we try to send a pot on to a bank account. After that the money waits in the wallet.
const toBankDays = 3

// sendOn withdraws the collector's share of the pot to their own bank account: once, however often the job runs.
func (s *Service) sendOn(ctx context.Context, c ajos.Cycle) error {
	for _, h := range []struct {
		user string
		net  money.Kobo
	}{{c.Holder, c.Net}, {c.OtherHolder, c.OtherNet}} {
		if h.user == "" || h.user != c.RequestedBy || h.net == 0 {
			continue
		}
		if err := s.Withdraw.SendOn(ctx, h.user, systemID("send ajo pot on", c.Key()), h.net); usecase.UnlessRefused(err) != nil {
			return err
		}
	}
	return nil
}

// Keep does the work that is due by date: possible draws, terms that nobody accepted, lists that lapsed, places that
// nobody took, votes and pauses that have ended, and complete ajo.
func (s *Service) Keep(ctx context.Context) error {
	now, today, began := s.Now(), s.today().Format(time.DateOnly), clock.Start()
	at := func(f func(context.Context, *pgxpool.Pool, time.Time, []string, int) ([]ajos.Ajo, error)) reading {
		return func(without []string) ([]ajos.Ajo, error) { return f(ctx, s.Pool, now, without, batch) }
	}
	on := func(f func(context.Context, *pgxpool.Pool, string, []string, int) ([]ajos.Ajo, error)) reading {
		return func(without []string) ([]ajos.Ajo, error) { return f(ctx, s.Pool, today, without, batch) }
	}
	due := func(f func(context.Context, *pgxpool.Pool, []string, int) ([]ajos.Ajo, error)) reading {
		return func(without []string) ([]ajos.Ajo, error) { return f(ctx, s.Pool, without, batch) }
	}
	var failed []error
	for _, job := range []struct {
		name string
		read reading
		do   func(context.Context, room) error
	}{
		{"draw ajo", at(ajos.ToDraw), s.draw},
		{"release from ajo", at(ajos.ToRelease), s.releaseUnanswered},
		{"lapse ajo", on(ajos.ToLapse), s.lapse},
		{"freeze ajo seats", at(ajos.ToFreeze), s.freeze},
		{"terminate ajo", due(ajos.ToTerminate), s.terminateCarried},
		{"end ajo votes", at(ajos.ToEndMotions), s.endMotions},
		{"resume ajo", on(ajos.ToResume), s.resume},
		{"complete ajo", due(ajos.ToComplete), s.complete},
	} {
		failed = append(failed, through(began, idOf, job.read, func(list []ajos.Ajo) error { return s.each(ctx, job.name, list, job.do) }))
	}
	return errors.Join(failed...)
}

// reading reads a part of a list, without the named items.
type reading func(without []string) ([]ajos.Ajo, error)

func (s *Service) lapse(ctx context.Context, r room) error {
	return s.by(ctx, "lapse ajo", r.id, r.id, rules.Cancel{AjoID: r.id, Reason: rules.Lapsed, Members: r.a.Members(), Now: s.Now()})
}

// freeze freezes the places that nobody took over in time.
func (s *Service) freeze(ctx context.Context, r room) error {
	for _, o := range r.a.Openings {
		if err := s.by(ctx, "freeze ajo seat", fmt.Sprintf("%s %d %d", r.id, o.Seat, o.Until.Unix()), r.id, ajopot.Freeze(r.id, o.Seat, []int{r.a.Current()}, r.people(), s.Now())); err != nil {
			return err
		}
	}
	return nil
}

// terminateCarried ends an ajo when its members voted for that.
func (s *Service) terminateCarried(ctx context.Context, r room) error {
	for _, m := range r.a.Motions {
		if m.Kind == nairav1.AjoMotionKind_AJO_MOTION_KIND_TERMINATE && r.a.Carried(m) {
			_, err := s.terminate(ctx, r, m.ID)
			return usecase.UnlessConflict(err)
		}
	}
	return nil
}

// endMotions ends the votes whose time has run out.
func (s *Service) endMotions(ctx context.Context, r room) error {
	for _, m := range r.a.Motions {
		if err := s.by(ctx, "end ajo vote", m.ID, r.id, rules.EndMotion(r.id, m.ID, s.Now())); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) resume(ctx context.Context, r room) error {
	return s.by(ctx, "resume ajo", fmt.Sprintf("%s %d", r.id, len(r.a.Pauses)), r.id, rules.Resume(r.id, s.today()))
}

func (s *Service) complete(ctx context.Context, r room) error {
	var cycles []int
	for k := len(r.a.Past) + 1; k <= len(r.a.Order); k++ {
		cycles = append(cycles, k)
	}
	return s.by(ctx, "complete ajo", r.id, r.id, ajopot.Complete(r.id, cycles, r.people()))
}

// draw makes a possible draw: with the beacon's round, or with the secrets that phones revealed.
func (s *Service) draw(ctx context.Context, r room) error {
	if r.a.Status != rules.Ordering {
		return nil
	}
	now := s.Now()
	silent, phones := r.a.Silent(now), r.a.Closing.Source == nairav1.AjoDrawSource_AJO_DRAW_SOURCE_PHONES
	switch {
	case phones && silent && len(r.a.Revealed) == 0:
		return s.cancelSilent(ctx, r, rules.NoneRevealed)
	case phones && r.a.Closing.Round == 0:
		return s.by(ctx, "draw ajo by phones", r.id, r.id, rules.DrawPhones(r.id, now))
	case len(r.a.Proposed) > 0 && now.Before(r.a.AcceptOrderBy), now.Before(s.Beacon.Beacon().At(r.a.Closing.Round)):
		return nil
	}
	signature, err := s.Beacon.Fetch(ctx, r.a.Closing.Round)
	if err == nil {
		err = s.by(ctx, "draw ajo", r.id, r.id, rules.SubmitBeacon(r.id, s.Beacon.Beacon(), signature, s.Now()))
	}
	if silent { // One that was drawn after all is not cancelled.
		return s.cancelSilent(ctx, r, rules.NoneCame)
	}
	return err
}

func (s *Service) cancelSilent(ctx context.Context, r room, why string) error {
	return s.by(ctx, "cancel silent ajo", r.id, r.id, rules.Cancel{AjoID: r.id, Reason: why, Members: r.a.Members(), Now: s.Now()})
}

// releaseUnanswered releases the members who did not accept changed terms in time.
func (s *Service) releaseUnanswered(ctx context.Context, r room) error {
	for _, user := range r.a.Members() {
		if r.a.Accepted(user) {
			continue
		}
		if err := s.by(ctx, "release from ajo", fmt.Sprintf("%s %s %d", r.id, user, r.a.AcceptBy.Unix()), r.id, rules.Leave{AjoID: r.id, User: user, Unanswered: true, Now: s.Now()}); err != nil {
			return err
		}
	}
	return nil
}

// Retry collects debts from the wallets of debtors who agreed to it, once for each day that the terms name, and matures
// cards. It catches up a day without a job run in the next days; of two such days the later one counts.
func (s *Service) Retry(ctx context.Context) error {
	began, today := clock.Start(), s.today()
	debts := through(began, ajos.Retry.Key, func(without []string) ([]ajos.Retry, error) {
		return ajos.ToRetry(ctx, s.Pool, lastDays(today, caughtUpDays), without, batch)
	}, func(list []ajos.Retry) error {
		return items.Each(ctx, s.Job("retry ajo debts"), list, ajos.Retry.Key, func(ctx context.Context, r ajos.Retry) error {
			return s.take(ctx, r.DebtRow, 10_000, "retry", r.Key())
		})
	})
	return errors.Join(debts, through(began, cardOf, func(without []string) ([]ajos.Card, error) {
		return ajos.ToMature(ctx, s.Pool, today.Format(time.DateOnly), without, batch)
	}, func(list []ajos.Card) error {
		return items.Each(ctx, s.Job("mature ajo cards"), list, cardOf, func(ctx context.Context, c ajos.Card) error {
			return s.by(ctx, "mature ajo card", c.ID, c.ID, ajocard.End{CardID: c.ID, User: c.User, Collector: c.Earned, Now: s.Now()})
		})
	}))
}

func cardOf(c ajos.Card) string { return c.ID }

// lastDays returns a day and so many before it, the latest first.
func lastDays(day time.Time, before int) []string {
	days := make([]string, before+1)
	for n := range days {
		days[n] = day.AddDate(0, 0, -n).Format(time.DateOnly)
	}
	return days
}

// take pays a debt from a share of its debtor's wallet, at most the sum that the ledger says is still open: the list
// may be older.
func (s *Service) take(ctx context.Context, d ajos.DebtRow, basisPoints money.Kobo, taken, key string) error {
	var part money.Kobo
	debts := rules.DebtStream(d.AjoID)
	if err := s.See(ctx, []string{debts}, []string{posting.Wallet(d.Debtor)}, func(v event.View) {
		owed, _ := event.StateOf[ajopot.Debts](v, debts).ByID(d.ID)
		part = min(owed.Left(), v.Balance(posting.Wallet(d.Debtor))*basisPoints/10_000)
	}); err != nil {
		return err
	}
	if part <= 0 {
		return nil
	}
	return s.byConsent(ctx, "take ajo debt", key, d.AjoID, ajopot.PayDebt{
		AjoID: d.AjoID, DebtID: d.ID, By: d.Debtor, Creditor: d.Creditor, Amount: part, Taken: taken, Key: key,
	})
}

// Swept uses a part of the money that came into a member's wallet for their debts, if they agreed to it. reference
// names the money.
func (s *Service) Swept(ctx context.Context, user string, amount money.Kobo, reference string) error {
	return sweep.Service{Base: s.Base}.Swept(ctx, user, amount, reference)
}

// SweepAgain repeats sweeps that failed. It is a job.
func (s *Service) SweepAgain(ctx context.Context) error {
	return sweep.Service{Base: s.Base}.Again(ctx)
}

// sweptPot is Swept for a pot that was paid out into wallets by some events. It skips money that goes on to a bank.
func (s *Service) sweptPot(ctx context.Context, decided []event.Draft) error {
	for _, d := range decided {
		m, paid := d.Message.(*nairav1.AjoPaid)
		if !paid || m.GetDestination() == nairav1.AjoDestination_AJO_DESTINATION_BANK {
			continue
		}
		pot := "pot " + ajopot.CycleStream(m.GetAjoId(), int(m.GetCycle()))
		return errors.Join(s.Swept(ctx, m.GetUserId(), money.Kobo(m.GetAmountKobo()), pot), s.Swept(ctx, m.GetOtherUserId(), money.Kobo(m.GetOtherAmountKobo()), pot))
	}
	return nil
}

// Ties returns what keeps a person from leaving Adashi: an ajo in progress, a debt, or a card.
func (s *Service) Ties(ctx context.Context, user string) ([]string, error) {
	var ties []string
	list, err := ajos.OfUser(ctx, s.Pool, user)
	if err != nil {
		return nil, err
	}
	for _, a := range list {
		switch status := a.State.Status; {
		case status == rules.Completed, status == rules.Cancelled, a.State.Settled: // An ajo that ended early is over by then.
		case status == rules.Open:
			ties = append(ties, fmt.Sprintf("You have joined the ajo %s. Leave or cancel it first.", a.Name))
		default:
			ties = append(ties, fmt.Sprintf("The ajo %s is not over. Find somebody who takes over your place, or wait until it is.", a.Name))
		}
	}
	debts, err := ajos.DebtsOf(ctx, s.Pool, user)
	if err != nil {
		return nil, err
	}
	for _, d := range debts {
		if d.Debtor == user {
			ties = append(ties, fmt.Sprintf("You owe %s in the ajo %s. Pay it first.", d.Left, d.AjoName))
		} else {
			ties = append(ties, fmt.Sprintf("%s is owed to you in the ajo %s. Forgive it, or wait for it.", d.Left, d.AjoName))
		}
	}
	cards, err := ajos.CardsOf(ctx, s.Pool, user)
	for _, c := range cards {
		if c.Status == string(ajocard.Open) {
			ties = append(ties, fmt.Sprintf("Your card %s is open. Break it, or wait for its day.", c.Name))
		}
	}
	return ties, err
}

// Advance does for one ajo what the jobs would do at this Service's moment: its draw, and its ready pot.
func (s *Service) Advance(ctx context.Context, id string) error {
	r, err := s.room(ctx, "", id)
	if err != nil {
		return err
	}
	switch {
	case r.a.Status == rules.Ordering && !s.Now().Before(r.a.Closing.DrawAt):
		return s.draw(ctx, r)
	case r.a.HasStarted() && !r.a.Over():
		return usecase.UnlessConflict(s.judge(ctx, r))
	}
	return nil
}
