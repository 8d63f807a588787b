// Package uploads is where merchants upload files for disputes to the sandbox's gateway: at signed addresses that need
// no key and expire. It also stores the merchants' answers.
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

// Path is the path for uploads.
const Path = "/sandbox/uploads/"

const (
	uploadTime = 10 * time.Minute
	bytesMax   = 10 << 20
)

// Files are the files of disputes. It serves Path.
type Files struct {
	Pool *pgxpool.Pool
	Now  clock.Clock
}

// Offer returns the address for uploading a file of a dispute, and the file's name from then on. The address uses the
// host at which the merchant reached us; that of an expired offer takes no file.
func (f Files) Offer(r *http.Request, dispute int64, filename string, expired bool) (address, name string, err error) {
	name, token, until := strings.ToLower(rand.Text()[:20]), rand.Text(), f.Now().Add(uploadTime)
	if expired {
		until = f.Now()
	}
	_, err = f.Pool.Exec(r.Context(), `INSERT INTO sandbox_dispute_files (name, dispute, filename, token, expires_at) VALUES ($1, $2, $3, $4, $5)`, name, dispute, filename, token, until)
	return "http://" + r.Host + Path + name + "?signature=" + token, name, err
}

// ServeHTTP takes a file. It refuses a request that contains a key: the key would reach the company that stores the
// files.
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

// Answer is a merchant's answer to a dispute.
type Answer struct {
	Resolution, Message string
	Answers             int // How many times the merchant answered.
	Name, Phone, Facts  string
	File                string // The merchant's name for it.
	Content             []byte
}

// Answered returns the answer to a dispute; the zero Answer when there is none.
func (f Files) Answered(ctx context.Context, dispute int64) (a Answer, err error) {
	err = f.Pool.QueryRow(ctx, `SELECT answer, message, answers, coalesce(e.customer_name, ''), coalesce(e.customer_phone, ''), coalesce(e.service_details, ''), coalesce(f.filename, ''), f.content
		FROM sandbox_disputes d LEFT JOIN sandbox_dispute_files f ON f.name = d.attachment
		LEFT JOIN LATERAL (SELECT * FROM sandbox_dispute_evidence e WHERE e.dispute = d.id ORDER BY id DESC LIMIT 1) e ON true WHERE d.id = $1`, dispute).
		Scan(&a.Resolution, &a.Message, &a.Answers, &a.Name, &a.Phone, &a.Facts, &a.File, &a.Content)
	return a, err
}
