package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/services/internal/boot"
)

// idleFor is how long a process is left alone before its memory is read.
const idleFor = 10 * time.Second

var processes = benchmark{name: "process", once: true, run: process, rows: []spec{
	{"process-first", "s", bar{most: 8}},
	{"process-warm", "s", bar{most: 3}},
	{"process-idle", "MB", bar{most: 150}},
	{"process-loaded", "MB", bar{most: 300}},
}}

// process measures the real program, bin/adashi next to this one, as a child: seconds from its start until it reports
// that it is ready, in an empty data folder (process-first) and again in the same (process-warm); the memory of that
// second one, without its Postgres, after ten quiet seconds (process-idle); and the maximum memory of one that serves
// http-contribute's load for a few seconds, whose latencies are in the row too (process-loaded).
func process(ctx context.Context, w *world) ([]row, error) {
	first, took, err := w.up(ctx, "embedded")
	if err != nil {
		return nil, err
	}
	rows := []row{seconds("process-first", took, 0, first.megabytes("VmRSS:"))}
	if err := first.stop(); err != nil {
		return rows, err
	}
	warm, took, err := w.up(ctx, "embedded")
	if err != nil {
		return rows, err
	}
	defer warm.stop()
	rows = append(rows, seconds("process-warm", took, 0, warm.megabytes("VmRSS:")))
	if err := wait(ctx, idleFor); err != nil {
		return rows, err
	}
	idle := warm.megabytes("VmRSS:")
	rows = append(rows, row{Name: "process-idle", Ours: idle, RSS: idle})
	if err := warm.stop(); err != nil {
		return rows, err
	}
	loaded, err := w.loaded(ctx)
	if err != nil {
		return rows, err
	}
	return append(rows, loaded), nil
}

// loaded makes the program serve contributions of members of the world's ledger.
func (w *world) loaded(ctx context.Context) (row, error) {
	if err := w.populate(ctx, crowd); err != nil {
		return row{}, err
	}
	w.closeLedger()
	d, err := w.open(ctx, boot.Roles{API: true}) // To make the members' sessions.
	if err != nil {
		return row{}, err
	}
	d.Stop()
	key, _, err := proofs.GenerateKey("bench.adashi.example")
	if err != nil {
		return row{}, err
	}
	p, _, err := w.up(ctx, "loaded", "DATABASE_URL="+w.server.URL("postgres"), "ADASHI_LEDGER_KEY="+key,
		"ADASHI_IDENTITY_KEY="+strings.Repeat("bench", 8), "ADASHI_VAULT_KEY="+vaultKey)
	if err != nil {
		return row{}, err
	}
	defer p.stop()
	ours, err := overHTTP(p.address, clients, func(n int) string { return d.contribute(n % sessions) })
	r := ours.row("process-loaded", 0)
	r.Ours = p.megabytes("VmHWM:")
	r.RSS = r.Ours
	return r, err
}

// program is adashi up as a child, or in this process, where it can be profiled.
type program struct {
	command *exec.Cmd
	address string
	ended   chan error
	here    *door // Nil for a child.
}

func (p *program) pid() int {
	if p.here != nil {
		return os.Getpid()
	}
	return p.command.Process.Pid
}

const readyMax = time.Minute

// up starts the program on a data folder of that name and returns it, and how long it took, once it reports that it is
// ready.
func (w *world) up(ctx context.Context, folder string, environment ...string) (*program, time.Duration, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, 0, err
	}
	p := &program{command: exec.Command(filepath.Join(filepath.Dir(self), "adashi"), "up"), ended: make(chan error, 1)}
	for _, variable := range os.Environ() {
		// The caller's settings for a process are not for this one, except where Postgres is.
		name, _, _ := strings.Cut(variable, "=")
		if name == "DATABASE_URL" || name == "NATS_URL" || strings.HasPrefix(name, "ADASHI_") && name != "ADASHI_PG_BIN" {
			continue
		}
		p.command.Env = append(p.command.Env, variable)
	}
	p.command.Env = append(append(p.command.Env, "ADASHI_PORT=0", "ADASHI_DATA="+filepath.Join(w.dir, folder)), environment...)
	said, err := p.command.StdoutPipe()
	if err != nil {
		return nil, 0, err
	}
	var complaints strings.Builder
	p.command.Stderr = &complaints
	began := time.Now()
	if err := p.command.Start(); err != nil {
		return nil, 0, err
	}
	ready := make(chan string, 1)
	go func() {
		for lines := bufio.NewScanner(said); lines.Scan(); {
			if at, ok := strings.CutPrefix(lines.Text(), "Adashi is ready at http://"); ok {
				ready <- at
			}
		}
		p.ended <- p.command.Wait()
	}()
	select {
	case p.address = <-ready:
		return p, time.Since(began), nil
	case err := <-p.ended:
		return nil, 0, fmt.Errorf("adashi up ended: %w: %s", err, complaints.String())
	case <-time.After(readyMax):
	case <-ctx.Done():
	}
	return nil, 0, errors.Join(errors.New("adashi up did not become ready"), p.stop())
}

// stop ends the program as a person would, and then as the kernel would. It may be called again.
func (p *program) stop() error {
	if p.here != nil {
		p.here.Stop() // It may be called again.
		return nil
	}
	if p.ended == nil {
		return nil
	}
	defer func() { p.ended = nil }()
	_ = p.command.Process.Signal(syscall.SIGTERM)
	select {
	case err := <-p.ended:
		return err
	case <-time.After(readyMax):
		_ = p.command.Process.Kill()
		return errors.Join(errors.New("adashi up did not stop"), <-p.ended)
	}
}

// megabytes reads one of the program's memory figures.
func (p *program) megabytes(name string) float64 {
	kb, err := field(fmt.Sprintf("/proc/%d/status", p.pid()), name)
	if err != nil {
		return 0
	}
	return kb / 1024
}
