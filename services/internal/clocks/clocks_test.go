package clocks

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// The processes of one machine share a data folder, and see a jump within the same second.
func TestProcessesOfOneFolderKeepTheirDoubtsWhole(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	for range 200 {
		var keeping sync.WaitGroup
		for n := range 4 {
			c := &Clocks{data: data, doubt: doubt{Held: strings.Repeat("jumped ", 1+n*n)}}
			keeping.Go(c.keep)
		}
		keeping.Wait()
		raw, err := os.ReadFile(filepath.Join(data, clockFile))
		require.NoError(t, err)
		var kept doubt
		require.NoError(t, json.Unmarshal(raw, &kept), "the next start fails: %s", raw)
		left, err := os.ReadDir(data)
		require.NoError(t, err)
		require.Len(t, left, 1)
	}
}
