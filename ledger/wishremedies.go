package ledger

import (
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/remedy"
	"adashi.ng/ledger/domain/stolen"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/redecide"
)

// wishRemedies are what two of our staff do with a member's account. Which groups they share is not recorded.
func wishRemedies(all redecide.Wishes) {
	wish(all, func(m *nairav1.AccountRemedyProposed, e redecide.Recorded) []event.Command {
		return atEither(e, func(now time.Time) event.Command {
			c := remedy.Propose{Desk: remedy.Desk{Staff: m.GetProposedBy(), User: m.GetUserId()}, RemedyID: m.GetRemedyId(), Kind: m.GetKind(), Case: m.GetCaseId(), Now: now}
			if m.GetSince() != nil {
				c.Since = m.GetSince().AsTime()
			}
			return c
		})
	})
	wish(all, func(m *nairav1.AccountRemedyDeclined, _ redecide.Recorded) []event.Command {
		return one(remedy.Decline{Staff: m.GetDeclinedBy(), User: m.GetUserId(), RemedyID: m.GetRemedyId()})
	})
	wish(all, func(m *nairav1.AccountGivenBackV2, e redecide.Recorded) []event.Command {
		return agrees(e, m.GetApprovedBy(), m.GetUserId(), m.GetRemedyId(), m.GetHeldUntil().AsTime())
	})
	wish(all, func(m *nairav1.AccountSessionsEnded, _ redecide.Recorded) []event.Command {
		return one(account.EndSessions(m.GetUserId(), m.GetRemedyId(), m.GetEndedAt().AsTime()))
	})
	wish(all, func(m *nairav1.StolenActFound, _ redecide.Recorded) []event.Command {
		return one(stolen.Found{User: m.GetUserId(), RemedyID: m.GetRemedyId(), Act: m.GetAct(), GroupID: m.GetGroupId(), AjoID: m.GetAjoId(), Settings: m.GetSettings()})
	})
	wish(all, func(m *nairav1.AnotherBvnLetIn, e redecide.Recorded) []event.Command {
		return agrees(e, m.GetApprovedBy(), m.GetUserId(), m.GetRemedyId(), m.GetHeldUntil().AsTime())
	})
}

func agrees(e redecide.Recorded, staff, user, id string, until time.Time) []event.Command {
	return atEither(e, func(now time.Time) event.Command {
		return remedy.Agree{Desk: remedy.Desk{Staff: staff, User: user}, RemedyID: id, Hold: until.Sub(now), At: now}
	})
}
