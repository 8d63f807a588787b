package audit

import (
	"cmp"
	"context"
	"encoding/csv"
	"io"
	"slices"
	"strconv"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/projections/ajos"
	"adashi.ng/projections/disputes"
	"adashi.ng/projections/groups"
	"adashi.ng/projections/months"
	"adashi.ng/projections/query"
	"adashi.ng/services/internal/usecase"
)

// DeskReadModels are the read models of the desk across groups and ajo.
var DeskReadModels = []string{groups.Name, ajos.Name, disputes.Name, months.Name}

// countedMost limits the counting of a queue: a validator with so much work needs no exact figure.
const countedMost = 1000

var queues = []Queue{QueueODD, QueueOLDEST, QueueANSWERED, QueueQUERIED, QueueDISPUTED, QueuePAYOUTS, QueueAJO, QueueSAMPLE}

// WhichOnDesk filters a validator's payments, across groups and ajo.
type WhichOnDesk struct {
	Narrowing
	Queue Queue
	Place string // Only payments of one group or ajo; empty means all.
}

// desk is the groups and ajo of a validator, and the filter of their payments.
type desk struct {
	user     string
	groups   []groups.Group
	ajos     []ajos.Ajo
	disputed []uuid.UUID // The events that are the subject of open disputes.
	samples  samples
	which    WhichOnDesk
	ofGroups groups.Narrowing
	ofAjos   ajos.Narrowing
}

// desk finds the groups and ajo of a validator. The validator marks everybody's payments except their own.
func (s *Service) desk(ctx context.Context, user string, wanted WhichOnDesk) (d desk, err error) {
	d = desk{user: user, which: wanted}
	if d.groups, err = groups.ValidatedBy(ctx, s.Pool, user); err != nil {
		return d, err
	}
	if d.ajos, err = ajos.ValidatedBy(ctx, s.Pool, user); err != nil {
		return d, err
	}
	if err = d.read(); err != nil {
		return d, err
	}
	if places := d.ids(); len(places) > 0 {
		if d.disputed, err = disputes.OpenAbout(ctx, s.Pool, places); err == nil {
			d.samples, err = s.samples(ctx, places...)
		}
	}
	return d, err
}

func (d *desk) ids() (all []string) {
	for _, g := range d.groups {
		all = append(all, g.ID)
	}
	for _, a := range d.ajos {
		all = append(all, a.ID)
	}
	return all
}

// read checks the filter's format.
func (d *desk) read() (err error) {
	if w := d.which; w.Place != "" {
		id, err := usecase.ParseID(w.Place, "group or ajo that you audit")
		if err != nil || !slices.Contains(d.ids(), id) {
			return fault.New(fault.NotFound, "There is no such group or ajo that you audit.")
		}
		d.which.Place = id
	}
	if !slices.Contains(queues, d.which.Queue) {
		return fault.Field("queue", "Choose a queue: odd, oldest, answered, queried, disputed, payouts, ajo or sample.")
	}
	d.ofGroups, d.ofAjos, err = d.which.read()
	return err
}

// queue translates a queue of the desk, with further filters, for groups and for ajo.
func (d *desk) queue(queue Queue, of groups.Narrowing, ofAjo ajos.Narrowing) (groups.OnDesk, ajos.OnDesk) {
	ofGroups, ofAjos := groups.OnDesk{Narrowing: of}, ajos.OnDesk{Narrowing: ofAjo}
	waiting := []nairav1.Mark{nairav1.Mark_MARK_UNSPECIFIED}
	for _, g := range d.groups {
		ofGroups.Groups = append(ofGroups.Groups, g.ID)
	}
	ofAjos.Ajos = d.ajos
	ofGroups.Not, ofAjos.Not, ofGroups.Marks, ofAjos.Marks = d.user, d.user, waiting, waiting
	switch queue {
	case QueueODD:
		if ofGroups.Odd == 0 {
			ofGroups.Odd, ofAjos.Odd = anyOdd, anyOdd
		}
	case QueueQUERIED, QueueANSWERED:
		queried := []nairav1.Mark{nairav1.Mark_MARK_QUERIED}
		ofGroups.Marks, ofAjos.Marks = queried, queried
		ofGroups.Answered, ofAjos.Answered = queue == QueueANSWERED, queue == QueueANSWERED
	case QueueDISPUTED:
		every := []nairav1.Mark{0, nairav1.Mark_MARK_VALIDATED, nairav1.Mark_MARK_QUERIED, nairav1.Mark_MARK_RESOLVED}
		ofGroups.Marks, ofAjos.Marks = every, every
		ofGroups.Events, ofAjos.Events = append([]uuid.UUID{}, d.disputed...), append([]uuid.UUID{}, d.disputed...)
	case QueuePAYOUTS:
		if ofGroups.Kind != "" && ofGroups.Kind != groups.PaidOut {
			ofGroups.Groups, ofAjos.Ajos = nil, nil
		}
		ofGroups.Kind, ofAjos.Kinds = groups.PaidOut, []string{ajos.Payout}
	case QueueAJO:
		ofGroups.Groups = nil
	case QueueSAMPLE:
		ofGroups.Places, ofAjos.Places = d.samples.places(), d.samples.places()
	}
	return ofGroups, ofAjos
}

// wanted translates the requested queue with the request's filters.
func (d *desk) wanted() (groups.OnDesk, ajos.OnDesk) {
	ofGroups, ofAjos := d.queue(d.which.Queue, d.ofGroups, d.ofAjos)
	if place := d.which.Place; place != "" {
		ofGroups.Groups = slices.DeleteFunc(ofGroups.Groups, func(id string) bool { return id != place })
		ofAjos.Ajos = slices.DeleteFunc(slices.Clone(ofAjos.Ajos), func(a ajos.Ajo) bool { return a.ID != place })
	}
	return ofGroups, ofAjos
}

// row is a payment of a group or of an ajo.
type row struct {
	pos   int64
	group *groups.Payment
	ajo   *ajos.Payment
}

// page reads payments of the desk after a position, the oldest first.
func (s *Service) page(ctx context.Context, d desk, after int64, limit int) ([]row, error) {
	ofGroups, ofAjos := d.wanted()
	a, err := ofGroups.Payments(ctx, s.Pool, after, limit)
	if err != nil {
		return nil, err
	}
	b, err := ofAjos.Payments(ctx, s.Pool, after, limit)
	if err != nil {
		return nil, err
	}
	rows := make([]row, 0, len(a)+len(b))
	for i := range a {
		rows = append(rows, row{pos: a[i].Pos, group: &a[i]})
	}
	for i := range b {
		rows = append(rows, row{pos: b[i].Pos, ajo: &b[i]})
	}
	slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(a.pos, b.pos) })
	return rows[:min(limit, len(rows))], nil
}

// deskViews returns payments of the desk as its validator sees them.
func (s *Service) deskViews(ctx context.Context, d desk, rows []row) ([]AuditPayment, error) {
	var ofGroups []groups.Payment
	ofAjos := map[string][]ajos.Payment{}
	for _, r := range rows {
		if r.group != nil {
			ofGroups = append(ofGroups, *r.group)
		} else {
			ofAjos[r.ajo.AjoID] = append(ofAjos[r.ajo.AjoID], *r.ajo)
		}
	}
	byID := map[string]groups.Group{}
	for _, g := range d.groups {
		byID[g.ID] = g
	}
	views, err := s.auditViews(ctx, d.user, func(id string) savings.Group {
		return savings.Group{Owner: byID[id].Owner, Validator: byID[id].Validator, Approvers: byID[id].Approvers}
	}, nil, ofGroups)
	if err != nil {
		return views, err
	}
	for i, p := range ofGroups {
		views[i].Place = &AuditPlace{Kind: AuditPlaceKindGROUP, Id: p.Group, Name: byID[p.Group].Name}
	}
	for _, a := range d.ajos {
		of, err := s.ajoViews(ctx, d.user, a, nil, ofAjos[a.ID])
		if err != nil {
			return views, err
		}
		for i := range of {
			of[i].Place = &AuditPlace{Kind: AuditPlaceKindAJO, Id: a.ID, Name: a.Name}
		}
		views = append(views, of...)
	}
	for i := range views {
		disputed := slices.ContainsFunc(d.disputed, func(id uuid.UUID) bool { return id.String() == views[i].Id })
		views[i].Disputed, views[i].SampleOf = &disputed, d.samples.of(*views[i].Position)
	}
	slices.SortFunc(views, func(a, b AuditPayment) int { return cmp.Compare(*a.Position, *b.Position) })
	return views, nil
}

// Desk returns a page of the payments that wait for a validator in all their groups and ajo, the oldest first. The
// first page has the length of each queue.
func (s *Service) Desk(ctx context.Context, user string, wanted WhichOnDesk, before *string, limit int) (AuditDesk, error) {
	page := AuditDesk{Payments: []AuditPayment{}, Places: []AuditPlace{}, Queues: []AuditQueue{}}
	after, err := usecase.Cursor(before)
	if err != nil {
		return page, err
	}
	d, err := s.desk(ctx, user, wanted)
	if err != nil {
		return page, err
	}
	for _, g := range d.groups {
		page.Places = append(page.Places, AuditPlace{Kind: AuditPlaceKindGROUP, Id: g.ID, Name: g.Name})
	}
	for _, a := range d.ajos {
		page.Places = append(page.Places, AuditPlace{Kind: AuditPlaceKindAJO, Id: a.ID, Name: a.Name})
	}
	if len(page.Places) == 0 {
		return page, nil
	}
	rows, err := s.page(ctx, d, after, limit+1)
	if err != nil {
		return page, err
	}
	if len(rows) > limit {
		rows = rows[:limit]
		page.Next = usecase.OrNil(strconv.FormatInt(rows[limit-1].pos, 10))
	}
	if page.Payments, err = s.deskViews(ctx, d, rows); err != nil {
		return page, err
	}
	page.Position = s.stands(page.Payments, DeskReadModels)
	if after == 0 {
		page.Queues, err = s.queues(ctx, d, queues...)
	}
	return page, err
}

// queues counts the payments in some queues, without the filters.
func (s *Service) queues(ctx context.Context, d desk, which ...Queue) ([]AuditQueue, error) {
	counts := make([]AuditQueue, len(which))
	var batch pgx.Batch
	for i, queue := range which {
		counts[i].Queue = queue
		ofGroups, ofAjos := d.queue(queue, groups.Narrowing{}, ajos.Narrowing{})
		add := func(n int) { counts[i].Count = min(counts[i].Count+n, countedMost) }
		ofGroups.Count(countedMost).Queue(&batch, add)
		ofAjos.Count(countedMost).Queue(&batch, add)
	}
	return counts, query.Send(ctx, s.Pool, &batch)
}

// ExportDesk writes the desk's payments as CSV, in its order. It calls begin for the writer once it can no longer
// refuse. After a later error the file is incomplete.
func (s *Service) ExportDesk(ctx context.Context, user string, wanted WhichOnDesk, begin func() io.Writer) error {
	d, err := s.desk(ctx, user, wanted)
	if err != nil {
		return err
	}
	rows, err := s.page(ctx, d, 0, auditedAtOnce)
	if err != nil {
		return err
	}
	to := begin()
	if _, err := io.WriteString(to, usecase.ByteOrderMark); err != nil {
		return err
	}
	file := csv.NewWriter(to)
	file.UseCRLF = true
	if err := file.Write(append([]string{"Group or ajo", "Disputed"}, AuditColumns...)); err != nil {
		return err
	}
	for len(rows) > 0 {
		views, err := s.deskViews(ctx, d, rows)
		if err != nil {
			return err
		}
		for _, v := range views {
			disputed := map[bool]string{true: "yes"}[*v.Disputed]
			if err := file.Write(append([]string{usecase.Harmless(v.Place.Name), disputed}, auditRow(v)...)); err != nil {
				return err
			}
		}
		if file.Flush(); file.Error() != nil {
			return file.Error()
		}
		if rows, err = s.page(ctx, d, rows[len(rows)-1].pos, auditedAtOnce); err != nil {
			return err
		}
	}
	file.Flush()
	return file.Error()
}
