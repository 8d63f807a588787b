package paystack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/call"
)

var _ rails.CardAnswerer = (*Client)(nil)

// The gateway's words for a dispute's state and result.
const (
	waitsForUs   = "awaiting-merchant-feedback"
	waitsForBank = "awaiting-bank-feedback"
	isResolved   = "resolved"
	accepted     = "merchant-accepted"
	declined     = "declined"
)

// refPrefix distinguishes a dispute's number from the references of refunds and charges.
const refPrefix = "dispute-"

func disputePath(ref, rest string) string {
	return "/dispute/" + url.PathEscape(strings.TrimPrefix(ref, refPrefix)) + rest
}

func resolution(accept bool) string {
	if accept {
		return accepted
	}
	return declined
}

// PrepareAnswer implements rails.CardAnswerer: it gives the gateway the evidence and uploads the file.
func (c *Client) PrepareAnswer(ctx context.Context, answer rails.CardAnswer) (rails.SendAnswer, error) {
	var evidence struct {
		ID int64 `json:"id"`
	}
	err := c.must(ctx, http.MethodPost, disputePath(answer.ProviderRef, "/evidence"), map[string]string{
		"customer_email": answer.Payer.Email, "customer_name": answer.Payer.Name, "customer_phone": answer.Payer.Phone, "service_details": answer.Facts,
	}, &evidence)
	if err != nil {
		return nil, err
	}
	var to struct {
		URL  string `json:"signedUrl"`
		Name string `json:"fileName"`
	}
	if err := c.must(ctx, http.MethodGet, disputePath(answer.ProviderRef, "/upload_url?upload_filename="+url.QueryEscape(answer.File.Name)), nil, &to); err != nil {
		return nil, err
	}
	if evidence.ID == 0 || to.Name == "" || !c.mayUpload(to.URL) {
		return nil, c.caller.Unavailable(fmt.Errorf("evidence %d, file %q, no address to upload to", evidence.ID, to.Name))
	}
	uploaded, err := c.caller.Put(ctx, to.URL, answer.File.ContentType, answer.File.Data)
	if err == nil && uploaded.Status/100 != 2 {
		err = fmt.Errorf("the upload was answered %d", uploaded.Status)
	}
	if err != nil {
		return nil, c.caller.Unavailable(err)
	}
	order := map[string]any{
		"resolution": resolution(answer.Accept), "message": answer.Message, "refund_amount": int64(answer.Amount), "uploaded_filename": to.Name, "evidence": evidence.ID,
	}
	return func(ctx context.Context) rails.AnswerStatus { return c.resolve(ctx, answer.ProviderRef, order) }, nil
}

// mayUpload reports whether files may be uploaded to an address: it must be encrypted, unless the gateway itself is
// not, as in the sandbox.
func (c *Client) mayUpload(address string) bool {
	to, err := url.Parse(address)
	own, failed := url.Parse(c.options.Host)
	return err == nil && failed == nil && to.User == nil && to.Host != "" && (to.Scheme == "https" || to.Scheme == "http" && own.Scheme == "http")
}

// must makes a call and treats every refusal as a gateway that is unavailable now.
func (c *Client) must(ctx context.Context, method, path string, payload, into any) error {
	answer, err := c.do(ctx, method, path, payload)
	if err != nil {
		if fault.Is(err, fault.Unavailable) {
			return err
		}
		return c.caller.Unavailable(err)
	}
	var reply envelope
	if err := json.Unmarshal(answer.Body, &reply); err != nil {
		return c.caller.Unavailable(fmt.Errorf("HTTP %d, not JSON", answer.Status))
	}
	if !reply.OK || !answer.Decided() {
		return c.caller.Unavailable(fmt.Errorf("HTTP %d, %q", answer.Status, reply.Message))
	}
	if err := json.Unmarshal(reply.Data, into); err != nil {
		return c.caller.Unavailable(fmt.Errorf("HTTP %d, data that cannot be read", answer.Status))
	}
	return nil
}

// resolve gives the answer. It never reports success: AnswerStatus does, after asking the gateway. It reports
// AnswerRefused only when the gateway itself refuses, and not when the gateway says that it already has an answer.
func (c *Client) resolve(ctx context.Context, ref string, order map[string]any) rails.AnswerStatus {
	answer, err := c.do(ctx, http.MethodPut, disputePath(ref, "/resolve"), order)
	if err != nil {
		return rails.AnswerStatus{Said: "no answer"}
	}
	var reply envelope
	if err := json.Unmarshal(answer.Body, &reply); err != nil {
		return rails.AnswerStatus{Said: fmt.Sprintf("HTTP %d, not JSON", answer.Status)}
	}
	out := rails.AnswerStatus{Said: fmt.Sprintf("HTTP %d, %s", answer.Status, reply.Message)}
	refused := answer.Status == http.StatusBadRequest || answer.Status == http.StatusUnprocessableEntity || noDispute.by(answer, reply)
	if !reply.OK && refused && !strings.Contains(strings.ToLower(reply.Message), "already") {
		out.State, out.Reason = rails.AnswerRefused, reply.Message
	}
	return out
}

// fetchedDispute is a single dispute as the gateway returns it.
type fetchedDispute struct {
	listedDispute
	Messages []struct {
		Body string `json:"body"`
	} `json:"messages"`
}

// AnswerStatus implements rails.CardAnswerer. It recognizes our answer by its words.
func (c *Client) AnswerStatus(ctx context.Context, answer rails.CardAnswer) (rails.AnswerStatus, error) {
	reply, err := c.do(ctx, http.MethodGet, disputePath(answer.ProviderRef, ""), nil)
	if errors.Is(err, call.ErrLate) {
		return rails.AnswerStatus{Said: "no answer"}, nil
	}
	if err != nil {
		return rails.AnswerStatus{}, err
	}
	var told envelope
	if err := json.Unmarshal(reply.Body, &told); err != nil {
		return rails.AnswerStatus{Said: fmt.Sprintf("HTTP %d, not JSON", reply.Status)}, nil //nolint:nilerr // A proxy's page says nothing of the dispute.
	}
	out := rails.AnswerStatus{Said: fmt.Sprintf("HTTP %d, %s", reply.Status, told.Message)}
	if noDispute.by(reply, told) {
		out.State, out.Reason = rails.AnswerRefused, "The card gateway knows no such dispute."
		return out, nil
	}
	if !told.OK || !reply.Decided() {
		return out, nil
	}
	var d fetchedDispute
	if err := json.Unmarshal(told.Data, &d); err != nil {
		return out, nil //nolint:nilerr // As above.
	}
	if fmt.Sprint(refPrefix, d.ID) != answer.ProviderRef {
		return out, fmt.Errorf("Paystack answered about dispute %d when asked about %s", d.ID, answer.ProviderRef) //nolint:staticcheck // A name.
	}
	out.Said += ", " + strings.TrimSpace(d.Status+" "+d.Resolution)
	return d.read(answer, out), nil
}

func (d fetchedDispute) read(answer rails.CardAnswer, out rails.AnswerStatus) rails.AnswerStatus {
	ours := false
	for _, m := range d.Messages {
		ours = ours || strings.TrimSpace(m.Body) == strings.TrimSpace(answer.Message)
	}
	switch {
	case d.Status == waitsForUs:
		out.State = rails.AnswerWaits
	case ours, d.Status == isResolved && d.Resolution == resolution(answer.Accept), d.Status == waitsForBank && !answer.Accept:
		out.State = rails.AnswerTaken
		if d.Status == isResolved && d.Resolution == accepted {
			out.Amount = money.Kobo(d.RefundAmount)
		}
	case d.Status == isResolved:
		out.State, out.Reason = rails.AnswerRefused, "The dispute ended without this answer: "+d.Resolution+"."
	}
	return out // pending and unknown states are pending.
}
