package profile

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"adashi.ng/projections/standing"
)

type exportedOrder struct {
	ID           string    `json:"id"`
	GroupID      string    `json:"groupId"`
	SubAccountID string    `json:"subAccountId"`
	AmountKobo   int64     `json:"amountKobo"`
	Frequency    string    `json:"frequency"`
	Status       string    `json:"status"`
	NextDay      string    `json:"nextDay,omitempty"`
	SetAt        time.Time `json:"setAt"`
}

type exportedStatement struct {
	Code     string    `json:"code"`
	From     string    `json:"from"`
	To       string    `json:"to"`
	IssuedAt time.Time `json:"issuedAt"`
}

func (s *Service) exportOrders(ctx context.Context, userID string, out *Export) error {
	list, err := standing.OfUser(ctx, s.Pool, userID)
	out.StandingOrders = mapped(list, func(o standing.Order) exportedOrder {
		return exportedOrder{o.ID, o.GroupID, o.SubAccount, int64(o.Amount), o.Frequency.String()[len("STANDING_FREQUENCY_"):], o.Status, o.Next, o.SetAt.UTC()}
	})
	return err
}

// exportStatements adds the statements and receipts that we issued: see the app's migrations.
func (s *Service) exportStatements(ctx context.Context, userID string, out *Export) error {
	rows, err := s.Pool.Query(ctx, `SELECT code, from_day::text, to_day::text, issued_at FROM statements_issued WHERE user_id = $1
		UNION ALL SELECT code, (at AT TIME ZONE 'Africa/Lagos')::date::text, (at AT TIME ZONE 'Africa/Lagos')::date::text, issued_at FROM receipts_issued WHERE user_id = $1 ORDER BY 4`, userID)
	if err != nil {
		return err
	}
	out.Statements, err = pgx.CollectRows(rows, pgx.RowToStructByPos[exportedStatement])
	return err
}
