// Package timemachine shows Support what the ledger held of the member, the group or the ajo of an open case, at any
// position, recorded time or effective time, and event by event. Nothing of it is shown outside a case, and each
// opening is an event.
package timemachine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/replay"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/services/internal/beacon"
	"adashi.ng/services/internal/disputes"
	"adashi.ng/services/internal/usecase"
)

// Service is the time machine.
type Service struct {
	*usecase.Base
	Disputes *disputes.Service
	Reader   *replay.Reader
	Beacon   *beacon.Client
}

// openFor is how long an opening lasts; then it is recorded anew.
const openFor = 8 * time.Hour

// statesMost is how many streams' states are shown at once.
const statesMost = 60

// opened is the subject of an open case that somebody has. That it is opened is recorded before anything is shown.
func (s *Service) opened(ctx context.Context, who usecase.Who, caseID string, subject ReplaySubject) (replay.Subject, error) {
	d, err := s.Disputes.InHand(ctx, who, caseID)
	if err != nil {
		return replay.Subject{}, err
	}
	var of replay.Subject
	var id string
	action := nairav1.StaffAction_STAFF_ACTION_READ_MOVEMENTS
	switch subject {
	case MEMBER:
		id, of = d.User, replay.Subject{Member: d.User}
	case GROUP:
		id, of, action = d.Group, replay.Subject{Group: d.Group}, nairav1.StaffAction_STAFF_ACTION_READ_GROUP
	case AJO:
		id, of, action = d.Ajo, replay.Subject{Ajo: d.Ajo}, nairav1.StaffAction_STAFF_ACTION_READ_GROUP
	default:
		return of, fault.Field("subject", "Choose MEMBER, GROUP or AJO.")
	}
	if id == "" {
		return of, fault.New(fault.NotFound, "This case is about no such thing.")
	}
	// One opening is one event: whatever is looked at within it asks for the same one.
	opening := store.CommandID(who.User, "time machine", fmt.Sprint(d.ID, " ", id, " ", s.Present().Truncate(openFor).Unix()))
	return of, s.Disputes.Looks(ctx, who, opening, d, dispute.Look{Action: action, Subject: id, InHand: true})
}

// Moment is when somebody looks at: the head where nothing is given.
type Moment struct {
	Position            *int64
	Recorded, Effective *time.Time
}

func (m Moment) until() (u replay.Until, err error) {
	given := 0
	if m.Position != nil {
		u.Position, given = *m.Position, given+1
		if u.Position <= 0 {
			return u, fault.Field("position", "Positions begin at 1.")
		}
	}
	if m.Recorded != nil {
		u.Recorded, given = *m.Recorded, given+1
	}
	if m.Effective != nil {
		u.Effective, given = *m.Effective, given+1
	}
	if given > 1 {
		return u, fault.Field("position", "Choose one of a position, a recorded time and an effective time.")
	}
	return u, nil
}

// At is what the ledger held of a case's subject at a moment.
func (s *Service) At(ctx context.Context, who usecase.Who, caseID string, subject ReplaySubject, moment Moment) (Replay, error) {
	until, err := moment.until()
	if err != nil {
		return Replay{}, err
	}
	_, head, err := history.Head(ctx, s.Pool)
	if err != nil {
		return Replay{}, err
	}
	if until.Position > head {
		return Replay{}, fault.Field("position", "The ledger ends at position %d. Choose one up to there.", head)
	}
	of, err := s.opened(ctx, who, caseID, subject)
	if err != nil {
		return Replay{}, err
	}
	state, err := s.Reader.At(ctx, of, until)
	if errors.Is(err, replay.ErrUnknown) { // Nothing was there yet.
		return s.nothing(ctx, subject, until, head)
	}
	if err != nil {
		return Replay{}, said(err)
	}
	return s.view(ctx, subject, of, state, head)
}

// nothing is a subject before its first event.
func (s *Service) nothing(ctx context.Context, subject ReplaySubject, until replay.Until, head int64) (Replay, error) {
	view := Replay{Subject: subject, Position: until.Position, Head: head, Accounts: []ReplayAccount{}, States: []ReplayState{}}
	if until.Position == 0 {
		return view, nil
	}
	records, err := history.ReadAt(ctx, s.Pool, []int64{until.Position})
	if err == nil && len(records) > 0 {
		view.RecordedAt = records[0].RecordedAt.UTC()
	}
	return view, err
}

// said is what a replay cannot do, as a person is told.
func said(err error) error {
	var archived *history.ArchivedError
	var none *replay.NoTrailError
	switch {
	case errors.As(err, &archived):
		return fault.New(fault.Conflict, "The events from position %d to %d are archived. Ask an operator to attach their archive, then look again.", archived.From, archived.To)
	case errors.As(err, &none):
		return fault.New(fault.Unavailable, "The index of events is being made. Please try again in a while.")
	}
	return err
}

// stepsMost is how many steps are answered at once.
const stepsMost = 100

// Steps are events that name a case's subject: from a position on, or with back those before it, the latest first.
func (s *Service) Steps(ctx context.Context, who usecase.Who, caseID string, subject ReplaySubject, from *int64, back bool, limit int) (ReplaySteps, error) {
	out := ReplaySteps{Steps: []ReplayStep{}}
	of, err := s.opened(ctx, who, caseID, subject)
	if err != nil {
		return out, err
	}
	if _, out.Head, err = history.Head(ctx, s.Pool); err != nil {
		return out, err
	}
	var at int64
	if from != nil {
		at = *from
	}
	switch {
	case at < 0 || at > out.Head+1:
		return out, fault.Field("from", "The ledger ends at position %d. Choose one up to there.", out.Head)
	case !back && at > 0:
		at-- // Those from this one on.
	}
	limit = min(limit, stepsMost)
	steps, err := s.Reader.Steps(ctx, of, at, limit+1, back)
	if errors.Is(err, replay.ErrUnknown) {
		return out, nil
	}
	if err != nil {
		return out, said(err)
	}
	more := len(steps) > limit
	switch {
	case more && back:
		steps = steps[len(steps)-limit:]
		out.Next = &steps[0].Record.Pos
	case more:
		out.Next = &steps[limit].Record.Pos
		steps = steps[:limit]
	}
	out.Steps, err = s.stepViews(ctx, of, steps)
	return out, err
}

// spaced is a type of events as a sentence: ContributionReceived is "Contribution received".
func spaced(typ string) string {
	name := strings.TrimPrefix(typ, "naira.v1.")
	for _, version := range []string{"V2", "V3", "V4"} {
		name = strings.TrimSuffix(name, version)
	}
	var words strings.Builder
	for i, r := range name {
		if i > 0 && r >= 'A' && r <= 'Z' {
			words.WriteByte(' ')
			r += 'a' - 'A'
		}
		words.WriteRune(r)
	}
	return words.String()
}
