package savings_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
)

const (
	flat    = nairav1.FeeType_FEE_TYPE_FLAT
	percent = nairav1.FeeType_FEE_TYPE_PERCENT
	capped  = nairav1.FeeType_FEE_TYPE_PERCENT_CAPPED
	penalty = 500 * money.Naira
)

// strict is the group with monthly dues of ₦5,000 from November on, five days of grace and ₦500 for being late.
func strict(t T) *World {
	return Given(t, active, changed(opens(fixed, monthly), func(c *savings.OpenSubAccount) {
		c.Late = savings.Late{GraceDays: 5, Type: flat, Amount: penalty}
	}), funded("bisi", 4_900_000*money.Naira), funded("chidi", 4_900_000*money.Naira))
}

func on(month time.Month, day int) time.Time {
	year := 2026
	if month < time.November {
		year++
	}
	return time.Date(year, month, day, 9, 0, 0, 0, time.UTC)
}

func penalises(user string, now time.Time) dues.Penalise {
	return dues.Penalise{GroupID: "g", SubAccountID: "s", User: user, Now: now}
}

func applied(period, deadline string, missing money.Kobo) *nairav1.PenaltyApplied {
	return &nairav1.PenaltyApplied{
		GroupId: "g", SubAccountId: "s", UserId: "bisi", Period: period, AmountKobo: int64(penalty), MissingKobo: int64(missing), Deadline: deadline,
	}
}

func relieved(period string) *nairav1.PenaltyReversed {
	return &nairav1.PenaltyReversed{GroupId: "g", SubAccountId: "s", UserId: "bisi", Period: period, AmountKobo: int64(penalty)}
}

func duesOf(w *World, user string) dues.Dues {
	return dues.Of(w.State("sub:s").(savings.SubAccount), w.State("member:g:"+user).(savings.Member), w.State("dues:s:"+user).(dues.State))
}

func TestAPenaltyComesTheDayAfterTheGraceAndOnce(t *testing.T) {
	t.Parallel()
	w := strict(t)
	w.When(penalises("bisi", on(time.December, 5))).ThenFault(fault.Conflict)
	w = w.When(penalises("bisi", on(time.December, 6))).Then(applied("2026-11-01", "2026-12-05", due))
	w.When(penalises("bisi", on(time.December, 31))).ThenFault(fault.Conflict)
	d := duesOf(w, "bisi")
	require.Equal(t, due+penalty, d.Owed(0))
	require.Equal(t, due, d.Owed(1))
	require.Equal(t, 2*due+penalty, d.Open(savings.Day(on(time.December, 31))))
	w.When(penalises("eve", on(time.December, 6))).ThenFault(fault.NotFound)
}

// Of every frequency: the due that was paid in time earns no penalty the day after its deadline, nor years later.
func TestWhoPaidInTimeIsNotPenalisedWhateverTheFrequency(t *testing.T) {
	t.Parallel()
	for _, rhythm := range []nairav1.PaymentFrequency{daily, weekly, biweekly, monthly, quarterly, yearly, oneTime} {
		kind := fixed
		if rhythm == oneTime {
			kind = oneOff
		}
		t.Run(rhythm.String(), func(t *testing.T) {
			t.Parallel()
			w := Given(t, active, changed(opens(kind, rhythm), func(c *savings.OpenSubAccount) {
				c.Late = savings.Late{GraceDays: 5, Type: flat, Amount: penalty}
			}), funded("bisi", 4_900_000*money.Naira))
			d := duesOf(w, "bisi")
			deadline, _ := d.Deadline(0)
			paid := on(time.November, 15)
			w.And(paid, dues.Contribute{GroupID: "g", SubAccountID: "s", User: "bisi", Amount: due, Channel: nairav1.Channel_CHANNEL_WALLET, At: paid})
			w.When(penalises("bisi", deadline.AddDate(0, 0, 1).Add(9*time.Hour))).ThenFault(fault.Conflict)
			if rhythm == oneTime {
				w.When(penalises("bisi", deadline.AddDate(9, 0, 0))).ThenFault(fault.Conflict)
			}
		})
	}
}

func TestMoneyThatComesAfterTheDeadlinePaysThePenaltyToo(t *testing.T) {
	t.Parallel()
	late := on(time.December, 8)
	w := strict(t).And(verifies("femi"), on(time.November, 20), pays("bisi", 1_000*money.Naira, 0, on(time.November, 20)), late)
	w = w.When(pays("bisi", due, 0, late)).Then(applied("2026-11-01", "2026-12-05", 4_000*money.Naira),
		received(due, 6_000*money.Naira, settled("2026-11-01", 4_500*money.Naira, true), settled("2026-12-01", 500*money.Naira, false)))
	w.When(penalises("bisi", late)).ThenFault(fault.Conflict)
}

func TestMoneyInTimeThatIsToldOfLaterTakesThePenaltyBack(t *testing.T) {
	t.Parallel()
	w := strict(t).And(on(time.December, 6), penalises("bisi", on(time.December, 6)))
	part := on(time.December, 5)
	w = w.And(part).When(pays("bisi", due-1, 0, part)).Then(received(due-1, due-1, settled("2026-11-01", due-1, false)))
	w = w.When(pays("bisi", 1, 0, part)).Then(relieved("2026-11-01"), received(1, due, settled("2026-11-01", 1, true)))
	w.And(on(time.December, 9)).When(penalises("bisi", on(time.December, 9))).ThenFault(fault.Conflict)
}

func TestWhatWasPaidTowardsAPenaltyIsCreditOnceItGoes(t *testing.T) {
	t.Parallel()
	late, inTime := on(time.December, 7), on(time.December, 1)
	w := strict(t).And(late, pays("bisi", due+penalty, 0, late), inTime)
	w.When(pays("bisi", due, 0, inTime)).Then(relieved("2026-11-01"),
		received(due, 2*due+penalty, settled("2026-12-01", due-penalty, true), settled("2027-01-01", penalty, false)))
}

func TestAPenaltyThatGoesMayMakeGoodTheNext(t *testing.T) {
	t.Parallel()
	// November wholly missing; December paid but for what went to November and its penalty.
	december := on(time.December, 20)
	w := strict(t).And(december, pays("bisi", 2*due, 0, december), on(time.January, 6), penalises("bisi", on(time.January, 6)))
	require.Equal(t, penalty, duesOf(w, "bisi").Change(1).Penalty, "₦500 of December are missing")
	inTime := on(time.November, 30)
	w.And(inTime).When(pays("bisi", due, 0, inTime)).Then(relieved("2026-11-01"), relieved("2026-12-01"),
		received(due, 3*due, settled("2027-01-01", due, true)))
}

func TestHowAPenaltyIsReckoned(t *testing.T) {
	t.Parallel()
	for want, late := range map[money.Kobo]savings.Late{
		0:   {},
		700: {Type: flat, Amount: 700},
		250: {Type: percent, BasisPoints: 500},
		12:  {Type: percent, BasisPoints: 25}, // 12.5, to the even one.
		18:  {Type: percent, BasisPoints: 35}, // 17.5, to the even one.
		100: {Type: capped, BasisPoints: 500, Amount: 100},
		50:  {Type: capped, BasisPoints: 100, Amount: 100},
	} {
		require.Equal(t, want, late.Penalty(5_000), "%+v", late)
	}
}

func TestLateTermsAreFrozenAtOpeningAndBounded(t *testing.T) {
	t.Parallel()
	with := func(kind nairav1.PaymentType, late savings.Late) *Outcome {
		return Given(t, active).When(changed(opens(kind, monthly), func(c *savings.OpenSubAccount) { c.Late = late }))
	}
	outcome := with(fixed, savings.Late{GraceDays: 60, Type: capped, Amount: due, BasisPoints: 5_000})
	require.NoError(t, outcome.Err)
	require.True(t, proto.Equal(&nairav1.LateTermsSet{
		GroupId: "g", SubAccountId: "s", GraceDays: 60, PenaltyType: capped, PenaltyKobo: int64(due), PenaltyBasisPoints: 5_000,
	}, outcome.Decided[1].Message))
	for field, late := range map[string]savings.Late{
		"graceDays":      {GraceDays: 61, Type: flat, Amount: 1},
		"penaltyPercent": {Type: percent, BasisPoints: 5_001},
		"penaltyAmount":  {Type: flat, Amount: due + 1},
	} {
		with(fixed, late).ThenField(field)
	}
	with(fixed, savings.Late{Type: capped, BasisPoints: 5}).ThenField("penaltyAmount")
	with(fixed, savings.Late{Type: flat, Amount: 5, BasisPoints: 5}).ThenField("penaltyPercent")
	with(flexible, savings.Late{GraceDays: 3}).ThenField("penaltyType")
}

func TestADeadlineThatFellWhileTheGroupWasShutIsMovedByTheDaysItTook(t *testing.T) {
	t.Parallel()
	suspend, resume := savings.SuspendGroup("g", "admin", "Because"), savings.ResumeGroup("g", "admin", "Because")
	shut := func(from, to time.Time) *World { return strict(t).And(from, suspend, to, resume) }
	for name, c := range map[string]struct {
		from, to time.Time
		deadline string
	}{
		"over the deadline":        {on(time.November, 20), on(time.December, 10), "2026-12-26"}, // 16 days, from 20 November to 5 December.
		"from the deadline on":     {on(time.December, 5), on(time.December, 10), "2026-12-11"},
		"until the deadline":       {on(time.December, 1), on(time.December, 5), "2026-12-10"},
		"before the deadline":      {on(time.November, 20), on(time.December, 4), "2026-12-05"},
		"after the deadline":       {on(time.December, 6), on(time.December, 9), "2026-12-05"},
		"for longer than a period": {on(time.November, 16), on(time.January, 20), "2027-02-09"},
	} {
		t.Run(name, func(t *testing.T) {
			w, deadline := shut(c.from, c.to), savings.ParseDay(c.deadline).Add(9*time.Hour)
			w.And(deadline).When(penalises("bisi", deadline)).ThenFault(fault.Conflict)
			after := deadline.AddDate(0, 0, 1)
			require.Equal(t, c.deadline, w.And(after).When(penalises("bisi", after)).Decided[0].Message.(*nairav1.PenaltyApplied).GetDeadline())
		})
	}
	w := strict(t).And(on(time.November, 20), suspend)
	w.When(penalises("bisi", on(time.January, 1))).ThenFault(fault.Conflict)
	twice := shut(on(time.December, 1), on(time.December, 10)).And(on(time.December, 12), suspend, on(time.December, 20), resume)
	last := on(time.December, 24) // 1 to 5 December are given back from the 10th to the 15th, of which the 12th to the 15th are given back again.
	twice.And(last, pays("bisi", 2*due, 0, last)).When(penalises("bisi", on(time.December, 31))).ThenFault(fault.Conflict)
}

func TestWhoCouldNotPayIsGivenAsManyDaysAsTheyLost(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		past := []any{changed(opens(fixed, monthly), func(c *savings.OpenSubAccount) {
			c.Frequency, c.Late = nairav1.PaymentFrequency(rapid.IntRange(2, 5).Draw(t, "frequency")), savings.Late{GraceDays: rapid.IntRange(0, 9).Draw(t, "grace"), Type: flat, Amount: penalty}
		})}
		at := Epoch
		for range rapid.IntRange(0, 4).Draw(t, "suspensions") {
			from := at.AddDate(0, 0, rapid.IntRange(1, 40).Draw(t, "open for"))
			at = from.AddDate(0, 0, rapid.IntRange(0, 40).Draw(t, "shut for"))
			past = append(past, from, savings.SuspendGroup("g", "admin", "Because"), at, savings.ResumeGroup("g", "admin", "Because"))
		}
		w := Given(t, active, past)
		shut := w.State("group:g").(savings.Group).Shut[1:]
		d := duesOf(w, "bisi").Shut(shut)
		for k := range 40 {
			last, known := d.Deadline(k)
			require.True(t, known)
			usual := d.Schedule.Due(k).AddDate(0, 0, d.Late.GraceDays)
			require.False(t, last.Before(usual))
			open := 0 // Whole days from the period's first to the deadline on which the group took money.
			for day := d.Schedule.Start(k); !day.After(last); day = day.AddDate(0, 0, 1) {
				if !shutOn(shut, day) {
					open++
				}
			}
			if window := int(usual.Sub(d.Schedule.Start(k)).Hours()/24) + 1; last.After(usual) {
				require.False(t, shutOn(shut, last), "the deadline is a day on which one can pay")
				lost := 0 // What other suspensions took before the one that reached the deadline.
				for day := d.Schedule.Start(k); !day.After(usual); day = day.AddDate(0, 0, 1) {
					if shutOn(shut, day) {
						lost++
					}
				}
				require.GreaterOrEqual(t, open, window-lost, "no less than without the suspension")
				require.Positive(t, open)
			}
		}
	})
}

// shutOn reports whether a group took no money at some time of a day.
func shutOn(shut []savings.Span, day time.Time) bool {
	for _, s := range shut {
		if !day.Before(savings.Day(s.From)) && !day.After(savings.Day(s.To)) {
			return true
		}
	}
	return false
}

func TestNothingIsOwedThatFallsDueInAnAbsenceOfBefore(t *testing.T) {
	t.Parallel()
	w := strict(t).And(on(time.December, 10), event.Draft{Stream: "member:g:bisi", Message: &nairav1.MemberDeactivatedV2{GroupId: "g", UserId: "bisi"}})
	w.When(pays("bisi", due, 0, on(time.December, 10))).ThenFault(fault.Conflict)
	w.And(on(time.March, 2))
	require.Equal(t, due, duesOf(w, "bisi").Open(savings.Day(on(time.March, 2))), "November alone: it fell due before")
	w.And(event.Draft{Stream: "member:g:bisi", Message: &nairav1.MemberReactivated{GroupId: "g", UserId: "bisi"}})
	w.When(penalises("bisi", on(time.March, 2))).Then(applied("2026-11-01", "2026-12-05", due))
	w.When(pays("bisi", due+penalty+due, 0, on(time.March, 2))).Then(received(2*due+penalty, 2*due+penalty,
		settled("2026-11-01", due+penalty, true), settled("2027-03-01", due, true)))
}

func covers(by, user string, amount money.Kobo, at time.Time) dues.Cover {
	return dues.Cover{GroupID: "g", SubAccountID: "s", User: user, By: by, Amount: amount, At: at}
}

func TestAMemberCoversWhatAnotherOwesTodayAndNoMore(t *testing.T) {
	t.Parallel()
	december := on(time.December, 2)
	w := strict(t)
	w.When(covers("chidi", "bisi", 2*due+1, december)).ThenField("amount")
	w.When(covers("chidi", "chidi", due, december)).ThenField("memberId")
	w.When(covers("eve", "bisi", due, december)).ThenFault(fault.NotFound)
	w.When(covers("chidi", "eve", due, december)).ThenFault(fault.NotFound)
	w.When(covers("ada", "bisi", due, december)).ThenFault(fault.Insufficient)
	outcome := w.And(december).When(covers("chidi", "bisi", 2*due, december))
	outcome.ThenBalance("pool:s", 2*due).ThenBalance("wallet:chidi", 4_900_000*money.Naira-2*due).ThenBalance("wallet:bisi", 4_900_000*money.Naira)
	w = outcome.Then(&nairav1.ContributionCovered{
		GroupId: "g", SubAccountId: "s", UserId: "bisi", PaidBy: "chidi", AmountKobo: int64(2 * due), MemberTotalKobo: int64(2 * due),
		Settled: []*nairav1.Settlement{settled("2026-11-01", due, true), settled("2026-12-01", due, true)},
	})
	require.Equal(t, 2*due, w.State("dues:s:bisi").(dues.State).Savings(), "it is bisi's savings")
	w.When(covers("chidi", "bisi", 1, december)).ThenFault(fault.Conflict)
	saving(t, flexible, monthly).And(funded("chidi", due)).When(covers("chidi", "bisi", 1, december)).ThenFault(fault.Conflict)
}

func asks(by, user, period string, now time.Time) dues.RequestWaiver {
	return dues.RequestWaiver{
		WaiverID: "w", GroupID: "g", SubAccountID: "s", User: user, Period: period, Kind: nairav1.WaiverKind_WAIVER_KIND_WAIVED,
		Reason: "Was in hospital", By: by, Officers: everybody, Now: now,
	}
}

// everybody who holds an office in these tests, or might.
var everybody = savings.Officers{Users: []string{"ada", "bisi", "chidi", "femi", "gozie", "halima", "ife", "eve"}}

func decides(by string, approve bool, now time.Time) dues.DecideWaiver {
	return dues.DecideWaiver{WaiverID: "w", GroupID: "g", SubAccountID: "s", User: "bisi", By: by, Approve: approve, Now: now}
}

func TestTwoApproversLetADueOff(t *testing.T) {
	t.Parallel()
	december, left := on(time.December, 10), 4_500*money.Naira
	w := strict(t).And(verifies("femi"), on(time.November, 20), pays("bisi", 1_000*money.Naira, 0, on(time.November, 20)), december, penalises("bisi", december))
	asked := asks("ada", "bisi", "2026-11-01", december)
	w.When(changed(asked, func(c *dues.RequestWaiver) { c.Period = "2026-12-02" })).ThenField("period")
	w.When(changed(asked, func(c *dues.RequestWaiver) { c.Reason = " " })).ThenField("reason")
	w.When(changed(asked, func(c *dues.RequestWaiver) { c.By = "chidi" })).ThenFault(fault.Forbidden)
	w.When(changed(asked, func(c *dues.RequestWaiver) { c.By = "eve" })).ThenFault(fault.NotFound)
	w = w.When(asked).Then(&nairav1.WaiverRequested{
		WaiverId: "w", GroupId: "g", SubAccountId: "s", UserId: "bisi", Period: "2026-11-01", Kind: asked.Kind, Reason: asked.Reason, RequestedBy: "ada",
	}, &nairav1.WaiverDecidersFixed{WaiverId: "w", GroupId: "g", DeciderIds: []string{"femi"}})
	require.Equal(t, 0, duesOf(w, "bisi").Next(), "nothing is let off yet")
	w.When(decides("ada", true, december)).ThenFault(fault.Forbidden)
	w.When(decides("chidi", true, december)).ThenFault(fault.Forbidden)
	w.When(decides("eve", true, december)).ThenFault(fault.NotFound)
	w = w.When(decides("femi", true, december)).Then(
		&nairav1.WaiverApproved{WaiverId: "w", GroupId: "g", ApprovedBy: "femi", AmountKobo: int64(left)},
		&nairav1.DueWaived{GroupId: "g", SubAccountId: "s", UserId: "bisi", Period: "2026-11-01", AmountKobo: int64(left), Kind: asked.Kind, WaiverId: "w"},
	)
	require.Equal(t, 1, duesOf(w, "bisi").Next(), "November is settled")
	w.When(decides("femi", true, december)).ThenFault(fault.Conflict)
	w.When(changed(asked, func(c *dues.RequestWaiver) { c.WaiverID = "v" })).ThenFault(fault.Conflict)
}

func TestARejectedWaiverChangesNothing(t *testing.T) {
	t.Parallel()
	december := on(time.December, 10)
	w := strict(t).And(verifies("femi"), asks("ada", "bisi", "2026-11-01", december))
	w = w.When(decides("femi", false, december)).Then(&nairav1.WaiverRejected{WaiverId: "w", GroupId: "g", RejectedBy: "femi"})
	require.Equal(t, due, duesOf(w, "bisi").Owed(0))
	w.When(decides("femi", true, december)).ThenFault(fault.Conflict)
}

func TestWhereNoOtherApproverMayDecideAWaiverTheValidatorDoes(t *testing.T) {
	t.Parallel()
	november := on(time.November, 20)
	w := strict(t)
	refused(t, w, asks("ada", "femi", "2026-11-01", november), fault.Conflict, "nobody lets a due off alone")
	w.And(verifies("chidi"), november, asks("ada", "femi", "2026-11-01", november)) // Of the approvers only ada may act.
	require.Equal(t, []string{"chidi"}, w.State(dues.WaiverStream("w")).(dues.Waiver).Deciders)
	w.When(changed(decides("femi", true, november), func(c *dues.DecideWaiver) { c.User = "femi" })).ThenFault(fault.Forbidden)
	w.And(changed(decides("chidi", true, november), func(c *dues.DecideWaiver) { c.User = "femi" }))
	require.Zero(t, duesOf(w, "femi").Owed(0))
	w.When(changed(asks("femi", "femi", "2026-12-01", november), func(c *dues.RequestWaiver) { c.WaiverID = "v" })).ThenFault(fault.Forbidden)
}

func TestAnApproverWhoIsAppointedForAWaiverDoesNotDecideIt(t *testing.T) {
	t.Parallel()
	december := on(time.December, 10)
	w := Given(t, roomy, opens(fixed, monthly), admits("gozie"), verifies("femi"), verifies("gozie"), december, asks("ada", "bisi", "2026-11-01", december))
	w.And(empowers("ada", "gozie"))
	refused(t, w, decides("gozie", true, december), fault.Forbidden, "you were not one of them")
	refused(t, w, decides("chidi", true, december), fault.Forbidden, "you were not one of them")
	refused(t, w, changed(asks("gozie", "bisi", "2026-11-01", december), func(c *dues.RequestWaiver) {
		c.WaiverID, c.Officers.Interested = "v", []string{"femi", "ada", "chidi"}
	}),
		fault.Conflict, "shares a bank account")
	w.And(decides("femi", true, december))
}

func TestEverybodyIsRemindedOnceAnOccasion(t *testing.T) {
	t.Parallel()
	today := nairav1.ReminderKind_REMINDER_KIND_TODAY
	remind := dues.Remind{GroupID: "g", SubAccountID: "s", Period: "2026-11-01", Kind: today, Users: []string{"chidi", "bisi", "bisi"}, Now: on(time.November, 30)}
	reminded := func(kind nairav1.ReminderKind, users ...string) *nairav1.DuesReminded {
		return &nairav1.DuesReminded{GroupId: "g", SubAccountId: "s", Period: "2026-11-01", DueDate: "2026-11-30", Kind: kind, UserIds: users}
	}
	w := strict(t).And(on(time.November, 30)).When(remind).Then(reminded(today, "bisi", "chidi"))
	w.When(remind).ThenFault(fault.Conflict)
	asked := changed(remind, func(c *dues.Remind) { c.Kind, c.By = nairav1.ReminderKind_REMINDER_KIND_ASKED, "chidi" })
	w = w.When(asked).Then(reminded(asked.Kind, "bisi", "chidi"))
	w.When(asked).ThenFault(fault.Conflict)
	asked.Now = on(time.December, 1)
	w.And(asked.Now).When(asked).Then(reminded(asked.Kind, "bisi", "chidi"))
	w.When(changed(asked, func(c *dues.Remind) { c.By = "bisi" })).ThenFault(fault.Forbidden)
	w.When(changed(asked, func(c *dues.Remind) { c.By = "eve" })).ThenFault(fault.NotFound)
}
