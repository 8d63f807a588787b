package activity

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The projection's own test writes the file from its fold.
func TestEachKindOfMovementHasItsWords(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("../../../projections/activity/testdata/kinds.jsonl")
	require.NoError(t, err)
	made := map[string]bool{}
	for line := range strings.Lines(string(file)) {
		var of struct{ Kind string }
		require.NoError(t, json.Unmarshal([]byte(line), &of))
		made[of.Kind] = true
		words := kinds[of.Kind]
		require.NotEmpty(t, words.title, of.Kind)
		require.NotNil(t, words.story, of.Kind)
		require.True(t, words.way != "" || words.receipt != nil, of.Kind)
	}
	for kind := range kinds {
		require.True(t, made[kind], "no event makes a %s", kind)
	}
}
