package notifications

import (
	"context"

	"github.com/jackc/pgx/v5"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"
	"adashi.ng/projections/notifications/told"
)

// The details of notifications about a card's collector. The first two are the saver's, the others the former
// collector's; the new collector's has none.
const (
	CollectorNamed    = "NAMED"
	CollectorNone     = "NONE"
	CollectorReplaced = "REPLACED"
	CollectorEnded    = "ENDED"
)

// collectors are the collectors of a batch's cards, by card; empty for none.
type collectors map[string]string

// collectorsOf reads the collectors before the batch.
func collectorsOf(ctx context.Context, tx pgx.Tx, events []engine.Event) (collectors, error) {
	found, cards := collectors{}, []string(nil)
	for _, e := range events {
		if m, is := e.Message.(*nairav1.AjoCardCollectorSet); is {
			cards = append(cards, m.GetCardId())
		}
	}
	if len(cards) == 0 {
		return found, nil
	}
	rows, err := tx.Query(ctx, "SELECT card_id, user_id FROM rm_notified_collectors WHERE card_id = ANY($1)", cards)
	if err != nil {
		return found, err
	}
	var card, user string
	_, err = pgx.ForEachRow(rows, []any{&card, &user}, func() error { found[card] = user; return nil })
	return found, err
}

// cardHandlers notify of cards that get another collector, or go on without one.
var cardHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoCardCollectorSet) {
		n := note{typ: told.AjoCardCollector, about: m.GetUserId(), subject: m.GetCardId()}
		f.tellOnly(n, told.Collector)
		n.detail = CollectorReplaced
		saver := note{typ: n.typ, about: m.GetCollectorId(), subject: n.subject, detail: CollectorNamed}
		if m.GetCollectorId() == "" {
			n.detail, saver.about, saver.detail = CollectorEnded, f.collectors[n.subject], CollectorNone
		}
		f.tellOnly(n, told.FormerCollector)
		f.tellOnly(saver, told.User)
		f.collectors[n.subject] = m.GetCollectorId()
		f.desk.batch.Queue("INSERT INTO rm_notified_collectors (card_id, user_id) VALUES ($1, $2) ON CONFLICT (card_id) DO UPDATE SET user_id = excluded.user_id",
			n.subject, m.GetCollectorId())
	}),
}
