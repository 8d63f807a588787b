package activity

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
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
	Position int64 // The ledger's position as of which it is true.
}

// Statement issues the statement of a member's wallet from one Lagos day to another, both included.
func (s *Service) Statement(ctx context.Context, user, from, to string) (IssuedStatement, error) {
	begin, end, err := s.statementSpan(from, to)
	if err != nil {
		return IssuedStatement{}, err
	}
	found, err := activity.StatementOf(ctx, s.Pool, user, begin, end, statement.MovementsMax)
	if errors.Is(err, activity.ErrTooMany) {
		return IssuedStatement{}, fault.Field("from", "There are more than %d movements in this time. Choose a shorter one, or download them as CSV.", statement.MovementsMax)
	}
	if err != nil {
		return IssuedStatement{}, err
	}
	n, err := s.namesOf(ctx, found.Movements)
	if err != nil {
		return IssuedStatement{}, err
	}
	cards, err := s.People.Cards(ctx, []string{user})
	if err != nil {
		return IssuedStatement{}, err
	}
	code, issued := newStatementCode(), s.Now().UTC().Truncate(time.Microsecond)
	pdf, err := statement.PDF(statement.Statement{
		Holder: usecase.FullName(cards, user), From: begin, To: end.AddDate(0, 0, -1), Opening: found.Opening, Closing: found.Closing, In: found.In, Out: found.Out,
		Lines: statementLines(found, n), Position: found.Position, IssuedAt: issued.In(lagos.Zone), Code: code, Address: s.PublicURL + "/verify-statement/" + code,
	})
	if err != nil {
		return IssuedStatement{}, err
	}
	sum := sha256.Sum256(pdf)
	err = s.issued().addStatement(ctx, from, to, statementRow{
		Code: code, User: user, Opening: found.Opening, Closing: found.Closing, In: found.In, Out: found.Out,
		Movements: len(found.Movements), Position: found.Position, IssuedAt: issued, SHA256: sum[:],
	})
	return IssuedStatement{code, pdf, found.Position}, err
}

// statementSpan checks a statement's days: none may be in the future.
func (s *Service) statementSpan(from, to string) (begin, end time.Time, err error) {
	if from == "" || to == "" {
		return begin, end, fault.Field("from", "Enter the first and the last day as YYYY-MM-DD.")
	}
	if begin, end, err = usecase.Span(&from, &to); err != nil {
		return begin, end, err
	}
	switch last := end.AddDate(0, 0, -1); {
	case last.After(s.Now()):
		return begin, end, fault.Field("to", "The last day must not be after today.")
	case begin.AddDate(0, 0, statementDaysMax).Before(end):
		return begin, end, fault.Field("from", "A statement can cover at most %d days.", statementDaysMax)
	}
	return begin, end, nil
}

func statementLines(s activity.Statement, n usecase.Names) []statement.Line {
	lines, balance := make([]statement.Line, len(s.Movements)), s.Opening
	for i, m := range s.Movements {
		line := statement.Line{At: m.EffectiveAt.In(lagos.Zone), What: Title(m, n)}
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

// codeLetters are Crockford's: no two of them look alike.
var codeLetters = base32.NewEncoding("0123456789ABCDEFGHJKMNPQRSTVWXYZ").WithPadding(base32.NoPadding)

// newStatementCode is 80 random bits in four groups, which nobody can guess.
func newStatementCode() string {
	var b [10]byte
	_, _ = rand.Read(b[:]) // rand.Read never fails.
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

// StatementFacts returns the contents of the statement, or the receipt, of a code, for anybody who has the code.
func (s *Service) StatementFacts(ctx context.Context, text string) (StatementFacts, error) {
	code, ok := readCode(text)
	if !ok {
		return StatementFacts{}, issuedNone
	}
	row, found, err := s.issued().statement(ctx, code)
	if err != nil {
		return StatementFacts{}, err
	}
	if !found {
		receipt, found, err := s.receiptFacts(ctx, code)
		if err == nil && !found {
			err = issuedNone
		}
		return receipt, err
	}
	cards, err := s.People.Cards(ctx, []string{row.User})
	return StatementFacts{
		Code: row.Code, Holder: usecase.ShortName(cards, row.User), From: row.From.Format(time.DateOnly), To: row.To.Format(time.DateOnly),
		Opening: usecase.Naira(row.Opening), Closing: usecase.Naira(row.Closing), MoneyIn: usecase.Naira(row.In), MoneyOut: usecase.Naira(row.Out),
		Movements: row.Movements, Position: row.Position, IssuedAt: row.IssuedAt.UTC(), Sha256: hex.EncodeToString(row.SHA256),
	}, err
}
