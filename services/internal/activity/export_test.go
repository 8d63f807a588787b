package activity_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"io"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/money"
	"adashi.ng/services/internal/activity"
	"adashi.ng/services/internal/apptest"
)

// Savings that a group pays straight to the member's bank never were in the wallet.
func TestTheColumnsOfAnExportAddUpToTheWallet(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	savingsGo(w)
	var file bytes.Buffer
	require.NoError(t, w.App.Activity.ExportMovements(context.Background(), w.Member.User, activity.Wanted{}, func() io.Writer { return &file }))
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(file.String(), "\ufeff"))).ReadAll()
	require.NoError(t, err)
	sum := decimal.Zero
	for _, row := range rows[1:] {
		for column, sign := range map[int]int64{6: 1, 7: -1} {
			if row[column] != "" {
				amount, err := decimal.NewFromString(strings.TrimPrefix(row[column], "'"))
				require.NoError(t, err)
				sum = sum.Add(amount.Mul(decimal.NewFromInt(sign)))
			}
		}
	}
	got, err := money.FromNaira(sum)
	require.NoError(t, err)
	require.Equal(t, w.BalanceOf("wallet:"+w.Member.User), got, "“%s” less “%s”", rows[0][6], rows[0][7])
	last := rows[len(rows)-1]
	require.Equal(t, []string{"SAVINGS_PAID_OUT", "", "", "1000.00"}, []string{last[1], last[6], last[7], last[14]})
}
