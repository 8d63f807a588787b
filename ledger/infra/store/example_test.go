package store_test

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/sim"
)

// A command is decided and its events are appended, once for each command id. The backend here is the one in memory
// that the simulation uses; store.Postgres is the other.
func Example() {
	disk := sim.NewDisk()
	s := store.Open(disk.Backend(nil), ledger.Aggregates(), store.Options{})
	defer s.Close()
	do := func(id uuid.UUID, c event.Command) (store.Result, error) {
		return s.Append(context.Background(), store.Command{ID: id, Hash: store.Fingerprint(c), Keyed: true, Actor: "bisi", Command: c})
	}
	now := time.Date(2026, time.November, 23, 9, 0, 0, 0, time.UTC)
	_, err := do(uuid.New(), wallet.StartPayment{
		PaymentID: "p", User: "bisi", Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Amount: 5000 * money.Naira, ExpiresAt: now.Add(time.Hour),
	})
	fmt.Println(err)
	arrived := wallet.ConfirmPayment{
		PaymentID: "p", User: "bisi", Provider: event.Vfd, Gross: 5000 * money.Naira, ProviderRef: "bank 1", PaidAt: now,
	}
	once := uuid.New()
	for range 2 { // The bank reports it twice.
		r, err := do(once, arrived)
		fmt.Println(r.Position(), disk.Balance("wallet:bisi"), err)
	}
	_, err = do(uuid.New(), arrived)
	fmt.Println(fault.Is(err, fault.Conflict), disk.Balance("wallet:bisi"))
	// Output:
	// <nil>
	// 3 ₦5,000.00 <nil>
	// 3 ₦5,000.00 <nil>
	// true ₦5,000.00
}
