package boot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go"

	"adashi.ng/ledger/base/clock"
)

// databaseSubject is where the processes of a ledger ask each other over NATS which database they record in. Several
// processes on one database are safe: a lock orders what they append, each job runs in one of them, and the stream
// takes each event once. Processes on two copies of a database would each send the same payouts.
const databaseSubject = "adashi.database"

// databaseWait is how long a process that starts waits for the others to answer.
const databaseWait = time.Second

// errOtherDatabase says that NATS_URL is shared with a process on another database.
var errOtherDatabase = errors.New("another adashi process runs over this NATS_URL and records in another database: one of the two is a copy, " +
	"and both would pay out the same money. Stop the other one first, or give this one a NATS_URL of its own, with no live rail")

// databaseMark names a running database: its server, by when that started, and its name there. A copy has another one.
func databaseMark(ctx context.Context, pool *pgxpool.Pool) (mark string, err error) {
	err = pool.QueryRow(ctx, "SELECT extract(epoch FROM pg_postmaster_start_time()) || ' ' || current_database()").Scan(&mark)
	return mark, err
}

// nameDatabase has this process answer which database it records in. It asks the database each time: after a failover
// the same processes record in another one.
func (i *Instance) nameDatabase() error {
	named, err := i.bus.Subscribe(databaseSubject, func(asked *nats.Msg) {
		ctx, cancel := context.WithTimeout(context.Background(), databaseWait)
		defer cancel()
		mark, err := databaseMark(ctx, i.Pool)
		if err != nil {
			return // It records nothing while its database does not answer.
		}
		if string(asked.Data) != mark {
			slog.Error("a process started over this NATS_URL on another database; it is refused while this one runs")
		}
		_ = asked.Respond([]byte(mark))
	})
	if err == nil {
		i.onStop(func() { _ = named.Unsubscribe() })
	}
	return err
}

// alone asks the processes over NATS_URL which database they record in, and fails with errOtherDatabase if one of them
// records in another. Two that start at once both ask after they began to answer.
func (i *Instance) alone(ctx context.Context) error {
	if i.ownBus != nil {
		return nil // Nobody else reaches it.
	}
	answers, err := i.bus.SubscribeSync(nats.NewInbox())
	if err != nil {
		return err
	}
	defer func() { _ = answers.Unsubscribe() }()
	mark, err := databaseMark(ctx, i.Pool)
	if err != nil {
		return err
	}
	if err := i.bus.PublishRequest(databaseSubject, answers.Subject, []byte(mark)); err != nil {
		return fmt.Errorf("NATS_URL: %w", err)
	}
	for left := clock.Start(); left.Took() < databaseWait; {
		answer, err := answers.NextMsg(databaseWait - left.Took())
		if errors.Is(err, nats.ErrTimeout) {
			break
		}
		if err != nil {
			return fmt.Errorf("NATS_URL: %w", err)
		}
		if len(answer.Data) > 0 && string(answer.Data) != mark {
			return errOtherDatabase
		}
	}
	return nil
}
