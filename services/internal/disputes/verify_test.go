package disputes_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/domain/disputed"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/audit"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/disputes"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

// plants records what no rule would have come to.
type plants []event.Draft

// Streams implements event.Command.
func (p plants) Streams() (all []string) {
	for _, d := range p {
		all = append(all, d.Stream)
	}
	return all
}

// Accounts implements event.Command.
func (plants) Accounts() []string { return nil }

// Decide implements event.Command.
func (p plants) Decide(event.View) ([]event.Draft, error) { return p, nil }

func plant(stream string, m proto.Message) plants { return plants{event.On(stream, m)} }

func TestWhatDisputesHoldAndWhoLooksForThemIsVerified(t *testing.T) {
	t.Parallel()
	w, id := apptest.Setup(t, true, false), uuid.NewString()
	found := func() int64 {
		c := &audit.Check{}
		require.NoError(t, disputes.Check(w.Pool).Run(context.Background(), c))
		return c.Violations
	}
	given := func(commands ...event.Command) { // No read model sees it: what is planted could not be shown.
		for _, c := range commands {
			_, err := w.App.Ledger.Append(context.Background(), store.Command{ID: uuid.New(), Actor: "system", Command: c})
			require.NoError(t, err)
		}
	}
	user, sub := w.Member.User, w.Open
	looks := account.Act{Staff: "sade", Action: nairav1.StaffAction_STAFF_ACTION_READ_MOVEMENTS, Subject: user, Case: dispute.Number(id)}
	given(dispute.Claim{
		DisputeID: id, User: user, Kind: nairav1.DisputeKind_DISPUTE_KIND_TWICE, About: "x", Amount: 5 * money.Naira, Words: &nairav1.Words{PaperId: "p"}, Now: time.Now(),
	}, looks)
	holds := plant(disputed.Stream(sub), &nairav1.DisputedMoneyHeld{DisputeId: id, UserId: user, SubAccountId: sub, AmountKobo: 500, Until: timestamppb.Now()})
	given(holds)
	require.Zero(t, found())

	given(dispute.Withdraw(id, user, ""))
	require.EqualValues(t, 1, found(), "what is over still holds money")
	frees := plant(disputed.Stream(sub), &nairav1.DisputedMoneyFreed{DisputeId: id, UserId: user, SubAccountId: sub, AmountKobo: 500})
	given(frees)
	require.Zero(t, found())

	given(frees)
	require.EqualValues(t, 1, found(), "what was not held is freed")
	given(holds, frees)
	require.EqualValues(t, 2, found(), "what is over holds money anew")
	looks.Case = "AD-AAAA-AAAA"
	given(looks)
	require.EqualValues(t, 3, found(), "somebody looked without a case")
}
