package main

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"
	"adashi.ng/proto/wire"

	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/event"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/timemachine"
	"adashi.ng/services/internal/usecase"
)

const (
	labMembers = 100
	labEvents  = 1_000
)

var labs = benchmark{name: "lab", once: true, limit: 10 * time.Minute, run: lab, rows: []spec{{"lab", "labs/s", bar{p99: 1000}}}}

// lab measures a lab as Support runs it: the history of a group without one of its first contributions. The group has a
// thousand events among those of others. Everything is on.
func lab(ctx context.Context, w *world) ([]row, error) {
	if err := w.populate(ctx, labMembers*groups); err != nil {
		return nil, err
	}
	for n := range labEvents - 2*labMembers {
		if _, err := w.ledger.Append(ctx, fresh(contribute(n%labMembers*groups, 0))); err != nil {
			return nil, err
		}
	}
	id, kase := uuid.NewString(), dispute.Case{User: userID(0), Staff: "bench-staff", Group: groupID(0)}
	kase.DisputeID = id
	for _, c := range []event.Command{
		dispute.Claim{DisputeID: id, User: kase.User, Kind: nairav1.DisputeKind_DISPUTE_KIND_TWICE, About: "bench", Group: kase.Group, Now: time.Now()},
		dispute.Take(kase),
	} {
		if _, err := w.ledger.Append(ctx, fresh(c)); err != nil {
			return nil, err
		}
	}
	d, err := w.open(ctx, boot.All)
	if err != nil {
		return nil, err
	}
	defer d.Stop()
	if err := w.level(ctx, 5*time.Minute); err != nil {
		return nil, err
	}
	who, form := usecase.Who{User: kase.Staff}, timemachine.LabRequest{Subject: contract.ReplaySubjectGROUP, Edits: []timemachine.LabEdit{}}
	asIs, err := d.App.TimeMachine.Lab(ctx, who, id, form)
	if err != nil {
		return nil, err
	}
	if asIs.Events < labEvents || len(asIs.Lines) > 0 {
		return nil, fmt.Errorf("a lab of %d events, with %d differences and no edit", asIs.Events, len(asIs.Lines))
	}
	at, amount := time.Now().UTC(), wire.FromKobo(100)
	sub := subID(0)
	form.Edits = []timemachine.LabEdit{{Kind: timemachine.PAID, Amount: &amount, At: &at, SubAccountId: &sub}}
	tried, err := hammer(1, func(_, _ int) error {
		_, err := d.App.TimeMachine.Lab(ctx, who, id, form)
		return err
	})
	return []row{tried.row("lab", 0)}, err
}
