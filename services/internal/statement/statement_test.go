package statement_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ledongthuc/pdf"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/money"
	"adashi.ng/services/internal/statement"
)

// read answers the text of each of a PDF's pages.
func read(t *testing.T, file []byte) (pages []string) {
	t.Helper()
	r, err := pdf.NewReader(bytes.NewReader(file), int64(len(file)))
	require.NoError(t, err)
	for n := range r.NumPage() {
		text, err := r.Page(n + 1).GetPlainText(nil)
		require.NoError(t, err)
		pages = append(pages, text)
	}
	return pages
}

func sample(lines int) statement.Statement {
	s := statement.Statement{
		Holder: "Ṣadé Ọṣun 💰", From: time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC), To: time.Date(2026, 10, 31, 0, 0, 0, 0, time.UTC),
		Opening: 5_177_67, Position: 4711, IssuedAt: time.Date(2026, 11, 2, 9, 30, 0, 0, time.UTC), Code: "ABCD-EFGH-JKMN-PQRS", Address: "http://adashi.example/verify-statement/ABCD-EFGH-JKMN-PQRS",
	}
	balance := s.Opening
	for n := range lines {
		line := statement.Line{At: s.From.AddDate(0, 0, n/12), What: fmt.Sprint("Movement ", n, " ", strings.Repeat("of many words ", n%9)), In: money.Kobo(n+1) * 1_000_01}
		if n%3 == 0 {
			line.In, line.Out = 0, line.In
		}
		balance += line.In - line.Out
		line.Balance = balance
		s.In, s.Out, s.Lines = s.In+line.In, s.Out+line.Out, append(s.Lines, line)
	}
	s.Closing = balance
	return s
}

func TestEveryPageSaysWhatItIsAndNothingIsLost(t *testing.T) {
	t.Parallel()
	for _, lines := range []int{0, 1, 27, 28, 29, 33, 34, 35, 36, 60, 70, 71, 72, 78, 79, 80, 100} {
		s := sample(lines)
		file, err := statement.PDF(s)
		require.NoError(t, err)
		pages := read(t, file)
		for n, page := range pages {
			require.Contains(t, page, fmt.Sprintf("Page %d of %d", n+1, len(pages)))
			require.Contains(t, page, "as of ledger entry 4711. Code "+s.Code)
		}
		all := strings.Join(pages, "\n")
		for _, want := range []string{"Ṣadé Ọṣun ?", "1 Oct 2026 to 31 Oct 2026", "Verification code " + s.Code, s.Address, s.Opening.String(), s.In.String(), s.Out.String(), s.Closing.String()} {
			require.Contains(t, all, want, "of %d lines", lines)
		}
		for n, line := range s.Lines {
			require.Equal(t, 1, strings.Count(all, fmt.Sprint("Movement ", n, " ")), "line %d of %d", n, lines)
			require.Contains(t, all, line.Balance.String())
			require.Contains(t, all, (line.In + line.Out).String())
		}
		require.Equal(t, lines == 0, strings.Contains(all, "No money moved in this time."))
	}
}
