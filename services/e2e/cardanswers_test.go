package e2e

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/cardanswers"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/sandbox"
	"adashi.ng/services/internal/usecase"
)

// answering is a member whose card's bank disputes payments, and those who work on that.
type answering struct {
	i                   *boot.Instance
	c                   club
	sade, uche, yemi    *person
	id                  int64 // The gateway's, of the latest dispute.
	dispute, kase, path string
}

func answers(t *testing.T) *answering {
	t.Helper()
	i := own(t)
	a := &answering{i: i, sade: staff(t, i, "Sade", people.RoleSupport), uche: staff(t, i, "Uche", people.RoleAdmin), yemi: staff(t, i, "Yemi", people.RoleSupport)}
	a.c = found(t, i)
	return a
}

// disputed is another payment that the bank of the member's card disputes; Sade takes the case.
func (a *answering) disputed(t *testing.T) {
	t.Helper()
	a.again(t, (len(disputesOf(a.c.member))+1)*5000)
}

// again is disputed, where the wallet holds so many naira after the payment.
func (a *answering) again(t *testing.T, holds int) {
	t.Helper()
	payment := must[object](a.c.member, "POST", fund, object{"amount": 5000, "email": a.c.member.email, "channel": "CARD"})
	before := len(disputesOf(a.c.member))
	a.c.member.paysWith(payment, fmt.Sprint(holds, ".00"))
	var err error
	a.id, err = a.i.Bank.Disputes(context.Background(), sandbox.CardDispute{Reference: payment["transactionRef"].(string), Category: "fraud"})
	require.NoError(t, err)
	require.Eventually(t, func() bool { return len(disputesOf(a.c.member)) > before }, time.Minute, 20*time.Millisecond)
	a.dispute = disputesOf(a.c.member)[0]["id"].(string)
	a.kase = "/api/v1/support/cases/" + a.dispute
	a.path = a.kase + "/bank-answer"
	require.Equal(t, 200, a.sade.ask("POST", a.kase+"/take", object{}).status)
}

// stands waits until the answer stands somewhere, and answers it.
func (a *answering) stands(t *testing.T, status string) (now object) {
	t.Helper()
	require.Eventually(t, func() bool {
		var is bool
		return a.i.Pool.QueryRow(context.Background(), "SELECT bank_answer = $2 FROM rm_disputes WHERE dispute_id = $1", a.dispute, status).Scan(&is) == nil && is
	}, time.Minute, 20*time.Millisecond, "it never came to %s", status)
	return must[object](a.sade, "GET", a.path, nil)
}

// looks is how often the ledger says that somebody has looked.
func (a *answering) looks(t *testing.T, by *person) (n int) {
	t.Helper()
	require.NoError(t, a.i.Pool.QueryRow(context.Background(), "SELECT count(*) FROM events WHERE type = 'naira.v1.StaffActed' AND actor = $1", by.id).Scan(&n))
	return n
}

// taken is how an answer that somebody of the desk gave stands once the gateway has it. The job may have begun to send
// it before their call did, which then does not wait for it.
func (a *answering) taken(t *testing.T, by *person, given object) object {
	t.Helper()
	if given["status"] == "TAKEN" {
		return given
	}
	require.Contains(t, []any{"GIVEN", "SENT"}, given["status"])
	require.Eventually(t, func() bool {
		given = must[object](by, "GET", a.path, nil)
		return given["status"] == "TAKEN"
	}, time.Minute, 20*time.Millisecond)
	return given
}

var declined = object{"accept": false, "words": "The payment is right: our customer made it."}

func TestSupportDeclinesADisputeOfACardsBankFromTheCase(t *testing.T) {
	t.Parallel()
	a := answers(t)
	a.disputed(t)
	now := must[object](a.sade, "GET", a.path, nil)
	require.Equal(t, []any{"5177.67", "fraud", true, false, false, nil}, []any{naira(t, now["disputed"]), now["bankReason"], now["mayAnswer"], now["mayAgree"], now["ended"], now["status"]})
	require.NotEmpty(t, now["answerBy"])
	require.Contains(t, now["facts"].([]any)[0], "₦5,177.67 was paid by card on")
	require.NotContains(t, now["draft"], a.c.member.email)

	require.Equal(t, http.StatusForbidden, a.yemi.ask("POST", a.path, declined).status, "she does not have the case")
	refused := a.sade.ask("POST", a.path, declined)
	require.Equal(t, []any{http.StatusForbidden, "STEP_UP"}, []any{refused.status, refused.ReturnedCode})
	a.sade.stepsUp()
	a.yemi.stepsUp()
	require.Equal(t, http.StatusForbidden, a.yemi.ask("POST", a.path, declined).status)
	require.Equal(t, http.StatusForbidden, a.c.member.ask("GET", a.path, nil).status)
	early := a.sade.ask("POST", a.kase+"/resolve", object{"upheld": false, "words": "We found no mistake of ours."})
	require.Equal(t, http.StatusConflict, early.status, "the bank waits")
	require.Equal(t, http.StatusBadRequest, a.sade.ask("POST", a.path, object{"accept": true, "amount": 5177.68, "words": "It goes back to them."}).status, "more than is disputed")
	before := a.looks(t, a.sade)
	now = must[object](a.sade, "POST", a.path, declined)
	require.Equal(t, before, a.looks(t, a.sade), "what one does is recorded itself, and is no look")
	now = a.taken(t, a.sade, now)
	before = a.looks(t, a.sade)
	row := must[object](a.sade, "GET", a.kase+"/row", nil)
	require.Equal(t, before, a.looks(t, a.sade), "nor is a line of the desk's list")
	require.Equal(t, []any{now["stepCount"], true, nil}, []any{row["stepCount"], row["isMine"], row["userId"]}, "the answer knows of what came of it")
	require.Equal(t, now["stepCount"], must[object](a.sade, "GET", a.kase, nil)["stepCount"])
	require.Equal(t, before+1, a.looks(t, a.sade))
	require.Equal(t, http.StatusNotFound, a.sade.ask("GET", "/api/v1/support/cases/"+uuid.NewString()+"/row", nil).status)
	require.Equal(t, http.StatusNotFound, a.sade.ask("GET", "/api/v1/support/cases/nonsense/row", nil).status)
	require.Equal(t, http.StatusForbidden, a.c.member.ask("GET", a.kase+"/row", nil).status)
	require.Equal(t, http.StatusConflict, a.sade.ask("POST", a.path, declined).status, "the bank takes one")

	got, err := a.i.Bank.Answered(context.Background(), a.id)
	require.NoError(t, err)
	require.Equal(t, []any{"declined", 1}, []any{got.Resolution, got.Answers})
	require.Contains(t, got.Message, "The payment is right: our customer made it.\n\nOur reference: AD-")
	require.Contains(t, got.Facts, "Anybody can check it at ")
	require.Equal(t, "%PDF-", string(got.Content[:5]))
	require.NotEmpty(t, got.Name)
	a.c.member.told("card_answered")
	a.c.member.holds("5000.00")
	d := must[object](a.c.member, "GET", "/api/v1/disputes/"+a.dispute, nil)
	var kinds []any
	for _, step := range d["steps"].([]any) {
		kinds = append(kinds, step.(object)["kind"])
	}
	require.Equal(t, []any{"BANK_OPENED", "TAKEN", "CARD_DECLINED"}, kinds, "the member sees that the bank has it")
	require.Equal(t, "INVESTIGATING", d["status"], "the bank decides")
	require.NoError(t, a.i.Bank.EndDispute(context.Background(), a.id, false))
	a.c.member.told("card_dispute_ended")
	require.Equal(t, true, must[object](a.sade, "GET", a.path, nil)["ended"])
	require.Equal(t, http.StatusForbidden, a.sade.ask("POST", a.path, declined).status, "the case is over")
	require.Equal(t, 200, a.c.member.ask("GET", "/api/v1/disputes/"+a.dispute+"/bundle", nil).status, "its evidence verifies")
	decidedAgain(t, a.i)
}

func TestMoneyGoesBackToABankByTwoPeople(t *testing.T) {
	t.Parallel()
	a := answers(t)
	a.disputed(t)
	a.sade.stepsUp()
	accepted := object{"accept": true, "amount": 5177.67, "words": "Our customer says that it was not them."}
	now := must[object](a.sade, "POST", a.path, accepted)
	require.Equal(t, []any{"PROPOSED", "5177.67", false, true}, []any{now["status"], naira(t, now["amount"]), now["mayAgree"], now["mayDrop"]})
	agree := object{"answerId": now["answerId"]}
	require.Equal(t, http.StatusForbidden, a.sade.ask("POST", a.path+"/agree", agree).status)
	refused := a.uche.ask("POST", a.path+"/agree", agree)
	require.Equal(t, []any{http.StatusForbidden, "STEP_UP"}, []any{refused.status, refused.ReturnedCode})
	require.Equal(t, http.StatusForbidden, a.yemi.ask("POST", a.path+"/drop", object{"answerId": now["answerId"], "words": "Not so."}).status)
	require.Equal(t, "DROPPED", must[object](a.uche, "POST", a.path+"/drop", object{"answerId": now["answerId"], "words": "Ask the member first."})["status"])
	a.c.member.holds("5000.00")
	now = must[object](a.sade, "POST", a.path, accepted)
	a.uche.stepsUp()
	require.Equal(t, http.StatusConflict, a.uche.ask("POST", a.path+"/agree", agree).status, "that one was dropped")
	require.Equal(t, true, must[object](a.uche, "GET", a.path, nil)["mayAgree"])
	looks := a.looks(t, a.uche)
	agreed := must[object](a.uche, "POST", a.path+"/agree", object{"answerId": now["answerId"]})
	require.Equal(t, looks, a.looks(t, a.uche))
	a.taken(t, a.uche, agreed)
	a.c.member.told("card_answered")
	a.c.member.told("payment_reversed")
	a.c.member.holds("0.00")
	require.Eventually(t, func() bool { return disputesOf(a.c.member)[0]["status"] == "RESOLVED_UPHELD" }, time.Minute, 20*time.Millisecond)

	// Where the gateway gives back another amount the answer stays with the desk.
	a.again(t, 5000)
	require.NoError(t, a.i.Bank.GoesWrong(context.Background(), a.id, sandbox.AnswersKobo))
	now = must[object](a.sade, "POST", a.path, accepted)
	now = must[object](a.uche, "POST", a.path+"/agree", object{"answerId": now["answerId"]})
	require.Equal(t, "SENT", now["status"])
	require.Contains(t, now["said"], "The gateway gives back ₦5,177.66, and ₦5,177.67 was agreed.")
	decidedAgain(t, a.i)
}

func TestAnAnswerIsSentOnceHoweverTheGatewayTakesIt(t *testing.T) {
	t.Parallel()
	a, ctx := answers(t), context.Background()
	sent := func(how string) {
		a.disputed(t)
		require.NoError(t, a.i.Bank.GoesWrong(ctx, a.id, how))
		a.sade.stepsUp()
		require.Equal(t, 200, a.sade.ask("POST", a.path, declined).status)
	}
	answered := func(times int) {
		t.Helper()
		for range 3 { // The job asks, and sends nothing.
			require.NoError(t, a.i.App.CardAnswers.SendAnswers(ctx))
		}
		got, err := a.i.Bank.Answered(ctx, a.id)
		require.NoError(t, err)
		require.Equal(t, times, got.Answers)
	}
	for _, how := range []string{sandbox.AnswersSilent, sandbox.AnswersXML, sandbox.AnswersTold} {
		sent(how)
		a.stands(t, "TAKEN")
		answered(1)
	}

	// One that is lost is asked about for so long that it is believed, and is then given anew.
	sent(sandbox.AnswersLost)
	now := a.stands(t, "SENT")
	require.Contains(t, now["said"], "awaiting-merchant-feedback")
	require.Equal(t, http.StatusConflict, a.sade.ask("POST", a.path, declined).status, "it is being sent")
	answered(0)
	_, err := a.i.Pool.Exec(ctx, "UPDATE asks SET unknown_since = unknown_since - interval '16 minutes', next_at = now() WHERE id = $1", now["answerId"])
	require.NoError(t, err)
	now = a.stands(t, "FAILED")
	require.Equal(t, "The gateway never received it.", now["reason"])
	require.NoError(t, a.i.Bank.GoesWrong(ctx, a.id, sandbox.AnswersPlain))
	require.Equal(t, "TAKEN", must[object](a.sade, "POST", a.path, declined)["status"])
	answered(1)

	// However many processes send, one does.
	sent(sandbox.UrlsExpired)
	a.stands(t, "GIVEN")
	require.NoError(t, a.i.Bank.GoesWrong(ctx, a.id, sandbox.AnswersPlain))
	_, err = a.i.Pool.Exec(ctx, "UPDATE asks SET next_at = now()")
	require.NoError(t, err)
	var together errgroup.Group
	for range 8 {
		together.Go(func() error { return a.i.App.CardAnswers.SendAnswers(ctx) })
	}
	require.NoError(t, together.Wait())
	a.stands(t, "TAKEN")
	answered(1)

	// Where files cannot be uploaded nothing is sent; once they can, it is.
	sent(sandbox.UrlsExpired)
	now = a.stands(t, "GIVEN")
	require.Contains(t, now["said"], "Nothing was sent yet.")
	answered(0)
	require.NoError(t, a.i.Bank.GoesWrong(ctx, a.id, sandbox.AnswersPlain))
	a.stands(t, "TAKEN")
	answered(1)

	// One that comes too late says so, and who disputed gets the money.
	sent(sandbox.AnswersBroken)
	a.stands(t, "SENT")
	require.NoError(t, a.i.Bank.Lapse(ctx, a.id))
	_, err = a.i.Pool.Exec(ctx, "UPDATE asks SET next_at = now()")
	require.NoError(t, err)
	require.Contains(t, a.stands(t, "FAILED")["reason"], "auto-accepted")
	answered(0)
}

func TestSupportIsRemindedOfAnAnswerAndSeesWhatIsDueFirst(t *testing.T) {
	t.Parallel()
	a, ctx := answers(t), context.Background()
	a.disputed(t)
	page := must[object](a.sade, "GET", "/api/v1/support/cases", nil)
	require.EqualValues(t, 1, page["bank"])
	require.NotEmpty(t, page["cases"].([]any)[0].(object)["bankAnswerBy"])
	later := *a.i.App.CardAnswers
	base := *later.Base
	base.Now = func() time.Time { return time.Now().Add(30 * time.Hour) }
	later.Base = &base
	for range 2 {
		require.NoError(t, later.Remind(ctx))
	}
	a.sade.told("card_answer_due")
	var reminded int
	require.NoError(t, a.i.Pool.QueryRow(ctx, "SELECT count(*) FROM events WHERE type = 'naira.v1.CardAnswerDue'").Scan(&reminded))
	require.Equal(t, 1, reminded)
}

func TestAFileOfTheCaseGoesWithAnAnswerAndNoOther(t *testing.T) {
	t.Parallel()
	a := answers(t)
	a.disputed(t)
	a.sade.stepsUp()
	uploads := func(name string) any {
		return a.c.member.upload("document", name, picture(a.c.member)).object(a.c.member)["id"]
	}
	slip, elsewhere := uploads("slip.png"), uploads("another.png")
	require.Equal(t, 200, a.c.member.ask("POST", "/api/v1/disputes/"+a.dispute+"/evidence", object{"fileId": slip}).status)
	now := must[object](a.sade, "GET", a.path, nil)
	require.Equal(t, slip, now["files"].([]any)[0].(object)["id"])
	for _, file := range []any{elsewhere, uuid.NewString()} {
		require.Equal(t, http.StatusBadRequest, a.sade.ask("POST", a.path, object{"accept": false, "words": declined["words"], "file": file}).status)
	}
	require.Equal(t, "TAKEN", must[object](a.sade, "POST", a.path, object{"accept": false, "words": declined["words"], "file": slip})["status"])
	got, err := a.i.Bank.Answered(context.Background(), a.id)
	require.NoError(t, err)
	require.Contains(t, []string{"evidence.png", "evidence.jpg"}, got.File)
	require.NotContains(t, got.Facts, "Receipt")
}

func TestWhereAGatewayTakesNoAnswersNoneIsGiven(t *testing.T) {
	t.Parallel()
	a := answers(t)
	a.disputed(t)
	none, err := rails.NewRegistry()
	require.NoError(t, err)
	alone := *a.i.App.CardAnswers
	alone.Rails = none
	sade := usecase.Who{User: a.sade.id}
	_, _, err = alone.Give(context.Background(), sade, a.dispute, cardanswers.GiveBankAnswerRequest{Words: "The payment is right."})
	require.True(t, fault.Is(err, fault.Conflict), "%v", err)
	require.ErrorContains(t, err, "Answer the bank at the gateway itself.")
	view, err := alone.Answer(context.Background(), sade, a.dispute)
	require.NoError(t, err)
	require.False(t, view.MayAnswer)
}
