package e2e

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// built is the binary, built once.
var built = sync.OnceValues(func() (string, error) {
	path := filepath.Join(folder, "adashi")
	out, err := exec.Command("go", "build", "-o", path, "../cmd/adashi").CombinedOutput()
	if err != nil {
		return "", errors.New(string(out))
	}
	return path, nil
})

// process is a running adashi.
type process struct {
	*exec.Cmd
	base   string
	stderr *bytes.Buffer // To be read once the process has ended.
	ended  chan error
	serves *awaited // What it prints once it is ready, the demo included.
}

// awaited is an output that closes seen once it holds a text.
type awaited struct {
	text string
	all  []byte
	seen chan struct{}
}

func (a *awaited) Write(p []byte) (int, error) {
	before := bytes.Contains(a.all, []byte(a.text))
	a.all = append(a.all, p...)
	if !before && bytes.Contains(a.all, []byte(a.text)) {
		close(a.seen)
	}
	return len(p), nil
}

// spawn starts a role with these settings (NAME=value) and nothing of our own environment that would set any.
func spawn(t testing.TB, role string, settings ...string) *process {
	t.Helper()
	binary, err := built()
	require.NoError(t, err)
	p := &process{Cmd: exec.Command(binary, strings.Fields(role)...), stderr: &bytes.Buffer{}, ended: make(chan error, 1)}
	p.serves = &awaited{text: "Adashi is ready", seen: make(chan struct{})}
	p.Stdout = p.serves
	for _, setting := range os.Environ() {
		name, _, _ := strings.Cut(setting, "=")
		if !strings.HasPrefix(name, "ADASHI_") || name == "ADASHI_PG_BIN" {
			p.Env = append(p.Env, setting)
		}
	}
	p.Env = append(append(p.Env, "DATABASE_URL=", "NATS_URL="), settings...)
	p.Stderr = p.stderr
	p.WaitDelay = 10 * time.Second // Should a child of its hold on to the output.
	require.NoError(t, p.Start())
	go func() { p.ended <- p.Wait() }()
	t.Cleanup(func() { _ = p.Process.Kill() })
	return p
}

// within is a context that ends after so long: no test waits for ever.
func within(t testing.TB, long time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), long)
	t.Cleanup(cancel)
	return ctx
}

// port is a free port on the loopback.
func port(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = l.Close() }()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

// ready waits until the process says so at /readyz.
func (p *process) ready(t testing.TB, port string) *process {
	t.Helper()
	p.base = "http://127.0.0.1:" + port
	deadline, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	probe := nobody(t, p.base)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		if r, err := probe.try("GET", "/readyz", nil); err == nil && r.status == 200 {
			return p
		}
		select {
		case err := <-p.ended:
			require.Failf(t, "it ended", "%v: %s", err, p.stderr)
		case <-deadline.Done():
			_ = p.Process.Kill()
			p.exit(t)
			require.Failf(t, "it never became ready", "%s", p.stderr)
		case <-tick.C:
		}
	}
}

// exit waits for its end and answers the exit code.
func (p *process) exit(t testing.TB) int {
	t.Helper()
	select {
	case err := <-p.ended:
		p.ended <- err
		return p.ProcessState.ExitCode()
	case <-time.After(30 * time.Second):
		require.Fail(t, "it does not end")
		return -1
	}
}

// terminate tells it to stop and holds that it drains and says that all is well.
func (p *process) terminate(t testing.TB) {
	t.Helper()
	require.NoError(t, p.Process.Signal(syscall.SIGTERM))
	require.Zero(t, p.exit(t), p.stderr)
}

// alive reports whether a process runs; one that nobody has buried does not.
func alive(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return syscall.Kill(pid, 0) == nil && !os.IsNotExist(err)
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(state, "Z")
}

// postgresOf is the process id of the private Postgres in a data folder.
func postgresOf(t testing.TB, data string) int {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(data, "postgres", "pg*", "postmaster.pid"))
	require.NoError(t, err)
	require.Len(t, found, 1)
	raw, err := os.ReadFile(found[0])
	require.NoError(t, err)
	line, _, _ := strings.Cut(string(raw), "\n")
	pid, err := strconv.Atoi(line)
	require.NoError(t, err)
	return pid
}
