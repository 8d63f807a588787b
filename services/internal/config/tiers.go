package config

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
)

// parseTiers reads the limits of tiers 0 to 3 as daily/cap in naira between commas, 0 for no cap:
// 0/300000,50000/300000,200000/500000,5000000/0. Empty is account.DefaultTiers.
func parseTiers(list string) (account.Tiers, error) {
	if strings.TrimSpace(list) == "" {
		return account.DefaultTiers, nil
	}
	wrong := func(what string) (account.Tiers, error) {
		return account.Tiers{}, fmt.Errorf("ADASHI_TIER_LIMITS must be four of daily/cap in naira between commas, such as 0/300000,50000/300000,200000/500000,5000000/0; %s", what)
	}
	parts := strings.Split(list, ",")
	var tiers account.Tiers
	if len(parts) != len(tiers) {
		return wrong(fmt.Sprintf("these are %d", len(parts)))
	}
	for level, part := range parts {
		daily, limit, both := strings.Cut(strings.TrimSpace(part), "/")
		if !both {
			return wrong(fmt.Sprintf("%q has no /", part))
		}
		for _, figure := range []struct {
			text string
			to   *money.Kobo
		}{{daily, &tiers[level].Daily}, {limit, &tiers[level].Cap}} {
			amount, err := decimal.NewFromString(figure.text)
			if err == nil {
				*figure.to, err = money.FromNaira(amount)
			}
			if err != nil || *figure.to < 0 {
				return wrong(fmt.Sprintf("%q is no amount", figure.text))
			}
		}
	}
	return tiers, nil
}
