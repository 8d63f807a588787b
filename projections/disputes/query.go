package disputes

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
)

// Dispute is a dispute in its current state.
type Dispute struct {
	ID, User                string
	Kind                    nairav1.DisputeKind
	Status, About, Event    string
	Position                int64
	Group, SubAccount, Ajo  string
	Arrival                 string
	Amount                  money.Kobo
	PaidAt                  *time.Time
	Staff                   string
	OpenedAt                time.Time
	AcknowledgeBy, DecideBy time.Time
	AnswerBy                *time.Time
	ResolvedAt, ReopenUntil *time.Time
	Late                    bool
	Plan                    string // The status of its correction; empty for none.
	HoldOf                  string // The payout that the member wants held; empty for no hold.
	HoldAmount              money.Kobo
	HoldUntil               *time.Time
	Hold                    string // ASKED, HELD, EXTENDED or OVER; empty for no hold.
	Pos                     int64
	BankReason              string // The bank's reason, in the gateway's word.
	BankAnswerBy            *time.Time
	BankAnswer              string // The status of our latest answer to it; empty for none.
	BankAccepted            bool   // Whether that answer gives the payer money back.
	DueAt                   time.Time
}

const columns = `dispute_id, user_id, kind, status, about, event_id, position, group_id, sub_account_id, ajo_id, arrival_id, kobo, paid_at, staff_id, opened_at,
	acknowledge_by, decide_by, answer_by, resolved_at, reopen_until, late, plan, hold_of, hold_kobo, hold_until, hold, pos, bank_reason, bank_answer_by, bank_answer, bank_accepted, due_at`

// open is the condition of the index of open disputes.
const open = "status IN ('OPEN', 'INVESTIGATING', 'INFO_REQUESTED', 'REOPENED')"

// ErrNone is returned when there is no such dispute.
var ErrNone = errors.New("disputes: there is no such dispute")

func list(ctx context.Context, pool *pgxpool.Pool, where string, args ...any) ([]Dispute, error) {
	rows, err := pool.Query(ctx, "SELECT "+columns+" FROM rm_disputes WHERE "+where, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Dispute])
}

// ByID reads a dispute, or answers ErrNone.
func ByID(ctx context.Context, pool *pgxpool.Pool, id string) (Dispute, error) {
	found, err := list(ctx, pool, "dispute_id = $1", id)
	if err == nil && len(found) == 0 {
		err = ErrNone
	}
	if err != nil {
		return Dispute{}, err
	}
	return found[0], nil
}

// Of reads a member's disputes from before a position (0 for all), the latest first.
func Of(ctx context.Context, pool *pgxpool.Pool, user string, before int64, limit int) ([]Dispute, error) {
	return list(ctx, pool, "user_id = $1 AND ($2 = 0 OR pos < $2) ORDER BY pos DESC LIMIT $3", user, before, limit)
}

// After is a place in a list of the desk.
type After struct {
	At  time.Time
	Pos int64
}

// Open reads the open cases, those due first: of one person of Support, or all where staff is empty.
func Open(ctx context.Context, pool *pgxpool.Pool, staff string, after After, limit int) ([]Dispute, error) {
	return list(ctx, pool, open+" AND ($1 = '' OR staff_id = $1) AND (due_at, pos) > ($2, $3) ORDER BY due_at, pos LIMIT $4", staff, after.At, after.Pos, limit)
}

// Over reads the closed cases, the latest first.
func Over(ctx context.Context, pool *pgxpool.Pool, before After, limit int) ([]Dispute, error) {
	return list(ctx, pool, "NOT "+open+" AND ($2 = 0 OR (resolved_at, pos) < ($1, $2)) ORDER BY resolved_at DESC, pos DESC LIMIT $3", before.At, before.Pos, limit)
}

// unanswered is the condition that a card's bank waits for an answer.
const unanswered = open + " AND bank_answer_by IS NOT NULL AND bank_answer IN ('', 'PROPOSED', 'FAILED', 'DROPPED')"

// Unanswered counts the open cases in which a card's bank waits for an answer at a moment.
func Unanswered(ctx context.Context, pool *pgxpool.Pool, now time.Time) (n int, err error) {
	err = pool.QueryRow(ctx, "SELECT count(*) FROM rm_disputes WHERE "+unanswered+" AND bank_answer_by > $1", now).Scan(&n)
	return n, err
}

// AnswersDue reads those whose answer is due by a moment and of which nobody was reminded, by id, those after one.
func AnswersDue(ctx context.Context, pool *pgxpool.Pool, now, until time.Time, after string, limit int) ([]Dispute, error) {
	return list(ctx, pool, unanswered+` AND bank_answer_by > $1 AND bank_answer_by <= $2 AND dispute_id > $3
		AND NOT EXISTS (SELECT FROM rm_dispute_steps s WHERE s.dispute_id = rm_disputes.dispute_id AND s.kind = 'ANSWER_DUE') ORDER BY dispute_id LIMIT $4`, now, until, after, limit)
}

// Answering reads the disputes whose answer to a card's bank must be sent or checked, by id, those after one.
func Answering(ctx context.Context, pool *pgxpool.Pool, after string, limit int) ([]Dispute, error) {
	return list(ctx, pool, "bank_answer IN ('GIVEN', 'SENT') AND dispute_id > $1 ORDER BY dispute_id LIMIT $2", after, limit)
}

// Counts are the numbers of open cases: all, those without staff, those of one person of Support, and those that are
// late.
func Counts(ctx context.Context, pool *pgxpool.Pool, staff string) (all, waiting, mine, late int, err error) {
	err = pool.QueryRow(ctx, "SELECT count(*), count(*) FILTER (WHERE status IN ('OPEN', 'REOPENED')), count(*) FILTER (WHERE staff_id = $1), count(*) FILTER (WHERE late) FROM rm_disputes WHERE "+open, staff).
		Scan(&all, &waiting, &mine, &late)
	return all, waiting, mine, late, err
}

// RanOut reads the open disputes of which a clock may have run out without a record of it, by id, those after one. The
// clock of a dispute may be stopped while its member has to answer a question.
func RanOut(ctx context.Context, pool *pgxpool.Pool, now time.Time, after string, limit int) ([]Dispute, error) {
	return list(ctx, pool, open+` AND dispute_id > $2 AND (answer_by <= $1 OR hold_until <= $1
		OR decide_by < $1 AND NOT EXISTS (SELECT FROM rm_dispute_steps s WHERE s.dispute_id = rm_disputes.dispute_id AND s.kind = 'DECISION_OVERDUE' AND s.until >= decide_by)
		OR status IN ('OPEN', 'REOPENED') AND acknowledge_by < $1
			AND NOT EXISTS (SELECT FROM rm_dispute_steps s WHERE s.dispute_id = rm_disputes.dispute_id AND s.kind = 'TAKING_OVERDUE' AND s.until = acknowledge_by))
		ORDER BY dispute_id LIMIT $3`, now, after, limit)
}

// OpenAbout answers the events that the open disputes of some groups and ajo are about, by group or ajo.
func OpenAbout(ctx context.Context, pool *pgxpool.Pool, places []string) ([]uuid.UUID, error) {
	rows, err := pool.Query(ctx, "SELECT DISTINCT event_id::uuid FROM rm_disputes WHERE "+open+" AND event_id <> '' AND (group_id = ANY($1) OR ajo_id = ANY($1))", places)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}

// Proposed reads the open cases whose correction waits for approval, the oldest first, those after a position.
func Proposed(ctx context.Context, pool *pgxpool.Pool, after int64, limit int) ([]Dispute, error) {
	return list(ctx, pool, "plan = 'PROPOSED' AND "+open+" AND pos > $1 ORDER BY pos LIMIT $2", after, limit)
}

// Approved reads the cases whose correction is approved and not applied, the same way: also those that are over by now.
func Approved(ctx context.Context, pool *pgxpool.Pool, after int64, limit int) ([]Dispute, error) {
	return list(ctx, pool, "plan = 'APPROVED' AND pos > $1 ORDER BY pos LIMIT $2", after, limit)
}

// Step is a step of a dispute.
type Step struct {
	Pos    int64
	Kind   string
	By     string // Empty for the clock.
	At     time.Time
	Paper  string // The text or file that came with it; empty for none.
	File   bool
	SHA256 []byte
	Until  *time.Time
	Events []string
}

// ForMember reports whether the dispute's member may see a step: of a correction they see only that it was applied, and
// of an answer to a card's bank only that the bank has it.
func (s Step) ForMember() bool {
	return s.Kind == "PLAN_APPLIED" || !strings.HasPrefix(s.Kind, "PLAN_") && !strings.HasPrefix(s.Kind, "CARD_ANSWER_")
}

// Steps reads the steps of a dispute, the oldest first.
func Steps(ctx context.Context, pool *pgxpool.Pool, id string) ([]Step, error) {
	rows, err := pool.Query(ctx, "SELECT pos, kind, by_id, at, paper_id, file, sha256, until, events FROM rm_dispute_steps WHERE dispute_id = $1 ORDER BY pos", id)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Step])
}

// StepOf is a step with its dispute.
type StepOf struct {
	Pos           int64
	Kind, By      string
	Dispute, User string // The member of the dispute.
}

// StepsAfter reads the steps of some kinds of all disputes after a position, the oldest first, as a transaction sees
// them.
func StepsAfter(ctx context.Context, tx pgx.Tx, after int64, kinds []string, limit int) ([]StepOf, error) {
	rows, err := tx.Query(ctx, `SELECT s.pos, s.kind, s.by_id, s.dispute_id, d.user_id FROM rm_dispute_steps s JOIN rm_disputes d USING (dispute_id)
		WHERE s.pos > $1 AND s.kind = ANY($2) ORDER BY s.pos LIMIT $3`, after, kinds, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[StepOf])
}

// StepCounts answers how many steps disputes have, by id.
func StepCounts(ctx context.Context, pool *pgxpool.Pool, ids []string) (map[string]int, error) {
	rows, err := pool.Query(ctx, "SELECT dispute_id, count(*) FROM rm_dispute_steps WHERE dispute_id = ANY($1) GROUP BY dispute_id", ids)
	if err != nil {
		return nil, err
	}
	counts := make(map[string]int, len(ids))
	var id string
	var count int
	_, err = pgx.ForEachRow(rows, []any{&id, &count}, func() error { counts[id] = count; return nil })
	return counts, err
}

// Frozen is a member who froze their money.
type Frozen struct {
	User    string
	Since   time.Time
	ThawAt  *time.Time
	Dispute string
}

// FrozenMembers reads the members who froze their money, by id, those after one.
func FrozenMembers(ctx context.Context, pool *pgxpool.Pool, after string, limit int) ([]Frozen, error) {
	rows, err := pool.Query(ctx, "SELECT user_id, since, thaw_at, dispute_id FROM rm_frozen WHERE user_id > $1 ORDER BY user_id LIMIT $2", after, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Frozen])
}

// Claim is a dispute in which a member says that some unmatched money is theirs.
type Claim struct {
	Arrival, Dispute, User string
	Open                   bool
	At                     time.Time
}

// Claims reads the claims on unmatched money, by the ids of the money, the oldest first: also those that are over.
func Claims(ctx context.Context, pool *pgxpool.Pool, arrivals ...string) ([]Claim, error) {
	rows, err := pool.Query(ctx, "SELECT arrival_id, dispute_id, user_id, "+open+", opened_at FROM rm_disputes WHERE arrival_id = ANY($1) AND arrival_id <> '' ORDER BY pos", arrivals)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Claim])
}

// ClaimedByOthers reads the open claims on unmatched money by members other than the given one.
func ClaimedByOthers(ctx context.Context, pool *pgxpool.Pool, user string, arrivals ...string) ([]Claim, error) {
	claims, err := Claims(ctx, pool, arrivals...)
	return slices.DeleteFunc(claims, func(c Claim) bool { return !c.Open || c.User == user }), err
}
