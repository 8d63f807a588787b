package projections_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/projections/engine"
	"adashi.ng/projections/groups"
	"adashi.ng/projections/notifications"
	"adashi.ng/projections/notifications/told"
)

// saying is a notification of a user in the naive model.
type saying struct {
	pos                int64
	typ, about, detail string
	kobo               int64
}

// telling is a naive model: each user's notifications, oldest first, and their marks on them.
type telling struct {
	owner, validator map[string]string
	told             map[string][]saying
	read, gone       map[string]map[int64]bool
}

// naively is a naive model; its first event, which it does not know, makes the ledger's partition.
func (h *house) naively() *telling {
	h.Helper()
	h.do(account.PasswordTried("nobody"))
	none := func() map[string]map[int64]bool { return map[string]map[int64]bool{} }
	return &telling{map[string]string{}, map[string]string{}, map[string][]saying{}, none(), none()}
}

// tell notifies some users, each once, except the excluded ones.
func (n *telling) tell(s saying, to []string, but ...string) {
	for _, user := range slices.Compact(slices.Sorted(slices.Values(to))) {
		if user != "" && !slices.Contains(but, user) {
			n.told[user] = append(n.told[user], s)
		}
	}
}

func (n *telling) take(pos int64, m proto.Message) {
	switch m := m.(type) {
	case *nairav1.GroupCreated:
		n.owner[m.GetGroupId()] = m.GetOwnerId()
	case *nairav1.OwnershipPassed:
		n.owner[m.GetGroupId()] = m.GetToUserId()
	case *nairav1.ValidatorAppointed:
		n.validator[m.GetGroupId()] = m.GetUserId()
	case *nairav1.PaymentConfirmedV2:
		n.tell(saying{pos, told.WalletFunded, "", m.GetChannel().String(), m.GetAmountKobo()}, []string{m.GetUserId()})
	case *nairav1.ContributionReceived:
		n.tell(saying{pos, told.PaymentReceived, m.GetUserId(), "", m.GetAmountKobo()}, n.officials(m.GetGroupId()), m.GetUserId())
	case *nairav1.ContributionCovered:
		n.tell(saying{pos, told.PaymentReceived, m.GetPaidBy(), notifications.ForYou, m.GetAmountKobo()}, []string{m.GetUserId()})
		n.tell(saying{pos, told.PaymentReceived, m.GetPaidBy(), m.GetUserId(), m.GetAmountKobo()}, n.officials(m.GetGroupId()), m.GetUserId(), m.GetPaidBy())
	}
}

func (n *telling) officials(group string) []string {
	return []string{n.owner[group], n.validator[group]}
}

// page is a user's notifications, newest first, and the number of unread ones.
func (n *telling) page(user string) (all []saying, unread int) {
	for _, s := range slices.Backward(n.told[user]) {
		if !n.gone[user][s.pos] {
			all = append(all, s)
			if !n.read[user][s.pos] {
				unread++
			}
		}
	}
	return all, unread
}

// mark marks all of a user's notifications so far, or one.
func (n *telling) mark(where map[string]map[int64]bool, user string, positions ...int64) {
	if where[user] == nil {
		where[user] = map[int64]bool{}
	}
	if len(positions) == 0 {
		for _, s := range n.told[user] {
			where[user][s.pos] = true
		}
	}
	for _, pos := range positions {
		where[user][pos] = true
	}
}

// plain are the types that the naive model knows.
var plain = []string{told.PaymentReceived, told.WalletFunded}

// others are all other types.
func others() []string {
	return slices.DeleteFunc(slices.Clone(told.Types), func(typ string) bool { return slices.Contains(plain, typ) })
}

// keeping is an engine of only some models.
func (h *house) keeping(models ...engine.Model) *engine.Engine {
	return engine.New(engine.Options{Clock: time.Now, Pool: h.pool, Models: models, Source: history.Source(h.pool), Head: history.Heads(h.pool)})
}

// happens plants an event, and gives it to the naive model.
func (h *house) happens(n *telling, m proto.Message) int64 {
	h.Helper()
	body, err := proto.Marshal(m)
	require.NoError(h, err)
	pos := h.plant(string(m.ProtoReflect().Descriptor().FullName()), body)
	n.take(pos, m)
	return pos
}

// anything is an event of a group's offices and payments.
func (h *house) anything() proto.Message {
	group, user, other := fmt.Sprint("n", h.luck.IntN(3)), h.pick(users), h.pick(users)
	kobo := 100 + h.luck.Int64N(1000)
	if user == other {
		other = "somebody"
	}
	switch h.luck.IntN(12) {
	case 0:
		return &nairav1.ValidatorAppointed{GroupId: group, UserId: user, AppointedBy: other}
	case 1:
		return &nairav1.OwnershipPassed{GroupId: group, FromUserId: other, ToUserId: user}
	case 2, 3:
		return &nairav1.PaymentConfirmedV2{PaymentId: uuid.NewString(), UserId: user, AmountKobo: kobo, Channel: nairav1.Channel_CHANNEL_CARD}
	case 4, 5:
		return &nairav1.ContributionCovered{GroupId: group, SubAccountId: "s" + group, UserId: user, PaidBy: other, AmountKobo: kobo}
	default:
		return &nairav1.ContributionReceived{GroupId: group, SubAccountId: "s" + group, UserId: user, AmountKobo: kobo}
	}
}

// finds pages through a user's notifications and compares them, their marks and their number with the naive model.
func (h *house) finds(n *telling, user string) (all []notifications.Notification) {
	h.Helper()
	ctx, want := context.Background(), []saying{}
	expected, unread := n.page(user)
	want = append(want, expected...)
	got, seen := []saying{}, map[uuid.UUID]bool{}
	for before, limit := int64(0), 1+h.luck.IntN(7); ; {
		page, err := notifications.Page(ctx, h.pool, user, before, limit, others()...)
		require.NoError(h, err)
		if len(page) == 0 {
			break
		}
		for _, one := range page {
			require.False(h, seen[one.ID], "an id twice")
			seen[one.ID], before = true, one.Pos
			require.Equal(h, n.read[user][one.Pos], one.Read, "%s %d", user, one.Pos)
			got = append(got, saying{one.Pos, one.Type, one.About, one.Detail, int64(one.Amount)})
		}
		all = append(all, page...)
	}
	require.Equal(h, want, got, user)
	count, err := notifications.Unread(ctx, h.pool, user, others()...)
	require.NoError(h, err)
	require.Equal(h, min(unread, notifications.UnreadMost), count, user)
	return all
}

func TestStoredAndDerivedAreWhatANaiveReadingTells(t *testing.T) {
	t.Parallel()
	h, ctx := setup(t), context.Background()
	n := h.naively()
	e := h.keeping(notifications.Model(), groups.Model())
	for g := range 3 {
		h.happens(n, &nairav1.GroupCreated{GroupId: fmt.Sprint("n", g), OwnerId: users[g]})
	}
	for range 30 {
		for range 1 + h.luck.IntN(25) { // Batches are cut anywhere.
			h.happens(n, h.anything())
		}
		require.NoError(t, e.CatchUp(ctx))
		user := h.pick(users)
		all := h.finds(n, user)
		switch h.luck.IntN(6) {
		case 0:
			require.NoError(t, notifications.MarkAllRead(ctx, h.pool, user, time.Now()))
			n.mark(n.read, user, append([]int64{0}, positionsOf(n.told[user])...)...)
		case 1:
			require.NoError(t, notifications.Clear(ctx, h.pool, user, time.Now()))
			n.mark(n.read, user)
			n.mark(n.gone, user)
		default:
			for range min(3, len(all)) {
				one := all[h.luck.IntN(len(all))]
				require.NoError(t, notifications.MarkRead(ctx, h.pool, user, one.ID, time.Now()))
				n.mark(n.read, user, one.Pos)
			}
		}
		h.finds(n, user)
	}
	for _, user := range users {
		for _, one := range h.finds(n, user) {
			found, err := notifications.One(ctx, h.pool, user, one.ID)
			require.NoError(t, err)
			require.Equal(t, one, found)
		}
	}
	result, err := e.Rebuild(ctx, notifications.Name, nil)
	require.NoError(t, err)
	require.True(t, result.Compared, "however the batches are cut")
}

func positionsOf(all []saying) (positions []int64) {
	for _, s := range all {
		positions = append(positions, s.pos)
	}
	return positions
}

func TestAnIDThatIsMadeUpIsNobodys(t *testing.T) {
	t.Parallel()
	h, ctx := setup(t), context.Background()
	n := h.naively()
	h.happens(n, &nairav1.GroupCreated{GroupId: "n0", OwnerId: "ada"})
	h.happens(n, &nairav1.ValidatorAppointed{GroupId: "n0", UserId: "bisi", AppointedBy: "ada"})
	h.happens(n, &nairav1.ContributionReceived{GroupId: "n0", SubAccountId: "s", UserId: "efe", AmountKobo: 5})
	h.happens(n, &nairav1.PaymentConfirmedV2{PaymentId: "p", UserId: "ada", AmountKobo: 5})
	require.NoError(t, h.keeping(notifications.Model(), groups.Model()).CatchUp(ctx))
	all := h.finds(n, "ada")
	require.Len(t, all, 2)
	for _, one := range all {
		require.EqualValues(t, 8, one.ID.Version())
		_, err := notifications.One(ctx, h.pool, "bisi", one.ID)
		require.ErrorIs(t, err, notifications.ErrNone, "another's")
		require.ErrorIs(t, notifications.MarkRead(ctx, h.pool, "bisi", one.ID, time.Now()), notifications.ErrNone)
		for bit := range 128 {
			forged := one.ID
			forged[bit/8] ^= 1 << (bit % 8)
			_, err := notifications.One(ctx, h.pool, "ada", forged)
			require.ErrorIs(t, err, notifications.ErrNone, "bit %d", bit)
		}
	}
	for _, id := range []uuid.UUID{{}, uuid.Max, uuid.New()} {
		_, err := notifications.One(ctx, h.pool, "ada", id)
		require.ErrorIs(t, err, notifications.ErrNone)
	}
	var made uuid.UUID
	for i := range made {
		made[i] = 0xff
	}
	made[6], made[7], made[8] = 0x80, 1, 0xbf // A payment at the largest possible position.
	_, err := notifications.One(ctx, h.pool, "ada", made)
	require.ErrorIs(t, err, notifications.ErrNone)
}

func TestWhereOneModelLagsNobodyIsToldWhatIsNotTheirsAndNothingIsMarkedUnseen(t *testing.T) {
	t.Parallel()
	h, ctx := setup(t), context.Background()
	n := h.naively()
	notified, paid := h.keeping(notifications.Model()), h.keeping(groups.Model())
	received := func() *nairav1.ContributionReceived {
		return &nairav1.ContributionReceived{GroupId: "n0", SubAccountId: "s", UserId: "efe", AmountKobo: 5}
	}
	h.happens(n, &nairav1.GroupCreated{GroupId: "n0", OwnerId: "ada"})
	h.happens(n, &nairav1.ValidatorAppointed{GroupId: "n0", UserId: "bisi", AppointedBy: "ada"})
	h.happens(n, received())
	require.NoError(t, notified.CatchUp(ctx))
	require.NoError(t, paid.CatchUp(ctx))
	h.finds(n, "bisi")
	before := *n
	before.told = map[string][]saying{"bisi": slices.Clone(n.told["bisi"])}
	h.happens(n, &nairav1.ValidatorAppointed{GroupId: "n0", UserId: "chidi", AppointedBy: "ada"})
	h.happens(n, received())
	require.NoError(t, paid.CatchUp(ctx))
	h.finds(&before, "bisi") // The model does not know yet who held the office then.
	require.NoError(t, notified.CatchUp(ctx))
	h.finds(n, "bisi")
	h.finds(n, "chidi")

	// The payments lag.
	h.happens(n, received())
	h.happens(n, &nairav1.PaymentConfirmedV2{PaymentId: "p", UserId: "ada", AmountKobo: 5})
	require.NoError(t, notified.CatchUp(ctx))
	require.NoError(t, notifications.Clear(ctx, h.pool, "ada", time.Now()))
	page, err := notifications.Page(ctx, h.pool, "ada", 0, 10)
	require.NoError(t, err)
	require.Empty(t, page, "all that could be seen is gone")
	require.NoError(t, paid.CatchUp(ctx))
	page, err = notifications.Page(ctx, h.pool, "ada", 0, 10)
	require.NoError(t, err)
	require.Len(t, page, 1, "what could not be seen is not")
	require.Equal(t, told.PaymentReceived, page[0].Type)
	require.False(t, page[0].Read)
}

// before11 makes the tables as they were until version 11.
const before11 = `DROP TABLE rm_notifications, rm_notified_terms, notification_seen;
	CREATE TABLE rm_notifications (
		id uuid PRIMARY KEY, user_id text NOT NULL, pos bigint NOT NULL, type text NOT NULL, created_at timestamptz NOT NULL,
		event_id uuid NOT NULL, about_id text NOT NULL, group_id text NOT NULL, sub_account_id text NOT NULL,
		kobo bigint NOT NULL, detail text NOT NULL, subject_id text NOT NULL);
	CREATE TABLE rm_notified_roles (group_id text NOT NULL, role text NOT NULL, user_id text NOT NULL, PRIMARY KEY (group_id, role));
	CREATE TABLE notification_marks (id uuid PRIMARY KEY, user_id text NOT NULL, read_at timestamptz, deleted_at timestamptz);
	UPDATE projections SET version = 10, tables = '{rm_notifications,rm_notified_roles,rm_notified_requests,rm_notified_people}' WHERE name = 'notifications'`

func TestMarksOfBeforeAreTakenOver(t *testing.T) {
	t.Parallel()
	h, ctx := setup(t), context.Background()
	n := h.naively()
	e := h.keeping(notifications.Model(), groups.Model())
	h.happens(n, &nairav1.GroupCreated{GroupId: "n0", OwnerId: "ada"})
	for range 8 {
		h.happens(n, &nairav1.ContributionReceived{GroupId: "n0", SubAccountId: "s", UserId: "efe", AmountKobo: 5})
		h.happens(n, &nairav1.PaymentConfirmedV2{PaymentId: uuid.NewString(), UserId: "ada", AmountKobo: 5})
	}
	require.NoError(t, e.CatchUp(ctx))
	all := h.finds(n, "ada")
	require.Len(t, all, 16)
	h.exec(before11)
	old := func(of notifications.Notification) (id uuid.UUID) {
		hash := sha256.Sum256(fmt.Appendf(nil, "notification\x00%s\x00%s\x00%s", "ada", of.EventID, of.Type))
		copy(id[:], hash[:])
		return id
	}
	for _, one := range all {
		_, err := h.pool.Exec(ctx, "INSERT INTO rm_notifications VALUES ($1, 'ada', $2, $3, $4, $5, '', '', '', 5, '', '')", old(one), one.Pos, one.Type, one.CreatedAt, one.EventID)
		require.NoError(t, err)
	}
	mark := func(id uuid.UUID, column string) {
		_, err := h.pool.Exec(ctx, "INSERT INTO notification_marks (id, user_id, "+column+") VALUES ($1, 'ada', $2)", id, time.Now())
		require.NoError(t, err)
	}
	mark(uuid.New(), "read_at") // Its row is gone.
	mark(old(all[0]), "read_at")
	mark(old(all[1]), "read_at")
	mark(old(all[2]), "deleted_at")
	n.mark(n.read, "ada", all[0].Pos, all[1].Pos)
	n.mark(n.gone, "ada", all[2].Pos)
	for range 2 { // A start that was cut short comes again.
		require.NoError(t, e.Prepare(ctx))
	}
	mark(old(all[5]), "read_at") // By an older build that still runs beside this one.
	_, err := h.pool.Exec(ctx, "UPDATE notification_marks SET deleted_at = now() WHERE id = $1", old(all[1]))
	require.NoError(t, err)
	n.mark(n.read, "ada", all[5].Pos)
	n.mark(n.gone, "ada", all[1].Pos)
	_, err = e.Rebuild(ctx, notifications.Name, nil)
	require.NoError(t, err)
	h.finds(n, "ada")
	for range 2 { // No old row is left, and nothing is lost.
		require.NoError(t, e.Prepare(ctx))
		h.finds(n, "ada")
		var left bool
		require.NoError(t, h.pool.QueryRow(ctx, "SELECT to_regclass('notification_marks') IS NOT NULL").Scan(&left))
		require.False(t, left)
	}
}
