package e2e

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/rails/sandbox"
)

const (
	withdrawals = "/api/v1/wallet/withdrawals"
	stepUp      = "/api/v1/account/step-up"
	bvnLookUp   = "/api/Payment/bvn-look-up"
	updateInfo  = "/api/Account/UpdateUserInfo"
	getLimits   = "/api/v1/wallet/limits"
	payoutsDesk = "/api/v1/finance/payouts"
)

// banked gives somebody an account at the sandbox's Keystone and a BVN, both verified.
func (p *person) banked(i *boot.Instance, first string) (*person, sandbox.Person) {
	p.Helper()
	at, err := i.Bank.AddPerson(context.Background(), sandbox.Person{FirstName: first, LastName: "Test", BankCode: "082"})
	require.NoError(p, err)
	p.verified(at)
	return p, at
}

func (p *person) verified(at sandbox.Person) {
	p.Helper()
	must[object](p, "POST", updateInfo, object{"email": p.email, "bankAccountNumber": at.Account, "bankCode": at.BankCode})
	r := p.ask("POST", bvnLookUp, object{"account_number": at.Account, "bank_code": at.BankCode, "first_name": at.FirstName, "last_name": at.LastName, "bvn": at.BVN})
	require.Equal(p, "Your BVN has been verified successfully", r.Message)
}

func (p *person) stepsUp() *person {
	p.Helper()
	must[any](p, "POST", stepUp, object{"password": password})
	return p
}

// withdrawer is a verified person with money who has just stepped up.
func withdrawer(t testing.TB, i *boot.Instance, name string, amount int) (*person, sandbox.Person) {
	t.Helper()
	p, at := somebody(t, i, name).banked(i, name)
	return p.funded(amount).stepsUp(), at
}

// netOf is what arrives of an amount in whole naira, by the published charges.
func netOf(naira int) float64 {
	kobo := naira * 100
	switch {
	case naira <= 5_000:
		kobo -= 10_75
	case naira <= 50_000:
		kobo -= 26_88
	default:
		kobo -= 53_75
	}
	if naira >= 10_000 {
		kobo -= 50_00
	}
	return float64(kobo) / 100
}

func (p *person) withdraws(naira int, headers ...string) reply {
	p.Helper()
	return p.ask("POST", withdrawals, object{"amount": naira, "net": netOf(naira)}, headers...)
}

// becomes waits until a withdrawal stands so, and answers it.
func (p *person) becomes(id, status string) (view object) {
	p.Helper()
	require.Eventually(p, func() bool {
		view = must[object](p, "GET", withdrawals+"/"+id, nil)
		return view["status"] == status
	}, time.Minute, 20*time.Millisecond, "it never became %s", status)
	return view
}

func (r reply) id(t testing.TB) string {
	t.Helper()
	return r.object(t)["id"].(string)
}

// atTheBank is how often the sandbox was told to pay to an account, and what it paid of it in kobo.
func atTheBank(t testing.TB, pool *pgxpool.Pool, account string) (orders int, kobo int64) {
	t.Helper()
	require.NoError(t, pool.QueryRow(context.Background(), `SELECT coalesce(sum(orders), 0),
		coalesce(sum(amount) FILTER (WHERE code IN ('00', '26')), 0)::bigint FROM sandbox_payouts WHERE account_number = $1`, account).Scan(&orders, &kobo))
	return orders, kobo
}

// eventsOf counts the ledger's events of a type that a person is in.
func eventsOf(t testing.TB, pool *pgxpool.Pool, user, typ string) (count int) {
	t.Helper()
	require.NoError(t, pool.QueryRow(context.Background(), `SELECT count(*) FROM events WHERE type = $1 AND position(convert_to($2, 'UTF8') IN body) > 0`,
		"naira.v1."+typ, user).Scan(&count))
	return count
}

func TestMoneyGoesToItsOwnersBankAndEveryChargeIsShownBefore(t *testing.T) {
	t.Parallel()
	i := product(t)
	p, at := somebody(t, i, "Bisi").banked(i, "Bisi")
	p.funded(150_000)
	desk := scene{i: i}.staff(t, "Femi", people.RoleFinanceOps)
	looked := must[object](desk, "POST", "/api/v1/finance/members/look-up", object{"email": p.email, "case": "C-77"})
	member := must[object](desk, "POST", "/api/v1/finance/members/tier", object{"email": strings.ToUpper(p.email), "tier": 2, "case": "C-77", "seen": looked["version"]})
	delete(member, "version")
	require.Equal(t, object{"userId": p.id, "name": "Bisi T.", "tier": 2.0, "bvnVerified": true, "utilityBill": false}, member)
	require.Equal(t, 1, eventsOf(t, i.Pool, p.id, "TierSet"))

	quote := must[object](p, "POST", withdrawals+"/quote", object{"amount": 120_000})
	for name, want := range map[string]any{
		"amount": 120_000.0, "fee": 50.0, "vat": 3.75, "stampDuty": 50.0, "charges": 103.75, "net": 119_896.25, "feeTable": 2.0,
		"accountNumber": at.Account[6:], "accountName": "TEST BISI", "bankName": "Keystone Bank",
	} {
		require.Equal(t, want, quote[name], name)
	}
	r := p.ask("POST", withdrawals, object{"amount": 120_000, "net": 119_896.25})
	require.Equal(t, 403, r.status)
	require.Equal(t, "STEP_UP", r.ReturnedCode)
	p.stepsUp()
	r = p.ask("POST", withdrawals, object{"amount": 120_000, "net": 120_000})
	require.Equal(t, 409, r.status)
	require.Contains(t, r.Message, "you receive ₦119,896.25")
	require.JSONEq(t, `{"field":"net"}`, string(r.ReturnedObject))
	require.Zero(t, eventsOf(t, i.Pool, p.id, "WithdrawalRequestedV2"))

	made := p.ask("POST", withdrawals, object{"amount": 120_000, "net": 119_896.25, "note": "Rent"}, "Idempotency-Key", "one wish")
	id := made.id(t)
	again := p.ask("POST", withdrawals, object{"amount": 120_000, "net": 119_896.25, "note": "Rent"}, "Idempotency-Key", "one wish")
	require.Equal(t, id, again.id(t), "a retry is the same wish")
	require.Equal(t, 409, p.ask("POST", withdrawals, object{"amount": 100, "net": 89.25}, "Idempotency-Key", "one wish").status)
	paid := p.becomes(id, "PAID")
	require.Equal(t, at.Account[6:], paid["accountNumber"])
	require.NotEmpty(t, paid["providerRef"])
	require.Len(t, paid["story"], 3)
	require.Equal(t, "30000.00", p.balance())
	orders, kobo := atTheBank(t, i.Pool, at.Account)
	require.Equal(t, 1, orders)
	require.EqualValues(t, 119_896_25, kobo)
	p.told("withdrawal_paid")
	require.Len(t, must[object](p, "GET", withdrawals, nil)["withdrawals"], 1)
	limits := must[object](p, "GET", getLimits, nil)
	require.Equal(t, []any{2.0, 200_000.0, 120_000.0, 80_000.0, 500_000.0}, []any{limits["tier"], limits["daily"], limits["usedToday"], limits["left"], limits["balanceCap"]})
	require.Contains(t, p.page("/sandbox/"), at.Account)

	other := somebody(t, i, "Eve")
	for _, path := range []string{"/" + id, "/" + uuid.NewString(), "/nonsense"} {
		require.Equal(t, 404, other.ask("GET", withdrawals+path, nil).status)
	}
}

func TestOfFiftyWithdrawalsOfAWholeBalanceAtOnceOneSucceedsAndTheRestLeaveNoTrace(t *testing.T) {
	t.Parallel()
	i := product(t)
	p, at := withdrawer(t, i, "Bisi", 40_000)
	var wg sync.WaitGroup
	answers := make([]reply, 50)
	for n := range answers {
		wg.Go(func() {
			answers[n], _ = p.try("POST", withdrawals, object{"amount": 40_000, "net": netOf(40_000)}, "Idempotency-Key", fmt.Sprintf("wish number %d", n))
		})
	}
	wg.Wait()
	id := ""
	for _, r := range answers {
		if r.status == 200 {
			require.Empty(t, id, "two succeeded")
			id = r.id(t)
			continue
		}
		require.Contains(t, []int{409, 422}, r.status, r.Message)
		require.Contains(t, r.Message, "Nothing was taken")
	}
	p.becomes(id, "PAID")
	require.Equal(t, "0.00", p.balance())
	require.Equal(t, 1, eventsOf(t, i.Pool, p.id, "WithdrawalRequestedV2"))
	require.Equal(t, 1, eventsOf(t, i.Pool, p.id, "WithdrawalSent"))
	require.Equal(t, 1, eventsOf(t, i.Pool, p.id, "WithdrawalsCounted"))
	orders, kobo := atTheBank(t, i.Pool, at.Account)
	require.Equal(t, 1, orders)
	require.EqualValues(t, 39_923_12, kobo)
}

func TestADaysLimitHoldsHoweverManyWithdrawAtOnce(t *testing.T) {
	t.Parallel()
	i := product(t)
	p, _ := withdrawer(t, i, "Bisi", 120_000)
	var wg sync.WaitGroup
	answers := make([]reply, 24)
	for n := range answers {
		wg.Go(func() { answers[n], _ = p.try("POST", withdrawals, object{"amount": 10_000, "net": netOf(10_000)}) })
	}
	wg.Wait()
	went := 0
	for _, r := range answers {
		if r.status == 200 {
			went++
			continue
		}
		require.Equal(t, 422, r.status, r.Message)
		require.Contains(t, r.Message, "At tier 1 up to ₦50,000.00 may leave for your bank in a day")
	}
	require.Equal(t, 5, went)
	require.Equal(t, 422, p.withdraws(100).status)
	limits := must[object](p, "GET", getLimits, nil)
	require.Equal(t, []any{50_000.0, 0.0}, []any{limits["usedToday"], limits["left"]})
	p.holds("70000.00")
}

func TestWhatCannotBeWithdrawnIsRefusedWithItsReasonAndNothingIsTaken(t *testing.T) {
	t.Parallel()
	i := product(t)
	refused := func(p *person, naira, status int, says string) {
		t.Helper()
		r := p.withdraws(naira)
		require.Equal(t, status, r.status, r.Message)
		require.Contains(t, r.Message, says)
		require.Zero(t, eventsOf(t, i.Pool, p.id, "WithdrawalRequestedV2"))
	}
	nobank := somebody(t, i, "Bisi").funded(20_000).stepsUp()
	refused(nobank, 1_000, 409, "verify your BVN")
	p, at := withdrawer(t, i, "Bisi", 60_000)
	refused(p, 60_001, 422, "Your wallet holds ₦60,000.00 and this needs ₦60,001.00")
	refused(p, 50_001, 422, "₦0.00 is used today, so you can still withdraw ₦50,000.00")
	refused(p, 99, 400, "smallest amount")
	for _, body := range []object{{"amount": 1_000}, {"amount": 1_000, "net": 989.25, "to": "eve"}, {"amount": -1, "net": 1}, {"amount": 1_000, "net": 989.25, "note": strings.Repeat("x", 51)}} {
		require.Equal(t, 400, p.ask("POST", withdrawals, body).status, body)
	}
	_, err := i.Pool.Exec(context.Background(), `UPDATE sandbox_people SET first_name = 'Somebody' WHERE account_number = $1`, at.Account)
	require.NoError(t, err)
	refused(p, 1_000, 409, "under another name than yours")
	_, err = i.Pool.Exec(context.Background(), `DELETE FROM sandbox_people WHERE account_number = $1`, at.Account)
	require.NoError(t, err)
	refused(p, 1_000, 409, "Keystone Bank says that it has no account with your number")
	quote := p.ask("POST", withdrawals+"/quote", object{"amount": 1_000})
	require.Equal(t, 409, quote.status, "refused as the withdrawal would be")
	require.Equal(t, "60000.00", p.balance())

	held, _ := withdrawer(t, i, "Bisi", 30_000)
	require.Equal(t, 200, held.withdraws(20_000).status)
	r := held.withdraws(20_000)
	require.Equal(t, 422, r.status)
	require.Contains(t, r.Message, "₦10,000.00", "the hold counts")
}

func TestNothingGoesToANewBankAccountForADay(t *testing.T) {
	t.Parallel()
	i := product(t)
	p, _ := withdrawer(t, i, "Bisi", 20_000)
	other, err := i.Bank.AddPerson(context.Background(), sandbox.Person{FirstName: "Bisi", LastName: "Test", BankCode: "058"})
	require.NoError(t, err)
	must[object](p, "POST", updateInfo, object{"email": p.email, "bankAccountNumber": other.Account, "bankCode": other.BankCode})
	r := p.withdraws(1_000)
	require.Equal(t, 409, r.status)
	require.Contains(t, r.Message, "nothing is sent to a new one for 24 hours")
	require.Equal(t, "20000.00", p.balance())
}

func TestAWithdrawalGoesWhereItWasAskedToGo(t *testing.T) {
	t.Parallel()
	i := product(t)
	p, at := withdrawer(t, i, "Bisi", 20_000)
	require.NoError(t, i.Bank.Behave(context.Background(), sandbox.Manner{Account: at.Account, Delay: 2 * time.Second}))
	id := p.withdraws(1_000).id(t)
	other, err := i.Bank.AddPerson(context.Background(), sandbox.Person{FirstName: "Bisi", LastName: "Test", BankCode: "058"})
	require.NoError(t, err)
	must[object](p, "POST", updateInfo, object{"email": p.email, "bankAccountNumber": other.Account, "bankCode": other.BankCode})
	require.Equal(t, at.Account[6:], p.becomes(id, "PAID")["accountNumber"])
	orders, _ := atTheBank(t, i.Pool, other.Account)
	require.Zero(t, orders)
}

func TestAWalletTakesNoMoreThanItsTierAllows(t *testing.T) {
	t.Parallel()
	i := product(t)
	p := somebody(t, i, "Bisi").funded(250_000)
	r := p.ask("POST", fund, object{"amount": 50_001, "email": p.email})
	require.Equal(t, 422, r.status)
	require.Contains(t, r.Message, "may hold up to ₦300,000.00")
	require.Equal(t, 200, p.ask("POST", fund, object{"amount": 50_000, "email": p.email}).status)
}

func TestTheSameKeyAgainSaysHowTheWithdrawalStandsByNow(t *testing.T) {
	t.Parallel()
	i := product(t)
	bisi, _ := withdrawer(t, i, "Bisi", 50_000)
	key := []string{"Idempotency-Key", "asked for once"}
	withdrawn := bisi.withdraws(20_000, key...)
	require.Equal(t, 200, withdrawn.status, withdrawn.Message)
	bisi.becomes(withdrawn.id(t), "PAID")
	again := bisi.withdraws(20_000, key...)
	require.Equal(t, "Your withdrawal has arrived at your bank.", again.Message)
	require.Equal(t, withdrawn.id(t), again.id(t))
}
