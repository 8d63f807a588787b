// Package finance handles the Finance calls, for FinanceOps and Admin, and the proof of reserves, for everybody.
package finance

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/projections/engine"
	"adashi.ng/services/internal/finance"
	"adashi.ng/services/internal/httpapi"
	"adashi.ng/services/internal/payouts"
	"adashi.ng/services/internal/reserves"
)

// Finance has its handlers. The contract says who may call each.
type Finance struct {
	Finance  *finance.Service
	Reserves *reserves.Service
	Payouts  *payouts.Service
	Tracker  *engine.Tracker
}

// GetUnmatched is GET v1/finance/unmatched.
func (h Finance) GetUnmatched(c *echo.Context, params contract.GetUnmatchedParams) error {
	limit, err := httpapi.Limit(params.Limit)
	if err != nil {
		return err
	}
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, finance.UnmatchedModels...)
	page, err := h.Finance.Unmatched(c.Request().Context(), httpapi.Caller(c).UserID, params.Status, params.Before, limit)
	return httpapi.Answer(c, page, err)
}

// ProposeUnmatched is POST v1/finance/unmatched/{id}/propose.
func (h Finance) ProposeUnmatched(c *echo.Context, id contract.Id) error {
	form, err := httpapi.Bind[contract.ProposeUnmatchedRequest](c)
	if err != nil {
		return err
	}
	arrival, pos, err := h.Finance.ProposeUnmatched(c.Request().Context(), httpapi.Who(c, nil), id, form)
	return httpapi.Recorded(c, "Proposed. Another of the desk decides.", arrival, pos, err)
}

// ProposeSendBack is POST v1/finance/unmatched/{id}/send-back.
func (h Finance) ProposeSendBack(c *echo.Context, id contract.Id) error {
	form, err := httpapi.Bind[contract.ProposeSendBackRequest](c)
	if err != nil {
		return err
	}
	if err := httpapi.SteppedUp(c); err != nil {
		return err
	}
	arrival, pos, err := h.Finance.ProposeSendBack(c.Request().Context(), httpapi.Who(c, nil), id, form)
	return httpapi.Recorded(c, "Proposed. Another of the desk decides whether it is sent back.", arrival, pos, err)
}

// DecideUnmatched is POST v1/finance/unmatched/{id}/decide.
func (h Finance) DecideUnmatched(c *echo.Context, id contract.Id) error {
	form, err := httpapi.Bind[contract.DecideUnmatchedRequest](c)
	if err != nil {
		return err
	}
	leaves, err := h.Finance.Leaves(c.Request().Context(), id)
	if err != nil {
		return err
	}
	if leaves && form.Approve {
		if err := httpapi.SteppedUp(c); err != nil {
			return err
		}
	}
	arrival, pos, err := h.Finance.DecideUnmatched(c.Request().Context(), httpapi.Who(c, nil), id, form)
	if err != nil {
		return err
	}
	httpapi.Position(c, pos)
	switch {
	case form.Approve && leaves:
		return httpapi.OKMessage(c, "Agreed. The money goes back to the account that it came from.", arrival)
	case form.Approve && arrival.PayoutId != nil:
		return httpapi.OKMessage(c, "Agreed. The money is the return of the payout.", arrival)
	case form.Approve:
		return httpapi.OKMessage(c, "Agreed. The money is the member's now, who is told.", arrival)
	}
	return httpapi.OKMessage(c, "Turned down. The money waits for another proposal.", arrival)
}

// ProposeReturn is POST v1/finance/unmatched/{id}/return.
func (h Finance) ProposeReturn(c *echo.Context, id contract.Id) error {
	form, err := httpapi.Bind[contract.ProposeReturnRequest](c)
	if err != nil {
		return err
	}
	arrival, pos, err := h.Finance.ProposeReturn(c.Request().Context(), httpapi.Who(c, nil), id, form)
	return httpapi.Recorded(c, "Proposed. Another of the desk decides.", arrival, pos, err)
}

// SettleHeld is POST v1/finance/unmatched/{id}/settle.
func (h Finance) SettleHeld(c *echo.Context, id contract.Id) error {
	form, err := httpapi.Bind[contract.SettleHeldRequest](c)
	if err != nil {
		return err
	}
	arrival, pos, err := h.Finance.SettleHeld(c.Request().Context(), httpapi.Who(c, nil), id, form)
	return httpapi.Recorded(c, "The held money is settled.", arrival, pos, err)
}

// GetReconciliations is GET v1/finance/reconciliations.
func (h Finance) GetReconciliations(c *echo.Context, params contract.GetReconciliationsParams) error {
	limit, err := httpapi.Limit(params.Limit)
	if err != nil {
		return err
	}
	page, err := h.Finance.Reconciliations(c.Request().Context(), params.Before, limit)
	return httpapi.Answer(c, page, err)
}

// Reconcile is POST v1/finance/reconciliations.
func (h Finance) Reconcile(c *echo.Context) error {
	result, err := h.Finance.Reconcile(c.Request().Context(), contract.ReconciliationTriggerONDEMAND)
	if err != nil {
		return err
	}
	return httpapi.OKMessage(c, "The ledger was held against the banks.", result)
}

// GetReconciliation is GET v1/finance/reconciliations/{id}.
func (h Finance) GetReconciliation(c *echo.Context, id contract.Id) error {
	result, err := h.Finance.Reconciliation(c.Request().Context(), id)
	return httpapi.Answer(c, result, err)
}

// GetReserves is GET v1/reserves.
func (h Finance) GetReserves(c *echo.Context, params contract.GetReservesParams) error {
	all, err := h.Finance.Reserves(c.Request().Context(), params.Limit)
	return httpapi.Answer(c, all, err)
}

// GetReservesRoots is GET v1/reserves/roots.
func (h Finance) GetReservesRoots(c *echo.Context, params contract.GetReservesRootsParams) error {
	all, err := h.Reserves.Roots(c.Request().Context(), params.Limit)
	return httpapi.Answer(c, all, err)
}

// GetMyReserves is GET v1/reserves/mine.
func (h Finance) GetMyReserves(c *echo.Context) error {
	proof, err := h.Reserves.Mine(c.Request().Context(), httpapi.Caller(c).UserID)
	return httpapi.Answer(c, proof, err)
}
