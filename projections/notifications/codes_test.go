package notifications

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// TestTheNumbersOfTypesNeverChange: they stand in members' marks and in ids.
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
	}
	require.Equal(t, fixed[1:], Types, "add new ones at the end, and here")
	for n, typ := range fixed[1:] {
		require.EqualValues(t, n+1, codes[typ], typ)
	}
	require.Len(t, types, len(codes), "no number is of two")
}

func TestAnIDIsReadBack(t *testing.T) {
	t.Parallel()
	event := uuid.New()
	for _, pos := range []int64{0, 1, 77, 1<<48 - 1} {
		for _, code := range codes {
			id := idOf("ada", pos, code, event)
			gotPos, gotCode, ok := placeOf(id)
			require.Equal(t, []any{pos, code, true}, []any{gotPos, gotCode, ok})
			require.NotEqual(t, id, idOf("bisi", pos, code, event))
			require.NotEqual(t, id, idOf("ada", pos, code, uuid.New()))
		}
	}
}
