package activity

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"github.com/google/uuid"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/projections/activity"
	"adashi.ng/services/internal/statement"
	"adashi.ng/services/internal/usecase"
)

// IssuedReceipt is a receipt's file.
type IssuedReceipt struct {
	Code     string
	File     []byte
	Position int64 // The position of its movement.
}

// ReceiptFile issues the receipt of a member's movement, as a PDF or as a picture. It contains no balance, because the
// member shows it to others.
func (s *Service) ReceiptFile(ctx context.Context, user, id string, picture bool) (IssuedReceipt, error) {
	id, err := usecase.ParseID(id, "movement")
	if err != nil {
		return IssuedReceipt{}, err
	}
	m, err := activity.One(ctx, s.Pool, user, uuid.MustParse(id))
	if err != nil {
		return IssuedReceipt{}, usecase.NotThere(err, activity.ErrNone, "movement")
	}
	n, err := s.Names(ctx, []string{m.GroupID}, []string{m.SubAccountID})
	if err != nil {
		return IssuedReceipt{}, err
	}
	cards, err := s.People.Cards(ctx, []string{user})
	if err != nil {
		return IssuedReceipt{}, err
	}
	if m.Kind == activity.MoneyHeld || m.Kind == activity.HoldEnded {
		return IssuedReceipt{}, fault.New(fault.Conflict, nobodyPaid+" There is no receipt of it.")
	}
	says, err := s.wordsOf(ctx, m)
	if err != nil {
		return IssuedReceipt{}, err
	}
	code, issued := newStatementCode(), s.Now().UTC().Truncate(time.Microsecond)
	r := statement.Receipt{
		Title: cmp.Or(says.title, Title(m, n)), Holder: usecase.FullName(cards, user), Way: says.way, State: says.state, Group: n.Groups[m.GroupID].Name, Amount: m.Amount,
		At: m.EffectiveAt.In(lagos.Zone), Reference: m.Reference, Position: m.Pos, IssuedAt: issued.In(lagos.Zone),
		Code: code, Address: s.PublicURL + "/verify-statement/" + code,
	}
	for _, part := range m.Settled {
		r.Settled = append(r.Settled, usecase.SettlementOf(usecase.ScheduleOf(n.Subs[m.SubAccountID]), part.Period, part.Kobo).Label)
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
	err = s.issued().addReceipt(ctx, receiptRow{
		Code: code, User: user, Movement: m.ID, Title: r.Title, Group: r.Group, Amount: m.Amount, Incoming: activity.Incoming(m.Kind), At: m.EffectiveAt,
		Reference: m.Reference, Position: m.Pos, IssuedAt: issued, SHA256: sum[:],
	})
	return IssuedReceipt{code, file, m.Pos}, err
}

// receiptFacts returns the contents of the receipt of a code; false when there is none.
func (s *Service) receiptFacts(ctx context.Context, code string) (StatementFacts, bool, error) {
	row, found, err := s.issued().receipt(ctx, code)
	if err != nil || !found {
		return StatementFacts{}, false, err
	}
	cards, err := s.People.Cards(ctx, []string{row.User})
	nothing, amount, day := usecase.Naira(0), usecase.Naira(row.Amount), savings.Day(row.At).Format(time.DateOnly)
	says := ReceiptFacts{
		Title: row.Title, Amount: amount, Direction: ReceiptFactsDirectionOUT, Group: usecase.OrNil(row.Group), Date: row.At.UTC(), Reference: row.Reference,
	}
	out := StatementFacts{
		Code: row.Code, Holder: usecase.ShortName(cards, row.User), From: day, To: day, Opening: nothing, Closing: nothing, MoneyIn: nothing, MoneyOut: amount,
		Movements: 1, Position: row.Position, IssuedAt: row.IssuedAt.UTC(), Sha256: hex.EncodeToString(row.SHA256), Receipt: &says,
	}
	if row.Incoming {
		says.Direction, out.MoneyIn, out.MoneyOut = ReceiptFactsDirectionIN, amount, nothing
	}
	if err != nil {
		return out, true, err
	}
	m, err := activity.One(ctx, s.Pool, row.User, row.Movement)
	if errors.Is(err, activity.ErrNone) {
		says.State = new("Our records do not have this movement now.")
		return out, true, nil
	}
	if err != nil {
		return out, true, err
	}
	became, err := s.wordsOf(ctx, m)
	says.State = usecase.OrNil(became.state)
	return out, true, err
}

// issuedNone is the answer to a code that we never issued.
var issuedNone = fault.New(fault.NotFound, "We never issued a statement or a receipt with this code. Please check it for a slip; if it is as printed, do not trust the paper.")
