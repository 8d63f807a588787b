package holds_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"
	"pgregory.net/rapid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/holds"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
)

const bisi = "wallet:bisi"

var expires = Epoch.Add(time.Hour)

// funded gives bisi ₦1,000.
var funded = event.Draft{Stream: wallet.Stream("p"), Message: &nairav1.PaymentConfirmedV2{
	PaymentId: "p", UserId: "bisi", Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: string(event.Vfd), AmountKobo: 1000_00, ProviderRef: "r",
}}

func place(amount money.Kobo) holds.Place {
	return holds.Place{HoldID: "h", Account: bisi, Amount: amount, Purpose: "withdrawal", ExpiresAt: expires, Now: Epoch}
}

func TestHeldMoneyCanNoLongerBeSpent(t *testing.T) {
	t.Parallel()
	w := Given(t, funded).When(place(600_00)).ThenBalance(bisi, 400_00).ThenBalance("held:"+bisi, 600_00).World
	again := place(500_00)
	again.HoldID = "another"
	w.When(again).ThenFault(fault.Insufficient)
}

func TestAHoldIsCapturedInPartsAndTheRestReleased(t *testing.T) {
	t.Parallel()
	w := Given(t, funded, place(600_00))
	w.When(holds.Capture("h", bisi, "bank:transfer", 250_00, Epoch)).Then(&nairav1.HoldCaptured{
		HoldId: "h", Account: bisi, ToAccount: "bank:transfer", AmountKobo: 250_00, RemainingKobo: 350_00,
	})
	w.When(holds.Capture("h", bisi, "bank:transfer", 350_01, Epoch)).ThenField("amount")
	w.When(holds.Release("h", bisi, 50_00)).ThenBalance(bisi, 450_00)
	w.When(holds.Capture("h", bisi, "bank:transfer", 300_00, Epoch)).ThenBalance("held:"+bisi, 0).ThenBalance(bisi, 450_00)
	w.When(holds.Capture("h", bisi, "bank:transfer", 1, Epoch)).ThenFault(fault.Conflict)
	w.When(holds.Release("h", bisi, 1)).ThenFault(fault.Conflict)
	w.When(holds.Expire("h", bisi, expires)).ThenFault(fault.Conflict)
}

func TestAHoldExpiresAtItsTimeAndCannotBeCapturedAfterwards(t *testing.T) {
	t.Parallel()
	w := Given(t, funded, place(600_00))
	w.When(holds.Expire("h", bisi, expires.Add(-time.Microsecond))).ThenFault(fault.Conflict)
	w.When(holds.Capture("h", bisi, "bank:transfer", 600_00, expires)).ThenFault(fault.Conflict)
	w.When(holds.Expire("h", bisi, expires)).ThenBalance(bisi, 1000_00)
	w.When(holds.Expire("h", bisi, expires)).ThenFault(fault.Conflict)
}

func TestWhatCannotBeHeldIsRefused(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*holds.Place){
		"nothing":            func(c *holds.Place) { c.Amount = 0 },
		"less than nothing":  func(c *holds.Place) { c.Amount = -1 },
		"more than there is": func(c *holds.Place) { c.Amount = 1000_01 },
		"more than any":      func(c *holds.Place) { c.Amount = money.Max + 1 },
		"a bank":             func(c *holds.Place) { c.Account = "bank:transfer" },
		"what is held":       func(c *holds.Place) { c.Account = "held:" + bisi },
		"for no time":        func(c *holds.Place) { c.ExpiresAt = c.Now },
	} {
		c := place(100_00)
		change(&c)
		require.NotNil(t, fault.As(Given(t, funded).When(c).Err), name)
	}
	w := Given(t, funded, place(100_00))
	w.When(place(100_00)).ThenFault(fault.Conflict)
	w.When(holds.Release("h", "wallet:chidi", 100_00)).ThenFault(fault.NotFound)
	w.When(holds.Release("x", bisi, 100_00)).ThenFault(fault.NotFound)
	w.When(holds.Capture("h", bisi, "held:"+bisi, 100_00, Epoch)).ThenFault(fault.Conflict)
	w.When(holds.Capture("h", bisi, "bank:transfer", -1, Epoch)).ThenField("amount")
}

func TestWhateverIsDoneWithHoldsNoKoboIsMadeOrLost(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := Given(t, funded)
		open := map[string]money.Kobo{}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			id := fmt.Sprint(rapid.IntRange(1, 4).Draw(t, "hold"))
			amount := money.Kobo(rapid.Int64Range(-1, 700_00).Draw(t, "amount"))
			now := Epoch.Add(time.Duration(rapid.IntRange(0, 90).Draw(t, "minutes")) * time.Minute)
			outcome := w.When([]event.Command{
				holds.Place{HoldID: id, Account: bisi, Amount: amount, ExpiresAt: expires, Now: now},
				holds.Capture(id, bisi, "bank:transfer", amount, now),
				holds.Release(id, bisi, amount),
				holds.Expire(id, bisi, now),
			}[rapid.IntRange(0, 3).Draw(t, "what")])
			if outcome.Err == nil {
				open[id] = w.State(holds.Stream(id)).(holds.Hold).Remaining
			}
			var held money.Kobo
			for _, remaining := range open {
				held += remaining
			}
			require.Equal(t, held, w.Balance("held:"+bisi), "what is held is what the holds say")
			require.Equal(t, -w.Balance("bank:transfer"), w.Balance(bisi)+held)
			require.GreaterOrEqual(t, w.Balance(bisi), money.Kobo(0))
		}
	})
}

func TestAHoldSaysWhatItIsFor(t *testing.T) {
	t.Parallel()
	Given(t, funded).When(place(1)).Then(&nairav1.HoldPlaced{HoldId: "h", Account: bisi, AmountKobo: 1, Purpose: "withdrawal", ExpiresAt: timestamppb.New(expires)})
}
