package draw_test

import (
	"testing"

	"github.com/cloudflare/circl/ecc/bls12381"
	"github.com/stretchr/testify/require"
)

// uncompressed writes a point of G1 in its long form.
func uncompressed(t *testing.T, short []byte) []byte {
	t.Helper()
	var point bls12381.G1
	require.NoError(t, point.SetBytes(short))
	return point.Bytes()
}
