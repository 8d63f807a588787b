package timemachine

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/draw"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/redecide"
	"adashi.ng/ledger/infra/replay"
	"adashi.ng/projections/disputes"
	"adashi.ng/services/internal/usecase"
)

const (
	// labMost is how many events of a subject a lab goes through.
	labMost = 5000
	// streamMost is how many events a stream that a lab reads may have.
	streamMost = 20_000
	// labsKept is how many labs of a case are listed.
	labsKept = 20
)

// Lab shows what would have followed of a case's subject, had something been otherwise, and keeps what was tried.
func (s *Service) Lab(ctx context.Context, who usecase.Who, caseID string, form LabRequest) (LabResult, error) {
	tried, err := s.Try(ctx, who, caseID, form)
	if err != nil {
		return LabResult{}, err
	}
	return s.labView(ctx, tried.of, tried.Found)
}

// Tried is a lab of a case, and what it came to.
type Tried struct {
	redecide.Found
	Case disputes.Dispute
	of   replay.Subject
}

// Try goes through a lab of a case that one has, and keeps what was tried.
func (s *Service) Try(ctx context.Context, who usecase.Who, caseID string, form LabRequest) (Tried, error) {
	of, err := s.opened(ctx, who, caseID, form.Subject)
	if err != nil {
		return Tried{}, err
	}
	d, err := s.Disputes.InHand(ctx, who, caseID)
	if err != nil {
		return Tried{}, err
	}
	tried, err := s.Otherwise(ctx, Tried{Case: d, of: of}, form.Edits)
	if err == nil && len(form.Edits) > 0 {
		err = s.keepLab(ctx, d.ID, form)
	}
	return tried, err
}

// Otherwise goes through a lab of the same case and subject with other edits. It is not kept.
func (s *Service) Otherwise(ctx context.Context, t Tried, forms []LabEdit) (Tried, error) {
	edits, err := s.edits(ctx, t.Case, forms)
	if err != nil {
		return Tried{}, err
	}
	_, head, err := history.Head(ctx, s.Pool)
	if err != nil {
		return Tried{}, err
	}
	records, err := s.history(ctx, t.of, head)
	if err != nil {
		return Tried{}, err
	}
	t.Found, err = s.run(ctx, records, edits, head)
	var none *redecide.PositionError
	switch {
	case errors.As(err, &none):
		return Tried{}, fault.Field("edits", "No event at position %d concerns this subject. Choose one that the time machine shows.", none.Position)
	case err != nil:
		return Tried{}, said(err)
	}
	return t, nil
}

// history are all events of the commands that concern a subject, up to a position.
func (s *Service) history(ctx context.Context, of replay.Subject, to int64) ([]event.Record, error) {
	steps, err := s.Reader.Steps(ctx, of, 0, labMost+1, false)
	switch {
	case errors.Is(err, replay.ErrUnknown):
		return nil, nil
	case err != nil:
		return nil, said(err)
	case len(steps) > labMost:
		return nil, fault.New(fault.Conflict, "More than %d events concern this. A lab goes through as many at most: try it with the member instead.", labMost)
	}
	records := make([]event.Record, len(steps))
	for i, step := range steps {
		records[i] = *step.Record
	}
	return history.Whole(ctx, s.Pool, records, to)
}

// run goes through a lab. It fails where a round that would have drawn an ajo cannot be had.
func (s *Service) run(ctx context.Context, records []event.Record, edits []redecide.Edit, head int64) (redecide.Found, error) {
	var missing error
	lab := s.lab(ctx, records, edits, head)
	lab.Jobs = ledger.Jobs(func(round uint64) (draw.Beacon, []byte, bool) {
		if s.Beacon == nil {
			return draw.Beacon{}, nil, false
		}
		signature, err := s.Beacon.Fetch(ctx, round)
		if err != nil {
			missing = err
		}
		return s.Beacon.Beacon(), signature, err == nil
	})
	found, err := lab.Run()
	if err == nil {
		err = missing
	}
	return found, err
}

func (s *Service) lab(ctx context.Context, records []event.Record, edits []redecide.Edit, head int64) redecide.Lab {
	return redecide.Lab{
		Aggregates: ledger.Aggregates(), Wishes: ledger.Wishes(s.beacons()...), Part: ledger.Part, Alike: ledger.Alike, Records: records, Edits: edits, Until: s.Now(),
		Stream: func(name string) ([]event.Record, error) {
			all, err := history.ReadStream(ctx, s.Pool, name, head, streamMost+1)
			switch {
			case err != nil:
				return nil, err
			case len(all) > streamMost:
				return nil, fault.New(fault.Conflict, "One of the streams behind this has more than %d events, which a lab cannot go through.", streamMost)
			case len(all) > 0 && all[0].Version != 1:
				return nil, &history.ArchivedError{From: 1, To: all[0].Pos - 1}
			case len(all) == 0: // Where all of it is archived, it is not a stream that never was.
				return nil, history.Archived(ctx, s.Pool, name)
			}
			return all, nil
		},
		Balance: func(account string, before int64) (money.Kobo, error) {
			if before <= 1 {
				return 0, nil // No position would mean the latest.
			}
			state, err := s.Reader.At(ctx, replay.Subject{Account: account}, replay.Until{Position: min(before-1, head)})
			if errors.Is(err, replay.ErrUnknown) {
				return 0, nil
			}
			return state.Balances[account], err
		},
	}
}

// beacons are what ajo are drawn from here.
func (s *Service) beacons() []draw.Beacon {
	if s.Beacon == nil {
		return nil
	}
	return []draw.Beacon{s.Beacon.Beacon()}
}

// edits reads what is taken to have been otherwise.
func (s *Service) edits(ctx context.Context, d disputes.Dispute, forms []LabEdit) ([]redecide.Edit, error) {
	edits, at := make([]redecide.Edit, len(forms)), map[int64]bool{}
	for i, form := range forms {
		e := redecide.Edit{}
		var err error
		if form.Amount != nil {
			if e.Amount, err = usecase.Kobo("edits", *form.Amount); err != nil {
				return nil, err
			}
		}
		if form.At != nil {
			e.At = form.At.UTC()
		}
		if form.Position != nil {
			e.Position = *form.Position
		}
		moves, changes, absent := form.Kind == MOVED, form.Kind == AMOUNT, form.Kind == ABSENT
		switch {
		case form.Kind == PAID:
			if edits[i], err = s.paid(ctx, d, form, e); err != nil {
				return nil, err
			}
			continue
		case !moves && !changes && !absent:
			return nil, fault.Field("edits", "Choose ABSENT, AMOUNT, MOVED or PAID.")
		case e.Position <= 0:
			return nil, fault.Field("edits", "Say which event.")
		case at[e.Position]:
			return nil, fault.Field("edits", "The event at position %d is edited twice. Leave one of the two out.", e.Position)
		case moves && (e.At.IsZero() || e.At.After(s.Now())):
			return nil, fault.Field("edits", "Say when it should have come. That cannot be later than now.")
		case changes && e.Amount <= 0:
			return nil, fault.Field("edits", "Enter the amount that it should have had.")
		}
		at[e.Position] = true
		if !changes && !moves {
			e.Amount = 0
		}
		if !moves {
			e.At = time.Time{}
		}
		e.Absent = absent
		edits[i] = e
	}
	return edits, nil
}

// paid is that the member's money came by transfer, and paid a due where a sub-account is named, or a cycle and a seat.
func (s *Service) paid(ctx context.Context, d disputes.Dispute, form LabEdit, e redecide.Edit) (redecide.Edit, error) {
	if e.Amount <= 0 || e.At.IsZero() || e.At.After(s.Now()) {
		return e, fault.Field("edits", "Say how much came, and when. That cannot be later than now.")
	}
	e.Insert = []event.Command{came{d.User, e.Amount}}
	if form.Cycle != nil || form.Seat != nil {
		return paidToAjo(d, form, e)
	}
	if form.SubAccountId == nil || *form.SubAccountId == "" {
		return e, nil
	}
	sub, err := usecase.ParseID(*form.SubAccountId, "sub-account")
	if err != nil {
		return e, err
	}
	group, err := s.GroupOfSub(ctx, sub)
	if err != nil {
		return e, err
	}
	if group != d.Group {
		return e, fault.Field("edits", "Choose a sub-account of the group that the case is about.")
	}
	e.Insert = append(e.Insert, dues.Contribute{GroupID: group, SubAccountID: sub, User: d.User, Amount: e.Amount, Channel: nairav1.Channel_CHANNEL_WALLET, At: e.At})
	return e, nil
}

// paidToAjo is that the member's money paid a due of the ajo that the case is about.
func paidToAjo(d disputes.Dispute, form LabEdit, e redecide.Edit) (redecide.Edit, error) {
	switch {
	case form.Cycle == nil || form.Seat == nil || *form.Cycle < 1 || *form.Seat < 1:
		return e, fault.Field("edits", "Say which cycle and which seat of the ajo were paid.")
	case form.SubAccountId != nil && *form.SubAccountId != "":
		return e, fault.Field("edits", "Money pays a due of a group or one of an ajo. Leave one of the two out.")
	case d.Ajo == "":
		return e, fault.Field("edits", "This case is about no ajo. Choose a sub-account, or none.")
	}
	e.Insert = append(e.Insert, payAjoDue{AjoID: d.Ajo, Cycle: int(*form.Cycle), Seat: int(*form.Seat), User: d.User, Amount: e.Amount, At: e.At})
	return e, nil
}

// came is money of a lab that came to a member's wallet. It exists in a lab alone.
type came struct {
	user   string
	amount money.Kobo
}

// labPayment is the stream of a payment that exists in a lab alone.
const labPayment = "payment:lab"

// Streams implements event.Command.
func (came) Streams() []string { return []string{labPayment} }

// Accounts implements event.Command.
func (came) Accounts() []string { return nil }

// Decide implements event.Command.
func (c came) Decide(event.View) ([]event.Draft, error) {
	return []event.Draft{event.On(labPayment, &nairav1.PaymentConfirmedV2{
		PaymentId: "lab", UserId: c.user, Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: string(event.Vfd), AmountKobo: int64(c.amount),
	})}, nil
}

// keepLab notes what was tried in a case, once.
func (s *Service) keepLab(ctx context.Context, disputeID string, form LabRequest) error {
	raw, err := json.Marshal(form)
	if err != nil {
		return err
	}
	id := uuid.NewSHA1(uuid.NameSpaceOID, append([]byte(disputeID+" "), raw...))
	_, err = s.Pool.Exec(ctx, "INSERT INTO case_labs (id, case_id, at, lab) VALUES ($1, $2, $3, $4) ON CONFLICT (id) DO UPDATE SET at = excluded.at", id, disputeID, s.Present(), raw)
	return err
}

// Labs are what was tried in a case, the latest first.
func (s *Service) Labs(ctx context.Context, who usecase.Who, caseID string) ([]KeptLab, error) {
	d, err := s.Disputes.InHand(ctx, who, caseID)
	if err != nil {
		return nil, err
	}
	rows, err := s.Pool.Query(ctx, "SELECT id, at, lab FROM case_labs WHERE case_id = $1 ORDER BY at DESC LIMIT $2", d.ID, labsKept)
	if err != nil {
		return nil, err
	}
	labs, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (KeptLab, error) {
		var kept KeptLab
		var id uuid.UUID
		var form LabRequest
		var raw []byte
		if err := row.Scan(&id, &kept.At, &raw); err != nil {
			return kept, err
		}
		err := json.Unmarshal(raw, &form)
		kept.Id, kept.At, kept.Subject, kept.Edits = id.String(), kept.At.UTC(), form.Subject, form.Edits
		return kept, err
	})
	if labs == nil {
		labs = []KeptLab{}
	}
	return labs, err
}
