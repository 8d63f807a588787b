package dispute_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajocard"
	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
)

// numbered is a dispute that has a tracking number.
const numbered = "00000000-0000-4000-8000-000000000001"

func TestTheMovementOfACaseAndItsMembersGuardianMakeAParty(t *testing.T) {
	t.Parallel()
	seat := event.On(ajo.Stream("a"), &nairav1.AjoCreated{AjoId: "a", OwnerId: "sade", Terms: &nairav1.AjoTerms{AmountKobo: 100, Seats: 2}})
	collects := func(user string) event.Draft {
		return event.On(ajocard.Stream("k"), &nairav1.AjoCardCollectorSet{CardId: "k", UserId: "bisi", CollectorId: user})
	}
	for name, c := range map[string]struct {
		ties    dispute.Ties
		past    []any
		refused bool
	}{
		"none":                            {},
		"the ajo that the member left":    {dispute.Ties{Ajo: "a"}, []any{seat}, true},
		"another ajo":                     {dispute.Ties{Ajo: "b"}, []any{seat}, false},
		"who collects":                    {dispute.Ties{Card: "k"}, []any{collects("sade")}, true},
		"who collected":                   {dispute.Ties{Card: "k"}, []any{collects("sade"), collects("")}, true},
		"a card that another collects of": {dispute.Ties{Card: "k"}, []any{collects("femi")}, false},
		"the guardian":                    {dispute.Ties{Guardian: true}, nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, by := Given(t, claim(numbered, notCredited, "x")).And(c.past...), kase
			by.DisputeID = numbered
			by.Ties = c.ties
			for _, command := range []event.Command{
				dispute.Look{Case: by, Action: nairav1.StaffAction_STAFF_ACTION_READ_ACCOUNT, Subject: "bisi"}, dispute.Take(by),
			} {
				if c.refused {
					w.When(command).ThenFault(fault.Forbidden)
				} else {
					w.And(command)
				}
			}
		})
	}
}

func TestALookNamesWhatItsCaseIsAbout(t *testing.T) {
	t.Parallel()
	const movements, group = nairav1.StaffAction_STAFF_ACTION_READ_MOVEMENTS, nairav1.StaffAction_STAFF_ACTION_READ_GROUP
	about := claim(numbered, notCredited, "x")
	about.Group = "g"
	of := kase
	of.DisputeID, of.Group = numbered, "g"
	look := func(action nairav1.StaffAction, subject string) dispute.Look {
		return dispute.Look{Case: of, Action: action, Subject: subject, InHand: true}
	}
	w := Given(t, about)
	require.Contains(t, w.When(look(movements, "bisi")).ThenFault(fault.Forbidden).Message, "Take the case first")
	w.And(dispute.Take(of), look(movements, "bisi"), look(group, "g"))
	w.When(look(movements, "ada")).ThenFault(fault.NotFound)
	w.When(look(group, "another")).ThenFault(fault.NotFound)
	w.When(look(group, "")).ThenFault(fault.NotFound)
	for _, at := range []dispute.Look{look(movements, "bisi"), look(group, "g")} {
		joined := Given(t, about).And(dispute.Take(of), at, event.On(savings.MemberStream("g", "sade"), &nairav1.MembershipRequested{GroupId: "g", UserId: "sade"}))
		joined.When(at).ThenFault(fault.Forbidden) // Who became a party sees nothing more.
	}
	w.And(dispute.Resolve(of, true, said, nil, monday))
	require.Contains(t, w.When(look(movements, "bisi")).ThenFault(fault.Forbidden).Message, "This case is over")
}
