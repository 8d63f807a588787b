package groups

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/projections/query"
)

// Contributor is one member's payments into one sub-account, and the changes of their dues.
type Contributor struct {
	SubAccountID, User, GroupID string
	Total, Drawn                money.Kobo // Paid by them and for them; and of that, paid back or held for it.
	Changes                     []Change   // The dues that are not like the others, oldest first.
}

// Savings is the member's money in the sub-account.
func (c Contributor) Savings() money.Kobo { return c.Total - c.Drawn }

// Change says how one due differs from the usual.
type Change struct {
	Period     string     `json:"-"` // The first day of its period.
	Waived     money.Kobo `json:"waived"`
	WrittenOff bool       `json:"writtenOff"`
	Penalty    money.Kobo `json:"penalty"` // That is still owed.
	Penalised  bool       `json:"penalised"`
}

// Span is a time that ended before To, or has not ended when To is zero.
type Span struct {
	From, To time.Time
	Whole    bool // Of a member: it excuses only periods that are wholly in it, not those that fall due in it.
	Closing  bool // Of a group: it began to close, and nothing falls due from then on.
}

// Contribution is one movement of a sub-account's money.
type Contribution struct {
	Pos                         int64
	GroupID, SubAccountID, User string // User is the owner of the dues, or who asked for a payout.
	Amount                      money.Kobo
	At                          time.Time
	ID                          uuid.UUID
	Kind                        string
	PaidBy                      string // The payer, if it was not the user.
	Channel                     nairav1.Channel
	Settled                     string // JSON of Parts.
	Reversed                    bool
}

// Parts are the dues that a payment settled.
func (c Contribution) Parts() []Part { return partsOf(c.Settled) }

func partsOf(settled string) (parts []Part) {
	_ = json.Unmarshal([]byte(settled), &parts) // The fold wrote it.
	return parts
}

const contributionColumns = "pos, group_id, sub_account_id, user_id, kobo, effective_at, id, kind, paid_by, channel, settled, reversed"

func changesOf(raw []byte) ([]Change, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	var found map[string]Change
	if err := json.Unmarshal(raw, &found); err != nil {
		return nil, fmt.Errorf("groups: changes: %w", err)
	}
	out := make([]Change, 0, len(found))
	for period, c := range found {
		c.Period = period
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b Change) int { return strings.Compare(a.Period, b.Period) })
	return out, nil
}

// Contributors reads each member's payments into each sub-account of groups; only one user's when userID is given.
func Contributors(userID string, groupIDs ...string) query.Of[[]Contributor] {
	where, args := only(userID, groupIDs)
	return query.New(contributors, "SELECT "+contributorColumns+" FROM rm_contributors WHERE "+where, args...)
}

// ContributorsAmong reads some users' payments into each sub-account of a group.
func ContributorsAmong(groupID string, users []string) query.Of[[]Contributor] {
	return query.New(contributors, "SELECT "+contributorColumns+" FROM rm_contributors WHERE group_id = $1 AND user_id = ANY($2)", groupID, users)
}

const contributorColumns = "sub_account_id, user_id, group_id, total_kobo, drawn_kobo, changes"

func contributors(rows pgx.Rows) ([]Contributor, error) {
	var (
		out          []Contributor
		c            Contributor
		total, drawn int64
		changes      []byte
	)
	_, err := pgx.ForEachRow(rows, []any{&c.SubAccountID, &c.User, &c.GroupID, &total, &drawn, &changes}, func() error {
		var err error
		c.Changes, err = changesOf(changes)
		c.Total, c.Drawn = money.Kobo(total), money.Kobo(drawn)
		out = append(out, c)
		return err
	})
	return out, err
}

// Absences reads when members of groups were inactive, by group and user; only one user's when userID is given. An
// absence with an empty user is a time in which the group took no money.
func Absences(userID string, groupIDs ...string) query.Of[map[[2]string][]Span] {
	where, arg := query.In("group_id", groupIDs)
	return query.New(absences, "SELECT group_id, user_id, since, until, whole, closing FROM rm_absences WHERE "+where+" AND ($2 = '' OR user_id IN ($2, '')) ORDER BY pos", arg, userID)
}

func absences(rows pgx.Rows) (map[[2]string][]Span, error) {
	out := map[[2]string][]Span{}
	var (
		key            [2]string
		since          time.Time
		until          *time.Time
		whole, closing bool
	)
	_, err := pgx.ForEachRow(rows, []any{&key[0], &key[1], &since, &until, &whole, &closing}, func() error {
		span := Span{From: since.UTC(), Whole: whole, Closing: closing}
		if until != nil {
			span.To = until.UTC()
		}
		out[key] = append(out[key], span)
		return nil
	})
	return out, err
}

// Contributions reads the latest payments into a sub-account, newest first; only one user's when userID is given.
func Contributions(subAccountID, userID string, limit int) query.Of[[]Contribution] {
	return query.List[Contribution]("SELECT "+contributionColumns+` FROM rm_contributions
		WHERE sub_account_id = $1 AND ($2 = '' OR user_id = $2) AND kind IN ('CONTRIBUTION', 'COVER', 'REVERSAL') ORDER BY pos DESC LIMIT $3`, subAccountID, userID, limit)
}

// Looked says which payments to read. From and To are moments, zero for none; To is excluded.
type Looked struct {
	Subs     []string
	User     string
	From, To time.Time
}

const lookedFor = ` FROM rm_contributions WHERE sub_account_id = ANY($1) AND ($2 = '' OR user_id = $2 OR paid_by = $2)
	AND ($3::timestamptz IS NULL OR effective_at >= $3) AND ($4::timestamptz IS NULL OR effective_at < $4)`

func (l Looked) args(more ...any) []any {
	return append([]any{l.Subs, l.User, orNull(l.From), orNull(l.To)}, more...)
}

const payments = " AND kind IN ('CONTRIBUTION', 'COVER', 'REVERSAL')"

// History reads payments before a position (0: from the newest), newest first.
func History(ctx context.Context, pool *pgxpool.Pool, l Looked, before int64, limit int) ([]Contribution, error) {
	return query.List[Contribution]("SELECT "+contributionColumns+lookedFor+payments+" AND ($5 = 0 OR pos < $5) ORDER BY pos DESC LIMIT $6", l.args(before, limit)...).Read(ctx, pool)
}

// HistorySums counts payments and sums them.
func HistorySums(ctx context.Context, pool *pgxpool.Pool, l Looked) (count int, total money.Kobo, err error) {
	var sum int64
	err = pool.QueryRow(ctx, "SELECT count(*), coalesce(sum(kobo), 0)::bigint"+lookedFor+payments, l.args()...).Scan(&count, &sum)
	return count, money.Kobo(sum), err
}

// Book is every movement of sub-accounts' money between two moments, and the opening balance, all as of one position.
type Book struct {
	Opening   money.Kobo
	Position  int64 // Of the ledger.
	looked    Looked
	movements []int64 // Their positions, sorted by the time from which they count.
}

// BookOf reads the list of movements of a book. Later records are not in it, however slowly it is read.
func BookOf(ctx context.Context, pool *pgxpool.Pool, l Looked) (b Book, err error) {
	b.looked = l
	return b, pgx.BeginTxFunc(ctx, pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, `SELECT (SELECT min(pos) FROM projections WHERE name = 'groups'), coalesce(sum(kobo), 0)::bigint
			FROM rm_contributions WHERE sub_account_id = ANY($1) AND effective_at < $2`, l.Subs, orNull(l.From)).Scan(&b.Position, &b.Opening); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, "SELECT pos"+lookedFor+" ORDER BY effective_at, pos", l.args()...)
		if err != nil {
			return err
		}
		b.movements, err = pgx.CollectRows(rows, pgx.RowTo[int64])
		return err
	})
}

// Each passes on the movements, atOnce at a time. It holds no connection while take runs, because take may write to a
// slow reader and ask for names.
func (b Book) Each(ctx context.Context, pool *pgxpool.Pool, atOnce int, take func([]Contribution) error) error {
	for some := range slices.Chunk(b.movements, atOnce) {
		page, err := query.List[Contribution]("SELECT "+contributionColumns+lookedFor+" AND pos = ANY($5) ORDER BY effective_at, pos", b.looked.args(some)...).Read(ctx, pool)
		if err != nil {
			return err
		}
		if err := take(page); err != nil {
			return err
		}
	}
	return nil
}

// Waiver is a request that a due need not be paid.
type Waiver struct {
	ID                             string
	Pos                            int64
	GroupID, SubAccountID, User    string
	Period                         string
	Kind                           nairav1.WaiverKind
	Reason, RequestedBy, DecidedBy string
	Status                         string
	Amount                         money.Kobo // Once it is approved.
	CreatedAt                      time.Time
	Deciders                       []string // Empty for one from before they were fixed.
}

const waiverColumns = `SELECT id, pos, group_id, sub_account_id, user_id, period, kind, reason, requested_by, decided_by, status, kobo, created_at, deciders
	FROM rm_waivers `

// OpenWaivers reads the open waivers of some groups, the oldest first.
func OpenWaivers(ctx context.Context, pool *pgxpool.Pool, groupIDs []string) ([]Waiver, error) {
	return query.List[Waiver](waiverColumns+"WHERE group_id = ANY($1) AND status = 'OPEN' ORDER BY pos", groupIDs).Read(ctx, pool)
}

// Waivers reads a group's waivers: open ones first, then the latest, from the n-th on.
func Waivers(ctx context.Context, pool *pgxpool.Pool, groupID string, offset, limit int) ([]Waiver, error) {
	return query.List[Waiver](waiverColumns+"WHERE group_id = $1 ORDER BY status <> 'OPEN', pos DESC OFFSET $2 LIMIT $3", groupID, offset, limit).Read(ctx, pool)
}

// Collecting reads the sub-accounts of active groups that have dues, oldest first.
func Collecting(ctx context.Context, pool *pgxpool.Pool) ([]SubAccount, error) {
	rows, err := pool.Query(ctx, "SELECT "+subColumns+" FROM rm_sub_accounts s JOIN rm_groups g ON g.id = s.group_id WHERE g.status = 'ACTIVE' AND s.payment_type <> $1 ORDER BY s.pos",
		int32(nairav1.PaymentType_PAYMENT_TYPE_FLEXIBLE))
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[SubAccount])
}

// Flow is the money that came in and that was paid out.
type Flow struct{ In, Out money.Kobo }

// Flows reads a group's flows by Lagos month (YYYY-MM) from one on; only one user's when userID is given.
func Flows(ctx context.Context, pool *pgxpool.Pool, groupID, userID, from string) (map[string]Flow, error) {
	sql, args := "SELECT month, kobo, paid_kobo FROM rm_group_months WHERE group_id = $1 AND month >= $2", []any{groupID, from}
	if userID != "" {
		sql, args = `SELECT to_char(effective_at AT TIME ZONE 'Africa/Lagos', 'YYYY-MM') AS month,
			coalesce(sum(kobo) FILTER (WHERE kind NOT LIKE 'PAYOUT%'), 0)::bigint, 0::bigint
			FROM rm_contributions WHERE group_id = $1 AND user_id = $3 GROUP BY 1 HAVING to_char(min(effective_at) AT TIME ZONE 'Africa/Lagos', 'YYYY-MM') >= $2`, append(args, userID)
	}
	rows, err := pool.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	out := map[string]Flow{}
	var (
		month    string
		in, gone int64
	)
	_, err = pgx.ForEachRow(rows, []any{&month, &in, &gone}, func() error {
		out[month] = Flow{money.Kobo(in), money.Kobo(gone)}
		return nil
	})
	return out, err
}

// Saver is a member's savings in a group.
type Saver struct {
	User  string
	Total money.Kobo
}

// Sharing reads all members with a seat in a group, and all others with savings in some of its sub-accounts.
func Sharing(ctx context.Context, pool *pgxpool.Pool, groupID string, subAccountIDs []string) ([]string, error) {
	rows, err := pool.Query(ctx, `SELECT user_id FROM rm_members WHERE group_id = $1 AND status <> 'INVITED'
		UNION SELECT user_id FROM rm_contributors WHERE sub_account_id = ANY($2) AND total_kobo > drawn_kobo`, groupID, subAccountIDs)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// Returned is a sub-account of a group that is closed, to which money came back.
type Returned struct{ GroupID, SubAccountID string }

// AllReturned reads some of the sub-accounts of closed groups that hold money and have no open request, in the order of
// their ids, after one.
func AllReturned(ctx context.Context, pool *pgxpool.Pool, after string, limit int) ([]Returned, error) {
	rows, err := pool.Query(ctx, `SELECT g.id, s.id FROM rm_pools p JOIN rm_sub_accounts s ON s.id = p.sub_account_id JOIN rm_groups g ON g.id = s.group_id
		WHERE p.kobo > 0 AND p.held = 0 AND g.status = 'CLOSED' AND s.id > $1 ORDER BY s.id LIMIT $2`, after, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Returned])
}

// MostSaved reads the members who saved most in a group; only one user when userID is given.
func MostSaved(ctx context.Context, pool *pgxpool.Pool, groupID, userID string, limit int) ([]Saver, error) {
	rows, err := pool.Query(ctx, `SELECT user_id, sum(total_kobo - drawn_kobo)::bigint AS saved FROM rm_contributors WHERE group_id = $1 AND ($2 = '' OR user_id = $2)
		GROUP BY user_id HAVING sum(total_kobo - drawn_kobo) > 0 ORDER BY saved DESC, user_id LIMIT $3`, groupID, userID, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Saver])
}
