package savings_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
)

const (
	fixed    = nairav1.PaymentType_PAYMENT_TYPE_FIXED
	flexible = nairav1.PaymentType_PAYMENT_TYPE_FLEXIBLE
	oneOff   = nairav1.PaymentType_PAYMENT_TYPE_ONE_OFF

	oneTime   = nairav1.PaymentFrequency_PAYMENT_FREQUENCY_ONE_TIME
	daily     = nairav1.PaymentFrequency_PAYMENT_FREQUENCY_DAILY
	weekly    = nairav1.PaymentFrequency_PAYMENT_FREQUENCY_WEEKLY
	biweekly  = nairav1.PaymentFrequency_PAYMENT_FREQUENCY_BIWEEKLY
	monthly   = nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY
	quarterly = nairav1.PaymentFrequency_PAYMENT_FREQUENCY_QUARTERLY
	yearly    = nairav1.PaymentFrequency_PAYMENT_FREQUENCY_YEARLY
)

// found is a group of four: ada owns it, and three more may join.
var found = savings.CreateGroup{
	GroupID: "g", Owner: "ada", Name: "Balogun Traders", Description: "Cloth sellers", Amount: 5_000 * money.Naira,
	Capacity: 4, StartMonth: 11, ShowTotalBalance: true, Now: Epoch,
}

func joins(user string) savings.JoinGroup { return savings.JoinGroup{GroupID: "g", User: user} }

func approves(by, user string) savings.ApproveMember {
	return savings.ApproveMember{GroupID: "g", User: user, By: by}
}

func appoints(by, user string) savings.AppointValidator {
	return savings.AppointValidator{GroupID: "g", User: user, By: by, Owner: "ada"}
}

func empowers(by, user string) savings.AppointApprover {
	return savings.AppointApprover{GroupID: "g", User: user, By: by}
}

var (
	verified = account.EndCheck("ada", "check", 0)

	// active is the group with bisi a member and chidi its validator; femi is its other approver.
	active = []any{
		found, joins("bisi"), approves("ada", "bisi"), joins("chidi"), approves("ada", "chidi"), joins("femi"), approves("ada", "femi"),
		verified, empowers("ada", "femi"), appoints("ada", "chidi"),
	}
)

func opens(kind nairav1.PaymentType, rhythm nairav1.PaymentFrequency) savings.OpenSubAccount {
	return savings.OpenSubAccount{
		GroupID: "g", SubAccountID: "s", By: "ada", Name: "Monthly dues", Type: kind, Frequency: rhythm,
		Amount: 5_000 * money.Naira, ShowTotal: true, Now: Epoch,
	}
}

func changed[C any](c C, change func(*C)) C {
	change(&c)
	return c
}

func TestAFounderOwnsTheGroupAndTakesItsFirstSeat(t *testing.T) {
	t.Parallel()
	w := Given(t).When(found).Then(
		&nairav1.GroupCreated{
			GroupId: "g", OwnerId: "ada", Name: "Balogun Traders", Description: "Cloth sellers", AmountKobo: 500_000,
			MemberCapacity: 4, StartMonth: 11, StartYear: 2026, ShowTotalBalance: true,
		},
		&nairav1.SeatTaken{GroupId: "g", UserId: "ada", Seats: 1},
		&nairav1.MembershipApproved{GroupId: "g", UserId: "ada", ApprovedBy: "ada"},
	)
	w.When(found).ThenFault(fault.Conflict)
}

func TestAGroupStartsInTheNextSuchMonth(t *testing.T) {
	t.Parallel()
	for month, year := range map[int]int32{11: 2026, 12: 2026, 1: 2027, 10: 2027} {
		outcome := Given(t).When(changed(found, func(c *savings.CreateGroup) { c.StartMonth = month }))
		require.NoError(t, outcome.Err)
		require.Equal(t, year, outcome.Decided[0].Message.(*nairav1.GroupCreated).GetStartYear(), "month %d", month)
	}
}

func TestAGroupsFormIsChecked(t *testing.T) {
	t.Parallel()
	for field, bad := range map[string][]func(*savings.CreateGroup){
		"name": {
			func(c *savings.CreateGroup) { c.Name = "ab" },
			func(c *savings.CreateGroup) { c.Name = "  a b  "[:4] },
			func(c *savings.CreateGroup) { c.Name = strings.Repeat("a", 61) },
			func(c *savings.CreateGroup) { c.Name = "Traders\x07Union" },
			func(c *savings.CreateGroup) { c.Name = "Traders\u202eUnion" },
			func(c *savings.CreateGroup) { c.Name = "Traders\u200bUnion" },
			func(c *savings.CreateGroup) { c.Name = "Claim 50k at http://evil.example" },
		},
		"description": {
			func(c *savings.CreateGroup) { c.Description = strings.Repeat("é", 501) },
			func(c *savings.CreateGroup) { c.Description = "More at evil.com" },
		},
		"amount": {
			func(c *savings.CreateGroup) { c.Amount = savings.MinContribution - 1 },
			func(c *savings.CreateGroup) { c.Amount = savings.MaxContribution + 1 },
			func(c *savings.CreateGroup) { c.Amount = -savings.MinContribution },
		},
		"memberCapacity": {
			func(c *savings.CreateGroup) { c.Capacity = savings.MinCapacity - 1 },
			func(c *savings.CreateGroup) { c.Capacity = savings.MaxCapacity + 1 },
			func(c *savings.CreateGroup) { c.Capacity = -5 },
		},
		"startMonthId": {
			func(c *savings.CreateGroup) { c.StartMonth = 0 },
			func(c *savings.CreateGroup) { c.StartMonth = 13 },
		},
	} {
		for _, change := range bad {
			Given(t).When(changed(found, change)).ThenField(field)
		}
	}
	require.NoError(t, Given(t).When(changed(found, func(c *savings.CreateGroup) {
		c.Name, c.Description, c.Capacity = strings.Repeat("é", 60), strings.Repeat("é", 500), savings.MaxCapacity
	})).Err, "bounds count characters, and are inclusive")
}

func TestWhoJoinsWaitsAndHoldsASeat(t *testing.T) {
	t.Parallel()
	w := Given(t, found).When(joins("bisi")).Then(
		&nairav1.SeatTaken{GroupId: "g", UserId: "bisi", Seats: 2},
		&nairav1.MembershipRequested{GroupId: "g", UserId: "bisi"},
	)
	w.When(joins("bisi")).ThenFault(fault.Conflict)
	w.And(approves("ada", "bisi")).When(joins("bisi")).ThenFault(fault.Conflict)
	w.When(joins("ada")).ThenFault(fault.Conflict)
	Given(t).When(joins("bisi")).ThenFault(fault.NotFound)
}

func TestTheLastSeatIsTakenOnce(t *testing.T) {
	t.Parallel()
	full := Given(t, found, joins("bisi"), joins("chidi"), joins("femi"))
	full.When(joins("dayo")).ThenFault(fault.Conflict)
}

func TestOnlyAnApproverLetsPeopleIn(t *testing.T) {
	t.Parallel()
	waiting := []any{found, joins("bisi"), approves("ada", "bisi"), joins("chidi")}
	Given(t, waiting...).When(approves("ada", "chidi")).Then(&nairav1.MembershipApproved{GroupId: "g", UserId: "chidi", ApprovedBy: "ada"})
	Given(t, waiting...).When(approves("bisi", "chidi")).ThenFault(fault.Forbidden)
	Given(t, waiting...).When(approves("chidi", "chidi")).ThenFault(fault.Forbidden)
	Given(t, waiting...).When(approves("eve", "chidi")).ThenFault(fault.NotFound)
	Given(t, waiting...).When(approves("ada", "ada")).ThenFault(fault.Forbidden)
	Given(t, waiting...).When(approves("ada", "bisi")).ThenFault(fault.Conflict)
	Given(t, waiting...).When(approves("ada", "eve")).ThenFault(fault.NotFound)
	Given(t).When(approves("ada", "bisi")).ThenFault(fault.NotFound)
}

func TestAGroupHasOneValidatorWhoIsNoApprover(t *testing.T) {
	t.Parallel()
	w := Given(t, found, joins("bisi"), approves("ada", "bisi"), joins("chidi"))
	w.When(appoints("ada", "chidi")).ThenFault(fault.Conflict) // Waits to be approved.
	w.When(appoints("ada", "ada")).ThenFault(fault.Conflict)   // Is an approver.
	w.When(appoints("bisi", "bisi")).ThenFault(fault.Forbidden)
	w.When(appoints("chidi", "bisi")).ThenFault(fault.Forbidden)
	w.When(appoints("eve", "bisi")).ThenFault(fault.NotFound)
	w.When(appoints("ada", "eve")).ThenFault(fault.NotFound)
	w.When(appoints("ada", "bisi")).Then(&nairav1.ValidatorAppointed{GroupId: "g", UserId: "bisi", AppointedBy: "ada"})
	w.When(appoints("ada", "bisi")).ThenFault(fault.Conflict)
	w.And(approves("ada", "chidi")).When(appoints("ada", "chidi")).Then(
		&nairav1.ValidatorAppointed{GroupId: "g", UserId: "chidi", AppointedBy: "ada"},
	)
	require.Equal(t, "chidi", w.State(savings.GroupStream("g")).(savings.Group).Validator)
}

func TestWhatAGroupLacksIsSaidInWords(t *testing.T) {
	t.Parallel()
	require.Len(t, savings.Missing(savings.PendingApproval, "", 1, false), 3)
	require.Contains(t, savings.Missing(savings.PendingApproval, "bisi", 2, false)[0], "BVN")
	require.Contains(t, savings.Missing(savings.PendingApproval, "", 2, true)[0], "A validator")
	require.Contains(t, savings.Missing(savings.PendingApproval, "bisi", 1, true)[0], "An approver")
	require.Empty(t, savings.Missing(savings.PendingApproval, "bisi", 2, true))
	require.Empty(t, savings.Missing(savings.Active, "", 0, false))
}

func TestASubAccountIsOpenedByAnApproverWithARhythmThatFits(t *testing.T) {
	t.Parallel()
	w := Given(t, active...)
	w.When(changed(opens(fixed, monthly), func(c *savings.OpenSubAccount) { c.By = "bisi" })).ThenFault(fault.Forbidden)
	w.When(changed(opens(fixed, monthly), func(c *savings.OpenSubAccount) { c.By = "eve" })).ThenFault(fault.NotFound)
	w.When(changed(opens(fixed, monthly), func(c *savings.OpenSubAccount) { c.GroupID = "other" })).ThenFault(fault.NotFound)
	w.When(opens(fixed, oneTime)).ThenField("paymentFrequency")
	w.When(opens(oneOff, monthly)).ThenField("paymentFrequency")
	w.When(opens(fixed, 0)).ThenField("paymentFrequency")
	w.When(opens(0, monthly)).ThenField("paymentType")
	w.When(changed(opens(fixed, monthly), func(c *savings.OpenSubAccount) { c.Name = "x" })).ThenField("name")
	w.When(changed(opens(fixed, monthly), func(c *savings.OpenSubAccount) { c.Description = strings.Repeat("x", 501) })).ThenField("description")
	w.When(changed(opens(fixed, monthly), func(c *savings.OpenSubAccount) { c.Amount = 0 })).ThenField("amountPayable")
	w.When(changed(opens(fixed, monthly), func(c *savings.OpenSubAccount) { c.Amount = savings.MaxContribution + 1 })).ThenField("amountPayable")
	w.When(opens(fixed, monthly)).Then(&nairav1.SubAccountOpened{
		GroupId: "g", SubAccountId: "s", Name: "Monthly dues", PaymentType: fixed, PaymentFrequency: monthly, AmountKobo: 500_000,
		ShowTotalToMembers: true, FirstDue: "2026-11-01",
	}, &nairav1.SubAccountCounted{GroupId: "g", SubAccountId: "s", SubAccounts: 1})
	w.When(opens(fixed, monthly)).ThenFault(fault.Conflict)
}

func TestAGroupMayBeFoundedWithItsMonthlyDues(t *testing.T) {
	t.Parallel()
	for month, first := range map[int]string{11: "2026-11-01", 12: "2026-12-01", 2: "2027-02-01"} {
		w := Given(t, changed(found, func(c *savings.CreateGroup) { c.MonthlyDues, c.StartMonth = "s", month }))
		sub := w.State("sub:s").(savings.SubAccount)
		require.Equal(t, []any{"g", 5_000 * money.Naira, fixed, first}, []any{sub.Group, sub.Amount, sub.Type, sub.Schedule.First.Format(time.DateOnly)})
		require.Equal(t, []string{"s"}, w.State("group:g").(savings.Group).SubAccounts)
	}
}

func TestTheFirstDueIsTheGroupsFirstMonthWhenThatIsToCome(t *testing.T) {
	t.Parallel()
	later := changed(found, func(c *savings.CreateGroup) { c.StartMonth = 2 })
	outcome := Given(t, later).When(opens(fixed, monthly))
	require.NoError(t, outcome.Err)
	require.Equal(t, "2027-02-01", outcome.Decided[0].Message.(*nairav1.SubAccountOpened).GetFirstDue())
}

func TestTheDayIsThatOfLagos(t *testing.T) {
	t.Parallel()
	lateInNovember := time.Date(2026, time.November, 30, 23, 30, 0, 0, time.UTC) // Half past midnight of 1 December in Lagos.
	require.Equal(t, "2026-12-01", savings.Day(lateInNovember).Format(time.DateOnly))
	require.Equal(t, "2026-12-01", savings.MonthStart(lateInNovember).Format(time.DateOnly))
	require.Equal(t, "2026-11-30", savings.Day(lateInNovember.Add(-31*time.Minute)).Format(time.DateOnly))
	group := Given(t).When(changed(found, func(c *savings.CreateGroup) { c.Now = lateInNovember }))
	require.Equal(t, int32(2027), group.Decided[0].Message.(*nairav1.GroupCreated).GetStartYear(), "November is over in Lagos")
}

// A group waits for three things, and becomes active with the last of them, whichever that is.
func TestAGroupBecomesActiveWithTheLastThingItNeeds(t *testing.T) {
	t.Parallel()
	members := []any{found, joins("bisi"), approves("ada", "bisi"), joins("chidi"), approves("ada", "chidi")}
	activate := savings.Activate{GroupID: "g", Owner: "ada"}
	needs := map[string]event.Command{"bvn": verified, "approver": empowers("ada", "bisi"), "validator": appoints("ada", "chidi")}
	for _, order := range [][]string{{"bvn", "approver", "validator"}, {"validator", "bvn", "approver"}, {"approver", "validator", "bvn"}} {
		w := Given(t, members)
		for _, need := range order {
			w.When(activate).ThenFault(fault.Conflict)
			require.Equal(t, savings.PendingApproval, w.State(savings.GroupStream("g")).(savings.Group).Status, order)
			w.And(needs[need])
		}
		if order[2] == "bvn" { // Its own event is about the account alone.
			w.When(activate).Then(&nairav1.GroupActivated{GroupId: "g"})
		}
		require.Equal(t, savings.Active, w.State(savings.GroupStream("g")).(savings.Group).Status, order)
		w.When(activate).ThenFault(fault.Conflict)
	}
	Given(t, members, needs["approver"], needs["validator"], account.EndCheck("ada", "check", nairav1.BvnFailure_BVN_FAILURE_MISMATCH)).
		When(activate).ThenFault(fault.Conflict)
	stale := appoints("ada", "chidi")
	stale.Owner = "bisi"
	Given(t, members, needs["bvn"], needs["approver"]).When(stale).ThenFault(fault.Conflict)
}

func TestOnlyTheOwnerAppointsApproversAndNoMoreThanFive(t *testing.T) {
	t.Parallel()
	big := changed(found, func(c *savings.CreateGroup) { c.Capacity = 9 })
	w := Given(t, big, joins("bisi"))
	w.When(empowers("ada", "bisi")).ThenFault(fault.Conflict) // Waits to be approved.
	w.When(empowers("ada", "eve")).ThenFault(fault.NotFound)
	w.When(empowers("eve", "bisi")).ThenFault(fault.NotFound)
	w.And(approves("ada", "bisi"), appoints("ada", "bisi"))
	w.When(empowers("ada", "bisi")).ThenFault(fault.Conflict) // Is the validator.
	w.When(empowers("ada", "ada")).ThenFault(fault.Conflict)
	for _, user := range []string{"chidi", "dayo", "efe", "femi"} {
		w.And(joins(user), approves("ada", user))
		w.When(empowers("chidi", user)).ThenFault(fault.Forbidden)
		w.And(empowers("ada", user))
	}
	w.When(empowers("ada", "femi")).ThenFault(fault.Conflict)
	w.And(joins("gozie"), approves("femi", "gozie")).When(empowers("ada", "gozie")).ThenFault(fault.Conflict)
}
