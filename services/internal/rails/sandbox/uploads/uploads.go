// Package uploads is where the sandbox's gateway has merchants upload files for disputes: at addresses that are signed,
// need no key, and work for a while. It also tells what merchants answered.
package uploads

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/clock"
)

// Path is where files are uploaded to.
const Path = "/sandbox/uploads/"

const (
	uploadTime = 10 * time.Minute
	bytesMax   = 10 << 20
)

// Files are those of disputes. It serves Path.
type Files struct {
	Pool *pgxpool.Pool
	Now  clock.Clock
}

// Offer answers the address to which a file of a dispute may be uploaded, and the name that it has from then on. The
// address is where the merchant reached us; that of an expired offer takes nothing.
func (f Files) Offer(r *http.Request, dispute int64, filename string, expired bool) (address, name string, err error) {
	name, token, until := strings.ToLower(rand.Text()[:20]), rand.Text(), f.Now().Add(uploadTime)
	if expired {
		until = f.Now()
	}
	_, err = f.Pool.Exec(r.Context(), `INSERT INTO sandbox_dispute_files (name, dispute, filename, token, expires_at) VALUES ($1, $2, $3, $4, $5)`, name, dispute, filename, token, until)
	return "http://" + r.Host + Path + name + "?signature=" + token, name, err
}

// ServeHTTP takes a file. Who sends a key along is refused: it would be told to whoever keeps the files.
func (f Files) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	content, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bytesMax))
	var token string
	var until time.Time
	if err == nil {
		err = f.Pool.QueryRow(r.Context(), `SELECT token, expires_at FROM sandbox_dispute_files WHERE name = $1`, r.PathValue("name")).Scan(&token, &until)
	}
	if err != nil || len(content) == 0 || subtle.ConstantTimeCompare([]byte(token), []byte(r.URL.Query().Get("signature"))) != 1 ||
		!f.Now().Before(until) || r.Header.Get("Authorization") != "" {
		http.Error(w, "<Error><Code>AccessDenied</Code></Error>", http.StatusForbidden)
		return
	}
	if _, err := f.Pool.Exec(r.Context(), `UPDATE sandbox_dispute_files SET content = $2 WHERE name = $1`, r.PathValue("name"), content); err != nil {
		slog.ErrorContext(r.Context(), "sandbox", "path", r.Pattern, "error", err)
		w.WriteHeader(http.StatusInternalServerError)
	}
}

// Answer is what a merchant answered to a dispute.
type Answer struct {
	Resolution, Message string
	Answers             int // How often it was answered.
	Name, Phone, Facts  string
	File                string // As the merchant calls it.
	Content             []byte
}

// Answered is what was answered to a dispute; the zero Answer while it was not.
func (f Files) Answered(ctx context.Context, dispute int64) (a Answer, err error) {
	err = f.Pool.QueryRow(ctx, `SELECT answer, message, answers, coalesce(e.customer_name, ''), coalesce(e.customer_phone, ''), coalesce(e.service_details, ''), coalesce(f.filename, ''), f.content
		FROM sandbox_disputes d LEFT JOIN sandbox_dispute_files f ON f.name = d.attachment
		LEFT JOIN LATERAL (SELECT * FROM sandbox_dispute_evidence e WHERE e.dispute = d.id ORDER BY id DESC LIMIT 1) e ON true WHERE d.id = $1`, dispute).
		Scan(&a.Resolution, &a.Message, &a.Answers, &a.Name, &a.Phone, &a.Facts, &a.File, &a.Content)
	return a, err
}
