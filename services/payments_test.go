package services_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/reflect/protoreflect"

	"adashi.ng/projections/notifications/told"
	"adashi.ng/services/internal/payments"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/paystack"
	"adashi.ng/services/internal/rails/sandbox/acts"
	"adashi.ng/services/internal/rails/vfd"
)

const (
	paymentsFrom = "<!-- payments -->\n"
	paymentsTo   = "<!-- end of payments -->\n"
)

// TestThePaymentTableIsWhatIsWrittenDown holds the part of docs/rules.md about payments to their table, of which a test
// of theirs plays every cell.
func TestThePaymentTableIsWhatIsWrittenDown(t *testing.T) {
	t.Parallel()
	page := filepath.Join("..", "docs", "rules.md")
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(text), paymentsFrom)
	require.True(t, found)
	_, after, found := strings.Cut(rest, paymentsTo)
	require.True(t, found)
	want := before + paymentsFrom + paymentsPart() + paymentsTo + after
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(want), 0o600))
		return
	}
	require.Equal(t, want, string(text), "run with -update if it is meant")
}

func paymentsPart() string {
	var b strings.Builder
	b.WriteString(`
## What a bank says of a payment

What a payment comes to, by what its bank or gateway says when it is asked, and by what the ledger knows. It is written from
` + "`services/internal/payments/table.go`" + `, of which a test plays every cell: ` + "`go test . -run PaymentTable -update` in `services`" + `
writes it. A webhook counts as none of these: it has the bank asked.

| it means | VFD's codes | Paystack's words |
|---|---|---|
`)
	for _, state := range []rails.State{rails.Paid, rails.Failed, rails.Pending, rails.Unknown} {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", strings.ToLower(state.String()), strings.Join(wordsOf(acts.BankWords, state, vfd.Outcome), ", "), strings.Join(wordsOf(acts.CardWords, state, paystack.Outcome), ", "))
	}
	b.WriteString(`
Pending is also every code and word that is not listed, a body that cannot be read, a time-out, and HTTP 401, 403, 408, 429 and
5xx; of what went back nobody can say anything then. ` + "`reversed`" + ` with a paid time is paid, and the refunds say what went back.
Unknown is of Paystack a 404 in its own words. What names another reference, another currency or no time says nothing.

| known | the bank says | what we do | recorded | who bears it | who is told |
|---|---|---|---|---|---|
`)
	for _, known := range payments.Knowns {
		row := payments.Table[known]
		for n, o := range row {
			if slices.ContainsFunc(row[:n], func(other payments.Outcome) bool { return other.Does == o.Does && other.Loss == o.Loss }) {
				continue // It stands with the first word that comes to it.
			}
			var words []string
			for k, other := range row {
				if other.Does == o.Does && other.Loss == o.Loss {
					words = append(words, string(payments.Words[k]))
				}
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", known, strings.Join(words, "<br>"), o.Does, strings.Join(o.Records, "<br>"), o.Loss, strings.Join(toldOf(o.Records), "<br>"))
		}
	}
	return b.String() + "\n"
}

// wordsOf are the words of a provider that mean a state.
func wordsOf(words []string, state rails.State, means func(string) rails.State) (out []string) {
	for _, word := range words {
		if word != acts.Truth && means(word) == state {
			out = append(out, word)
		}
	}
	return out
}

// toldOf are who is told of some events, and by what.
func toldOf(events []string) (out []string) {
	for _, name := range events {
		for _, telling := range told.Named(protoreflect.Name(name)).Tells {
			if one := whom(telling.To) + ": " + telling.Type; !slices.Contains(out, one) {
				out = append(out, one)
			}
		}
	}
	return out
}
