package e2e

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/audit"
	"adashi.ng/services/internal/usecase"
	"adashi.ng/services/internal/vault"
)

// "The validator [marks] all but what they paid or were paid; that is the owner's. Nobody marks their own." The group
// pays into the validator's own bank account, for a member who asked.
func TestNobodyMarksAPayoutThatWentToTheirOwnAccount(t *testing.T) {
	t.Parallel()
	i, ctx := own(t), context.Background()
	c := chest{scene: scene{club: club{owner: somebody(t, i, "Ada"), validator: somebody(t, i, "Chidi"), approver: somebody(t, i, "Femi"), member: somebody(t, i, "Bisi")}, i: i}}
	c.owner.known()
	c.approver.known()
	c.baker = c.validator.known() // Whom the group pays is the validator.
	c.founded(i)
	c.sub = c.opens("Welfare", "FLEXIBLE", "MONTHLY", 100)
	c.member.banked(i, "Bisi")
	require.Equal(t, 200, c.member.funded(40_000).pays(c.sub, 40_000).status)
	for _, p := range []*person{c.owner, c.approver, c.validator, c.member} {
		p.stepsUp()
	}
	request := c.member.ask("POST", asksFor, c.baked(c.member, 8_000), "Idempotency-Key", "asks "+c.member.id).id(t)
	refused := c.decided(c.validator, request, "approve")
	require.NotEqual(t, 200, refused.status, "the product knows that the account is the validator's")
	for _, p := range []*person{c.approver, c.owner} {
		require.Equal(t, 200, c.decided(p, request, "approve").status)
	}
	c.becomes(request, "PAID")
	who := usecase.Who{User: c.validator.id, Email: c.validator.email}
	var payout string
	require.Eventually(t, func() bool {
		page, err := i.App.Audit.Audit(ctx, who.User, c.group, audit.WhichPayments{}, nil, 100)
		for _, p := range page.Payments {
			if p.Kind == "PAYOUT" {
				payout = p.Id
				require.False(t, p.MayMark)
			}
		}
		return err == nil && payout != ""
	}, time.Minute, 20*time.Millisecond)
	marks := []audit.Marking{{ID: payout, Mark: "VALIDATED"}}
	_, _, err := i.App.Audit.MarkPayments(ctx, who, c.group, marks)
	require.True(t, fault.Is(err, fault.Forbidden), "she validated what she was paid: %v", err)
	_, _, err = i.App.Audit.MarkPayments(ctx, usecase.Who{User: c.owner.id, Email: c.owner.email}, c.group, marks)
	require.NoError(t, err, "the owner marks it")
}

// The validator and the member who was paid share another bank account.
func TestAValidatorTiedToWhomTheGroupPaidNeitherMarksNorAsksOfIt(t *testing.T) {
	t.Parallel()
	i, ctx := own(t), context.Background()
	c := chest{scene: scene{club: club{owner: somebody(t, i, "Ada"), validator: somebody(t, i, "Chidi"), approver: somebody(t, i, "Femi"), member: somebody(t, i, "Bisi")}, i: i}}
	c.owner.known()
	c.approver.known()
	c.validator.known()
	c.founded(i)
	c.sub = c.opens("Welfare", "FLEXIBLE", "MONTHLY", 100)
	c.member.banked(i, "Bisi")
	require.Equal(t, 200, c.member.funded(40_000).pays(c.sub, 40_000).status)
	for _, p := range []*person{c.owner, c.approver, c.validator, c.member} {
		p.stepsUp()
	}
	request := c.member.ask("POST", asksFor, c.savings(c.member, 8_000), "Idempotency-Key", "asks "+c.member.id).id(t)
	for _, p := range []*person{c.validator, c.approver, c.owner} {
		require.Equal(t, 200, c.decided(p, request, "approve").status)
	}
	c.becomes(request, "PAID")
	shared := vault.Bank{Code: "000014", Number: "1" + digits(9)}
	for p, name := range map[*person]string{c.validator: "Chidi Test", c.member: "Bisi Test"} {
		_, err := i.App.Vault.Set(ctx, p.id, func(r *vault.Record) {
			shared.AccountName = name
			r.EarlierBanks = append(r.EarlierBanks, shared)
		})
		require.NoError(t, err)
	}
	var payout string
	require.Eventually(t, func() bool {
		page, err := i.App.Audit.Audit(ctx, c.validator.id, c.group, audit.WhichPayments{}, nil, 100)
		for _, p := range page.Payments {
			if p.Kind == "PAYOUT" {
				payout = p.Id
				require.False(t, p.MayMark)
			}
		}
		return err == nil && payout != ""
	}, time.Minute, 20*time.Millisecond)
	require.Equal(t, 403, c.marks(c.validator, "VALIDATED", "", payout).status)
	require.Equal(t, 200, c.marks(c.owner, "QUERIED", "Where did it go?", payout).status)
	require.Equal(t, 403, writes(c.validator, payout, "It is fine").status)
	require.Equal(t, 200, writes(c.owner, payout, "Which school is it?").status)
}
