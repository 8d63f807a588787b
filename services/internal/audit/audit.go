package audit

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/domain/reviews"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/groups"
	"adashi.ng/services/internal/usecase"
	"adashi.ng/services/internal/vault"
)

// WhichPayments filters the payments of a group for an auditor; empty means all.
type WhichPayments struct {
	Narrowing
	State      *State
	SubAccount *string
	Sample     *bool // Only payments of a sample that is drawn and not attested.
}

func (w WhichPayments) read(drawn draws) (which groups.Which, err error) {
	if which.Narrowing, _, err = w.Narrowing.read(); err != nil {
		return which, err
	}
	if which.Mark, which.Answered, which.Places, err = drawn.in(w.State, w.Sample); err != nil {
		return which, err
	}
	if id := value(w.SubAccount); id != "" {
		which.SubAccount, err = usecase.ParseID(id, "sub-account")
	}
	return which, err
}

// auditedBy returns a group for an official of it.
func (s *Service) auditedBy(ctx context.Context, user, groupID string) (string, savings.Group, error) {
	groupID, err := usecase.ParseID(groupID, "group")
	if err != nil {
		return groupID, savings.Group{}, err
	}
	relation, err := s.Relation(ctx, user, groupID)
	if err != nil {
		return groupID, relation.Group, err
	}
	return groupID, relation.Group, relation.MustBeOfficial()
}

// Audit returns a page of a group's payments with their marks, the unusual ones first, then the oldest first.
func (s *Service) Audit(ctx context.Context, user, groupID string, wanted WhichPayments, before *string, limit int) (AuditPage, error) {
	page := AuditPage{Payments: []AuditPayment{}}
	groupID, g, err := s.auditedBy(ctx, user, groupID)
	if err != nil {
		return page, err
	}
	drawn, err := s.draws(ctx, groupID)
	if err != nil {
		return page, err
	}
	which, err := wanted.read(drawn)
	if err != nil {
		return page, err
	}
	after, err := auditCursor(before)
	if err != nil {
		return page, err
	}
	rows, err := groups.Payments(ctx, s.Pool, groupID, which, after, limit+1)
	if err != nil {
		return page, err
	}
	if len(rows) > limit {
		rows = rows[:limit]
		last := rows[limit-1]
		page.Next = usecase.OrNil(fmt.Sprintf("%t.%d", last.Odd == 0, last.Pos))
	}
	if page.Payments, err = s.auditViews(ctx, user, func(string) savings.Group { return g }, drawn.rechecks, rows); err != nil {
		return page, err
	}
	page.Rechecks = len(drawn.rechecks.places())
	if err = s.showDraws(ctx, groupID, drawn, page.Payments); err != nil {
		return page, err
	}
	page.Position = s.stands(page.Payments, ReadModels)
	page.Coverage, err = s.coverage(ctx, groupID)
	return page, err
}

func auditCursor(before *string) (after groups.After, err error) {
	if before == nil || *before == "" {
		return after, nil
	}
	plain, pos, _ := strings.Cut(*before, ".")
	if after.Pos, err = strconv.ParseInt(pos, 10, 64); err != nil || plain != "true" && plain != "false" {
		return after, fault.Field("before", "This page cannot be found. Go back to the first one.")
	}
	after.Plain = plain == "true"
	return after, nil
}

// coverage is how much of a group's payments is audited.
func (s *Service) coverage(ctx context.Context, groupID string) (AuditCoverage, error) {
	months, err := groups.Coverages(groupID).Read(ctx, s.Pool)
	if err != nil {
		return AuditCoverage{}, err
	}
	return covered(months)
}

func covered(months []groups.Coverage) (AuditCoverage, error) {
	out := AuditCoverage{}
	out.Months = make([]AuditMonth, len(months))
	for i, m := range months {
		at, err := time.Parse("2006-01", m.Month)
		if err != nil {
			return out, err
		}
		out.Months[i].Month, out.Months[i].Label, out.Months[i].Reviewed, out.Months[i].Total = m.Month, at.Format("January 2006"), m.Reviewed(), m.Total
		out.Total, out.Validated, out.Queried, out.Resolved = out.Total+m.Total, out.Validated+m.Validated, out.Queried+m.Queried, out.Resolved+m.Resolved
	}
	out.Unreviewed = out.Total - out.Validated - out.Queried - out.Resolved
	if out.Percent = 100; out.Total > 0 {
		// Rounding never hides a payment that is not audited.
		out.Percent = float32(math.Floor(float64(out.Validated+out.Resolved)/float64(out.Total)*1000) / 10)
	}
	return out, nil
}

// Marking is an auditor's mark for a payment, by its event's id.
type Marking struct {
	ID, Mark, Reason string
	Seen             int64 // The ledger's position up to which the auditor's screen had read; 0 when the request does not say.
}

// Markings reads the marks of a request.
func Markings(form MarkPaymentsRequest) []Marking {
	list := make([]Marking, len(form.Marks))
	for i, m := range form.Marks {
		list[i] = Marking{ID: m.Id, Mark: string(m.Mark)}
		if m.Reason != nil {
			list[i].Reason = *m.Reason
		}
		if form.SeenPosition != nil {
			list[i].Seen = *form.SeenPosition
		}
	}
	return list
}

// Said describes the result of marking payments: one sentence when all got the same mark.
func Said(list []Marking) string {
	said, many := "marked", "payments are "
	if len(list) > 0 && !slices.ContainsFunc(list, func(m Marking) bool { return m.Mark != list[0].Mark }) {
		if said = strings.ToLower(list[0].Mark); list[0].Mark == string(AuditMarkUNREVIEWED) {
			said = "not marked any more"
		}
	}
	if len(list) == 1 {
		many = "payment is "
	}
	return strconv.Itoa(len(list)) + " " + many + said + "."
}

// MarkPayments validates, queries or resolves payments of a group: all of them, or none.
func (s *Service) MarkPayments(ctx context.Context, who usecase.Who, groupID string, list []Marking) (AuditCoverage, int64, error) {
	groupID, _, err := s.auditedBy(ctx, who.User, groupID)
	if err != nil {
		return AuditCoverage{}, 0, err
	}
	command := reviews.Mark{GroupID: groupID, By: who.User, Now: s.Now(), Nonce: nonce()}
	if command.List, err = s.markings(ctx, groupID, list); err != nil {
		return AuditCoverage{}, 0, err
	}
	id, _ := who.ID("mark payments")
	result, err := s.Record(ctx, who, id, groupID, store.Fingerprint(groupID, fmt.Sprint(list)), command)
	if err != nil {
		return AuditCoverage{}, 0, err
	}
	s.Tracker.WaitFor(ctx, result.Position(), usecase.ReadModelWait, ReadModels...)
	view, err := s.coverage(ctx, groupID)
	return view, result.Position(), err
}

// markings adds the recorded payments to the requested marks.
func (s *Service) markings(ctx context.Context, groupID string, list []Marking) ([]reviews.Marking, error) {
	ids, err := idsOf(list)
	if err != nil {
		return nil, err
	}
	places, err := groups.Places(ctx, s.Pool, groupID, ids)
	if err != nil {
		return nil, err
	}
	out, err := s.recorded(ctx, list, ids, slices.Collect(maps.Values(places)))
	if err != nil {
		return nil, err
	}
	paidTo := s.paidTo()
	for n := range out {
		if out[n].PaidTo, err = s.concerned(ctx, out[n].Original, paidTo); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// concerned returns the officials whom a payment concerns through its destination, see paidTo; none when it is not a
// payout of a group.
func (s *Service) concerned(ctx context.Context, payment event.Record, paidTo paidTo) ([]string, error) {
	m, err := payment.Message()
	if err != nil {
		return nil, err
	}
	payout, is := m.(interface {
		GetGroupId() string
		GetLiquidationId() string
		GetRequestedBy() string
	})
	if !is {
		return nil, nil
	}
	payee, err := s.Vault.Payee(ctx, payout.GetLiquidationId())
	if err != nil && !errors.Is(err, vault.ErrGone) {
		return nil, err
	}
	return paidTo(ctx, payout.GetGroupId(), payee, payout.GetRequestedBy())
}

func idsOf(list []Marking) ([]uuid.UUID, error) {
	if len(list) > reviews.MarksAtOnce {
		return nil, fault.Field("marks", "Mark 1 to %d payments at once.", reviews.MarksAtOnce)
	}
	ids := make([]uuid.UUID, len(list))
	for i, m := range list {
		id, err := usecase.ParseID(m.ID, "payment")
		if err != nil {
			return nil, err
		}
		ids[i] = uuid.MustParse(id)
	}
	return ids, nil
}

// stands is the position up to which a page has read: at least the read models' position, and its newest payment.
func (s *Service) stands(page []AuditPayment, models []string) *int64 {
	pos := s.Tracker.Position(models...)
	for _, p := range page {
		pos = max(pos, *p.Position)
	}
	return &pos
}

// recorded adds the payments at some positions of the ledger to their marks.
func (s *Service) recorded(ctx context.Context, list []Marking, ids []uuid.UUID, places []int64) ([]reviews.Marking, error) {
	records, err := history.ReadAt(ctx, s.Pool, places)
	if err != nil {
		return nil, err
	}
	found := map[uuid.UUID]event.Record{}
	for _, r := range records {
		found[r.ID()] = r
	}
	_, head, err := history.Head(ctx, s.Pool)
	if err != nil {
		return nil, err
	}
	out := make([]reviews.Marking, len(list))
	for i, m := range list {
		if m.Seen < 0 || m.Seen > head {
			return nil, fault.Field("seenPosition", "Nobody has read so far: the ledger has %d entries. Load the page again.", head)
		}
		record, ok := found[ids[i]]
		if !ok {
			return nil, fault.New(fault.NotFound, "There is no such payment. Nothing was marked.")
		}
		out[i] = reviews.Marking{Original: record, Mark: markOf(m.Mark), Reason: m.Reason, Seen: m.Seen}
	}
	return out, nil
}

// markOf translates a mark of a request; UNREVIEWED withdraws a validation.
func markOf(name string) nairav1.Mark {
	if name == string(AuditMarkUNREVIEWED) {
		return nairav1.Mark_MARK_UNSPECIFIED
	}
	if mark, known := nairav1.Mark_value["MARK_"+name]; known && mark != 0 {
		return nairav1.Mark(mark)
	}
	return -1 // The rules refuse it.
}

// AuditColumns are the columns of an audit's export. Amounts are naira with two decimals, times Lagos.
var AuditColumns = []string{
	"Date", "Kind", "Member", "Paid by", "Sub-account", "Amount", "Channel", "Mark", "Answered", "Marked by", "Marked", "Reason", "Unusual", "Sample of", "Checked again", "Evidence", "Entry", "Id",
}

const auditedAtOnce = 500

// ExportAudit writes a group's payments and their marks as CSV. It calls begin for the writer once it can no longer
// refuse. After a later error the file is incomplete.
func (s *Service) ExportAudit(ctx context.Context, user, groupID string, wanted WhichPayments, begin func() io.Writer) error {
	groupID, g, err := s.auditedBy(ctx, user, groupID)
	if err != nil {
		return err
	}
	drawn, err := s.draws(ctx, groupID)
	if err != nil {
		return err
	}
	which, err := wanted.read(drawn)
	if err != nil {
		return err
	}
	rows, err := groups.Payments(ctx, s.Pool, groupID, which, groups.After{}, auditedAtOnce)
	if err != nil {
		return err
	}
	to := begin()
	if _, err := io.WriteString(to, usecase.ByteOrderMark); err != nil {
		return err
	}
	file := csv.NewWriter(to)
	file.UseCRLF = true
	if err := file.Write(AuditColumns); err != nil {
		return err
	}
	for len(rows) > 0 {
		views, err := s.auditViews(ctx, user, func(string) savings.Group { return g }, drawn.rechecks, rows)
		if err != nil {
			return err
		}
		if err := s.showDraws(ctx, groupID, drawn, views); err != nil {
			return err
		}
		for _, v := range views {
			if err := file.Write(auditRow(v)); err != nil {
				return err
			}
		}
		if file.Flush(); file.Error() != nil {
			return file.Error()
		}
		last := rows[len(rows)-1]
		if rows, err = groups.Payments(ctx, s.Pool, groupID, which, groups.After{Plain: last.Odd == 0, Pos: last.Pos}, auditedAtOnce); err != nil {
			return err
		}
	}
	file.Flush()
	return file.Error()
}

func auditRow(v AuditPayment) []string {
	const clock = "2006-01-02 15:04:05"
	or := func(p *string) string {
		if p == nil {
			return ""
		}
		return *p
	}
	marked, again, evidence, entry := "", or(v.RecheckedByName), make([]string, len(v.Evidence)), ""
	if v.Recheck != nil {
		again = "waits for the owner"
	}
	if v.MarkedAt != nil {
		marked = v.MarkedAt.In(lagos.Zone).Format(clock)
	}
	for i, e := range v.Evidence {
		evidence[i] = e.Label + ": " + e.Value
	}
	if v.Position != nil {
		entry = strconv.FormatInt(*v.Position, 10)
	}
	row := []string{
		v.Date.In(lagos.Zone).Format(clock), string(v.Kind), v.Name, or(v.PaidByName), v.SubAccountName, v.Amount.StringFixed(2), string(v.Channel), string(v.Mark),
		map[bool]string{true: "yes"}[v.Answered], or(v.MarkedByName), marked, or(v.Reason), strings.Join(v.Oddities, "; "), or(v.SampleOf), again, strings.Join(evidence, "; "), entry, v.Id,
	}
	for i := range row {
		row[i] = usecase.Harmless(row[i])
	}
	return row
}
