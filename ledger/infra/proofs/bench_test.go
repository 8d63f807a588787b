package proofs_test

import (
	"context"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkProofs measures proofs in a tree of ADASHI_BENCH_SIZE events, 100,000 when it is not set.
func BenchmarkProofs(b *testing.B) {
	size := int64(100_000)
	if given, err := strconv.ParseInt(os.Getenv("ADASHI_BENCH_SIZE"), 10, 64); err == nil {
		size = given
	}
	ctx := context.Background()
	l := setup(b)
	l.exec("INSERT INTO events SELECT n, sha256(n::text::bytea) FROM generate_series(1, $1::bigint) n", size)
	l.exec("UPDATE ledger_head SET pos = $1", size)
	sealed := l.seal()
	require.Equal(b, size, sealed.Size)
	r := l.reader()
	for name, prove := range map[string]func() error{
		"latest": func() error { _, err := r.Latest(ctx); return err },
		"inclusion": func() error {
			_, err := r.Inclusion(ctx, 1+rand.Int64N(size), size)
			return err
		},
		"consistency": func() error {
			_, err := r.Consistency(ctx, 1+rand.Int64N(size), size)
			return err
		},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				require.NoError(b, prove())
			}
		})
	}
}
