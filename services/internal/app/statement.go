package app

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/projections/activity"
	"adashi.ng/services/internal/statement"
	"adashi.ng/services/internal/usecase"
)

// The bounds of a statement.
const (
	statementDaysMax = 366
)

// IssuedStatement is a statement's file.
type IssuedStatement struct {
	Code     string
	PDF      []byte
	Position int64 // The ledger's position that it stands for.
}

// Statement issues the statement of a member's wallet from one Lagos day to another, both included.
func (a *App) Statement(ctx context.Context, user, from, to string) (IssuedStatement, error) {
	begin, end, err := a.statementSpan(from, to)
	if err != nil {
		return IssuedStatement{}, err
	}
	s, err := activity.StatementOf(ctx, a.Pool, user, begin, end, statement.MovementsMax)
	if errors.Is(err, activity.ErrTooMany) {
		return IssuedStatement{}, fault.Field("from", "There are more than %d movements in this time. Choose a shorter one, or download them as CSV.", statement.MovementsMax)
	}
	if err != nil {
		return IssuedStatement{}, err
	}
	n, err := a.namesOf(ctx, s.Movements)
	if err != nil {
		return IssuedStatement{}, err
	}
	cards, err := a.People.Cards(ctx, []string{user})
	if err != nil {
		return IssuedStatement{}, err
	}
	code, issued := newStatementCode(), a.Now().UTC().Truncate(time.Microsecond)
	pdf, err := statement.PDF(statement.Statement{
		Holder: usecase.FullName(cards, user), From: begin, To: end.AddDate(0, 0, -1), Opening: s.Opening, Closing: s.Closing, In: s.In, Out: s.Out,
		Lines: statementLines(s, n), Position: s.Position, IssuedAt: issued.In(lagos.Zone), Code: code, Address: a.Options.PublicURL + "/verify-statement/" + code,
	})
	if err != nil {
		return IssuedStatement{}, err
	}
	sum := sha256.Sum256(pdf)
	_, err = a.Pool.Exec(ctx, "INSERT INTO statements_issued VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
		code, user, from, to, s.Opening, s.Closing, s.In, s.Out, len(s.Movements), s.Position, issued, sum[:])
	return IssuedStatement{code, pdf, s.Position}, err
}

// statementSpan holds a statement's days to their bounds: none is yet to come.
func (a *App) statementSpan(from, to string) (begin, end time.Time, err error) {
	if from == "" || to == "" {
		return begin, end, fault.Field("from", "Enter the first and the last day as YYYY-MM-DD.")
	}
	if begin, end, err = usecase.Span(&from, &to); err != nil {
		return begin, end, err
	}
	switch last := end.AddDate(0, 0, -1); {
	case last.After(a.Now()):
		return begin, end, fault.Field("to", "The last day must not be after today.")
	case begin.AddDate(0, 0, statementDaysMax).Before(end):
		return begin, end, fault.Field("from", "A statement can cover at most %d days.", statementDaysMax)
	}
	return begin, end, nil
}

func statementLines(s activity.Statement, n usecase.Names) []statement.Line {
	lines, balance := make([]statement.Line, len(s.Movements)), s.Opening
	for i, m := range s.Movements {
		line := statement.Line{At: m.EffectiveAt.In(lagos.Zone), What: title(m, n)}
		if group := n.Groups[m.GroupID].Name; group != "" {
			line.What = group + " · " + line.What
		}
		if activity.Incoming(m.Kind) {
			line.In = m.Amount
		} else {
			line.Out = m.Amount
		}
		balance += line.In - line.Out
		line.Balance = balance
		lines[i] = line
	}
	return lines
}

// codeLetters are Crockford's: none is taken for another.
var codeLetters = base32.NewEncoding("0123456789ABCDEFGHJKMNPQRSTVWXYZ").WithPadding(base32.NoPadding)

// newStatementCode is 80 random bits in four groups, which nobody guesses.
func newStatementCode() string {
	var b [10]byte
	_, _ = rand.Read(b[:]) // It never fails.
	return grouped(codeLetters.EncodeToString(b[:]))
}

func grouped(code string) string {
	return code[:4] + "-" + code[4:8] + "-" + code[8:12] + "-" + code[12:]
}

// readCode reads a code as people type it.
func readCode(text string) (string, bool) {
	code := strings.NewReplacer("-", "", " ", "", "O", "0", "I", "1", "L", "1").Replace(strings.ToUpper(text))
	if len(code) != 16 || strings.Trim(code, "0123456789ABCDEFGHJKMNPQRSTVWXYZ") != "" {
		return "", false
	}
	return grouped(code), true
}

// StatementFacts are what the statement, or the receipt, of a code says, for whoever holds it.
func (a *App) StatementFacts(ctx context.Context, text string) (contract.StatementFacts, error) {
	var (
		out                        contract.StatementFacts
		user                       string
		from, to                   time.Time
		opening, closing, in, gone money.Kobo
		sum                        []byte
	)
	code, ok := readCode(text)
	if !ok {
		return out, issuedNone
	}
	err := a.Pool.QueryRow(ctx, `SELECT code, user_id, from_day, to_day, opening_kobo, closing_kobo, in_kobo, out_kobo, movements, position, issued_at, sha256
		FROM statements_issued WHERE code = $1`, code).Scan(&out.Code, &user, &from, &to, &opening, &closing, &in, &gone, &out.Movements, &out.Position, &out.IssuedAt, &sum)
	if errors.Is(err, pgx.ErrNoRows) {
		receipt, found, err := a.receiptFacts(ctx, code)
		if err == nil && !found {
			err = issuedNone
		}
		return receipt, err
	}
	if err != nil {
		return out, err
	}
	cards, err := a.People.Cards(ctx, []string{user})
	out.Holder, out.From, out.To, out.IssuedAt = usecase.ShortName(cards, user), from.Format(time.DateOnly), to.Format(time.DateOnly), out.IssuedAt.UTC()
	out.Opening, out.Closing, out.MoneyIn, out.MoneyOut, out.Sha256 = usecase.Naira(opening), usecase.Naira(closing), usecase.Naira(in), usecase.Naira(gone), hex.EncodeToString(sum)
	return out, err
}
