package banks_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/banks"
)

// teller is a rail that returns these banks.
type teller struct {
	rails.Enquirer
	told []rails.Bank
	err  error
}

func (t teller) Banks(context.Context) ([]rails.Bank, error) { return t.told, t.err }

func TestTheTableHasEachCodeOnce(t *testing.T) {
	t.Parallel()
	all := banks.New().All()
	require.Len(t, all, 35)
	seen := map[string]bool{}
	for _, b := range all {
		require.Len(t, b.NIP, 6)
		require.False(t, seen[b.Code] || seen[b.NIP], b.Name)
		seen[b.Code], seen[b.NIP] = true, true
	}
}

func TestARefreshRenamesAndAddsAndLosesNothing(t *testing.T) {
	t.Parallel()
	d := banks.New()
	require.NoError(t, d.Refresh(t.Context(), teller{told: []rails.Bank{
		{NIP: "000014", Name: "ACCESS BANK PLC"}, {NIP: "090405", Name: "Moniepoint"}, {NIP: "999999", Name: "itself"}, {Name: "nothing"}, {Code: "058", Name: "GTBank"},
	}}))
	require.Len(t, d.All(), 36)
	for code, want := range map[string]rails.Bank{
		"044":    {Code: "044", NIP: "000014", Name: "ACCESS BANK PLC"},
		"000014": {Code: "044", NIP: "000014", Name: "ACCESS BANK PLC"},
		"090405": {Code: "090405", NIP: "090405", Name: "Moniepoint"},
		"058":    {Code: "058", NIP: "000013", Name: "GTBank"},
	} {
		got, found := d.Find(code)
		require.True(t, found, code)
		require.Equal(t, want, got)
	}
	_, found := d.Find("")
	require.False(t, found)
	require.Error(t, d.Refresh(t.Context(), teller{err: errors.New("down")}))
	require.True(t, slices.ContainsFunc(d.All(), func(b rails.Bank) bool { return b.Name == "Moniepoint" }))
}

func TestTheCheckDigitOnlyWarns(t *testing.T) {
	t.Parallel()
	for number, code := range map[string]string{"0010246780": "044", "5522116946": "50515", "0108024071": "058"} {
		require.False(t, banks.Doubtful(rails.Bank{Code: code}, number), number)
		other := number[:9] + string('0'+(number[9]-'0'+1)%10)
		require.True(t, banks.Doubtful(rails.Bank{Code: code}, other), other)
	}
	require.False(t, banks.Doubtful(rails.Bank{Code: "1"}, "0010246780"), "no rule for such a code")
}
