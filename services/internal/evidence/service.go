// Package evidence makes a file with which a member can prove a dispute to people who trust neither the member nor us:
// the member's recorded events with their proofs, in one page that verifies itself.
package evidence

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/replay"
	"adashi.ng/services/internal/activity"
	"adashi.ng/services/internal/disputes"
	"adashi.ng/services/internal/evidence/bundle"
	"adashi.ng/services/internal/reserves"
	"adashi.ng/services/internal/usecase"
	"adashi.ng/services/internal/witnesses"
)

// Service makes bundles.
type Service struct {
	*usecase.Base
	Disputes  *disputes.Service
	Activity  *activity.Service  // Decides which records a member may see, and has the proofs.
	Reserves  *reserves.Service  // Proves the accounts' balances at the latest count.
	Witnesses *witnesses.Service // Knows who signed which tree.
	Reader    *replay.Reader
}

// Bundle is the page of a bundle.
type Bundle struct {
	Name     string // The file's name.
	Page     []byte
	Position int64 // The checkpoint's position.
}

const (
	// sealWait is how long a bundle waits until the dispute's last step is sealed, which happens about every second.
	sealWait  = 3 * time.Second
	sealEvery = 100 * time.Millisecond
)

// Bundle returns the evidence of a member's own dispute, including that the ledger continues the oldest checkpoint of
// their device, a signed note or "". It is verified; if a witness signed another history the page says so.
func (s *Service) Bundle(ctx context.Context, user, id, oldest string) (Bundle, error) {
	d, err := s.Disputes.Dispute(ctx, user, id)
	if err != nil {
		return Bundle{}, err
	}
	first, err := s.given(oldest)
	if err != nil {
		return Bundle{}, err
	}
	checkpoint, err := s.sealed(ctx, d)
	if err != nil {
		return Bundle{}, err
	}
	// The bundle covers what the checkpoint covers, and nothing after it.
	s.Tracker.WaitFor(ctx, checkpoint.Size, usecase.ReadModelWait, disputes.ReadModels...)
	if d, err = s.Disputes.Dispute(ctx, user, id); err != nil {
		return Bundle{}, err
	}
	b, err := s.assemble(ctx, user, d, checkpoint, first)
	if err != nil {
		return Bundle{}, said(err)
	}
	_, err = bundle.Check(b, s.Activity.Proofs.Keys().Verifiers())
	if errors.Is(err, bundle.ErrWitness) {
		slog.ErrorContext(ctx, "WHAT A WITNESS SIGNED DOES NOT FIT THIS LEDGER: find out before anything else", "dispute", d.Number, "error", err)
	} else if err != nil {
		return Bundle{}, fmt.Errorf("evidence of dispute %s: %w", d.Number, err)
	}
	page, err := bundle.Page(b)
	return Bundle{Name: "adashi-evidence-" + strings.ToLower(d.Number) + ".html", Page: page, Position: checkpoint.Size}, err
}

// sealed returns a checkpoint that covers a dispute's steps.
func (s *Service) sealed(ctx context.Context, d disputes.Dispute) (proofs.Checkpoint, error) {
	var last int64
	for _, step := range d.Steps {
		last = max(last, step.Position)
	}
	for waited := clock.Start(); ; {
		latest, err := s.Activity.Proofs.Latest(ctx)
		if err == nil && latest.Size >= last || err != nil && !errors.Is(err, proofs.ErrNone) {
			return latest, err
		}
		if waited.Took() > sealWait {
			return latest, fault.New(fault.Unavailable, "What happened in this dispute is not sealed yet. Please ask again in a few seconds.")
		}
		select {
		case <-ctx.Done():
			return latest, ctx.Err()
		case <-time.After(sealEvery):
		}
	}
}

// said is the message for a person when the evidence cannot be read.
func said(err error) error {
	var archived *history.ArchivedError
	var none *replay.NoTrailError
	switch {
	case errors.As(err, &archived):
		return fault.New(fault.Conflict, "Some of your events are archived. Ask Support to have their archive attached, then ask again.")
	case errors.As(err, &none):
		return fault.New(fault.Unavailable, "The index of events is being made. Please try again in a while.")
	}
	return err
}
