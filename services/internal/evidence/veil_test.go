package evidence

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/tlog"
)

// rootOf is the hash of the node over some leaves, whose texts are their indexes.
func rootOf(of span) tlog.Hash {
	if of.to-of.from == 1 {
		return tlog.RecordHash([]byte(strconv.FormatInt(of.from, 10)))
	}
	half := int64(1)
	for half*2 < of.to-of.from {
		half *= 2
	}
	return tlog.NodeHash(rootOf(span{of.from, of.from + half}), rootOf(span{of.from + half, of.to}))
}

func TestGrownOfSaysWhatEachHashOfAConsistencyProofStandsOver(t *testing.T) {
	t.Parallel()
	for size := int64(1); size < 40; size++ {
		for older := int64(1); older <= size; older++ {
			proof := tlog.TreeProof{}
			for _, node := range grownOf(older, 0, size, true) {
				proof = append(proof, rootOf(node))
			}
			require.NoError(t, tlog.CheckTree(proof, size, rootOf(span{0, size}), older, rootOf(span{0, older})), "%d of %d", older, size)
		}
	}
}

func TestPathOfSaysWhatEachHashOfAPathStandsOver(t *testing.T) {
	t.Parallel()
	for size := int64(1); size < 40; size++ {
		for index := range size {
			var proof tlog.RecordProof
			for _, node := range pathOf(index, 0, size) {
				proof = append(proof, rootOf(node))
			}
			leaf := rootOf(span{index, index + 1})
			require.NoError(t, tlog.CheckRecord(proof, size, rootOf(span{0, size}), index, leaf), "%d of %d", index, size)
		}
	}
}
