package projections_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/projections"
	"adashi.ng/projections/engine"
	"adashi.ng/projections/groups"
	"adashi.ng/projections/notifications"
	"adashi.ng/projections/notifications/told"
)

// plant writes an event past all deciders, as a bug or an attacker could.
func (h *house) plant(typ string, body []byte) (pos int64) {
	h.Helper()
	pos = h.head() + 1
	_, err := h.pool.Exec(context.Background(), `
		INSERT INTO events (pos, stream, version, type, command, seq, command_hash, actor, correlation, effective_at, recorded_at, body, accounts, amounts, balances, leaf)
		VALUES ($1, 'planted:' || $1::bigint, 1, $2, gen_random_uuid(), 0, '\x00000000000000000000000000000000', '', '', now(), now(), $3, '{}', '{}', '{}', '\x00')`,
		pos, typ, body)
	require.NoError(h, err)
	return pos
}

// standing is the position of each model, and whether it is paused.
func (h *house) standing() map[string]string {
	rows, err := h.pool.Query(context.Background(), "SELECT name, pos || ' ' || (paused <> '') FROM projections")
	require.NoError(h, err)
	out := map[string]string{}
	var name, at string
	_, err = pgx.ForEachRow(rows, []any{&name, &at}, func() error { out[name] = at; return nil })
	require.NoError(h, err)
	return out
}

func (h *house) deadLetters(pos int64) (n int) {
	require.NoError(h, h.pool.QueryRow(context.Background(), "SELECT count(*) FROM dead_letters WHERE pos = $1 AND error <> ''", pos).Scan(&n))
	return n
}

func TestAnEventThatNobodyCanReadPausesEveryModelAndIsNotSkipped(t *testing.T) {
	t.Parallel()
	h := setup(t)
	stop := h.run()
	h.begin()
	h.live(20)
	h.caughtUp()
	poison := h.plant("naira.v1.Nonsense", []byte{1})
	h.live(30)
	models := len(projections.All())
	require.Eventually(t, func() bool { return h.deadLetters(poison) == models }, time.Minute, 10*time.Millisecond)
	for again := range 2 { // Also after a restart.
		for model, at := range h.standing() {
			require.Equal(t, pair(poison-1, true), at, "%s, restart %d", model, again)
		}
		var after int
		require.NoError(t, h.pool.QueryRow(context.Background(), "SELECT (SELECT count(*) FROM rm_movements WHERE pos >= $1) + (SELECT count(*) FROM rm_contributions WHERE pos >= $1) + (SELECT count(*) FROM rm_notifications WHERE pos >= $1)", poison).Scan(&after))
		require.Zero(t, after, "something after the poison was shown")
		stop()
		// CatchUp returns once every model has met the poison again.
		require.ErrorContains(t, h.engine().CatchUp(context.Background()), "paused")
	}
}

func pair(pos int64, paused bool) string { return fmt.Sprint(pos, " ", paused) }

func TestAnEventThatOneModelCannotTakePausesThatModelAlone(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.run()
	h.begin()
	h.caughtUp()
	// A second group with the same id: the groups' key refuses it, the other models accept it.
	body, err := proto.Marshal(&nairav1.GroupCreated{GroupId: "g0", OwnerId: "ada"})
	require.NoError(t, err)
	poison := h.plant("naira.v1.GroupCreated", body)
	h.live(30)
	head := h.head()
	require.Eventually(t, func() bool {
		s := h.standing()
		return s["balances"] == pair(head, false) && s["activity"] == pair(head, false) && s["notifications"] == pair(head, false)
	}, time.Minute, 10*time.Millisecond)
	require.Eventually(t, func() bool { return h.standing()[groups.Name] == pair(poison-1, true) }, time.Minute, 10*time.Millisecond)
	require.Equal(t, 1, h.deadLetters(poison))
}

func TestAFoldThatPanicsPausesItsModelAloneAtTheEventAlsoAfterARestart(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.begin()
	h.live(40)
	poison := h.plant("naira.v1.PasswordTried", []byte{})
	h.live(40)
	opt := h.engine().Options
	for i, m := range opt.Models {
		if m.Name != groups.Name {
			continue
		}
		opt.Models = slices.Clone(opt.Models)
		opt.Models[i].Ignores = nil
		opt.Models[i].Fold = func(ctx context.Context, tx pgx.Tx, part engine.Part, events []engine.Event) (engine.Changes, error) {
			if slices.ContainsFunc(events, func(e engine.Event) bool { return e.Pos == poison }) {
				panic("a fold that cannot take this event")
			}
			return m.Fold(ctx, tx, part, events)
		}
	}
	run := func() (stop func()) {
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan struct{})
		go func() { defer close(done); engine.New(opt).Run(ctx, nil, nil) }()
		stop = sync.OnceFunc(func() { cancel(); <-done })
		t.Cleanup(stop)
		return stop
	}
	for range 2 { // Also after a restart.
		stop := run()
		head := h.head()
		require.Eventually(t, func() bool {
			s := h.standing()
			return s["balances"] == pair(head, false) && s["activity"] == pair(head, false) && s[groups.Name] == pair(poison-1, true)
		}, time.Minute, 10*time.Millisecond)
		require.Equal(t, 1, h.deadLetters(poison))
		stop()
		require.ErrorContains(t, engine.New(opt).CatchUp(context.Background()), "paused")
		h.live(10)
	}
	// A rebuild is given up, and does not end the process.
	_, err := engine.New(opt).Rebuild(context.Background(), groups.Name, nil)
	require.ErrorContains(t, err, "a fold that cannot take this event")
	// A build that can take the event continues.
	require.NoError(t, h.engine().Retry(context.Background(), groups.Name))
	h.run()
	require.Eventually(t, func() bool { return h.standing()[groups.Name] == pair(h.head(), false) }, time.Minute, 10*time.Millisecond)
	result, err := h.engine().Rebuild(context.Background(), groups.Name, nil)
	require.NoError(t, err)
	require.True(t, result.Compared, "nothing was skipped or taken twice")
}

// heard is a notification of an event to a user.
type heard struct {
	user, typ string
	pos       int64
}

// rule states the rule of notifications again in another way: it finds the officials by replaying who they were.
func rule(records []event.Record) map[heard]int {
	owner, validator := map[string]string{}, map[string]string{}
	approvers, asked, covers := map[string][]string{}, map[string]*nairav1.LiquidationRequestedV2{}, map[int64]string{}
	states := map[string]savings.Group{}
	in := map[string]map[string]bool{}
	lives, collectors := map[string]ajo.Ajo{}, map[string]string{}
	out := map[heard]int{}
	for _, r := range records {
		m, _ := r.Message()
		tell := func(about, typ string, users ...string) {
			seen := map[string]bool{about: true, "": true}
			for _, user := range users {
				if !seen[user] {
					seen[user] = true
					out[heard{user, typ, r.Pos}]++
				}
			}
		}
		if of, ok := m.(interface{ GetGroupId() string }); ok {
			id := of.GetGroupId()
			before := states[id].Approvers
			if strings.HasPrefix(r.Stream, "group:") {
				states[id] = savings.Groups.Evolve(states[id], event.Happened{Message: m}).(savings.Group)
			}
			if in[id] == nil {
				in[id] = map[string]bool{}
			}
			toldOfPeople(m, before, slices.Sorted(maps.Keys(in[id])), tell)
			toldOfRequests(m, asked, states[id], slices.Sorted(maps.Keys(in[id])), tell)
			switch m := m.(type) {
			case *nairav1.MembershipApproved:
				in[id][m.GetUserId()] = true
			case *nairav1.MemberExited:
				delete(in[id], m.GetUserId())
				tell(m.GetUserId(), told.MemberLeft, slices.Concat(before, []string{validator[id]})...)
			}
		}
		toldOfAjos(m, lives, collectors, tell)
		toldOfDisputes(m, tell)
		if m, is := m.(*nairav1.SampleDrawn); is {
			tell("", told.SampleDrawn, m.GetToUserId())
		}
		switch m := m.(type) {
		case *nairav1.GroupCreated:
			owner[m.GetGroupId()] = m.GetOwnerId()
			approvers[m.GetGroupId()] = []string{m.GetOwnerId()}
		case *nairav1.ApproverAppointed:
			approvers[m.GetGroupId()] = append(approvers[m.GetGroupId()], m.GetUserId())
		case *nairav1.LiquidationRequestedV2:
			if validator[m.GetGroupId()] == m.GetRequestedBy() {
				tell(m.GetRequestedBy(), told.LiquidationRequested, approvers[m.GetGroupId()]...)
			} else {
				tell(m.GetRequestedBy(), told.LiquidationRequested, owner[m.GetGroupId()], validator[m.GetGroupId()])
			}
		case *nairav1.LiquidationValidated:
			by := asked[m.GetLiquidationId()].GetRequestedBy()
			tell("", told.LiquidationValidated, by)
			for _, user := range approvers[m.GetGroupId()] {
				if user != by {
					tell(m.GetValidatedBy(), told.LiquidationValidated, user)
				}
			}
		case *nairav1.LiquidationApproved:
			if m.GetApprovals() >= m.GetNeeded() {
				tell("", told.LiquidationApproved, asked[m.GetLiquidationId()].GetRequestedBy())
			}
		case *nairav1.LiquidationRejected:
			tell("", told.LiquidationRejected, asked[m.GetLiquidationId()].GetRequestedBy())
		case *nairav1.LiquidationExpired:
			tell("", told.LiquidationRejected, asked[m.GetLiquidationId()].GetRequestedBy())
		case *nairav1.LiquidationReleased:
			tell("", told.LiquidationRejected, asked[m.GetLiquidationId()].GetRequestedBy())
		case *nairav1.LiquidationPaidV2:
			tell("", told.LiquidationPaid, m.GetRequestedBy(), owner[m.GetGroupId()], validator[m.GetGroupId()])
		case *nairav1.LiquidationFailed:
			tell("", told.LiquidationFailed, append(slices.Clone(approvers[m.GetGroupId()]), asked[m.GetLiquidationId()].GetRequestedBy())...)
		case *nairav1.LiquidationReversedV3:
			tell("", told.LiquidationFailed, append(slices.Clone(approvers[m.GetGroupId()]), asked[m.GetLiquidationId()].GetRequestedBy(), owner[m.GetGroupId()], validator[m.GetGroupId()])...)
		case *nairav1.PaymentMarkedV2:
			if m.GetMark() == nairav1.Mark_MARK_QUERIED {
				tell("", told.PaymentQueried, m.GetUserId(), covers[m.GetPosition()])
			}
		case *nairav1.RecheckAsked:
			if m.GetNumber() == 1 {
				tell("", told.RecheckAsked, m.GetToUserId())
			}
		case *nairav1.QuestionAskedV2:
			tell("", told.QuestionAsked, m.GetUserId(), m.GetOtherUserId())
		case *nairav1.QuestionAnswered:
			tell("", told.QuestionAnswered, m.GetToUserId())
		case *nairav1.QuestionFileAdded:
			tell("", told.QuestionAnswered, m.GetToUserId())
		case *nairav1.ValidatorAppointed:
			validator[m.GetGroupId()] = m.GetUserId()
			tell("", told.ValidatorSet, m.GetUserId())
		case *nairav1.MembershipApproved:
			tell(m.GetApprovedBy(), told.MemberApproved, m.GetUserId())
		case *nairav1.PaymentConfirmedV2:
			tell("", told.WalletFunded, m.GetUserId())
		case *nairav1.PaymentFailed:
			tell("", told.PaymentFailed, m.GetUserId())
		case *nairav1.StandingOrderMissed:
			tell("", told.PaymentFailed, m.GetUserId())
		case *nairav1.StandingOrderEnded:
			if m.GetReason() != "" {
				tell("", told.PaymentFailed, m.GetUserId())
			}
		case *nairav1.AttestKeyRegistered:
			tell("", told.SecurityAlert, m.GetUserId())
		case *nairav1.BvnVerified:
			tell("", told.BvnVerified, m.GetUserId())
		case *nairav1.AjoAccessGranted:
			tell("", told.AjoAccessGranted, m.GetUserId())
		case *nairav1.AjoAccessRefused:
			tell("", told.AjoAccessRefused, m.GetUserId())
		case *nairav1.AjoAccessLost:
			tell("", told.AjoAccessLost, m.GetUserId())
		case *nairav1.WithdrawalPaidV2:
			tell("", told.WithdrawalPaid, m.GetUserId())
		case *nairav1.WithdrawalFailed:
			tell("", told.WithdrawalFailed, m.GetUserId())
		case *nairav1.WithdrawalReversedV2:
			tell("", told.WithdrawalFailed, m.GetUserId())
		case *nairav1.UnmatchedAssigned:
			tell("", told.WalletFunded, m.GetUserId())
		case *nairav1.SendBackPaid:
			tell("", told.PaymentReversed, m.GetUserId())
		case *nairav1.SendBackReturned:
			tell("", told.PaymentReversed, m.GetUserId())
		case *nairav1.ContributionRefused:
			tell("", told.PaymentFailed, m.GetUserId())
		case *nairav1.PaymentReversedV3:
			tell("", told.PaymentReversed, m.GetUserId())
		case *nairav1.DebtOpened:
			tell("", told.PaymentReversed, m.GetUserId())
		case *nairav1.DebtSettled:
			tell("", told.PaymentReversed, m.GetUserId())
		case *nairav1.DebtWrittenOff:
			tell("", told.PaymentReversed, m.GetUserId())
		case *nairav1.CardMoneyTakenBack:
			if m.GetLocks() {
				tell("", told.PaymentReversed, m.GetUserId())
			}
		case *nairav1.CardsUnlocked:
			tell("", told.PaymentReversed, m.GetUserId())
		case *nairav1.ContributionReversed:
			tell("", told.PaymentReversed, m.GetUserId(), owner[m.GetGroupId()], validator[m.GetGroupId()])
		case *nairav1.DuesReminded:
			tell("", map[bool]string{true: told.ContributionOverdue, false: told.ContributionDue}[m.GetKind() == nairav1.ReminderKind_REMINDER_KIND_OVERDUE], m.GetUserIds()...)
		case *nairav1.PenaltyApplied:
			tell("", told.PenaltyApplied, m.GetUserId())
		case *nairav1.PenaltyReversed:
			tell("", told.PenaltyReversed, m.GetUserId())
		case *nairav1.PenaltyWaived:
			tell("", told.PenaltyWaived, m.GetUserId())
		case *nairav1.AdjustmentPosted:
			tell("", map[bool]string{false: told.AdjustmentPaid, true: told.AdjustmentTaken}[m.GetTakesBack()], m.GetUserId())
		case *nairav1.DueWaived:
			tell("", told.DueWaived, m.GetUserId())
		case *nairav1.ContributionCovered:
			covers[r.Pos] = m.GetPaidBy()
			tell(m.GetPaidBy(), told.PaymentReceived, m.GetUserId(), owner[m.GetGroupId()], validator[m.GetGroupId()])
		case *nairav1.ContributionReceived:
			tell(m.GetUserId(), told.PaymentReceived, owner[m.GetGroupId()], validator[m.GetGroupId()])
		}
	}
	return out
}

// toldOfRequests is the rule that everybody is notified of a payment of their group: when it is asked for, is on hold,
// continues and is paid.
func toldOfRequests(m proto.Message, asked map[string]*nairav1.LiquidationRequestedV2, g savings.Group, in []string, tell func(about, typ string, users ...string)) {
	unpaid := func(m interface{ GetLiquidationId() string }, by string) {
		if request := asked[m.GetLiquidationId()]; request.GetKind() == nairav1.LiquidationKind_LIQUIDATION_KIND_GROUP_DISBURSEMENT {
			tell(by, told.LiquidationRejected, slices.DeleteFunc(in, func(user string) bool { return user == request.GetRequestedBy() })...)
		}
	}
	switch m := m.(type) {
	case *nairav1.LiquidationRequestedV2:
		asked[m.GetLiquidationId()] = m
	case *nairav1.LiquidationDecidersFixed:
		by := asked[m.GetLiquidationId()].GetRequestedBy()
		officials := append([]string{g.Owner, g.Validator}, g.Approvers...)
		if m.GetPayableFrom() != nil { // The officials who decide next have been notified already.
			tell(by, told.LiquidationRequested, slices.DeleteFunc(in, func(user string) bool {
				return user == g.Owner || user == g.Validator || by == g.Validator && slices.Contains(officials, user)
			})...)
		}
	case *nairav1.LiquidationObjected:
		if m.GetObjections() >= m.GetNeeded() {
			tell("", told.LiquidationOnHold, in...)
		} else {
			tell("", told.LiquidationOnHold, append(slices.Clone(g.Approvers), asked[m.GetLiquidationId()].GetRequestedBy())...)
		}
	case *nairav1.LiquidationAnswered:
		if m.GetAnswers() >= m.GetNeeded() {
			tell("", told.LiquidationOnHold, in...)
		}
	case *nairav1.DisputedMoneyHeld:
		tell(m.GetUserId(), told.LiquidationOnHold, append(slices.Clone(g.Approvers), g.Owner, g.Validator, asked[m.GetLiquidationId()].GetRequestedBy())...)
	case *nairav1.DisputedMoneyFreed:
		tell(m.GetUserId(), told.LiquidationOnHold, append(slices.Clone(g.Approvers), g.Owner, g.Validator, asked[m.GetLiquidationId()].GetRequestedBy())...)
	case *nairav1.LiquidationRejected:
		unpaid(m, m.GetRejectedBy())
	case *nairav1.LiquidationCancelled:
		unpaid(m, "")
	case *nairav1.LiquidationExpired:
		unpaid(m, "")
	case *nairav1.LiquidationReleased:
		unpaid(m, m.GetReleasedBy())
	case *nairav1.LiquidationReversedV3:
		if request := asked[m.GetLiquidationId()]; request.GetKind() == nairav1.LiquidationKind_LIQUIDATION_KIND_GROUP_DISBURSEMENT {
			tell("", told.LiquidationFailed, slices.DeleteFunc(in, func(user string) bool {
				return user == request.GetRequestedBy() || user == g.Owner || user == g.Validator || slices.Contains(g.Approvers, user)
			})...)
		}
	case *nairav1.LiquidationPaidV2:
		if m.GetKind() == nairav1.LiquidationKind_LIQUIDATION_KIND_GROUP_DISBURSEMENT {
			tell("", told.LiquidationPaid, slices.DeleteFunc(in, func(user string) bool {
				return user == m.GetRequestedBy() || user == g.Owner || user == g.Validator
			})...)
		}
	}
}

// toldOfPeople is the rule about people who come and go, by the approvers and members before the event.
func toldOfPeople(m proto.Message, approvers, in []string, tell func(about, typ string, users ...string)) {
	switch m := m.(type) {
	case *nairav1.MemberInvited:
		tell("", told.MemberInvited, m.GetUserId())
	case *nairav1.InvitationWithdrawn:
		tell("", told.MemberInvited, m.GetUserId())
	case *nairav1.MembershipRequested:
		tell(m.GetUserId(), told.MemberJoined, approvers...)
	case *nairav1.MembershipRejected:
		tell(m.GetRejectedBy(), told.MemberLeft, m.GetUserId())
	case *nairav1.MemberDeactivatedV2:
		tell("", told.MemberDeactivated, m.GetUserId())
	case *nairav1.MemberReactivated:
		tell("", told.MemberApproved, m.GetUserId())
	case *nairav1.ApproverAppointed: // Everybody but the person who did it.
		tell(m.GetAppointedBy(), told.RoleChanged, in...)
	case *nairav1.ApproverRemoved:
		tell(m.GetRemovedBy(), told.RoleChanged, in...)
	case *nairav1.ValidatorAppointed: // The new one gets another notification.
		tell(m.GetAppointedBy(), told.RoleChanged, slices.DeleteFunc(in, func(user string) bool { return user == m.GetUserId() })...)
	case *nairav1.GroupActivated:
		tell("", told.GroupApproved, in...)
	case *nairav1.GroupNoticeSet:
		tell(m.GetSetBy(), told.GroupChanged, in...)
	case *nairav1.GroupSearchViewSet:
		tell(m.GetSetBy(), told.VisibilityChanged, in...)
	case *nairav1.GroupVisibilitySet:
		tell(m.GetSetBy(), told.VisibilityChanged, in...)
	case *nairav1.GroupSuspended, *nairav1.GroupResumed:
		tell("", told.GroupChanged, in...)
	}
}

// told is the notifications of all users.
func (h *house) told() map[heard]int {
	h.Helper()
	ctx := context.Background()
	rows, err := h.pool.Query(ctx, "SELECT user_id FROM rm_notifications UNION SELECT user_id FROM rm_notified_terms")
	require.NoError(h, err)
	users, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(h, err)
	all := map[heard]int{}
	for _, user := range users {
		page, err := notifications.Page(ctx, h.pool, user, 0, 100_000)
		require.NoError(h, err)
		for _, n := range page {
			all[heard{user, n.Type, n.Pos}]++
		}
	}
	return all
}

func TestEverybodyIsToldOfEachEventExactlyOnceAndAsTheRuleSays(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.run()
	h.run()
	h.begin()
	h.live(150)
	h.caughtUp()
	records, err := history.Read(context.Background(), h.pool, 0, 100_000)
	require.NoError(t, err)
	require.Equal(t, rule(records), h.told())
}

func TestTheCheckpointsOfAnOlderBuildAreTakenOver(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.begin()
	h.live(40)
	ctx := context.Background()
	require.NoError(t, h.engine().CatchUp(ctx))
	// The tables from before models had parts. The statements are newer than that.
	h.exec(`DELETE FROM projections WHERE name = 'statements'; DROP TABLE rm_entries, rm_account_days;
		ALTER TABLE projections DROP CONSTRAINT projections_pkey, DROP COLUMN part, DROP COLUMN tables, ADD PRIMARY KEY (name);
		ALTER TABLE dead_letters DROP COLUMN resolved_at; DROP TABLE rebuilds`)
	h.live(20)
	require.NoError(t, h.engine().Prepare(ctx))
	require.NoError(t, h.engine().Prepare(ctx), "a second time")
	require.NoError(t, h.engine().CatchUp(ctx))
	h.equalFresh()
	_, err := h.engine().RebuildAll(ctx, nil)
	require.NoError(t, err)
	h.equalFresh()
}

func TestOneWhoHoldsTwoPostsIsToldOnce(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.begin()
	// No decider appoints an owner; the read model must not break on it all the same.
	body, err := proto.Marshal(&nairav1.ValidatorAppointed{GroupId: "g0", UserId: users[0], AppointedBy: users[1]})
	require.NoError(t, err)
	after := h.plant("naira.v1.ValidatorAppointed", body)
	body, err = proto.Marshal(&nairav1.ContributionReceived{GroupId: "g0", SubAccountId: "s0", UserId: "efe", AmountKobo: 5})
	require.NoError(t, err)
	pos := h.plant("naira.v1.ContributionReceived", body)
	require.Equal(t, after+1, pos)
	require.NoError(t, h.engine().CatchUp(context.Background()))
	var told []string
	for one := range h.told() {
		if one.pos == pos {
			told = append(told, one.user)
		}
	}
	require.Equal(t, []string{users[0]}, told)
}

func TestABuildOfAnotherVersionNeitherWritesNorSpins(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.begin()
	ctx := context.Background()
	_, err := h.pool.Exec(ctx, "UPDATE projections SET version = version + 1")
	require.NoError(t, err)
	require.ErrorContains(t, h.engine().CatchUp(ctx), "not the one that stands")
}

func TestAModelThatGoesOnIsNotCalledPaused(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.begin()
	ctx := context.Background()
	_, err := h.pool.Exec(ctx, "UPDATE projections SET paused = 'an older build could not take it'")
	require.NoError(t, err)
	require.NoError(t, h.engine().CatchUp(ctx))
	for model, at := range h.standing() {
		require.Contains(t, at, "false", model)
	}
}
