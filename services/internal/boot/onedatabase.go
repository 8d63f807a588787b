package boot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go"
)

// databaseSubject is where the processes of a ledger ask each other over NATS which database they record in. Several
// processes on one database are safe: a lock orders what they append, each job runs in one of them, and the stream
// takes each event once. Processes on two copies of a database would each send the same payouts.
const databaseSubject = "adashi.database"

// databaseWait is how long a process that starts waits for the others to answer, and answerWait how long one of these
// waits for its database.
const (
	databaseWait = time.Second
	answerWait   = databaseWait / 2
)

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
		ctx, cancel := context.WithTimeout(context.Background(), answerWait)
		defer cancel()
		mark, err := databaseMark(ctx, i.Pool)
		if err != nil {
			mark = "" // It is busy, or away for a moment: who asks asks again.
		} else if string(asked.Data) != mark {
			slog.Error("a process started over this NATS_URL on another database; it is refused while this one runs")
		}
		_ = asked.Respond([]byte(mark))
	})
	if err == nil {
		i.onStop(func() { _ = named.Unsubscribe() })
	}
	return err
}

// alone asks the processes over NATS_URL, itself among them, which database they record in. It fails with
// errOtherDatabase if one of them records in another, and with another error if that is not known. Two that start at
// once both ask after they began to answer.
func (i *Instance) alone(ctx context.Context) error {
	if i.ownBus != nil {
		return nil // Nobody else reaches it.
	}
	mark, err := databaseMark(ctx, i.Pool)
	if err != nil {
		return err
	}
	answers, err := i.databases(ctx, mark)
	switch {
	case err != nil:
		return fmt.Errorf("NATS_URL: %w", err)
	case len(answers) == 0:
		return errors.New("NATS_URL does not pass on the question which database each process records in: allow the subject " + databaseSubject)
	case slices.Contains(answers, ""):
		return errors.New("a process over NATS_URL could not say which database it records in")
	case !slices.ContainsFunc(answers, func(answer string) bool { return answer != mark }):
		return nil
	}
	if now, err := databaseMark(ctx, i.Pool); err != nil || now != mark {
		return cmp.Or(err, errors.New("the database started again while the processes over NATS_URL were asked about it"))
	}
	return errOtherDatabase
}

// databases returns the answers of all processes over NATS_URL. One that cannot read its database answers "".
func (i *Instance) databases(ctx context.Context, mark string) (all []string, err error) {
	answers, err := i.bus.SubscribeSync(nats.NewInbox())
	if err != nil {
		return nil, err
	}
	defer func() { _ = answers.Unsubscribe() }()
	if err := i.bus.PublishRequest(databaseSubject, answers.Subject, []byte(mark)); err != nil {
		return nil, err
	}
	waits, cancel := context.WithTimeout(ctx, databaseWait)
	defer cancel()
	for {
		answer, err := answers.NextMsgWithContext(waits)
		switch {
		case ctx.Err() == nil && waits.Err() != nil, errors.Is(err, nats.ErrNoResponders):
			return all, nil
		case err != nil:
			return nil, err
		}
		all = append(all, string(answer.Data))
	}
}
