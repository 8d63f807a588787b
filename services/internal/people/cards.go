package people

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

const cardValid = time.Minute

// Cards answers the name cards of these users by id. An id that is none of ours is absent.
func (s *Service) Cards(ctx context.Context, ids []string) (map[string]Card, error) {
	return s.cards.Get(ids, func(missing []uuid.UUID) (map[string]Card, error) {
		rows, err := s.pool.Query(ctx, `SELECT id::text, first_name, last_name FROM accounts WHERE id = ANY($1)`, missing)
		if err != nil {
			return nil, outage("cards", err)
		}
		cards := make(map[string]Card, len(missing))
		var id string
		var card Card
		_, err = pgx.ForEachRow(rows, []any{&id, &card.FirstName, &card.LastName}, func() error { cards[id] = card; return nil })
		return cards, outage("cards", err)
	})
}
