package ajos

import (
	"slices"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/letters"
	"adashi.ng/projections/engine"
)

// own is the handler of an event of an ajo's own stream.
func own[M ofAjo]() engine.Handler[*folding] {
	return engine.On(func(f *folding, e engine.Event, m M) { f.own(e, m) })
}

// inCycle is the handler of an event of a cycle's stream.
func inCycle[M interface {
	ofAjo
	GetCycle() int32
}]() engine.Handler[*folding] {
	return engine.On(func(f *folding, e engine.Event, m M) { f.inCycle(e, m) })
}

// ownHandlers fold an ajo's own stream. AjoCreated has fields that are not in the state.
var ownHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, e engine.Event, m *nairav1.AjoCreated) {
		f.own(e, m)
		f.batch.Queue(`INSERT INTO rm_ajos (ajo_id, name, folded, description, owner, listed, status, created_pos, created_at, members, free_halves, cycle,
				opens, due, chosen_by, deadline, is_full, lapses, resumes, is_paid_out, is_carried)
			VALUES ($1, $2, $8, $3, $4, $5, 'OPEN', $6, $7, 0, 0, 0, '', '', '', '', false, '', '', false, false)`,
			m.GetAjoId(), m.GetName(), m.GetDescription(), m.GetOwnerId(), m.GetListed(), e.Pos, e.EffectiveAt, letters.Folded(m.GetName()))
	}),
	own[*nairav1.AjoTermsChanged](), own[*nairav1.AjoTermsAccepted](), own[*nairav1.AjoSeatFreed](),
	own[*nairav1.AjoPlaceOpened](), own[*nairav1.AjoPlaceKept](),
	own[*nairav1.AjoPastTold](), own[*nairav1.AjoPastAnswered](),
	own[*nairav1.AjoListClosedV2](), own[*nairav1.AjoPhoneRevealed](), own[*nairav1.AjoOrderProposed](), own[*nairav1.AjoOrderAccepted](), own[*nairav1.AjoOrderAcceptanceEnded](),
	own[*nairav1.AjoOrderDrawn](), own[*nairav1.AjoStarted](), own[*nairav1.AjoTurnsChanged](), own[*nairav1.AjoCancelled](),
	own[*nairav1.AjoPaused](), own[*nairav1.AjoResumed](), own[*nairav1.AjoSeatFrozen](),
	own[*nairav1.AjoTerminated](), own[*nairav1.AjoCompleted](),
	own[*nairav1.AjoSwapProposed](), own[*nairav1.AjoSwapAgreed](), own[*nairav1.AjoSwapEnded](),
	own[*nairav1.AjoMotionMade](), own[*nairav1.AjoMotionVoted](), own[*nairav1.AjoMotionEnded](), own[*nairav1.AjoMotionVoteEnded](), own[*nairav1.AjoOfficesPassed](),
	engine.On(func(f *folding, e engine.Event, m *nairav1.AjoVoteEnded) {
		if slices.Contains(f.ajos[m.GetAjoId()].cycles[int(m.GetCycle())].Approvals, m.GetUserId()) {
			f.inCycle(e, m) // Votes and bids are not kept.
		}
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.AjoSeatTakenV2) {
		f.own(e, m)
		f.came(m.GetAjoId(), m.GetUserId())
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.AjoPlaceTaken) {
		f.own(e, m)
		f.came(m.GetAjoId(), m.GetToUserId())
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.AjoCycleReady) {
		f.own(e, m)
		f.ajos[m.GetAjoId()].changed[int(m.GetCycle())] = true
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.AjoHolderClosed) {
		f.own(e, m)
		a := f.ajos[m.GetAjoId()]
		for _, ready := range a.state.Cycles { // Fewer approvals may be enough now.
			a.changed[ready.Cycle] = a.changed[ready.Cycle] || !a.cycles[ready.Cycle].PaidOut
		}
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoConsentSet) {
		f.batch.Queue(`INSERT INTO rm_ajo_members (ajo_id, user_id, seats, halves, has_left, dues, sweep) VALUES ($1, $2, '{}', 0, true, $3, $4)
			ON CONFLICT (ajo_id, user_id) DO UPDATE SET dues = excluded.dues, sweep = excluded.sweep`, m.GetAjoId(), m.GetUserId(), m.GetDues(), m.GetSweep())
		f.tell(m.GetUserId())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoConsentEnded) {
		f.batch.Queue("UPDATE rm_ajo_members SET dues = false, sweep = false WHERE ajo_id = $1 AND user_id = $2", m.GetAjoId(), m.GetUserId())
		f.tell(m.GetUserId())
	}),
}

// cycleHandlers fold a cycle's stream, except votes and bids.
var cycleHandlers = []engine.Handler[*folding]{
	inCycle[*nairav1.AjoContributed](), inCycle[*nairav1.AjoDepositUsed](), inCycle[*nairav1.AjoContributionReturned](),
	inCycle[*nairav1.AjoPayoutRequested](), inCycle[*nairav1.AjoPayoutApproved](), inCycle[*nairav1.AjoPayoutRefused](),
	inCycle[*nairav1.AjoPaid](),
}

// came writes that a member took a place, so that a row of theirs stays if they join and leave within one batch. The
// end of the batch writes their places.
func (f *folding) came(ajoID, user string) {
	f.batch.Queue("INSERT INTO rm_ajo_members (ajo_id, user_id, seats, halves, has_left) VALUES ($1, $2, '{}', 0, true) ON CONFLICT DO NOTHING", ajoID, user)
}
