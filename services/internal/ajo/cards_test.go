package ajo_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/usecase"
)

// One key opens one card: with any other field it is refused, and with the same fields it returns the same card.
func TestOneKeyOpensOneCard(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	w.Gives(account.EndCheck(w.Member.User, "check", 0))
	who := usecase.Who{User: w.Member.User, Email: w.Member.Email, Key: "the very same key"}
	opens := func(change func(*contract.OpenAjoCardRequest)) (string, error) {
		boxes, why := 12, "For the children"
		form := contract.OpenAjoCardRequest{Name: "School fees", Amount: apptest.Naira(500), Boxes: &boxes, Frequency: "WEEKLY", Description: &why}
		change(&form)
		card, _, err := w.App.Ajo.OpenCard(context.Background(), who, form)
		return card.Id, err
	}
	first, err := opens(func(*contract.OpenAjoCardRequest) {})
	require.NoError(t, err)
	for field, change := range map[string]func(*contract.OpenAjoCardRequest){
		"name": func(f *contract.OpenAjoCardRequest) { f.Name = "Rent" }, "amount": func(f *contract.OpenAjoCardRequest) { f.Amount = apptest.Naira(600) },
		"boxes": func(f *contract.OpenAjoCardRequest) { *f.Boxes = 13 }, "frequency": func(f *contract.OpenAjoCardRequest) { f.Frequency = "MONTHLY" },
		"description": func(f *contract.OpenAjoCardRequest) { *f.Description = "For me" },
	} {
		_, err := opens(change)
		require.True(t, fault.Is(err, fault.Conflict), "another %s: %v", field, err)
	}
	again, err := opens(func(*contract.OpenAjoCardRequest) {})
	require.NoError(t, err)
	require.Equal(t, first, again)
}
