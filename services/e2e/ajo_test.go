package e2e

import (
	"context"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"
	"adashi.ng/proto/wire"

	"adashi.ng/ledger/base/fault"
	rules "adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/projections/ajos"
	"adashi.ng/services/internal/ajo"
	"adashi.ng/services/internal/audit"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/usecase"
)

// round is an ajo and who takes part in it. Its weeks lie in the past: what is done at a moment is done through the
// app as it is at that moment, and what people see and may is asked over HTTP.
type round struct {
	testing.TB
	i      *boot.Instance
	id     string
	people []*person
	began  time.Time
	keys   int
}

const weekly = 8_000

// at is the app as it is some days after the beginning, at nine in Lagos.
func (r *round) at(days float64) *ajo.Service {
	return r.i.App.At(r.began.Add(time.Duration(days * 24 * float64(time.Hour)))).Ajo
}

// who is a person with a key of their own.
func (r *round) who(n int) usecase.Who {
	r.keys++
	return usecase.Who{User: r.people[n].id, Email: r.people[n].email, Key: fmt.Sprintf("round key %d", r.keys)}
}

func amountOf(n float64) wire.Naira { return wire.FromKobo(int64(n * 100)) }

// sees is the ajo as somebody sees it now.
func (r *round) sees(n int) object {
	r.Helper()
	return must[object](r.people[n], "GET", "/api/Ajo/GetAjoById/"+r.id, nil)
}

// joins takes hands, with the code of the invitation.
func (r *round) joins(n int, hands string) {
	r.Helper()
	code := r.i.App.Ajo.InvitationCode(r.id)
	data := must[object](r.people[n], "GET", "/api/Ajo/GetAjoDataById/"+r.id+"?code="+code, nil)
	_, _, err := r.at(0).Join(context.Background(), r.who(n), contract.JoinAjoRequest{
		AjoId: r.id, Code: &code, Hands: hands, TermsHash: data["termsHash"].(string), Nonce: strings.Repeat(fmt.Sprintf("%02x", n), 16), Email: r.people[n].email,
	})
	require.NoError(r, err)
}

// seat is somebody's seat.
func (r *round) seat(n int) int {
	r.Helper()
	return int(r.sees(n)["me"].(object)["seats"].([]any)[0].(float64))
}

// pays pays a seat's due of a cycle on a day, by whoever's wallet.
func (r *round) pays(days float64, by, of, cycle int, naira float64) error {
	seat, member := r.seat(of), r.people[of].id
	_, err := r.at(days).Pay(context.Background(), r.who(by), r.id, contract.AjoPayRequest{
		What: "DUE", Amount: amountOf(naira), Cycle: &cycle, Seat: &seat, MemberId: &member, UserId: r.people[by].id,
	})
	return err
}

// lastOn is the last event on a stream.
func (r *round) lastOn(stream string) event.Record {
	r.Helper()
	records, err := history.ReadStream(context.Background(), r.i.Pool, stream, 1<<40, 1000)
	require.NoError(r, err)
	require.NotEmpty(r, records)
	return records[len(records)-1]
}

// due is what a person owes to each cycle.
func (r *round) due(n int) float64 {
	return weekly * r.sees(n)["me"].(object)["halves"].(float64) / 2
}

// turn is who collects in a cycle, by their numbers.
func (r *round) turn(cycle int) (ns []int) {
	r.Helper()
	seat := r.sees(0)["cycles"].([]any)[cycle-1].(object)["seat"].(float64)
	for n := range r.people {
		if float64(r.seat(n)) == seat {
			ns = append(ns, n)
		}
	}
	return ns
}

// collects has the pot of a cycle asked for, approved by the owner and one other, and paid.
func (r *round) collects(days float64, cycle int) contract.AjoPayout {
	r.Helper()
	ctx, holder := context.Background(), r.turn(cycle)[0]
	asked, err := r.at(days).Payout(ctx, r.people[holder].id, r.id, cycle)
	require.NoError(r, err)
	ask := func(n int, amount wire.Naira) error {
		_, _, err := r.at(days).RequestPayout(ctx, r.who(n), contract.AjoPayoutRequest{AjoId: r.id, Cycle: cycle, Amount: amount, Destination: "WALLET", UserId: r.people[n].id}, func() error { return nil })
		return err
	}
	require.ErrorContains(r, ask(holder, amountOf(1)), "of this pot, not ₦1.00")
	require.NoError(r, ask(holder, *asked.Mine))
	require.ErrorContains(r, ask(holder, *asked.Mine), "is asked for already")
	_, _, err = r.at(days).ApprovePayout(ctx, r.who(holder), r.id, fmt.Sprint(cycle))
	require.ErrorContains(r, err, "Nobody approves their own payout.")
	var paid contract.AjoPayout
	for n := range r.people {
		view, err := r.at(days).Payout(ctx, r.people[n].id, r.id, cycle)
		require.NoError(r, err)
		if view.Status != "PAID" && view.MayApprove {
			paid, _, err = r.at(days).ApprovePayout(ctx, r.who(n), r.id, fmt.Sprint(cycle))
			require.NoError(r, err)
		}
	}
	require.EqualValues(r, "PAID", paid.Status)
	_, _, err = r.at(days).ApprovePayout(ctx, r.who(0), r.id, fmt.Sprint(cycle))
	require.ErrorContains(r, err, "is paid out already")
	return paid
}

// jobless is a product of its own without its jobs, which would find all weeks of an ajo of the past over.
func jobless(t testing.TB) *boot.Instance {
	t.Helper()
	i, err := boot.Start(context.Background(), settings(t.TempDir()), boot.Roles{API: true, Relay: true, Projector: true})
	require.NoError(t, err)
	t.Cleanup(i.Stop)
	return i
}

// listed is an ajo of four seats, one of them held by two, whose list is sealed.
func listed(t testing.TB, i *boot.Instance) *round {
	t.Helper()
	r := &round{TB: t, i: i, began: daysAgo(70)}
	for _, name := range []string{"Ada", "Bola", "Chi", "Deji", "Emeka"} {
		p := somebody(t, i, name).funded(100_000)
		p.banked(i, name)
		r.people = append(r.people, p)
	}
	first := r.began.AddDate(0, 0, 4)
	frequency, due := contract.AjoFrequency("WEEKLY"), first.Day()
	form := contract.CreateAjoRequest{
		Name: "Balogun weekly", Description: "Four hands", Type: "GROUP", Amount: amountOf(weekly), Duration: 4, MemberCapacity: 4, StartMonthId: int(first.Month()), Year: first.Year(),
		Frequency: &frequency, DueDay: &due, Email: r.people[0].email,
	}
	for field, change := range map[string]func(*contract.CreateAjoRequest){
		"memberCapacity": func(f *contract.CreateAjoRequest) { f.Duration += 1 << 32; f.MemberCapacity = f.Duration },
		"dueDay":         func(f *contract.CreateAjoRequest) { f.DueDay = ptr(due + 1<<32) },
		"deposit":        func(f *contract.CreateAjoRequest) { f.Deposit = ptr(1 << 32) },
		"startMonthId":   func(f *contract.CreateAjoRequest) { f.StartMonthId += 1 << 32 },
	} {
		wild := form
		change(&wild)
		_, _, err := r.at(0).Create(context.Background(), r.who(0), wild)
		refusal := fault.As(err)
		require.NotNil(t, refusal, field)
		require.Equal(t, field, refusal.Field, "a number of more than 32 bits is not another number")
	}
	view, _, err := r.at(0).Create(context.Background(), r.who(0), form)
	require.NoError(t, err)
	r.id = view.Id
	r.joins(1, "1")
	r.joins(2, "0.5")
	_, _, err = r.at(0).CloseList(context.Background(), r.who(0), r.id, nil)
	require.ErrorContains(t, err, "half a hand free")
	r.joins(3, "0.5")
	r.joins(4, "1")
	_, _, err = r.at(0).CloseList(context.Background(), r.who(1), r.id, nil)
	require.ErrorContains(t, err, "Only the ajo's owner")
	_, _, err = r.at(0.1).CloseList(context.Background(), r.who(0), r.id, nil)
	require.NoError(t, err)
	return r
}

func ptr[T any](v T) *T { return &v }

// daysAgo is nine in the morning in Lagos, so many days ago.
func daysAgo(days int) time.Time {
	now := time.Now().UTC()
	return time.Date(now.Year(), now.Month(), now.Day()-days, 8, 0, 0, 0, time.UTC)
}

func TestAnAjoLivesFromItsListToItsEnd(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	// Without its jobs, which would find all weeks over.
	i, err := boot.Start(context.Background(), settings(data), boot.Roles{API: true, Relay: true, Projector: true})
	require.NoError(t, err)
	t.Cleanup(i.Stop)
	r := listed(t, i)
	stranger := somebody(t, i, "Stranger")
	for _, path := range []string{"/api/Ajo/GetAjoById/" + r.id, "/api/Ajo/member-contribution/" + r.id, "/api/v1/ajo/" + r.id + "/payouts/1", "/api/v1/ajo/" + r.id + "/book.csv"} {
		require.Equal(t, http.StatusNotFound, stranger.ask("GET", path, nil).status, path)
	}
	r.draws()

	for _, kind := range []string{"PAUSE", "TERMINATE"} {
		refused, err := r.people[1].try("POST", "/api/v1/ajo/"+r.id+"/motions", object{"kind": kind, "userId": r.people[0].id, "reason": "Because of it"})
		require.NoError(t, err)
		require.Equal(t, http.StatusBadRequest, refused.status)
		require.Equal(t, "Only a vote to expel names a member. Leave the member out.", refused.Message)
	}

	// The same payment asked for again with its key is made once.
	cycle, seat, key := 1, r.seat(0), r.who(0)
	for range 2 {
		form := contract.AjoPayRequest{What: "DUE", Amount: amountOf(weekly), Cycle: ptr(cycle), Seat: ptr(seat), UserId: r.people[0].id}
		receipt, err := r.at(1).Pay(context.Background(), key, r.id, form)
		require.NoError(t, err)
		require.Equal(t, "8000.00", receipt.Amount.StringFixed(2))
	}
	for _, changed := range []contract.AjoPayRequest{
		{What: "DUE", Amount: amountOf(weekly - 1), Cycle: ptr(cycle), Seat: ptr(seat)},
		{What: "DUE", Amount: amountOf(weekly), Cycle: ptr(cycle + 1), Seat: ptr(seat)},
		{What: "DUE", Amount: amountOf(weekly), Cycle: ptr(cycle), Seat: ptr(seat + 1)},
		{What: "DUE", Amount: amountOf(weekly), Cycle: ptr(cycle), Seat: ptr(seat), MemberId: ptr(r.people[1].id)},
		{What: "DUE", Amount: amountOf(weekly), Cycle: ptr(cycle), Seat: ptr(seat), Gift: ptr(true)},
	} {
		_, err := r.at(1).Pay(context.Background(), key, r.id, changed)
		require.ErrorContains(t, err, "sent before with other details")
	}
	r.people[0].holds("92000.00")
	require.ErrorContains(t, r.pays(1, 0, 0, 1, weekly), "is paid already")

	// The first week is full before its day, and is ready at once.
	require.ErrorContains(t, r.pays(1, 1, 1, 1, weekly-1), "is ₦8,000.00, not ₦7,999.00")
	require.ErrorContains(t, r.pays(1, 1, 1, 2, weekly), "Cycle 2 opens on")
	pot := r.due(0)
	for n := range r.people[1:] {
		if err := r.pays(2, n+1, n+1, 1, r.due(n+1)); err != nil { // The last to pay may be who was drawn first.
			require.ErrorContains(t, err, "your own due is taken out of it")
			continue
		}
		pot += r.due(n + 1)
	}
	require.Equal(t, r.lastOn(ajopot.CycleStream(r.id, 1)).Command, r.lastOn(rules.Stream(r.id)).Command, "the payment that filled the pot made it ready")
	first := r.collects(2.1, 1)
	require.Equal(t, fmt.Sprintf("%.2f", pot), first.Gross.StringFixed(2))
	require.Equal(t, "320.00", first.Fee.StringFixed(2))

	// In the second somebody who has yet to collect misses, and somebody covers them; another's gap is a debt.
	late, covered := r.turn(4)[0], r.turn(3)[0]
	for n := range r.people {
		if n != late && n != covered {
			require.NoError(t, r.pays(9, n, n, 2, r.due(n)))
		}
	}
	coverer := r.turn(1)[0]
	require.NoError(t, r.pays(9.5, coverer, covered, 2, r.due(covered)))
	for range 2 {
		require.NoError(t, r.at(10).Remind(context.Background()))
	}
	require.Eventually(t, func() bool { return r.told(late, "ajo_due") == 1 }, time.Minute, 20*time.Millisecond, "who has not paid is reminded, once")
	require.Zero(t, r.told(covered, "ajo_due"))
	require.NoError(t, r.at(15).Remind(context.Background()))
	require.Eventually(t, func() bool { return r.told(late, "ajo_overdue") == 1 }, time.Minute, 20*time.Millisecond)
	require.NoError(t, r.at(15).Advance(context.Background(), r.id), "the days of grace are not over")
	require.Equal(t, "GRACE", r.statusOf(15, 2))
	require.NoError(t, r.at(17.5).Advance(context.Background(), r.id))
	debts := r.sees(late)["debts"].([]any)
	require.NotEmpty(t, debts)
	r.collects(17.55, 2)
	r.waives(late)

	// The debtor pays what they owe, and their turn stays theirs.
	for _, d := range r.sees(late)["debts"].([]any) {
		debt := d.(object)
		if debt["iOwe"] == true {
			id := debt["id"].(string)
			_, err := r.at(17.58).Pay(context.Background(), r.who(late), r.id, contract.AjoPayRequest{What: "DEBT", Amount: amountOf(debt["left"].(float64)), DebtId: &id, UserId: r.people[late].id})
			require.NoError(t, err)
		}
	}
	for cycle := 3; cycle <= 4; cycle++ {
		day := []float64{17.6, 24}[cycle-3]
		for n := range r.people {
			if err := r.pays(day, n, n, cycle, r.due(n)); err != nil { // Whose pot it is need not pay once all others have.
				require.Contains(t, r.turn(cycle), n)
				require.ErrorContains(t, err, "your own due is taken out of it")
			}
		}
		r.collects(day+0.1, cycle)
	}
	require.Eventually(t, func() bool {
		return i.App.Ajo.Keep(context.Background()) == nil && r.sees(0)["status"] == "COMPLETED"
	}, 2*time.Minute, 100*time.Millisecond, "a job completes it")
	require.Empty(t, r.sees(coverer)["debts"], "the covered one's own pot paid who covered them")
	r.audited()
	r.closesMonths()
	r.isExported(late)
	verified(t, i, data)
}

// audited has the validator mark every payment but their own, which the owner marks, and queries one first.
func (r *round) audited() {
	r.Helper()
	path := "/api/v1/ajo/" + r.id + "/audit"
	page := func(n int, query string) object { return must[object](r.people[n], "GET", path+query, nil) }
	require.Equal(r, http.StatusNotFound, somebody(r, r.i, "Outside").ask("GET", path, nil).status)
	validator := -1
	for n := range r.people {
		if r.sees(n)["me"].(object)["isValidator"] == true {
			validator = n
		}
	}
	mine, all := 0, page(validator, "?limit=100")["payments"].([]any)
	kinds := map[string]int{}
	query, payer := "", ""
	for _, one := range all {
		p := one.(object)
		kinds[p["kind"].(string)]++
		if p["mayMark"] == true {
			mine++
		}
		if p["mayMark"] == true && p["kind"] == "CONTRIBUTION" {
			query, payer = p["id"].(string), p["userId"].(string)
		}
	}
	r.onDesk(r.people[validator], all)
	require.Positive(r, kinds["CONTRIBUTION"])
	require.Equal(r, 1, kinds["COVER"])
	require.Equal(r, 4, kinds["PAYOUT"])
	mark := func(n int, mark, reason string, ids ...string) reply {
		marks := []object{}
		for _, id := range ids {
			marks = append(marks, object{"id": id, "mark": mark, "reason": reason})
		}
		return r.people[n].ask("POST", path, object{"marks": marks})
	}
	wordless := mark(validator, "QUERIED", "", query)
	require.Equal(r, http.StatusBadRequest, wordless.status, wordless.Message)
	require.Equal(r, http.StatusOK, mark(validator, "QUERIED", "Whose money was it?", query).status)
	require.Equal(r, http.StatusConflict, mark(validator, "VALIDATED", "", query).status)
	require.Equal(r, http.StatusOK, mark(validator, "RESOLVED", "It was theirs.", query).status)
	for _, n := range []int{validator, 0, 1, 2, 3, 4} { // What concerns both is any other member's.
		for _, one := range page(n, "?state=UNREVIEWED&limit=100")["payments"].([]any) {
			if p := one.(object); p["mayMark"] == true {
				for _, word := range []string{"VALIDATED", "UNREVIEWED", "VALIDATED"} { // A slip is taken back.
					require.Equal(r, http.StatusOK, mark(n, word, "", p["id"].(string)).status)
				}
			}
		}
	}
	for n, p := range r.people { // Who was asked is told, and their activity tells how it ended.
		if p.id == payer {
			require.Equal(r, 1, r.told(n, "ajo_payment_queried"))
			require.Contains(r, fmt.Sprint(must[object](p, "GET", "/api/v1/activity/"+query, nil)["story"]), "it is answered: It was theirs.")
		}
	}
	coverage := page(0, "")["coverage"].(object)
	require.EqualValues(r, 100, coverage["percent"])
	require.EqualValues(r, len(all), coverage["total"])
	require.Less(r, mine, len(all), "the validator's own are others'")
	file, err := r.i.App.Audit.ExportAjo(context.Background(), r.people[1].id, r.id, audit.WhichOfAjo{})
	require.NoError(r, err)
	require.Equal(r, len(all)+1, strings.Count(file, "\r\n"))
}

// onDesk holds the validator's desk across groups and ajo to the ajo's own list: what they may mark, odd or not.
func (r *round) onDesk(validator *person, all []any) {
	r.Helper()
	want := map[string][]string{"AJO": {}, "ODD": {}, "PAYOUTS": {}}
	for _, one := range all {
		p := one.(object)
		if p["mayMark"] != true {
			continue
		}
		want["AJO"] = append(want["AJO"], p["id"].(string))
		if len(p["oddities"].([]any)) > 0 {
			want["ODD"] = append(want["ODD"], p["id"].(string))
		}
		if p["kind"] == "PAYOUT" {
			want["PAYOUTS"] = append(want["PAYOUTS"], p["id"].(string))
		}
	}
	odd := []string{}
	for _, one := range all {
		if p := one.(object); len(p["oddities"].([]any)) > 0 {
			odd = append(odd, p["id"].(string))
		}
	}
	a, err := ajos.ByID(context.Background(), r.i.Pool, r.id)
	require.NoError(r, err)
	found, err := ajos.OnDesk{Ajos: []ajos.Ajo{a}, Not: "nobody", Marks: []nairav1.Mark{nairav1.Mark_MARK_UNSPECIFIED}, Narrowing: ajos.Narrowing{Odd: ajos.Late | ajos.PaidByAnother | ajos.GivenBack}}.
		Payments(context.Background(), r.i.Pool, 0, 100)
	require.NoError(r, err)
	oddOnes := []string{}
	for _, p := range found {
		oddOnes = append(oddOnes, p.Event.String())
	}
	require.NotEmpty(r, odd)
	require.Equal(r, odd, oddOnes, "the query finds what the page calls odd")
	dues := 0
	for _, one := range all {
		if kind := one.(object)["kind"]; kind == "CONTRIBUTION" || kind == "COVER" {
			dues++
		}
	}
	a.State.FirstDue = "2020-01-01" // As if all had come late.
	found, err = ajos.OnDesk{Ajos: []ajos.Ajo{a}, Not: "nobody", Marks: []nairav1.Mark{nairav1.Mark_MARK_UNSPECIFIED}, Narrowing: ajos.Narrowing{Odd: ajos.Late}}.
		Payments(context.Background(), r.i.Pool, 0, 100)
	require.NoError(r, err)
	require.Len(r, found, dues)
	counts := counted(must[object](validator, "GET", deskPath, nil))
	for name, ids := range want {
		require.Equal(r, ids, append([]string{}, queue(must[object](validator, "GET", deskPath+"?limit=100&queue="+name, nil))...), name)
		require.EqualValues(r, len(ids), counts[name], name)
	}
}

// told is how many notifications of a type somebody has.
func (r *round) told(n int, typ string) int {
	r.Helper()
	return r.people[n].tellings(typ)
}

// tellings is how many notifications of a type they have.
func (p *person) tellings(typ string) (count int) {
	p.Helper()
	for _, n := range must[object](p, "GET", "/api/Notification/all", nil)["notifications"].([]any) {
		if n.(object)["type"] == typ {
			count++
		}
	}
	return count
}

// statusOf is where a cycle stands on a day.
func (r *round) statusOf(days float64, cycle int) string {
	view, err := r.at(days).View(context.Background(), r.people[0].id, r.id)
	require.NoError(r, err)
	return string(view.Cycles[cycle-1].Status)
}

// draws has the job draw, once the beacon's round has come; a wrong one is refused.
func (r *round) draws() {
	r.Helper()
	ctx := context.Background()
	_, _, err := r.at(0.2).SubmitBeacon(ctx, r.who(1), r.id, strings.Repeat("ab", 48))
	require.ErrorContains(r, err, "That is not the beacon of round")
	code := r.i.App.Ajo.InvitationCode(r.id)
	_, _, err = r.at(0.2).Join(ctx, r.who(1), contract.JoinAjoRequest{AjoId: r.id, Code: &code, Hands: "1", TermsHash: strings.Repeat("00", 32), Nonce: strings.Repeat("00", 16), Email: r.people[1].email})
	require.ErrorContains(r, err, "The list is sealed until the draw at")
	require.NoError(r, r.at(0.2).Advance(ctx, r.id))
	proof := must[object](nobody(r, r.i.Address), "GET", "/api/v1/ajo/"+r.id+"/draw", nil)
	require.Len(r, proof["order"], 4)
	signature, err := hex.DecodeString(proof["signature"].(string))
	require.NoError(r, err)
	require.NoError(r, r.i.Beacon.Beacon().Verify(uint64(proof["round"].(float64)), signature))
	require.Equal(r, "ACTIVE", r.sees(0)["status"])
}
