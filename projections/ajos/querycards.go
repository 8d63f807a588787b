package ajos

import (
	"context"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
)

func key(ajoID string, cycle int) string { return ajoID + ":" + strconv.Itoa(cycle) }

// Card is a card on which one member saves alone.
type Card struct {
	ID, User, Name, Description string
	Pos                         int64 // Of its opening.
	Amount                      money.Kobo
	Boxes, Filled, ByCollector  int
	Frequency                   nairav1.PaymentFrequency
	Start, Finish               string // YYYY-MM-DD.
	BreakBasisPoints            int
	Status, Collector, Earned   string // Earned is the collector who gets the commission.
	CommissionIn                int
	Fee, VAT, Commission        money.Kobo // The costs of its end.
	OpenedAt                    time.Time
	EndedAt                     *time.Time
}

// Holds is its content, or was.
func (c Card) Holds() money.Kobo { return c.Amount * money.Kobo(c.Filled) }

const cardColumns = `SELECT card_id, user_id, name, description, pos, kobo, boxes, filled, by_collector, frequency, start_day, finish_day, break_basis_points,
	status, collector, earned, commission_in, fee, vat, commission, opened_at, ended_at FROM rm_ajo_cards `

// CardByID reads a card.
func CardByID(ctx context.Context, pool *pgxpool.Pool, id string) (Card, error) {
	found, err := list[Card](pool.Query(ctx, cardColumns+"WHERE card_id = $1", id))
	if err == nil && len(found) == 0 {
		err = ErrNone
	}
	if err != nil {
		return Card{}, err
	}
	return found[0], nil
}

// CardsOf reads a saver's cards, newest first.
func CardsOf(ctx context.Context, pool *pgxpool.Pool, userID string) ([]Card, error) {
	return list[Card](pool.Query(ctx, cardColumns+"WHERE user_id = $1 ORDER BY pos DESC", userID))
}

// Collects reads the open cards that a collector may fill, the oldest first.
func Collects(ctx context.Context, pool *pgxpool.Pool, collectorID string) ([]Card, error) {
	return list[Card](pool.Query(ctx, cardColumns+"WHERE collector = $1 AND status = 'OPEN' ORDER BY pos", collectorID))
}

// Fill is some boxes filled at once.
type Fill struct {
	CardID    string
	Pos       int64
	User, By  string
	FirstBox  int
	Boxes     int
	Amount    money.Kobo
	At        time.Time // The time from which it counts.
	PaymentID string
	EventID   uuid.UUID
}

const fillColumns = "SELECT card_id, pos, user_id, paid_by, first_box, boxes, kobo, effective_at, payment_id, event_id FROM rm_ajo_card_fills "

// Fills reads the fills of a card before a position (0: from the newest), newest first.
func Fills(ctx context.Context, pool *pgxpool.Pool, cardID string, before int64, limit int) ([]Fill, error) {
	return list[Fill](pool.Query(ctx, fillColumns+"WHERE card_id = $1 AND pos < $2 ORDER BY pos DESC LIMIT $3", cardID, orNewest(before), limit))
}

// FillsOf reads the fills that a member paid for, and those of their own cards, before a position (0: from the newest),
// newest first.
func FillsOf(ctx context.Context, pool *pgxpool.Pool, userID string, before int64, limit int) ([]Fill, error) {
	return list[Fill](pool.Query(ctx, fillColumns+`WHERE (paid_by = $1 OR card_id IN (SELECT card_id FROM rm_ajo_cards WHERE user_id = $1)) AND pos < $2
		ORDER BY pos DESC LIMIT $3`, userID, orNewest(before), limit))
}

// Collected reads the fills that a member paid for, their own cards too, before a position (0: from the newest), newest
// first.
func Collected(ctx context.Context, pool *pgxpool.Pool, userID string, before int64, limit int) ([]Fill, error) {
	return list[Fill](pool.Query(ctx, fillColumns+"WHERE paid_by = $1 AND pos < $2 ORDER BY pos DESC LIMIT $3", userID, orNewest(before), limit))
}
