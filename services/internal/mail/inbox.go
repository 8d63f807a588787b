package mail

import (
	"context"
	"html/template"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/lagos"
)

const inboxMax = 100

var (
	inboxPage  = template.Must(template.ParseFS(templates, "templates/inbox.html"))
	webAddress = regexp.MustCompile(`https?://[^\s<>"]+`)
)

// Shown is a letter as the inbox shows it.
type Shown struct {
	ID        int64
	To        string
	Subject   string
	Text      string
	CreatedAt time.Time
}

// Body is the text with its web addresses as links.
func (q Shown) Body() template.HTML {
	var out strings.Builder
	rest := q.Text
	for _, at := range webAddress.FindAllStringIndex(q.Text, -1) {
		before := len(q.Text) - len(rest)
		link := template.HTMLEscapeString(q.Text[at[0]:at[1]])
		out.WriteString(template.HTMLEscapeString(q.Text[before:at[0]]))
		out.WriteString(`<a href="` + link + `">` + link + `</a>`)
		rest = q.Text[at[1]:]
	}
	out.WriteString(template.HTMLEscapeString(rest))
	return template.HTML(out.String()) //nolint:gosec // Every part is escaped above.
}

// Time is the moment in Lagos, as people read it.
func (q Shown) Time() string {
	return q.CreatedAt.In(lagos.Zone).Format("2 Jan 2006, 15:04:05")
}

// Inbox shows the newest letters at /dev/inbox, all or with ?to= one recipient's. It shows everyone's mail and must
// never be mounted where members are real.
func Inbox(pool *pgxpool.Pool) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /dev/inbox/style.css", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, templates, "templates/inbox.css")
	})
	mux.HandleFunc("GET /dev/inbox", func(w http.ResponseWriter, r *http.Request) {
		to := strings.ToLower(strings.TrimSpace(r.URL.Query().Get("to")))
		letters, err := Newest(r.Context(), pool, to)
		if err != nil {
			slog.ErrorContext(r.Context(), "inbox", "error", err)
			http.Error(w, "The inbox cannot be read just now.", http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		view := struct {
			To      string
			Letters []Shown
		}{to, letters}
		if err := inboxPage.Execute(w, view); err != nil {
			slog.DebugContext(r.Context(), "inbox", "error", err)
		}
	})
	return mux
}

// Newest writes the newest letters, all or those to one address. The text of a sent letter is not kept.
func Newest(ctx context.Context, pool *pgxpool.Pool, to string) ([]Shown, error) {
	if strings.ContainsRune(to, 0) {
		return nil, nil
	}
	rows, err := pool.Query(ctx, `
		SELECT id, recipient, CASE WHEN said = '' THEN '' ELSE form END, said, subject, body_text, created_at FROM mail_outbox
		WHERE ($1 = '' OR recipient = $1) AND state <> 'FORGOTTEN' ORDER BY id DESC LIMIT $2`, strings.ToValidUTF8(to, ""), inboxMax)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (Shown, error) {
		var s Shown
		var m Message
		if err := row.Scan(&s.ID, &s.To, &m.form, &m.said, &m.old.Subject, &m.old.Text, &s.CreatedAt); err != nil {
			return s, err
		}
		letter, err := m.Write()
		if err != nil {
			letter.Subject = "A letter that cannot be written: " + err.Error()
		}
		s.Subject, s.Text = letter.Subject, letter.Text
		return s, nil
	})
}
