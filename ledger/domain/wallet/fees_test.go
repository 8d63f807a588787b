package wallet_test

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/wallet"
)

const (
	card     = nairav1.Channel_CHANNEL_CARD
	transfer = nairav1.Channel_CHANNEL_BANK_TRANSFER
)

func naira(t testing.TB, text string) money.Kobo {
	t.Helper()
	k, err := money.FromNaira(decimal.RequireFromString(text))
	require.NoError(t, err)
	return k
}

func gross(net money.Kobo) money.Kobo { return net + wallet.CardTariff.Charge(net) }

func TestCardChargesAreThePublishedOnes(t *testing.T) {
	t.Parallel()
	for _, figure := range []struct{ net, gross string }{
		{"1000", "1015.23"},
		{"2462.49", "2499.99"},
		{"2463", "2602.04"},
		{"5000", "5177.67"},
		{"10000", "10253.81"},
		{"50000", "50862.95"},
		{"124666.67", "126666.67"},
		{"124666.68", "126666.68"},
		{"1000000", "1002000"},
		{"5000000", "5002000"},
	} {
		require.Equal(t, naira(t, figure.gross).String(), gross(naira(t, figure.net)).String(), "net %s", figure.net)
	}
}

func TestABankTransferCostsNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		require.Zero(t, wallet.Free.Charge(money.Kobo(rapid.Int64Range(1, 1_000_000_000).Draw(t, "net"))))
	})
}

// exact holds that the payer's gross leaves exactly net after the gateway's fee, and that no smaller one does.
func exact(t require.TestingT, net money.Kobo) {
	g := gross(net)
	if g-wallet.CardTariff.Fee(g) != net {
		require.Equal(t, net, g-wallet.CardTariff.Fee(g), "gross %s", g)
	}
	for smaller := net; smaller < g; smaller++ {
		if smaller-wallet.CardTariff.Fee(smaller) == net {
			require.Equal(t, smaller, g, "a smaller gross leaves %s too", net)
		}
	}
}

func TestAnyNetArrivesToTheKoboAndNoSmallerGrossWouldDo(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		exact(t, money.Kobo(rapid.Int64Range(100, 1_000_000_000).Draw(t, "net in kobo")))
	})
}

func TestAnyProvidersTariffLeavesExactlyTheNet(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		most := func(label string, kobo int64) money.Kobo {
			return money.Kobo(rapid.Int64Range(0, kobo).Draw(t, label))
		}
		tariff := wallet.Tariff{PerMille: most("per mille", 100), Flat: most("flat", 500_00), FlatFrom: most("from", 10_000_00)}
		net := 1 + most("net", 1_000_000_000)
		gross := net + tariff.Charge(net)
		if below := tariff.FlatFrom; gross >= below && gross-tariff.Flat < below {
			t.Skip("Around the threshold of a flat fee no gross may leave this net.")
		}
		require.Equal(t, net, gross-tariff.Fee(gross), "%+v", tariff)
	})
}

func TestEveryNetNearAThresholdArrivesToTheKobo(t *testing.T) {
	t.Parallel()
	for _, near := range []string{"1", "2362.50", "2462.50", "2500", "124666.67", "126666.67", "133333.33"} {
		middle := naira(t, near)
		for net := max(100, middle-150); net <= middle+150; net++ {
			exact(t, net)
		}
	}
}

// TestNetsFromOneNairaToTenMillionArriveToTheKobo takes one in seven of the 999,999,901, other ones in each run. No
// tariff has a step of seven kobo, so each part of it meets every remainder.
func TestNetsFromOneNairaToTenMillionArriveToTheKobo(t *testing.T) {
	t.Parallel()
	const parts, apart = 8, 7
	first := money.Naira + money.Kobo(rand.IntN(apart))
	var wrong [parts]money.Kobo
	var all sync.WaitGroup
	for part := range money.Kobo(parts) {
		all.Go(func() {
			for net := first + part*apart; net <= 10_000_000*money.Naira && wrong[part] == 0; net += parts * apart {
				if g := net + wallet.CardTariff.Charge(net); g-wallet.CardTariff.Fee(g) != net {
					wrong[part] = net
				}
			}
		})
	}
	all.Wait()
	require.Equal(t, [parts]money.Kobo{}, wrong)
}
