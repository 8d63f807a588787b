package audit

import (
	"strings"

	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"
)

// stage is where a stream's state machine stands. The names are those of the packages that decide.
type stage uint8

const (
	nothing stage = iota
	initiated
	pending
	confirmed
	failed
	expired
	reversed
	created
	active
	held
	ended
	paused
	closing
	validated
	approved
	retried
	heldRequested // On hold, and where it stood before.
	heldValidated
	heldApproved
	elsewhere // What came before is archived, so that anything may follow.
)

// step is an allowed transition of a category of streams.
type step struct {
	from []stage
	to   stage
}

// next answers where a message takes a stream of a category, and whether it was allowed to.
func next(category string, at stage, m proto.Message) (stage, bool) {
	s, known := allowed(category, m)
	if !known {
		return at, false
	}
	if at == elsewhere {
		return s.to, true
	}
	for _, from := range s.from {
		if at == from {
			return s.to, true
		}
	}
	return s.to, false
}

// allowed is the transition that a message is on a stream of a category, if it belongs there.
func allowed(category string, m proto.Message) (step, bool) {
	switch category {
	case "payment":
		return allowedPayment(m)
	case "hold":
		return allowedHold(m)
	case "withdrawal":
		return allowedWithdrawal(m)
	case "outflow":
		_, ok := m.(*nairav1.WithdrawalsCounted)
		return step{[]stage{nothing, active}, active}, ok
	case "unmatched":
		return allowedUnmatched(m)
	case "reserves":
		_, ok := m.(*nairav1.ReservesAttested)
		return step{[]stage{nothing}, ended}, ok
	case "reversal":
		_, ok := m.(*nairav1.EventReversed)
		return step{[]stage{nothing}, ended}, ok
	case "account", "staff":
		return allowedAccount(category, m)
	case "standing":
		return allowedStanding(m)
	case "liquidation":
		return allowedLiquidation(m)
	case "requests":
		_, ok := m.(*nairav1.RequestsCounted)
		return step{[]stage{nothing, active}, active}, ok
	case "mark":
		return allowedMark(m)
	case "waiver", "reminder":
		return allowedDues(category, m)
	case "group", "member", "sub", "dues":
		if s, known := allowedDues(category, m); known {
			return s, true
		}
		if s, known := allowedLife(category, m); known {
			return s, true
		}
		return allowedSavings(category, m)
	default:
		return step{}, false
	}
}

func allowedPayment(m proto.Message) (step, bool) {
	open := []stage{initiated, pending}
	switch m.(type) {
	case *nairav1.PaymentInitiated:
		return step{[]stage{nothing}, initiated}, true
	case *nairav1.PaymentPending:
		return step{[]stage{initiated}, pending}, true
	case *nairav1.PaymentConfirmed:
		return step{open, confirmed}, true
	case *nairav1.PaymentFailed:
		return step{open, failed}, true
	case *nairav1.PaymentExpired:
		return step{[]stage{initiated}, expired}, true
	case *nairav1.PaymentReversedV2:
		return step{[]stage{confirmed, reversed}, reversed}, true // A part, and then the rest.
	case *nairav1.ContributionRefused:
		return step{[]stage{confirmed}, confirmed}, true
	default:
		return step{}, false
	}
}

func allowedWithdrawal(m proto.Message) (step, bool) {
	switch m.(type) {
	case *nairav1.WithdrawalRequested:
		return step{[]stage{nothing}, initiated}, true
	case *nairav1.WithdrawalSent:
		return step{[]stage{initiated}, pending}, true
	case *nairav1.WithdrawalPaid:
		return step{[]stage{pending}, confirmed}, true
	case *nairav1.WithdrawalFailed:
		return step{[]stage{initiated, pending}, failed}, true
	case *nairav1.WithdrawalReversed:
		return step{[]stage{confirmed}, reversed}, true
	default:
		return step{}, false
	}
}

// allowedMark: a payment is validated, or queried and then resolved.
func allowedMark(m proto.Message) (step, bool) {
	marked, ok := m.(*nairav1.PaymentMarked)
	switch marked.GetMark() {
	case nairav1.Mark_MARK_VALIDATED:
		return step{[]stage{nothing}, ended}, ok
	case nairav1.Mark_MARK_QUERIED:
		return step{[]stage{nothing}, pending}, ok
	case nairav1.Mark_MARK_RESOLVED:
		return step{[]stage{pending}, ended}, ok
	default:
		return step{}, ok // Never allowed.
	}
}

func allowedHold(m proto.Message) (step, bool) {
	left := func(kobo int64) stage {
		if kobo > 0 {
			return held
		}
		return ended
	}
	switch m := m.(type) {
	case *nairav1.HoldPlaced:
		return step{[]stage{nothing}, held}, true
	case *nairav1.HoldCaptured:
		return step{[]stage{held}, left(m.GetRemainingKobo())}, true
	case *nairav1.HoldReleased:
		return step{[]stage{held}, left(m.GetRemainingKobo())}, true
	case *nairav1.HoldExpired:
		return step{[]stage{held}, ended}, true
	default:
		return step{}, false
	}
}

// allowedAccount: an account needs no opening event, and nothing follows its closing.
func allowedAccount(category string, m proto.Message) (step, bool) {
	switch m.(type) {
	case *nairav1.BvnVerified, *nairav1.BvnFailed, *nairav1.BvnMatchUndone, *nairav1.SecurityAlertRaised, *nairav1.PasswordTried, *nairav1.GuardianConsented,
		*nairav1.TierSet, *nairav1.RecordsLost:
		return step{[]stage{nothing, active}, active}, category == "account"
	case *nairav1.AccountClosed:
		return step{[]stage{nothing, active}, ended}, category == "account"
	case *nairav1.StaffActed:
		return step{[]stage{nothing, active}, active}, category == "staff"
	default:
		return step{}, false
	}
}

func allowedStanding(m proto.Message) (step, bool) {
	switch m.(type) {
	case *nairav1.StandingOrderSet:
		return step{[]stage{nothing}, active}, true
	case *nairav1.StandingOrderRan, *nairav1.StandingOrderMissed:
		return step{[]stage{active}, active}, true
	case *nairav1.StandingOrderPaused:
		return step{[]stage{active}, paused}, true
	case *nairav1.StandingOrderResumed:
		return step{[]stage{paused}, active}, true
	case *nairav1.StandingOrderEnded:
		return step{[]stage{active, paused}, ended}, true
	default:
		return step{}, false
	}
}

func allowedSavings(category string, m proto.Message) (step, bool) {
	type move struct {
		category string
		step
	}
	var found move
	switch m.(type) {
	case *nairav1.GroupCreated:
		found = move{"group", step{[]stage{nothing}, created}}
	case *nairav1.GroupActivated:
		found = move{"group", step{[]stage{created}, active}}
	case *nairav1.MembershipApproved:
		found = move{"member", step{[]stage{nothing, pending}, active}}
	case *nairav1.SubAccountOpened:
		found = move{"sub", step{[]stage{nothing}, active}}
	case *nairav1.ContributionReceived:
		found = move{"dues", step{[]stage{nothing, active}, active}}
	case *nairav1.ContributionReversed:
		found = move{"dues", step{[]stage{active}, active}}
	case *nairav1.SavingsDrawn:
		found = move{"dues", step{[]stage{active}, active}}
	default:
		return step{}, false
	}
	return found.step, found.category == category
}

// keeps reports whether a message leaves its stream's stage as it is, on a stream that began.
func keeps(category string, m proto.Message) bool {
	switch m.(type) {
	case *nairav1.SeatTaken, *nairav1.ValidatorAppointed:
		return category == "group"
	default:
		return keepsLife(category, m)
	}
}

func categoryOf(stream string) string {
	category, _, _ := strings.Cut(stream, ":")
	return category
}
