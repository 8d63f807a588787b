package paystack

import (
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/services/internal/rails"
)

// Provider implements rails.Adapter.
func (c *Client) Provider() rails.Provider {
	return rails.Provider{
		ID: event.Paystack, Name: "Card",
		Collects: map[nairav1.Channel]wallet.Tariff{nairav1.Channel_CHANNEL_CARD: wallet.CardTariff},
	}
}
