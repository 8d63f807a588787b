package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/projections/activity"
	"adashi.ng/services/internal/statement"
	"adashi.ng/services/internal/usecase"
)

// IssuedReceipt is a receipt's file.
type IssuedReceipt struct {
	Code     string
	File     []byte
	Position int64 // Of its movement.
}

// ReceiptFile issues the receipt of a member's movement, as a PDF or as a picture. It says no balance: it is to be
// handed on.
func (a *App) ReceiptFile(ctx context.Context, user, id string, picture bool) (IssuedReceipt, error) {
	id, err := usecase.ParseID(id, "movement")
	if err != nil {
		return IssuedReceipt{}, err
	}
	m, err := activity.One(ctx, a.Pool, user, uuid.MustParse(id))
	if err != nil {
		return IssuedReceipt{}, usecase.NotThere(err, activity.ErrNone, "movement")
	}
	n, err := a.Names(ctx, []string{m.GroupID}, []string{m.SubAccountID})
	if err != nil {
		return IssuedReceipt{}, err
	}
	cards, err := a.People.Cards(ctx, []string{user})
	if err != nil {
		return IssuedReceipt{}, err
	}
	code, issued := newStatementCode(), a.Now().UTC().Truncate(time.Microsecond)
	r := statement.Receipt{
		Title: title(m, n), Holder: usecase.FullName(cards, user), Group: n.Groups[m.GroupID].Name, Amount: m.Amount, Incoming: activity.Incoming(m.Kind),
		At: m.EffectiveAt.In(lagos.Zone), Reference: m.Reference, Position: m.Pos, IssuedAt: issued.In(lagos.Zone),
		Code: code, Address: a.Options.PublicURL + "/verify-statement/" + code,
	}
	for _, s := range m.Settled {
		r.Settled = append(r.Settled, usecase.SettlementOf(usecase.ScheduleOf(n.Subs[m.SubAccountID]), s.Period, s.Kobo).Label)
	}
	set := statement.ReceiptPDF
	if picture {
		set = statement.ReceiptPNG
	}
	file, err := set(r)
	if err != nil {
		return IssuedReceipt{}, err
	}
	sum := sha256.Sum256(file)
	_, err = a.Pool.Exec(ctx, "INSERT INTO receipts_issued VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
		code, user, m.ID, r.Title, r.Group, m.Amount, r.Incoming, m.EffectiveAt, m.Reference, m.Pos, issued, sum[:])
	return IssuedReceipt{code, file, m.Pos}, err
}

// receiptFacts are what the receipt of a code says; false where there is none.
func (a *App) receiptFacts(ctx context.Context, code string) (out contract.StatementFacts, found bool, err error) {
	var (
		says     contract.ReceiptFacts
		user     string
		group    string
		amount   money.Kobo
		incoming bool
		sum      []byte
	)
	err = a.Pool.QueryRow(ctx, "SELECT code, user_id, title, group_name, kobo, incoming, at, reference, position, issued_at, sha256 FROM receipts_issued WHERE code = $1", code).
		Scan(&out.Code, &user, &says.Title, &group, &amount, &incoming, &says.Date, &says.Reference, &out.Position, &out.IssuedAt, &sum)
	if errors.Is(err, pgx.ErrNoRows) {
		return out, false, nil
	}
	if err != nil {
		return out, false, err
	}
	cards, err := a.People.Cards(ctx, []string{user})
	says.Amount, says.Direction, says.Group, says.Date = usecase.Naira(amount), contract.ReceiptFactsDirectionOUT, usecase.OrNil(group), says.Date.UTC()
	out.MoneyIn, out.MoneyOut = usecase.Naira(0), usecase.Naira(amount)
	if incoming {
		says.Direction, out.MoneyIn, out.MoneyOut = contract.ReceiptFactsDirectionIN, usecase.Naira(amount), usecase.Naira(0)
	}
	day := savings.Day(says.Date).Format(time.DateOnly)
	out.Holder, out.From, out.To, out.Opening, out.Closing = usecase.ShortName(cards, user), day, day, usecase.Naira(0), usecase.Naira(0)
	out.Movements, out.IssuedAt, out.Sha256, out.Receipt = 1, out.IssuedAt.UTC(), hex.EncodeToString(sum), &says
	return out, true, err
}

// issuedNone is the answer to a code that was never given out.
var issuedNone = fault.New(fault.NotFound, "We never issued a statement or a receipt with this code. Please check it for a slip; if it is as printed, do not trust the paper.")
