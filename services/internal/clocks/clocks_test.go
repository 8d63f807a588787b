package clocks

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/config"
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

// moved is a clock that a test moves.
func moved(t *testing.T, data string) (c *Clocks, to func(by time.Duration), confirm func()) {
	t.Helper()
	var ahead time.Duration
	present := func() time.Time { return time.Now().Add(ahead) }
	c, err := Open(t.Context(), data, present, 0, func(context.Context) (time.Time, error) { return time.Now(), nil })
	require.NoError(t, err)
	confirm = func() {
		_, err := Confirm(config.Config{Data: data, Clock: present})
		require.NoError(t, err)
		require.NoError(t, c.look(t.Context()))
	}
	return c, func(by time.Duration) { ahead = by }, confirm
}

func TestAConfirmationThatCannotBeReadConfirmsNothing(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	c, to, confirm := moved(t, data)
	confirm()
	to(20 * time.Hour)
	require.Contains(t, c.Doubted(), "jumped by 20h0m0s")
	said := filepath.Join(data, confirmedFile)
	require.NoError(t, os.Rename(said, said+".aside"))
	require.NoError(t, c.look(t.Context()))
	require.Contains(t, c.Doubted(), "jumped by 20h0m0s")
	require.NoError(t, os.Mkdir(said, 0o755))
	require.NoError(t, c.look(t.Context()))
	require.Contains(t, c.Doubted(), "jumped by 20h0m0s")
	require.NoError(t, os.Remove(said))
	confirm()
	require.Empty(t, c.Doubted())
}

// What a process keeps of its clock may be lost, as where a file system was repaired.
func TestAnOldConfirmationIsNotHeardAsANewOneWhereNobodyKnowsWhatWasHeard(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	_, _, confirm := moved(t, data)
	confirm()
	for ahead, doubted := range map[time.Duration]bool{0: false, 400 * 24 * time.Hour: true, -2 * time.Hour: true} {
		require.NoError(t, os.RemoveAll(filepath.Join(data, clockFile)))
		c, err := Open(t.Context(), data, func() time.Time { return time.Now().Add(ahead) }, 0, func(context.Context) (time.Time, error) { return time.Now(), nil })
		require.NoError(t, err)
		require.Equal(t, doubted, c.Doubted() != "", ahead)
	}
}

func TestAConfirmationOfBeforeTheStartIsHeardByAProcessThatKeptNothing(t *testing.T) {
	t.Parallel()
	data, present := t.TempDir(), func() time.Time { return time.Now().Add(400 * 24 * time.Hour) }
	_, err := Confirm(config.Config{Data: data, Clock: present})
	require.NoError(t, err)
	c, err := Open(t.Context(), data, present, 0, func(context.Context) (time.Time, error) { return time.Now(), nil })
	require.NoError(t, err)
	require.Empty(t, c.Doubted())
}
