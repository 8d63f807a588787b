package sandbox

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/money"
	"adashi.ng/services/internal/rails/sandbox/uploads"
)

// How the gateway takes the answer to a dispute, in addition to AnswersPlain, AnswersSilent, AnswersLost and
// AnswersXML.
const (
	AnswersBroken = "broken"  // It does nothing, and answers 500.
	AnswersTold   = "told"    // It takes it, and sends its webhook twice, before the reply.
	AnswersKobo   = "kobo"    // It takes it with one kobo less than we asked.
	UrlsExpired   = "expired" // The upload address has expired.
)

// GoesWrong sets how the gateway takes the answer to a dispute from now on.
func (b *Bank) GoesWrong(ctx context.Context, dispute int64, how string) error {
	_, err := b.pool.Exec(ctx, `UPDATE sandbox_disputes SET manner = $2 WHERE id = $1`, dispute, how)
	return err
}

// RunsOut ends the time for answers now.
func (b *Bank) RunsOut(ctx context.Context, dispute int64) error {
	_, err := b.pool.Exec(ctx, `UPDATE sandbox_disputes SET due_at = $2 WHERE id = $1`, dispute, b.now())
	return err
}

// Answered returns the merchant's answer to a dispute; the zero value when there is none.
func (b *Bank) Answered(ctx context.Context, dispute int64) (uploads.Answer, error) {
	return b.uploads().Answered(ctx, dispute)
}

// one returns the dispute that a call names. When ok is false, it has already answered the call.
func (b *Bank) one(w http.ResponseWriter, r *http.Request) (d bankDispute, ok bool) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	var found []bankDispute
	if err == nil {
		found, err = b.disputes(r.Context(), "d.id = $1", id)
	}
	switch {
	case errors.Is(err, strconv.ErrSyntax), err == nil && len(found) == 0:
		paystackReply(w, http.StatusNotFound, false, "Dispute not found", nil)
		return d, false
	case err != nil:
		broken(w, r, err)
		return d, false
	}
	return found[0], true
}

func (b *Bank) paystackDispute(w http.ResponseWriter, r *http.Request) {
	if d, ok := b.one(w, r); ok {
		paystackReply(w, http.StatusOK, true, "Dispute retrieved", d.data())
	}
}

// paystackEvidence records who paid and for what.
func (b *Bank) paystackEvidence(w http.ResponseWriter, r *http.Request) {
	d, ok := b.one(w, r)
	if !ok {
		return
	}
	var asked struct {
		Email string `json:"customer_email"`
		Name  string `json:"customer_name"`
		Phone string `json:"customer_phone"`
		Facts string `json:"service_details"`
	}
	if err := readJSON(r, &asked); err != nil || !strings.Contains(asked.Email, "@") || asked.Name == "" || asked.Phone == "" || asked.Facts == "" {
		paystackReply(w, http.StatusBadRequest, false, "Invalid evidence", nil)
		return
	}
	var id int64
	err := b.pool.QueryRow(r.Context(), `INSERT INTO sandbox_dispute_evidence (dispute, customer_email, customer_name, customer_phone, service_details) VALUES ($1, $2, $3, $4, $5) RETURNING id`,
		d.ID, word(asked.Email, 320), word(asked.Name, 200), word(asked.Phone, 40), word(asked.Facts, 8000)).Scan(&id)
	if err != nil {
		broken(w, r, err)
		return
	}
	paystackReply(w, http.StatusOK, true, "Evidence created", map[string]any{
		"id": id, "dispute": d.ID, "customer_email": asked.Email, "customer_name": asked.Name, "customer_phone": asked.Phone, "service_details": asked.Facts,
	})
}

// paystackUploadURL returns the address for uploading a file.
func (b *Bank) paystackUploadURL(w http.ResponseWriter, r *http.Request) {
	d, ok := b.one(w, r)
	if !ok {
		return
	}
	filename := word(r.URL.Query().Get("upload_filename"), 200)
	if filename == "" {
		paystackReply(w, http.StatusBadRequest, false, "upload_filename is required", nil)
		return
	}
	address, name, err := b.uploads().Offer(r, d.ID, filename, d.Manner == UrlsExpired)
	if err != nil {
		broken(w, r, err)
		return
	}
	paystackReply(w, http.StatusOK, true, "Upload url generated", map[string]any{"signedUrl": address, "fileName": name})
}

func (b *Bank) uploads() uploads.Files {
	return uploads.Files{Pool: b.pool, Now: b.now}
}

// paystackResolveDispute takes the merchant's answer, once.
func (b *Bank) paystackResolveDispute(w http.ResponseWriter, r *http.Request) {
	d, ok := b.one(w, r)
	if !ok {
		return
	}
	switch d.Manner {
	case AnswersLost:
		hangUp()
	case AnswersBroken:
		broken(w, r, errors.New("sandbox: as it was told to"))
		return
	}
	refusal, err := b.takeAnswer(r, &d)
	switch {
	case err != nil:
		broken(w, r, err)
		return
	case refusal != "":
		paystackReply(w, http.StatusBadRequest, false, refusal, nil)
		return
	}
	b.hooks.Nudge()
	if d.Manner == AnswersTold {
		b.hooks.Delivered(r.Context())
	}
	answer(w, r, railPaystack, Manner{Answer: d.Manner}, func() { paystackReply(w, http.StatusOK, true, "Dispute successfully resolved", d.data()) })
}

// takeAnswer checks an answer against its dispute, and stores it. It returns the reason of a refusal.
func (b *Bank) takeAnswer(r *http.Request, d *bankDispute) (refusal string, err error) {
	var asked struct {
		Resolution string `json:"resolution"`
		Message    string `json:"message"`
		Amount     int64  `json:"refund_amount"`
		File       string `json:"uploaded_filename"`
		Evidence   int64  `json:"evidence"`
	}
	if err := readJSON(r, &asked); err != nil || asked.Resolution != accepted && asked.Resolution != declined || word(asked.Message, 8000) == "" {
		return "Invalid resolution", nil //nolint:nilerr // The merchant's mistake, not ours.
	}
	err = pgx.BeginFunc(r.Context(), b.pool, func(tx pgx.Tx) error {
		var answer, resolution string
		var evidence, uploaded bool
		err := tx.QueryRow(r.Context(), `UPDATE sandbox_disputes SET answers = answers + 1 WHERE id = $1 RETURNING answer, resolution,
			EXISTS (SELECT FROM sandbox_dispute_evidence e WHERE e.id = $2 AND e.dispute = $1),
			EXISTS (SELECT FROM sandbox_dispute_files f WHERE f.name = $3 AND f.dispute = $1 AND f.content IS NOT NULL)`, d.ID, asked.Evidence, word(asked.File, 100)).
			Scan(&answer, &resolution, &evidence, &uploaded)
		switch {
		case err != nil:
			return err
		case answer != "" || resolution != "":
			refusal = "Dispute has already been resolved"
		case !b.now().Before(d.DueAt):
			refusal = "Dispute is past its due date"
		case !evidence && (asked.Evidence != 0 || asked.Resolution == declined):
			refusal = "Evidence does not belong to this dispute"
		case !uploaded:
			refusal = "No file was uploaded under that name"
		case asked.Amount < 0 || asked.Amount > int64(d.charge.Amount) || asked.Resolution == accepted && asked.Amount == 0:
			refusal = "Invalid refund amount"
		}
		if refusal != "" {
			return nil
		}
		return b.keepAnswer(r.Context(), tx, d, asked.Resolution, word(asked.Message, 8000), word(asked.File, 100), asked.Amount)
	})
	return refusal, err
}

func (b *Bank) keepAnswer(ctx context.Context, tx pgx.Tx, d *bankDispute, resolution, message, file string, amount int64) error {
	now := b.now()
	d.Answer, d.AnsweredAt, d.Message = resolution, &now, message
	if resolution == accepted {
		if d.Manner == AnswersKobo {
			amount--
		}
		d.Amount, d.Resolution, d.ResolvedAt = money.Kobo(amount), accepted, &now
	}
	if _, err := tx.Exec(ctx, `UPDATE sandbox_disputes SET answer = $2, answered_at = $3, message = $4, attachment = $5, resolution = $6, resolved_at = $7, amount = $8 WHERE id = $1`,
		d.ID, d.Answer, now, message, file, d.Resolution, d.ResolvedAt, int64(d.Amount)); err != nil {
		return err
	}
	if resolution != accepted {
		return b.tells(ctx, tx, "charge.dispute.remind", d.data(), now, d.Manner == AnswersTold)
	}
	if err := b.refund(ctx, tx, d.charge, Takeback{Amount: d.Amount}, true); err != nil {
		return err
	}
	return b.tells(ctx, tx, "charge.dispute.resolve", d.data(), now, d.Manner == AnswersTold)
}
