package sandbox_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/sandbox"
	"adashi.ng/services/internal/rails/sandbox/uploads"
)

// disputed makes a paid card payment that is disputed, and the answer to it.
func (b *bundle) disputed(t *testing.T, reference string, accept bool) (int64, rails.CardAnswer) {
	t.Helper()
	page := b.start(t, b.paystack, reference, 5_000*naira).CheckoutURL
	b.page(t, "POST", page, url.Values{"action": {"pay"}})
	require.Contains(t, string(b.hook(t).body), "charge.success")
	id, err := b.bank.Disputes(t.Context(), sandbox.CardDispute{Reference: reference, Category: "fraud", Silent: true})
	require.NoError(t, err)
	answer := rails.CardAnswer{
		ProviderRef: "dispute-" + strconv.FormatInt(id, 10), Message: "Our customer paid and was credited: AD-" + reference, Facts: "Paid on 24 November.",
		Payer: rails.CardPayer{Name: "Ada Obi", Email: "ada@example.com", Phone: "+2348030000001"}, File: rails.CardFile{Name: "receipt.pdf", ContentType: "application/pdf", Data: []byte("%PDF-1.7")},
	}
	if accept {
		answer.Accept, answer.Amount = true, 5_000*naira
	}
	return id, answer
}

// sends prepares an answer and gives it.
func (b *bundle) sends(t *testing.T, answer rails.CardAnswer) rails.AnswerStatus {
	t.Helper()
	send, err := b.paystack.PrepareAnswer(t.Context(), answer)
	require.NoError(t, err)
	return send(t.Context())
}

func (b *bundle) stands(t *testing.T, answer rails.CardAnswer) rails.AnswerStatus {
	t.Helper()
	status, err := b.paystack.AnswerStatus(t.Context(), answer)
	require.NoError(t, err)
	return status
}

func TestADisputeIsDeclinedOnceWithWhatWasUploaded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id, answer := b.disputed(t, "reference-of-declined", false)
	require.Equal(t, rails.AnswerWaits, b.stands(t, answer).State)
	require.Equal(t, rails.AnswerPending, b.sends(t, answer).State, "that it was taken, asking says")
	require.Equal(t, rails.AnswerTaken, b.stands(t, answer).State)
	got, err := b.bank.Answered(t.Context(), id)
	require.NoError(t, err)
	require.Equal(t, uploads.Answer{
		Resolution: "declined", Message: answer.Message, Answers: 1, Name: "Ada Obi", Phone: "+2348030000001", Facts: answer.Facts, File: "receipt.pdf", Content: []byte("%PDF-1.7"),
	}, got)
	require.Equal(t, rails.AnswerPending, b.sends(t, answer).State, "what it has already is no refusal")
	require.NoError(t, b.bank.EndDispute(t.Context(), id, true))
	require.Equal(t, rails.AnswerTaken, b.stands(t, answer).State, "it lost, and it was given")
}

func TestAnAcceptedDisputeGivesBackWhatItSays(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id, answer := b.disputed(t, "reference-of-accepted", true)
	require.NoError(t, b.bank.GoesWrong(t.Context(), id, sandbox.AnswersTold))
	send, err := b.paystack.PrepareAnswer(t.Context(), answer)
	require.NoError(t, err)
	require.Equal(t, rails.AnswerPending, send(t.Context()).State)
	require.Len(t, b.hooks, 3, "the webhooks came before the reply: the refund, and the dispute twice")
	for range 3 {
		b.hook(t)
	}
	require.Equal(t, rails.AnswerStatus{State: rails.AnswerTaken, Amount: 5_000 * naira, Said: "HTTP 200, Dispute retrieved, resolved merchant-accepted"}, b.stands(t, answer))
	back, err := b.paystack.Reversals(t.Context(), "reference-of-accepted")
	require.NoError(t, err)
	require.Len(t, back, 1)
	require.Equal(t, 5_000*naira, back[0].Gross)

	id, answer = b.disputed(t, "reference-of-one-kobo", true)
	require.NoError(t, b.bank.GoesWrong(t.Context(), id, sandbox.AnswersKobo))
	b.sends(t, answer)
	require.Equal(t, 5_000*naira-1, b.stands(t, answer).Amount, "whoever asked sees that it is another amount")
}

func TestOnlyARefusalOfTheGatewaysOwnRefusesAnAnswer(t *testing.T) {
	t.Parallel()
	for how, c := range map[string]struct {
		then  rails.AnswerState
		times int
	}{
		sandbox.AnswersSilent: {rails.AnswerTaken, 1}, sandbox.AnswersXML: {rails.AnswerTaken, 1},
		sandbox.AnswersLost: {rails.AnswerWaits, 0}, sandbox.AnswersBroken: {rails.AnswerWaits, 0},
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			id, answer := b.disputed(t, "reference-of-"+how, false)
			require.NoError(t, b.bank.GoesWrong(t.Context(), id, how))
			require.Equal(t, rails.AnswerPending, b.sends(t, answer).State)
			require.Equal(t, c.then, b.stands(t, answer).State)
			got, err := b.bank.Answered(t.Context(), id)
			require.NoError(t, err)
			require.Equal(t, c.times, got.Answers)
		})
	}
	b := setup(t)
	id, answer := b.disputed(t, "reference-of-the-late", false)
	send, err := b.paystack.PrepareAnswer(t.Context(), answer)
	require.NoError(t, err)
	require.NoError(t, b.bank.RunsOut(t.Context(), id))
	late := send(t.Context())
	require.Equal(t, []any{rails.AnswerRefused, "Dispute is past its due date"}, []any{late.State, late.Reason})
	require.Equal(t, rails.AnswerWaits, b.stands(t, answer).State)
	require.NoError(t, b.bank.Lapse(t.Context(), id))
	require.Equal(t, rails.AnswerRefused, b.stands(t, answer).State, "somebody else's end is not our answer")
	answer.Accept, answer.Amount = true, 1
	require.Equal(t, rails.AnswerRefused, b.stands(t, answer).State, "that nobody answered is no acceptance of ours")
}

func TestAnAnswerIsNotPreparedWhereItsGroundsAreNotTaken(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id, answer := b.disputed(t, "reference-of-expired", false)
	require.NoError(t, b.bank.GoesWrong(t.Context(), id, sandbox.UrlsExpired))
	_, err := b.paystack.PrepareAnswer(t.Context(), answer)
	requireFault(t, err, fault.Unavailable, "cannot be reached")
	require.NotContains(t, err.Error(), "signature", "the address is a secret for a while")
	require.NoError(t, b.bank.GoesWrong(t.Context(), id, sandbox.AnswersPlain))
	unknown := answer
	unknown.ProviderRef = "dispute-4711"
	_, err = b.paystack.PrepareAnswer(t.Context(), unknown)
	requireFault(t, err, fault.Unavailable, "cannot be reached")
	require.Equal(t, rails.AnswerRefused, b.stands(t, unknown).State)
	nameless := answer
	nameless.Payer.Name = ""
	_, err = b.paystack.PrepareAnswer(t.Context(), nameless)
	requireFault(t, err, fault.Unavailable, "cannot be reached")
}

func TestTheGatewayHoldsAnAnswerToItsDispute(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id, answer := b.disputed(t, "reference-of-the-first", false)
	answered, other := b.disputed(t, "reference-of-the-other", false)
	b.sends(t, other)
	var evidence int64
	require.NoError(t, b.pool.QueryRow(t.Context(), `SELECT max(id) FROM sandbox_dispute_evidence`).Scan(&evidence))
	_, err := b.paystack.PrepareAnswer(t.Context(), answer)
	require.NoError(t, err)
	var file, empty string
	require.NoError(t, b.pool.QueryRow(t.Context(), `SELECT name FROM sandbox_dispute_files WHERE dispute = $1`, id).Scan(&file))
	require.NoError(t, b.pool.QueryRow(t.Context(), `INSERT INTO sandbox_dispute_files (name, dispute, filename, token, expires_at) VALUES ('empty', $1, '', '', now()) RETURNING name`, id).Scan(&empty))
	for says, order := range map[string]map[string]any{
		"Evidence does not belong":    {"resolution": "declined", "evidence": evidence, "uploaded_filename": file},
		"Evidence does not belong to": {"resolution": "declined", "uploaded_filename": file},
		"No file was uploaded":        {"resolution": "declined", "evidence": evidence + 1, "uploaded_filename": empty},
		"Invalid refund amount":       {"resolution": "merchant-accepted", "evidence": evidence + 1, "uploaded_filename": file, "refund_amount": 500_001},
		"Invalid resolution":          {"resolution": "maybe", "evidence": evidence + 1, "uploaded_filename": file},
	} {
		order["message"] = "We answer."
		require.Contains(t, b.resolves(t, id, order), says, says)
	}
	got, err := b.bank.Answered(t.Context(), id)
	require.NoError(t, err)
	require.Empty(t, got.Resolution)
	var uploaded string
	require.NoError(t, b.pool.QueryRow(t.Context(), `SELECT name FROM sandbox_dispute_files WHERE dispute = $1`, answered).Scan(&uploaded))
	again := map[string]any{"resolution": "merchant-accepted", "message": "Or not.", "evidence": evidence, "uploaded_filename": uploaded, "refund_amount": 1}
	require.Equal(t, "Dispute has already been resolved", b.resolves(t, answered, again))
}

// resolves answers a dispute with an order that the merchant wrote itself.
func (b *bundle) resolves(t *testing.T, id int64, order map[string]any) string {
	t.Helper()
	raw, err := json.Marshal(order)
	require.NoError(t, err)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPut, b.base+"/sandbox/paystack/dispute/"+strconv.FormatInt(id, 10)+"/resolve", strings.NewReader(string(raw)))
	require.NoError(t, err)
	request.Header.Set("Authorization", "Bearer sk_sandbox")
	response, err := (&http.Client{Timeout: time.Minute}).Do(request)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	var reply struct {
		Message string `json:"message"`
	}
	require.NoError(t, json.NewDecoder(response.Body).Decode(&reply))
	return reply.Message
}
