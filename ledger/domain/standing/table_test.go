package standing_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
)

// is records that something happened to Ada's account.
func is(m proto.Message) event.Draft { return event.On(account.Stream("ada"), m) }

var (
	frozen = is(&nairav1.OutgoingFrozen{UserId: "ada"})
	closed = is(&nairav1.AccountClosed{UserId: "ada"})
)

// asks is a command that asks the table and records nothing.
type asks struct {
	act     standing.Act
	earlier bool
}

// errAllowed is a refusal of its own, since a decider records something or refuses.
var errAllowed = fault.New(fault.NotFound, "allowed")

func (asks) Streams() []string  { return []string{account.Stream("ada")} }
func (asks) Accounts() []string { return nil }

func (c asks) Decide(v event.View) ([]event.Draft, error) {
	if c.earlier {
		v = earlier{v}
	}
	if err := standing.May(v, "ada", c.act); err != nil {
		return nil, err
	}
	return nil, errAllowed
}

type earlier struct{ event.View }

func (earlier) IsEarlier() {}

// TestTheLedgerAnswersWhatTheTableSays asks each cell of an account of the ledger itself.
func TestTheLedgerAnswersWhatTheTableSays(t *testing.T) {
	t.Parallel()
	refused := 0
	for s, w := range map[standing.Standing]*World{
		standing.Open: Given(t), standing.Frozen: Given(t, frozen), standing.Closed: Given(t, closed),
	} {
		for _, act := range standing.Acts() {
			_, err := w.Do(asks{act: act})
			sentence, allowed := act.Answer(s)
			if allowed {
				require.ErrorIs(t, err, errAllowed, "%s %s", s, act)
				continue
			}
			refused++
			require.NotErrorIs(t, err, errAllowed, "%s %s", s, act)
			require.NotEmpty(t, sentence)
			require.True(t, fault.Is(err, fault.Conflict), "%s %s: %v", s, act, err)
		}
	}
	require.Greater(t, refused, 40)
	w := Given(t, frozen, closed)
	_, err := w.Do(asks{act: standing.Decide})
	require.EqualError(t, err, "This account is closed.", "of a closed account nobody says that it is frozen")
}

// TestEarlierDecisionsStayAsTheyAre asks as an earlier build's decision is decided again.
func TestEarlierDecisionsStayAsTheyAre(t *testing.T) {
	t.Parallel()
	w := Given(t, frozen)
	for act, want := range map[standing.Act]string{standing.Decide: "allowed", standing.Serve: "allowed", standing.Withdraw: "You froze your money"} {
		_, err := w.Do(asks{act, true})
		require.ErrorContains(t, err, want, act)
	}
	w = Given(t, closed)
	for act, want := range map[standing.Act]string{standing.Cancel: "allowed", standing.BePaidFor: "allowed", standing.Commit: "closed", standing.Receive: "closed"} {
		_, err := w.Do(asks{act, true})
		require.ErrorContains(t, err, want, act)
	}
}

func TestEveryActHasANameOfItsOwn(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, act := range standing.Acts() {
		require.NotEmpty(t, act.String())
		require.NotEmpty(t, act.What())
		require.False(t, seen[act.String()], act)
		seen[act.String()] = true
		named, known := standing.Named(act.String())
		require.True(t, known)
		require.Equal(t, act, named)
	}
	_, known := standing.Named("nothing")
	require.False(t, known)
}

func TestWhoIsInTheirOwnMatterIsRefused(t *testing.T) {
	t.Parallel()
	require.EqualError(t, standing.Own.May(standing.SetTier), "Nobody sets their own tier. Ask a colleague.")
	require.True(t, fault.Is(standing.Party.May(standing.HandleCase), fault.Forbidden))
	require.NoError(t, standing.Minor.May(standing.Join))
}
