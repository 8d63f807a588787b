package activity_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ledongthuc/pdf"
	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/services/internal/activity"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/dues"
	"adashi.ng/services/internal/groups"
	"adashi.ng/services/internal/usecase"
)

func TestTheStoryOfAWithdrawalAndOfMoneyThatWasFound(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	w.Withdraws()
	stories := map[string][]string{}
	for _, m := range w.Movements(activity.Wanted{}) {
		detail, err := w.App.Activity.Movement(context.Background(), w.Member.User, m.Id)
		require.NoError(t, err)
		stories[m.Reference] = append(stories[m.Reference], string(m.Kind)+" "+string(m.Direction)+": "+apptest.Steps(detail.Story))
		sum := money.Kobo(0)
		for _, e := range detail.Entries {
			require.NotContains(t, e.Account, ":")
			require.NotEqual(t, "Rounding of charges", e.Account, "%v", e)
			k, err := money.FromNaira(e.Amount.Decimal)
			require.NoError(t, err)
			if e.Side == contract.DEBIT {
				k = -k
			}
			sum += k
		}
		require.Zero(t, sum)
		told, err := json.Marshal(detail.Story)
		require.NoError(t, err)
		if m.Reference == "w-failed" {
			require.Contains(t, string(told), apptest.NoName)
			require.Contains(t, string(told), "₦139.25 goes to your bank account")
		}
	}
	require.Equal(t, []string{"WITHDRAWAL OUT: INITIATED POSTED SENT CONFIRMED"}, stories["w-paid"])
	require.Equal(t, []string{"WITHDRAWAL_RETURNED IN: INITIATED SENT FAILED RETURNED POSTED", "WITHDRAWAL OUT: INITIATED POSTED SENT FAILED RETURNED"}, stories["w-failed"])
	require.Equal(t, []string{"WITHDRAWAL_RETURNED IN: INITIATED SENT CONFIRMED RETURNED POSTED", "WITHDRAWAL OUT: INITIATED POSTED SENT CONFIRMED RETURNED"}, stories["w-back"])
	require.Equal(t, []string{"UNMATCHED_ASSIGNED IN: CONFIRMED INITIATED POSTED"}, stories["arrived-9"])
}

func TestMovementsAreFoundByWhatAPersonKnowsOfThem(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	w.Withdraws()
	today := savings.Day(time.Now()).Format(time.DateOnly)
	for name, c := range map[string]struct {
		wanted activity.Wanted
		want   int
	}{
		"all":                           {activity.Wanted{}, 8},
		"by the group's name":           {activity.Wanted{Search: apptest.Ptr("BALOGUN ")}, 1},
		"by the sub-account's":          {activity.Wanted{Search: apptest.Ptr("welf")}, 1},
		"by an amount as written":       {activity.Wanted{Search: apptest.Ptr("₦9,000.00")}, 1},
		"by naira alone":                {activity.Wanted{Search: apptest.Ptr("9,000")}, 1},
		"by no amount that moved":       {activity.Wanted{Search: apptest.Ptr("9,000.01")}, 0},
		"by a part of the reference":    {activity.Wanted{Search: apptest.Ptr("RIVED-9")}, 1},
		"by what means all in SQL":      {activity.Wanted{Search: apptest.Ptr("%")}, 0},
		"by kind":                       {activity.Wanted{Kinds: &[]contract.MovementKind{"WITHDRAWAL", "CONTRIBUTION"}}, 4},
		"by direction":                  {activity.Wanted{Direction: "IN"}, 4},
		"by channel":                    {activity.Wanted{Channel: "WALLET"}, 1},
		"by group":                      {activity.Wanted{GroupID: &w.Group}, 1},
		"today":                         {activity.Wanted{From: &today, To: &today}, 8},
		"before all":                    {activity.Wanted{To: apptest.Ptr("2020-01-01")}, 0},
		"of a direction that is absent": {activity.Wanted{Direction: "OUT", Kinds: &[]contract.MovementKind{"WALLET_FUNDED"}}, 0},
	} {
		require.Len(t, w.Movements(c.wanted), c.want, name)
	}
	for field, wanted := range map[string]activity.Wanted{
		"kind": {Kinds: &[]contract.MovementKind{"GIFT"}}, "direction": {Direction: "UP"}, "channel": {Channel: "UNSPECIFIED"},
		"from": {From: apptest.Ptr("2026-02-30")}, "to": {From: apptest.Ptr("2026-03-02"), To: apptest.Ptr("2026-03-01")}, "search": {Search: apptest.Ptr(strings.Repeat("ọ", 101))},
	} {
		_, err := w.App.Activity.Movements(context.Background(), w.Member.User, wanted, nil, 100)
		require.True(t, fault.Is(err, fault.Invalid), field)
		require.Equal(t, field, fault.As(err).Field)
	}
	require.Len(t, w.Movements(activity.Wanted{Search: apptest.Ptr(strings.Repeat("ọ", 100))}), 0, "letters are counted, not bytes")
}

func TestAnExportComesBackAsItWasAndRunsNothing(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	w.Withdraws()
	ctx := context.Background()
	evil := []string{`=HYPERLINK("evil";"Welfare")`, "+1+1, \"and\" more", "-2+3", "@SUM(A1)", "'quoted", "＝1+1"}
	for _, name := range evil {
		sub, _, err := w.App.Groups.OpenSubAccount(ctx, w.Owner, groups.NewSubAccount{GroupID: w.Group, Name: name, Type: "FLEXIBLE", Frequency: "MONTHLY", Amount: apptest.Naira(100), ShowTotal: true})
		require.NoError(t, err)
		_, err = w.App.Dues.PayFromWallet(ctx, w.Member, sub, apptest.Naira(1), dues.Due{})
		require.NoError(t, err)
	}
	require.NoError(t, w.Engine.CatchUp(ctx))
	var file bytes.Buffer
	require.NoError(t, w.App.Activity.ExportMovements(ctx, w.Member.User, activity.Wanted{}, func() io.Writer { return &file }))
	text, marked := strings.CutPrefix(file.String(), "\ufeff")
	require.True(t, marked)
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	require.NoError(t, err)
	require.Equal(t, activity.ExportColumns, rows[0])
	moves := w.Movements(activity.Wanted{})
	slices.Reverse(moves)
	require.Len(t, rows[1:], len(moves))
	var subs []string
	for i, row := range rows[1:] {
		for _, cell := range row {
			require.NotContains(t, []string{"=", "+", "-", "@", "＝"}, string([]rune(cell + " ")[:1]), "a spreadsheet would run %q", cell)
		}
		m, cell := moves[i], func(column string) string {
			text := row[slices.Index(activity.ExportColumns, column)]
			return strings.TrimPrefix(text, "'")
		}
		amount := map[contract.MovementDirection]string{"IN": "Money in", "OUT": "Money out"}
		require.Equal(t, m.Amount.StringFixed(2), cell(amount[m.Direction]))
		require.Equal(t, m.BalanceAfter.StringFixed(2), cell("Balance after"))
		require.Equal(t, []string{m.Id, string(m.Kind), m.Reference}, []string{cell("Id"), cell("Kind"), cell("Reference")})
		require.Equal(t, m.Date.In(lagos.Zone).Format("2006-01-02 15:04:05"), cell("Date"))
		if m.SubAccountName != nil {
			subs = append(subs, cell("Sub-account"))
			require.Equal(t, *m.SubAccountName, strings.TrimPrefix(row[slices.Index(activity.ExportColumns, "Sub-account")], "'"))
		}
	}
	require.Len(t, subs, 1+len(evil))
	began := false
	err = w.App.Activity.ExportMovements(ctx, w.Member.User, activity.Wanted{Direction: "UP"}, func() io.Writer { began = true; return io.Discard })
	require.True(t, fault.Is(err, fault.Invalid))
	require.False(t, began, "nothing is written before it is known what to write")
}

// read returns the text of a PDF.
func read(t *testing.T, file []byte) (text string) {
	t.Helper()
	r, err := pdf.NewReader(bytes.NewReader(file), int64(len(file)))
	require.NoError(t, err)
	for n := range r.NumPage() {
		page, err := r.Page(n + 1).GetPlainText(nil)
		require.NoError(t, err)
		text += page + "\n"
	}
	return text
}

func TestAStatementsEveryFigureIsTheLedgersAndItsCodeSaysTheSame(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	ctx := context.Background()
	past := w.App.At(time.Now().AddDate(0, 0, -3))
	_, err := past.Dues.PayFromWallet(ctx, w.Member, w.Open, apptest.Naira(1_234), dues.Due{})
	require.NoError(t, err)
	w.Withdraws()
	today := savings.Day(time.Now())
	from := today.AddDate(0, 0, -1)
	issued, err := w.App.Activity.Statement(ctx, w.Member.User, from.Format(time.DateOnly), today.Format(time.DateOnly))
	require.NoError(t, err)
	text := read(t, issued.PDF)

	begin := time.Date(from.Year(), from.Month(), from.Day(), 0, 0, 0, 0, lagos.Zone)
	var opening, in, out, balance money.Kobo
	count, at := 0, 0
	for _, r := range w.Lines(w.Member.User) {
		amount := r.Lines[0].Amount
		balance += amount
		if r.EffectiveAt.Before(begin) {
			opening += amount
			continue
		}
		count++
		if amount > 0 {
			in += amount
		} else {
			out, amount = out-amount, -amount
		}
		row := amount.String() + balance.String()
		found := strings.Index(strings.ReplaceAll(text[at:], "\n", ""), row)
		require.GreaterOrEqual(t, found, 0, "%s is not in its turn in %s", row, text)
	}
	require.Equal(t, money.Kobo(-1_234_00), opening)
	require.Equal(t, 8, count)
	plain := strings.ReplaceAll(text, "\n", "")
	for _, want := range []string{
		"Opening balance" + opening.String(), "Money in" + in.String(), "Money out" + out.String(), "Closing balance" + balance.String(), "Member Person",
		"Verification code " + issued.Code, "http://adashi.example/verify-statement/" + issued.Code,
	} {
		require.Contains(t, plain, want)
	}

	sum := sha256.Sum256(issued.PDF)
	for _, typed := range []string{issued.Code, strings.ToLower(strings.ReplaceAll(issued.Code, "-", " "))} {
		facts, err := w.App.Activity.StatementFacts(ctx, typed)
		require.NoError(t, err)
		require.Equal(t, []string{opening.Decimal().String(), in.Decimal().String(), out.Decimal().String(), balance.Decimal().String()},
			[]string{facts.Opening.String(), facts.MoneyIn.String(), facts.MoneyOut.String(), facts.Closing.String()})
		require.Equal(t, "Member P.", facts.Holder)
		require.Equal(t, []string{from.Format(time.DateOnly), today.Format(time.DateOnly), issued.Code, hex.EncodeToString(sum[:])}, []string{facts.From, facts.To, facts.Code, facts.Sha256})
		require.Equal(t, []int64{int64(count), issued.Position}, []int64{int64(facts.Movements), facts.Position})
	}
	for _, wrong := range []string{"0000-0000-0000-0000", "x", issued.Code + "0", strings.Repeat("é", 8)} {
		_, err = w.App.Activity.StatementFacts(ctx, wrong)
		require.True(t, fault.Is(err, fault.NotFound), wrong)
	}
}

func TestAStatementIsOfDaysThatHaveBeen(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	today := savings.Day(time.Now())
	for name, c := range map[string]struct{ from, to, field string }{
		"tomorrow": {today.Format(time.DateOnly), today.AddDate(0, 0, 1).Format(time.DateOnly), "to"}, "back to front": {today.Format(time.DateOnly), today.AddDate(0, 0, -1).Format(time.DateOnly), "to"},
		"two years": {today.AddDate(-2, 0, 0).Format(time.DateOnly), today.Format(time.DateOnly), "from"}, "no days": {"", "", "from"}, "no day": {"2026-13-01", today.Format(time.DateOnly), "from"},
	} {
		_, err := w.App.Activity.Statement(context.Background(), w.Member.User, c.from, c.to)
		require.True(t, fault.Is(err, fault.Invalid), name)
		require.Equal(t, c.field, fault.As(err).Field, name)
	}
}

func TestAReceiptHoldsOfflineAndTellsNoHiddenTotal(t *testing.T) {
	t.Parallel()
	for name, hide := range map[string]bool{"the total is shown": false, "the total is hidden": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := apptest.Setup(t, true, hide)
			verifiers, ctx, withheld := w.Sealed(), context.Background(), 0
			for _, who := range []usecase.Who{w.Member, w.Owner} {
				page, err := w.App.Activity.Movements(ctx, who.User, activity.Wanted{}, nil, 100)
				require.NoError(t, err)
				for _, m := range page.Transactions {
					receipt, err := w.App.Activity.MovementProof(ctx, who.User, m.Id)
					require.NoError(t, err)
					raw, err := json.Marshal(receipt)
					require.NoError(t, err)
					_, record, err := proofs.VerifySlip(raw, verifiers)
					require.NoError(t, err)
					if hide && who == w.Member && m.Kind == "CONTRIBUTION" {
						withheld++
						require.Nil(t, record)
						require.NotEmpty(t, *receipt.Withheld)
						require.Nil(t, receipt.LeafHash, "it could be tried out")
						require.Nil(t, receipt.Path)
						detail, err := w.App.Activity.Movement(ctx, who.User, m.Id)
						require.NoError(t, err)
						require.Nil(t, detail.LeafHash)
						continue
					}
					require.Equal(t, m.Id, record.ID().String())
					for what, change := range map[string]func(*contract.Receipt){
						"another leaf":     func(r *contract.Receipt) { r.LeafHash = apptest.Ptr(strings.Repeat("0", 64)) },
						"another position": func(r *contract.Receipt) { r.Position++ },
						"another root":     func(r *contract.Receipt) { r.Root = *r.LeafHash },
						"another size":     func(r *contract.Receipt) { r.Size++ },
						"a path cut short": func(r *contract.Receipt) { r.Path = apptest.Ptr((*r.Path)[1:]) },
						"another record":   func(r *contract.Receipt) { r.Record = apptest.Ptr("AAAA" + (*r.Record)[4:]) },
						"no record":        func(r *contract.Receipt) { r.Record = nil },
						"another note":     func(r *contract.Receipt) { r.Checkpoint = strings.Replace(r.Checkpoint, "/e1", "/e2", 1) },
					} {
						forged := receipt
						change(&forged)
						raw, err := json.Marshal(forged)
						require.NoError(t, err)
						_, _, err = proofs.VerifySlip(raw, verifiers)
						require.ErrorIs(t, err, proofs.ErrReceipt, what)
					}
				}
			}
			require.Equal(t, hide, withheld == 1)
			others, err := w.App.Activity.Movements(ctx, w.Owner.User, activity.Wanted{}, nil, 1)
			require.NoError(t, err)
			_, err = w.App.Activity.MovementProof(ctx, w.Member.User, others.Transactions[0].Id)
			require.True(t, fault.Is(err, fault.NotFound), "another's movement")
			w.Fund(w.Member.User)
			require.NoError(t, w.Engine.CatchUp(ctx))
			_, err = w.App.Activity.MovementProof(ctx, w.Member.User, w.Movements(activity.Wanted{})[0].Id)
			require.True(t, fault.Is(err, fault.Unavailable), "what is not sealed yet")
		})
	}
}

func TestMonthsHaveWhatCameInAndWentOut(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	w.Withdraws()
	months, err := w.App.Activity.MonthFlows(context.Background(), w.Member.User, 12)
	require.NoError(t, err)
	require.Len(t, months, 12)
	last := months[11]
	require.Equal(t, savings.Day(time.Now()).Format("2006-01"), last.Month)
	require.Equal(t, []string{"9555", "1377"}, []string{last.MoneyIn.String(), last.MoneyOut.String()})
	require.True(t, months[0].MoneyIn.IsZero() && months[0].MoneyOut.IsZero())
	for _, n := range []int{0, 37} {
		_, err := w.App.Activity.MonthFlows(context.Background(), w.Member.User, n)
		require.True(t, fault.Is(err, fault.Invalid))
	}
}
