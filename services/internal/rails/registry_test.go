package rails_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/services/internal/rails"
)

// adapter implements nothing else, teller implements Teller, and collector implements Collector.
type (
	adapter struct{ is rails.Provider }
	teller  struct {
		adapter
		rails.Teller
	}
	collector struct {
		adapter
		rails.Collector
	}
)

// Provider implements rails.Adapter.
func (a adapter) Provider() rails.Provider { return a.is }

func named(id event.Provider, channels ...nairav1.Channel) adapter {
	p := rails.Provider{ID: id, Name: "The " + string(id), Collects: map[nairav1.Channel]wallet.Tariff{}}
	for _, c := range channels {
		p.Collects[c] = wallet.CardTariff
	}
	return adapter{p}
}

func TestWhatAProviderCanDoIsWhatItsAdapterImplements(t *testing.T) {
	t.Parallel()
	const transfer, card = nairav1.Channel_CHANNEL_BANK_TRANSFER, nairav1.Channel_CHANNEL_CARD
	r, err := rails.NewRegistry(collector{adapter: named("first", card)}, collector{adapter: named("second", card, transfer)}, teller{adapter: named("third")})
	require.NoError(t, err)
	for channel, want := range map[nairav1.Channel]event.Provider{card: "first", transfer: "second"} {
		by, known := r.Collecting(channel)
		require.Equal(t, []any{want, true}, []any{by.ID, known}, "the first that collects so")
	}
	_, known := r.Collecting(nairav1.Channel_CHANNEL_WALLET)
	require.False(t, known)
	require.Equal(t, []nairav1.Channel{card, transfer, transfer}, []nairav1.Channel{r.Channel("first"), r.Channel("second"), r.Channel("third")})
	_, err = rails.As[rails.Teller](r, "third")
	require.NoError(t, err)
	for _, id := range []event.Provider{"second", "nobody"} {
		_, err = rails.As[rails.Teller](r, id)
		require.True(t, fault.Is(err, fault.Unavailable), id)
	}
	_, err = rails.First[rails.Teller](r)
	require.NoError(t, err)
	_, err = rails.First[rails.Payer](r)
	require.True(t, fault.Is(err, fault.Unavailable))
	require.Equal(t, []string{"The third", "nobody"}, []string{r.NameOf("third"), r.NameOf("nobody")})
}

func TestARegistryRefusesWhatCannotBe(t *testing.T) {
	t.Parallel()
	for says, adapters := range map[string][]rails.Adapter{
		"cannot be a provider's id": {named("card")},
		"two adapters for one":      {named("one"), named("one")},
		"collects nothing":          {named("one", nairav1.Channel_CHANNEL_CARD)},
	} {
		_, err := rails.NewRegistry(adapters...)
		require.ErrorContains(t, err, says)
	}
}
