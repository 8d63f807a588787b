package e2e

import (
	"fmt"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"adashi.ng/services/internal/boot"
)

// disk is an ext4 of its own, whose power can be cut.
type disk struct {
	testing.TB
	loop, dir string
}

const diskBytes = 6 << 30 // Sparse.

// newDisk makes a disk and mounts it, or skips the test where that can't be done.
func newDisk(t testing.TB, bytes int64) *disk {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can mount a disk and cut its power")
	}
	image := filepath.Join(t.TempDir(), "disk")
	require.NoError(t, os.WriteFile(image, nil, 0o600))
	require.NoError(t, os.Truncate(image, bytes))
	for _, command := range [][]string{{"mkfs.ext4", "-q", "-F", image}, {"losetup", "-f", "--show", image}} {
		out, err := exec.Command(command[0], command[1:]...).CombinedOutput()
		if err != nil {
			t.Skipf("no disk can be made here: %s: %v %s", command[0], err, out)
		}
		image = strings.TrimSpace(string(out)) // Of the last one, the device.
	}
	d := &disk{TB: t, loop: image, dir: t.TempDir()}
	t.Cleanup(func() {
		_ = unix.Unmount(d.dir, unix.MNT_DETACH)
		_ = exec.Command("losetup", "-d", d.loop).Run()
	})
	if err := unix.Mount(d.loop, d.dir, "ext4", 0, ""); err != nil {
		t.Skip("no disk can be mounted here:", err)
	}
	return d
}

// The ioctl that ends a file system at once, and its kind that does not even write the journal.
const (
	shutDown   = 0x8004587d // _IOR('X', 125, __u32)
	noLogFlush = 2
)

// cut takes the power from the disk and then from the process, and gives it back to the disk: what was not synced is
// gone.
func (d *disk) cut(p *process) {
	d.Helper()
	defer func() { _ = p.Process.Kill() }() // Also where a step below fails: somebody waits for its end.
	root, err := os.Open(d.dir)
	require.NoError(d, err)
	require.NoError(d, unix.IoctlSetPointerInt(int(root.Fd()), shutDown, noLogFlush))
	require.NoError(d, root.Close())
	_ = p.Process.Kill()
	p.exit(d)
	require.Eventually(d, func() bool { return unix.Unmount(d.dir, 0) == nil }, 30*time.Second, 5*time.Millisecond, "somebody still works there")
	require.NoError(d, unix.Mount(d.loop, d.dir, "ext4", 0, ""))
	client.Transport.(*http.Transport).CloseIdleConnections()
}

// outage is one cut and what came of it.
type outage struct {
	doing       string
	after       time.Duration
	payments    int
	unanswered  int
	secretBytes int
	verdict     string
}

// outages are a short and a long list of cuts.
func outages(long bool) (all []*outage) {
	seconds := map[string][]int{"nothing": {1}, "payments": {3}}
	if long {
		seconds = map[string][]int{"nothing": {1, 1, 3, 3, 10, 10, 30, 30}, "payments": {1, 1, 3, 3, 10, 10, 30, 30}, "the demo": {1, 3, 5, 10}}
	}
	for _, doing := range []string{"nothing", "payments", "the demo"} {
		for _, after := range seconds[doing] {
			all = append(all, &outage{doing: doing, after: time.Duration(after) * time.Second, verdict: "was not cut"})
		}
	}
	return all
}

// Whatever it was doing, a product whose power is cut starts again at the first try, with its keys, and has everything
// that it acknowledged. ADASHI_FAULTS=long, as ./scripts/faults sets it, cuts twenty times.
func TestPowerCuts(t *testing.T) {
	t.Parallel()
	all := outages(os.Getenv("ADASHI_FAULTS") == "long")
	for n, o := range all {
		t.Run(fmt.Sprintf("%d %s %s", n+1, o.doing, o.after), func(t *testing.T) { o.happens(t, newDisk(t, diskBytes)) })
	}
	table := &strings.Builder{}
	fmt.Fprintf(table, "\n%-10s %6s %9s %11s %14s  %s\n", "doing", "after", "payments", "unanswered", "secrets.json", "afterwards")
	for _, o := range all {
		fmt.Fprintf(table, "%-10s %6s %9d %11d %12d B  %s\n", o.doing, o.after, o.payments, o.unanswered, o.secretBytes, o.verdict)
	}
	t.Log(table)
}

func (o *outage) happens(t *testing.T, d *disk) {
	o.verdict = "NOT SOUND"
	temporary, err := os.MkdirTemp("", "cut") // A short name, for the socket below it.
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(temporary) })
	require.NoError(t, os.Chmod(temporary, 0o755))
	data, door := filepath.Join(d.dir, "var", "data"), port(t)
	role := map[bool]string{false: "up", true: "up --demo"}[o.doing == "the demo"]
	env := []string{"ADASHI_DATA=" + data, "ADASHI_PORT=" + door, "ADASHI_TIER_LIMITS=" + noCaps, "TMPDIR=" + temporary}

	began := time.Now()
	p := spawn(t, role, env...)
	s := &storm{}
	var secrets []byte
	cut := func() {
		secrets, _ = os.ReadFile(filepath.Join(data, "secrets.json"))
		d.cut(p)
	}
	if o.doing == "payments" {
		var folk []*person
		folk, s.sub = villagers(t, p.ready(t, door).base)
		done := make(chan struct{})
		time.AfterFunc(o.after, func() { defer close(done); cut() })
		s.blow(t, folk, 0, math.MaxInt, nil)
		<-done
		require.NotEmpty(t, s.unanswered, "nobody was cut off: nothing is shown")
	} else {
		<-time.After(time.Until(began.Add(o.after)))
		cut()
	}
	o.payments, o.unanswered, o.secretBytes = len(s.answered), len(s.unanswered), int(size(filepath.Join(data, "secrets.json")))
	p = spawn(t, role, env...).ready(t, door)
	kept, err := os.ReadFile(filepath.Join(data, "secrets.json"))
	require.NoError(t, err)
	require.True(t, len(secrets) == 0 || string(secrets) == string(kept), "its secrets are others")
	s.askAgain(t)
	if o.doing == "the demo" {
		select {
		case <-p.serves.seen:
		case err := <-p.ended:
			require.Fail(t, "it ended", "%v: %s", err, p.stderr)
		case <-time.After(2 * time.Minute):
			require.Fail(t, "the demo is never whole")
		}
		wholeDemo(t, p.base)
	}
	verifyFindsNothing(t, env)
	p.terminate(t)
	left, err := os.ReadDir(temporary)
	require.NoError(t, err)
	require.Empty(t, left, "folders are left behind")
	if o.doing != "the demo" { // Its jobs go on with it, so only verify, which may look meanwhile, can.
		o.sound(t, data, s)
	}
	o.verdict = "starts, same keys, nothing lost or doubled, verify finds nothing"
}

// sound looks at the whole product from inside.
func (o *outage) sound(t *testing.T, data string, s *storm) {
	i, err := boot.Start(t.Context(), settings(data), boot.All)
	require.NoError(t, err)
	defer i.Stop()
	soundLedger(t, i.Pool)
	if o.doing == "payments" { // With nothing done no model holds anything.
		s.onceEach(t, i)
		streamEqualsStore(t, i)
		modelsEqualFreshFold(t, i)
	}
}

func size(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// verifyFindsNothing holds that adashi ledger verify finds nothing.
func verifyFindsNothing(t *testing.T, env []string) {
	t.Helper()
	binary, err := built()
	require.NoError(t, err)
	verify := exec.CommandContext(within(t, 2*time.Minute), binary, "ledger", "verify")
	verify.Env = append(append(os.Environ(), "DATABASE_URL=", "NATS_URL="), env...)
	out, err := verify.CombinedOutput()
	require.NoError(t, err, string(out))
}
