package groups_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"
	"adashi.ng/proto/wire"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/engine"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/dues"
	"adashi.ng/services/internal/liquidations"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/usecase"
	"adashi.ng/services/internal/vault"
)

// The proposer and the candidate have one bank account: one person, one vote.
func TestTwoWhoShareABankAccountAreNotTwoVotes(t *testing.T) {
	t.Parallel()
	q, ctx := apptest.QuarterOf(t, false), context.Background()
	q.Gives(account.EndCheck(q.Member.User, "check", 0))
	_, err := q.On(0, 3).Groups.AppointApprover(ctx, q.Owner, q.Group, q.Member.User)
	require.NoError(t, err)
	q.Caught()
	for _, who := range []usecase.Who{q.Approver, q.Member} {
		_, err := q.App.Vault.Set(ctx, who.User, func(r *vault.Record) { r.Bank = vault.Bank{Code: "082", Number: "0123456789"} })
		require.NoError(t, err)
	}
	_, err = q.Pool.Exec(ctx, "UPDATE accounts SET seen_at = seen_at - interval '40 days' WHERE id = $1::uuid", q.Owner.User)
	require.NoError(t, err)
	_, _ = q.App.Groups.ProposeSuccession(ctx, q.Member, q.Group, q.Approver.User)
	state, err := q.App.Ledger.Load(ctx, savings.GroupStream(q.Group))
	require.NoError(t, err)
	vote := contract.SuccessionVoteRequest{CandidateId: q.Approver.User, Seen: string(state.(savings.Group).Vote()), Agrees: true}
	_, _ = q.App.Groups.VoteSuccession(ctx, q.Approver, q.Group, vote)
	state, err = q.App.Ledger.Load(ctx, savings.GroupStream(q.Group))
	require.NoError(t, err)
	require.Equal(t, q.Owner.User, state.(savings.Group).Owner, "two votes of one hand")
}

// Money leaves when two approvers agree, and each person counts once: two with one bank account are one person.
func TestTwoWhoShareABankAccountAreNotTwoApprovers(t *testing.T) {
	t.Parallel()
	q, ctx := apptest.QuarterOf(t, false), context.Background()
	then := q.On(0, 3)
	_, _, err := then.Groups.JoinGroup(ctx, q.Outsider, q.Group, q.App.Groups.InvitationCode(q.Group))
	require.NoError(t, err)
	_, _, err = then.Groups.ApproveMember(ctx, q.Owner, q.Group, q.Outsider.User)
	require.NoError(t, err)
	_, err = then.Groups.AppointApprover(ctx, q.Owner, q.Group, q.Outsider.User)
	require.NoError(t, err)
	_, err = then.Dues.PayFromWallet(ctx, q.Member, q.Sub, apptest.Naira(5000), dues.Due{})
	require.NoError(t, err)
	for _, who := range []usecase.Who{q.Outsider, q.Member} {
		q.Gives(account.EndCheck(who.User, "check", 0))
	}
	for _, who := range []usecase.Who{q.Approver, q.Outsider} {
		_, err := q.App.Vault.Set(ctx, who.User, func(r *vault.Record) { r.Bank = vault.Bank{Code: "082", Number: "0123456789"} })
		require.NoError(t, err)
	}
	officers, err := q.App.Groups.Membership.Officers(ctx, q.Group, vault.Payee{}, q.Member.User)
	require.NoError(t, err)
	id, amount := uuid.NewString(), 5_000*money.Naira
	q.Gives(liquidation.Request{
		LiquidationID: id, GroupID: q.Group, SubAccountID: q.Sub, User: q.Member.User, Kind: nairav1.LiquidationKind_LIQUIDATION_KIND_MEMBER_WITHDRAWAL,
		Amount: amount, Net: amount - payout.ChargesOn(amount).Total(), Provider: event.Vfd, Reason: "School fees", Officers: officers, At: q.App.Now(),
	})
	state, err := q.App.Ledger.Load(ctx, liquidation.Stream(id))
	require.NoError(t, err)
	of := liquidation.About(id, state.(liquidation.Liquidation))
	q.Gives(liquidation.Approve(of, q.Validator.User), liquidation.Approve(of, q.Approver.User))
	_, _ = q.App.Ledger.Append(ctx, store.Command{ID: store.NewCommandID(), Actor: q.Outsider.User, Command: liquidation.Approve(of, q.Outsider.User)})
	state, err = q.App.Ledger.Load(ctx, liquidation.Stream(id))
	require.NoError(t, err)
	require.NotEqual(t, liquidation.Approved, state.(liquidation.Liquidation).Status, "one hand approved it, and the validator")
}

// A friend of the official requests it instead of the official.
func TestAPaymentToAnOfficialsAccountTakesAllWhoeverAsks(t *testing.T) {
	t.Parallel()
	q, ctx := apptest.QuarterOf(t, false), context.Background()
	q.PaysOut()
	then, fifth := q.On(0, 3), usecase.Who{Email: "fifth@example.com"}
	var err error
	fifth.User, err = q.App.People.CreateVerified(ctx, people.Registration{
		Email: fifth.Email, Password: "a long enough one", FirstName: "Fifth", LastName: "Person", Phone: "+2348031234567", DateOfBirth: "1990-01-01",
	})
	require.NoError(t, err)
	for _, who := range []usecase.Who{q.Outsider, fifth} {
		_, _, err = then.Groups.JoinGroup(ctx, who, q.Group, q.App.Groups.InvitationCode(q.Group))
		require.NoError(t, err)
		_, _, err = then.Groups.ApproveMember(ctx, q.Owner, q.Group, who.User)
		require.NoError(t, err)
		_, err = then.Groups.AppointApprover(ctx, q.Owner, q.Group, who.User)
		require.NoError(t, err)
		q.Gives(account.EndCheck(who.User, "check", 0))
	}
	_, err = then.Dues.PayFromWallet(ctx, q.Member, q.Sub, apptest.Naira(5000), dues.Due{})
	require.NoError(t, err)
	q.Caught()
	q.App.Tracker, err = engine.NewTracker(ctx, q.Pool, nil)
	require.NoError(t, err)
	payee, err := q.App.Payouts.Payees.Payee(ctx, q.Approver.User)
	require.NoError(t, err)
	_, err = q.App.Vault.Set(ctx, q.Approver.User, func(r *vault.Record) { r.Bank = vault.Bank{Code: payee.BankCode, Number: payee.Number} })
	require.NoError(t, err)
	amount := 2_000 * money.Naira
	view, _, err := q.App.Liquidations.RequestLiquidation(ctx, q.Member, liquidations.NewRequest{
		GroupID: q.Group, SubAccountID: q.Sub, Kind: contract.GROUPDISBURSEMENT, Amount: apptest.Naira(2000), Net: wire.FromKobo(int64(amount - payout.ChargesOn(amount).Total())),
		Reason: "For chairs", BankCode: payee.BankCode, Account: payee.Number,
	}, func() error { return nil })
	require.NoError(t, err)
	state, err := q.App.Ledger.Load(ctx, liquidation.Stream(view.Id))
	require.NoError(t, err)
	l := state.(liquidation.Liquidation)
	require.ElementsMatch(t, []string{q.Owner.User, q.Outsider.User, fifth.User}, l.Deciders.Approvers, "all but who is paid")
	require.Equal(t, 3, l.Deciders.Needed, "every approver who may decide")
}

// A profile may contain anybody's account.
func TestNobodyShutsAnOfficialOutByNamingTheirAccount(t *testing.T) {
	t.Parallel()
	q, ctx := apptest.QuarterOf(t, false), context.Background()
	q.Gives(account.EndCheck(q.Member.User, "check", 0))
	named := func(who usecase.Who, number, holder string) {
		_, err := q.App.Vault.Set(ctx, who.User, func(r *vault.Record) { r.Bank = vault.Bank{Code: "082", Number: number, AccountName: holder} })
		require.NoError(t, err)
	}
	cards, err := q.App.People.Cards(ctx, []string{q.Approver.User, q.Member.User})
	require.NoError(t, err)
	name := func(who usecase.Who) string { return cards[who.User].FirstName + " " + cards[who.User].LastName }
	officers := func(payee vault.Payee) savings.Officers {
		o, err := q.App.Groups.Membership.Officers(ctx, q.Group, payee, q.Member.User)
		require.NoError(t, err)
		return o
	}
	named(q.Approver, "0123456789", name(q.Approver))
	named(q.Member, "0123456789", name(q.Approver))
	require.Empty(t, officers(vault.Payee{}).Interested, "the bank says that it is the approver's")
	named(q.Member, "0123456789", name(q.Member))
	require.Equal(t, []string{q.Approver.User}, officers(vault.Payee{}).Interested, "the bank says that it is both's")

	named(q.Approver, "0000000017", name(q.Approver))
	require.Equal(t, []string{q.Approver.User}, officers(vault.Payee{BankCode: "082", Number: "0123456789"}).Paid, "an account that they had is their own")
	elsewhere := vault.Payee{BankCode: "058", Number: "0123456789", AccountName: name(q.Approver)}
	require.Equal(t, []string{q.Approver.User}, officers(elsewhere).Paid, "so is one under their name")
	require.Empty(t, officers(vault.Payee{BankCode: "058", Number: "0000000033", AccountName: "Another Person"}).Paid)
}
