package people

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

const (
	cardValid = time.Minute
	cardsMax  = 20_000
)

// cardCache keeps name cards for a minute.
type cardCache struct {
	now     func() time.Time
	mu      sync.Mutex
	entries map[string]cachedCard
}

type cachedCard struct {
	card  Card
	until time.Time
}

func newCardCache(now func() time.Time) *cardCache {
	return &cardCache{now: now, entries: make(map[string]cachedCard)}
}

// Cards answers the name cards of these users by id. An id that is none of ours is absent.
func (s *Service) Cards(ctx context.Context, ids []string) (map[string]Card, error) {
	cards := make(map[string]Card, len(ids))
	missing := s.cards.take(ids, cards)
	if len(missing) == 0 {
		return cards, nil
	}
	rows, err := s.pool.Query(ctx, `SELECT id::text, first_name, last_name FROM accounts WHERE id = ANY($1)`, missing)
	if err != nil {
		return nil, outage("cards", err)
	}
	var id string
	var card Card
	read := make(map[string]Card, len(missing))
	if _, err := pgx.ForEachRow(rows, []any{&id, &card.FirstName, &card.LastName}, func() error {
		read[id] = card
		return nil
	}); err != nil {
		return nil, outage("cards", err)
	}
	s.cards.keep(read)
	for id, card := range read {
		cards[id] = card
	}
	return cards, nil
}

// take fills cards from the cache and answers the ids that it lacks.
func (c *cardCache) take(ids []string, cards map[string]Card) []uuid.UUID {
	now := c.now()
	var missing []uuid.UUID
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, id := range ids {
		if entry, ok := c.entries[id]; ok && now.Before(entry.until) {
			cards[id] = entry.card
			continue
		}
		if parsed, err := uuid.Parse(id); err == nil {
			missing = append(missing, parsed)
		}
	}
	return missing
}

func (c *cardCache) keep(read map[string]Card) {
	until := c.now().Add(cardValid)
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.entries)+len(read) > cardsMax {
		clear(c.entries)
	}
	for id, card := range read {
		c.entries[id] = cachedCard{card: card, until: until}
	}
}

func (c *cardCache) forget(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.entries, id)
}
