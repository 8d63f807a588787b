package boot

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/infra/audit"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/keyframes"
	"adashi.ng/ledger/infra/replay"
	"adashi.ng/projections/trail"
)

// replays makes a reader of what was, at any moment, of anybody.
func replays(pool *pgxpool.Pool, now clock.Clock) *replay.Reader {
	return &replay.Reader{Pool: pool, Trail: trail.Reader{}, Keyframes: keyframes.Table{Pool: pool, Clock: now}, Aggregates: ledger.Aggregates()}
}

// Replays is a reader of what was. It has no keyframes where nothing has made their table yet.
func (v *Visit) Replays(ctx context.Context) (*replay.Reader, error) {
	r := replays(v.Pool, v.Config.Now)
	frames, err := keyframes.Open(ctx, v.Pool, v.Config.Now)
	r.Keyframes = frames
	return r, err
}

// KeyframeCheck holds every keyframe of this build's folds against what the events come to from the one before; none
// where there are no keyframes.
func (v *Visit) KeyframeCheck(ctx context.Context) ([]audit.More, error) {
	r, err := v.Replays(ctx)
	if err != nil || r.Keyframes == nil {
		return nil, err
	}
	table, folds := keyframes.Table{Pool: v.Pool, Clock: v.Config.Now}, replay.FoldsOf(r.Aggregates)
	return []audit.More{{Name: "keyframes", Rule: "each is what the events since the one before come to", Run: func(ctx context.Context, c *audit.Check) error {
		return eachSubject(ctx, table, folds, func(s replay.Subject) error { return checkKeyframes(ctx, r, table, s, c) })
	}}}, nil
}

// eachSubject goes through all that have keyframes.
func eachSubject(ctx context.Context, table keyframes.Table, folds string, do func(replay.Subject) error) error {
	for after := ""; ; {
		subjects, err := table.Subjects(ctx, folds, after, 100)
		if err != nil || len(subjects) == 0 {
			return err
		}
		for _, text := range subjects {
			s, err := replay.ParseSubject(text)
			if err == nil {
				err = do(s)
			}
			if err != nil {
				return err
			}
		}
		after = subjects[len(subjects)-1]
	}
}

func checkKeyframes(ctx context.Context, r *replay.Reader, table keyframes.Table, s replay.Subject, c *audit.Check) error {
	all, err := table.Of(ctx, s.String(), replay.FoldsOf(r.Aggregates))
	for n := range all {
		var (
			wrong    *replay.WrongKeyframeError
			archived *history.ArchivedError
			none     *replay.NoTrailError
		)
		switch err := r.Check(ctx, s, &all[n]); {
		case errors.As(err, &none):
			c.Skipped = none.Why
			return nil
		case errors.As(err, &archived):
			c.Said = "those of archived events cannot be made again"
			continue
		case errors.As(err, &wrong), errors.Is(err, replay.ErrUnknown):
			c.Violate(all[n].Pos, s.String(), "Its keyframe is not what its events come to.")
		case err != nil:
			return err
		}
		c.Looked++
	}
	return err
}

// keyframesJob makes keyframes of groups and ajo, going on each time where it stopped.
func (i *Instance) keyframesJob() func(context.Context) error {
	const lasting = 20 * time.Second
	r, after := replays(i.Pool, i.Now), ""
	table := keyframes.Table{Pool: i.Pool, Clock: i.Now}
	return func(ctx context.Context) error {
		for began := clock.Start(); began.Took() < lasting; {
			rows, err := i.Pool.Query(ctx, `SELECT s FROM (SELECT 'group:' || id AS s FROM rm_groups UNION ALL SELECT 'ajo:' || ajo_id FROM rm_ajos) a
				WHERE s COLLATE "C" > $1 ORDER BY s COLLATE "C" LIMIT 1000`, after)
			if err != nil {
				return err
			}
			subjects, err := pgx.CollectRows(rows, pgx.RowTo[string])
			if err != nil {
				return err
			}
			if len(subjects) == 0 { // That was all of them.
				after = ""
				return table.Tidy(ctx, replay.FoldsOf(r.Aggregates))
			}
			for _, text := range subjects {
				if began.Took() > lasting {
					return nil
				}
				if err := warm(ctx, r, text); err != nil {
					return err
				}
				after = text
			}
		}
		return nil
	}
}

// warm makes a subject's keyframes. One that cannot be made keeps no other waiting.
func warm(ctx context.Context, r *replay.Reader, text string) error {
	s, err := replay.ParseSubject(text)
	if err == nil {
		_, err = r.Warm(ctx, s)
	}
	var none *replay.NoTrailError
	switch {
	case err == nil, errors.Is(err, replay.ErrUnknown), errors.As(err, &none):
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	}
	slog.ErrorContext(ctx, "keyframes are not made", "subject", text, "error", err)
	return nil
}
