package pgchild_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/pgchild"
)

// startsIn has the test's program start a server in this folder, and nothing else, until it is killed.
const startsIn = "PGCHILD_STARTS_IN"

func TestMain(m *testing.M) {
	if dir := os.Getenv(startsIn); dir != "" {
		_, err := pgchild.Start(context.Background(), pgchild.Options{Dir: dir})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		select {}
	}
	os.Exit(m.Run())
}

// The initdb of a process that is killed goes on for a moment. The next start is not to make a cluster beside it.
func TestAProcessThatIsKilledWithinItsFirstStartLeavesNobodyWhoSpoilsTheNext(t *testing.T) {
	for after := 150 * time.Millisecond; after < 1500*time.Millisecond; after += 200 * time.Millisecond {
		t.Run(after.String(), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			first := exec.Command(os.Args[0])
			first.Env = append(os.Environ(), startsIn+"="+dir)
			require.NoError(t, first.Start())
			time.AfterFunc(after, func() { _ = first.Process.Kill() })
			require.Error(t, first.Wait())
			server, err := pgchild.Start(t.Context(), pgchild.Options{Dir: dir})
			require.NoError(t, err)
			server.Stop()
		})
	}
}
