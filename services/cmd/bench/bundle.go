package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/evidence/bundle"
)

const (
	bundleEvents = 500
	bundleOpened = 5 // How often a page is opened.
)

var bundles = benchmark{name: "bundle", once: true, limit: 10 * time.Minute, run: bundled, rows: []spec{
	{"bundle", "bundles/s", bar{p99: 2000}}, {"bundle-opened", "pages/s", bar{p99: 1000}},
}}

// bundled measures the evidence of a dispute whose member has five hundred events among those of others: the time to
// make it, and the time until a Chromium that opens it from the disk shows its verdict, less the time to open an empty
// page. Everything is on. CHROMIUM names the browser; otherwise it is the one on the PATH.
func bundled(ctx context.Context, w *world) ([]row, error) {
	if err := w.populate(ctx, labMembers*groups); err != nil {
		return nil, err
	}
	for n := range bundleEvents {
		for _, member := range []int{0, 1 + n%(labMembers*groups-1)} { // One of the member's, and one of another's.
			if _, err := w.ledger.Append(ctx, fresh(contribute(member, member%groups))); err != nil {
				return nil, err
			}
		}
	}
	id := uuid.NewString()
	claim := dispute.Claim{DisputeID: id, User: userID(0), Kind: nairav1.DisputeKind_DISPUTE_KIND_TWICE, About: "bench", Group: groupID(0), Now: time.Now()}
	if _, err := w.ledger.Append(ctx, fresh(claim)); err != nil {
		return nil, err
	}
	d, err := w.open(ctx, boot.All)
	if err != nil {
		return nil, err
	}
	defer d.Stop()
	if err := w.level(ctx, 5*time.Minute); err != nil {
		return nil, err
	}
	first, err := d.App.Evidence.Bundle(ctx, userID(0), id, "")
	if err != nil {
		return nil, err
	}
	if b, err := bundle.Read(first.Page); err != nil || len(b.Events) < bundleEvents {
		return nil, fmt.Errorf("a bundle of %d events: %w", len(b.Events), err)
	}
	made, err := hammer(1, func(_, _ int) error {
		_, err := d.App.Evidence.Bundle(ctx, userID(0), id, "")
		return err
	})
	if err != nil {
		return nil, err
	}
	opened, err := opens(ctx, w.dir, first.Page)
	return []row{made.row("bundle", 0), opened}, err
}

// opens is how long Chromium takes for a page until it says that everything verifies; each opening takes turns with
// that of an empty page.
func opens(ctx context.Context, dir string, page []byte) (row, error) {
	var took []float64
	for n := range bundleOpened {
		empty, _, err := dumped(ctx, dir, n, []byte("<!doctype html><p>Nothing</p>"))
		if err != nil {
			return row{}, err
		}
		whole, dom, err := dumped(ctx, dir, n, page)
		if err == nil && !strings.Contains(dom, "Everything verifies") {
			err = errors.New("the page does not say that everything verifies")
		}
		if err != nil {
			return row{}, err
		}
		took = append(took, max(0, (whole-empty).Seconds()*1000))
	}
	slices.Sort(took)
	median := took[len(took)/2]
	return row{Name: "bundle-opened", Ours: 1000 / max(median, 1), P50: median, P99: took[len(took)-1]}, nil
}

// dumped returns the content of a page in Chromium once it no longer changes, and how long that took.
func dumped(ctx context.Context, dir string, n int, page []byte) (time.Duration, string, error) {
	chromium := os.Getenv("CHROMIUM")
	if chromium == "" {
		chromium = "chromium"
	}
	file := filepath.Join(dir, "evidence.html")
	if err := os.WriteFile(file, page, 0o600); err != nil {
		return 0, "", err
	}
	flags := []string{
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
		fmt.Sprintf("--user-data-dir=%s/chromium%d", dir, n), "--virtual-time-budget=60000", "--dump-dom", "file://" + file,
	}
	began := time.Now()
	out, err := exec.CommandContext(ctx, chromium, flags...).Output() //nolint:gosec // The person who runs the benchmark names the browser.
	return time.Since(began), string(out), err
}
