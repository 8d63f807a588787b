package replay

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Warm checks a subject's newest keyframe, and makes those that are due. It answers how many it made, 64 at most. It
// drops a keyframe that differs from the events: see Check.
func (r *Reader) Warm(ctx context.Context, s Subject) (made int, err error) {
	newest, due, err := r.due(ctx, s)
	if err != nil {
		return 0, err
	}
	if newest != nil {
		err := r.Check(ctx, s, newest)
		if wrong := (*WrongKeyframeError)(nil); errors.As(err, &wrong) {
			return 0, errors.Join(err, r.Keyframes.Drop(ctx, newest.Subject, newest.Folds, newest.Pos))
		}
		if err != nil {
			return 0, err
		}
	}
	if !due {
		return 0, nil
	}
	f, err := r.run(ctx, Options{Subject: s})
	if err != nil {
		return 0, err
	}
	return len(f.made), r.Keyframes.Keep(ctx, f.made)
}

// due answers a subject's newest keyframe, or nil, and whether another is due.
func (r *Reader) due(ctx context.Context, s Subject) (newest *Keyframe, due bool, err error) {
	f := &following{reader: r, key: FoldsOf(r.Aggregates)}
	if f.replaying, err = begin(Options{Subject: s, Aggregates: r.Aggregates}); err != nil {
		return nil, false, err
	}
	err = pgx.BeginTxFunc(ctx, r.Pool, reading, func(tx pgx.Tx) error {
		if err := f.open(ctx, tx); err != nil || f.to == 0 || f.owner.kind == 0 {
			return err
		}
		after := int64(0)
		if newest, err = r.Keyframes.Newest(ctx, tx, s.String(), f.key, f.to, f.opt.Effective); err != nil {
			return err
		}
		if newest != nil {
			after = newest.Pos
		}
		marks, _, err := r.Trail.Marks(ctx, tx, f.owner.kind.String(), f.owner.id, after, f.reached, r.every(), false)
		due = len(marks) == r.every()
		return err
	})
	return newest, due, err
}

// WrongKeyframeError says that a keyframe differs from the state that the events give.
type WrongKeyframeError struct {
	Subject string
	Pos     int64
}

func (e *WrongKeyframeError) Error() string {
	return fmt.Sprintf("the keyframe of %s at position %d is not what its events come to", e.Subject, e.Pos)
}

// Check makes a keyframe again from the one before and compares the two. It fails with a *WrongKeyframeError if they
// differ, and with a *history.ArchivedError if the keyframe cannot be made again.
func (r *Reader) Check(ctx context.Context, s Subject, k *Keyframe) error {
	f := &following{reader: r, key: k.Folds, checking: k}
	var err error
	if f.replaying, err = begin(Options{Subject: s, Until: Until{Position: k.Pos}, Aggregates: r.Aggregates}); err != nil {
		return err
	}
	var leaf []byte
	err = pgx.BeginTxFunc(ctx, r.Pool, reading, func(tx pgx.Tx) error {
		if err := f.open(ctx, tx); err != nil {
			return err
		}
		if err := f.follow(ctx); err != nil {
			return err
		}
		return tx.QueryRow(ctx, "SELECT leaf FROM events WHERE pos = $1", k.Pos).Scan(&leaf)
	})
	if err != nil {
		return err
	}
	again, err := f.pack()
	if err != nil {
		return err
	}
	if bytes.Equal(leaf, k.Leaf) && holdSame(again, k.Body) && f.latest.Equal(k.Latest) {
		return nil
	}
	return &WrongKeyframeError{s.String(), k.Pos}
}

// holdSame reports whether two bodies have the same content, however they were compressed.
func holdSame(a, b []byte) bool {
	one, err := unpacker.DecodeAll(a, nil)
	if err != nil {
		return false
	}
	other, err := unpacker.DecodeAll(b, nil)
	return err == nil && bytes.Equal(one, other)
}
