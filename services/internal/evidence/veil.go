package evidence

import (
	"context"
	"maps"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
)

// span is the range of leaves under a node of the tree, the last not included.
type span struct{ from, to int64 }

// pathOf returns the leaves under each hash of a leaf's audit path, from the leaf up: RFC 6962, 2.1.1.
func pathOf(index, from, to int64) []span {
	if to-from <= 1 {
		return nil
	}
	half := int64(1)
	for half*2 < to-from {
		half *= 2
	}
	if index < from+half {
		return append(pathOf(index, from, from+half), span{from + half, to})
	}
	return append(pathOf(index, from+half, to), span{from, from + half})
}

// grownOf returns the leaves under each hash of the proof that a tree continues one of a smaller size: RFC 6962, 2.1.2.
// The smaller tree's own root is in no proof.
func grownOf(size, from, to int64, isRoot bool) []span {
	if size == to {
		if isRoot {
			return nil
		}
		return []span{{from, to}}
	}
	half := int64(1)
	for half*2 < to-from {
		half *= 2
	}
	if size <= from+half {
		return append(grownOf(size, from, from+half, isRoot), span{from + half, to})
	}
	return append(grownOf(size, from+half, to, false), span{from, from + half})
}

// veilMost limits the leaves of a node that we examine. Above it other people's events hide a secret.
const veilMost = 256

// veil also marks as secret the events whose proof needs a hash against which somebody could test guesses of a secret:
// a neighbour's path contains the secret's leaf, or a node over only secrets and events that the member knows. A node
// over another person's event reveals nothing, because its id is random; nor does one over events with random bytes of
// their own.
func (s *Service) veil(ctx context.Context, g *gathering, records []*event.Record, secret map[int64]bool, size int64) (err error) {
	if g.salted, err = s.saltedFrom(ctx); err != nil {
		return err
	}
	nodes := map[int64][]span{}
	for _, r := range records {
		if !secret[r.Pos] {
			nodes[r.Pos] = pathOf(r.Pos-1, 0, size)
		}
	}
	tell, err := s.telling(ctx, g, nodes, secret)
	maps.Copy(secret, tell)
	return err
}

// saltedFrom returns the position from which every event has random bytes of its own (event.Salted), which an older
// build did not record. A command of several events shows it: with random bytes their hashes differ. It is 1 when the
// first such command has them. Otherwise it is the position an hour after the first one that has, because an earlier
// build may run beside this one for so long.
func (s *Service) saltedFrom(ctx context.Context) (from int64, err error) {
	const commands = `FROM events a JOIN LATERAL (SELECT b.command_hash, b.recorded_at FROM events b WHERE b.pos = a.pos + 1 AND b.command = a.command) b ON true`
	err = s.Pool.QueryRow(ctx, `WITH first AS MATERIALIZED (SELECT a.command_hash <> b.command_hash AS salted `+commands+` ORDER BY a.pos LIMIT 1)
		SELECT CASE WHEN (SELECT salted FROM first) THEN 1 ELSE coalesce((SELECT min(pos) FROM events WHERE recorded_at >= (
			SELECT a.recorded_at + interval '1 hour' `+commands+` WHERE a.command_hash <> b.command_hash ORDER BY a.pos LIMIT 1)), 9223372036854775807) END`).Scan(&from)
	return from, err
}

// telling returns those proofs that contain a hash against which somebody could test guesses of a secret.
func (s *Service) telling(ctx context.Context, g *gathering, nodes map[int64][]span, secret map[int64]bool) (map[int64]bool, error) {
	doubtful, tell := map[int64][]span{}, map[int64]bool{}
	guessable := map[int64]bool{}
	for pos, is := range secret {
		if is && pos < g.salted {
			guessable[pos] = true
		}
	}
	if len(guessable) == 0 {
		return tell, nil
	}
	var look []int64
	for of, all := range nodes {
		for _, node := range all {
			if node.to-node.from > veilMost || !covers(node, guessable) {
				continue
			}
			doubtful[of] = append(doubtful[of], node)
			for pos := node.from + 1; pos <= node.to; pos++ {
				if !g.known[pos] {
					look = append(look, pos)
				}
			}
		}
	}
	strangers, err := s.strangers(ctx, g.user, look)
	for of, all := range doubtful {
		for _, node := range all {
			tell[of] = tell[of] || !covers(node, strangers)
		}
	}
	return tell, err
}

func covers(node span, positions map[int64]bool) bool {
	for pos := node.from + 1; pos <= node.to; pos++ {
		if positions[pos] {
			return true
		}
	}
	return false
}

// strangers returns those of some positions whose event is another person's.
func (s *Service) strangers(ctx context.Context, user string, positions []int64) (map[int64]bool, error) {
	found := map[int64]bool{}
	if len(positions) == 0 {
		return found, nil
	}
	records, err := history.ReadAt(ctx, s.Pool, positions)
	for i := range records {
		if actor := records[i].Actor; actor != user && actor != "system" && actor != "" {
			found[records[i].Pos] = true
		}
	}
	return found, err
}
