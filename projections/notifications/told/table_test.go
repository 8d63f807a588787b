package told_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/reflect/protoreflect"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/projections/notifications/told"
	"adashi.ng/projections/trail"
)

// people are the fields of a message that name members; those of its parts have a path.
func people(of protoreflect.MessageDescriptor, path told.Who) (all []told.Who) {
	for i := range of.Fields().Len() {
		f := of.Fields().Get(i)
		if name := path + told.Who(f.Name()); f.Message() != nil {
			all = append(all, people(f.Message(), name+".")...)
		} else if trail.NamesMember(f.Name()) {
			all = append(all, name)
		}
	}
	return all
}

func TestEveryEventTypeHasOneRow(t *testing.T) {
	t.Parallel()
	var types []protoreflect.Name
	for _, mt := range ledgertest.EventTypes() {
		name := mt.Descriptor().Name()
		types = append(types, name)
		row := told.Named(name)
		require.NotEqual(t, len(row.Tells) > 0, row.Nobody != "", "%s tells somebody, or says why nobody", name)
		require.Equal(t, slices.Contains(event.Superseded(), string(mt.Descriptor().FullName())), row.Nobody == told.Earlier, name)
	}
	require.Equal(t, types, told.Events())
	require.Greater(t, len(types), 250)
}

func TestWhomAnEventNamesIsToldOrItSaysWhyNot(t *testing.T) {
	t.Parallel()
	for _, mt := range ledgertest.CurrentEventTypes() {
		name, row, named := mt.Descriptor().Name(), told.Named(mt.Descriptor().Name()), people(mt.Descriptor(), "")
		for _, field := range named {
			tells := slices.ContainsFunc(row.Tells, func(t told.Telling) bool { return slices.Contains(t.To, field) })
			require.NotEqual(t, tells, row.Untold[field] != "", "%s: say in the row whether %s is told, or why not", name, field)
		}
		for field := range row.Untold {
			require.Contains(t, named, field, "%s names nobody by it", name)
		}
		for _, telling := range row.Tells {
			require.NotEmpty(t, telling.To, name)
			for _, who := range slices.Concat(telling.To, telling.But) {
				require.Contains(t, slices.Concat(named, told.Roles), who, "%s names nobody by it", name)
			}
		}
	}
}

func TestEveryTypeIsToldByAnEventAndEveryRoleIsAsked(t *testing.T) {
	t.Parallel()
	types, roles := map[string]bool{}, map[told.Who]bool{}
	for _, name := range told.Events() {
		for _, telling := range told.Named(name).Tells {
			require.Contains(t, told.Types, telling.Type, name)
			types[telling.Type] = true
			for _, who := range slices.Concat(telling.To, telling.But) {
				roles[who] = true
			}
		}
	}
	for _, typ := range told.Types {
		require.True(t, types[typ], "no event tells of %s", typ)
	}
	for _, role := range told.Roles {
		require.True(t, roles[role], "no row names %s", role)
	}
}

// All stored notifications of a type get letters, or none. For one type the fold decides by the detail.
func TestOfATypeAllThatIsStoredReachesPeopleInOneWay(t *testing.T) {
	t.Parallel()
	for _, name := range told.Events() {
		for _, telling := range told.Named(name).Tells {
			if telling.Type != told.SecurityAlert && telling.How() != told.Digest {
				require.Equal(t, told.HowOf(telling.Type), telling.How(), "%s: %s", name, telling.Type)
			}
		}
	}
	require.Contains(t, told.Letters(), told.WalletFunded)
	require.NotContains(t, told.Letters(), told.SecurityAlert)
}

// TestTheNumbersOfTypesNeverChange: members' marks and ids contain them.
func TestTheNumbersOfTypesNeverChange(t *testing.T) {
	t.Parallel()
	fixed := []string{
		"", "payment_received", "payment_failed", "payment_reversed", "wallet_funded", "member_joined", "member_approved", "validator_set",
		"group_approved", "bvn_verified", "bvn_failed", "security_alert", "withdrawal_paid", "withdrawal_failed", "contribution_due",
		"contribution_overdue", "penalty_applied", "penalty_reversed", "due_waived", "liquidation_requested", "liquidation_validated",
		"liquidation_approved", "liquidation_rejected", "liquidation_paid", "liquidation_failed", "liquidation_on_hold", "payment_queried",
		"member_invited", "member_deactivated", "member_left", "role_changed", "visibility_changed", "group_changed",
		"ajo_access_granted", "ajo_access_refused", "ajo_access_lost",
		"ajo_started", "ajo_order_drawn", "ajo_swap_requested", "ajo_turn_next", "ajo_payout_ready", "ajo_payout_requested", "ajo_payout_paid",
		"ajo_payout_short", "ajo_payout_refused", "ajo_debt_opened", "ajo_debt_paid", "ajo_penalty_applied", "ajo_penalty_reversed",
		"ajo_place_opened", "ajo_frozen", "ajo_expelled", "ajo_terminated", "ajo_completed", "ajo_terms_changed", "ajo_contribution_refused",
		"ajo_card_filled", "ajo_card_matured", "ajo_due", "ajo_overdue", "ajo_payment_queried",
		"dispute_opened", "dispute_taken", "dispute_asked", "dispute_resolved", "dispute_late", "money_frozen", "money_thawed", "dispute_hold", "card_disputed", "card_dispute_ended", "question_asked", "question_answered", "sample_drawn",
		"adjustment_paid", "adjustment_taken", "penalty_waived", "ajo_penalty_waived", "recheck_asked", "card_answered", "card_answer_due",
		"ajo_place_taken", "ajo_deposit_used", "ajo_motion_made", "ajo_offices_passed", "tier_set", "account_remedy",
		"ajo_paused", "ajo_gift", "ajo_card_collector", "guardian_consented",
	}
	require.Equal(t, fixed[1:], told.Types, "add new ones at the end, and here")
	for n, typ := range fixed[1:] {
		require.EqualValues(t, n+1, told.Code(typ), typ)
		require.Equal(t, typ, told.TypeOf(int16(n+1)))
	}
	require.Empty(t, told.TypeOf(0))
	require.Empty(t, told.TypeOf(int16(len(fixed))))
	require.Zero(t, told.Code("nothing"))
}
