package ajo

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/services/internal/httpapi"
)

// GetAjoDraw is GET v1/ajo/{id}/draw.
func (h Ajo) GetAjoDraw(c *echo.Context, id contract.Id) error {
	view, err := h.Ajo.Draw(c.Request().Context(), id)
	return httpapi.Answer(c, view, err)
}

// RevealAjoSecret is POST v1/ajo/{id}/reveal.
func (h Ajo) RevealAjoSecret(c *echo.Context, id contract.Id, params contract.RevealAjoSecretParams) error {
	form, err := httpapi.Bind[contract.AjoReveal](c)
	if err != nil {
		return err
	}
	view, pos, err := h.Ajo.Reveal(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.Secret)
	return httpapi.Recorded(c, "Your phone has revealed its secret.", view, pos, err)
}

// AcceptAjoOrder is POST v1/ajo/{id}/order/accept.
func (h Ajo) AcceptAjoOrder(c *echo.Context, id contract.Id, params contract.AcceptAjoOrderParams) error {
	view, pos, err := h.Ajo.AcceptOrder(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id)
	return httpapi.Recorded(c, "You have accepted the order.", view, pos, err)
}

// ProposeAjoSwap is POST v1/ajo/{id}/swaps.
func (h Ajo) ProposeAjoSwap(c *echo.Context, id contract.Id, params contract.ProposeAjoSwapParams) error {
	form, err := httpapi.Bind[contract.AjoSwapRequest](c)
	if err != nil {
		return err
	}
	view, pos, err := h.Ajo.ProposeSwap(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form)
	return httpapi.Recorded(c, "The swap is proposed. The other seat and the owner agree to it.", view, pos, err)
}

// AgreeAjoSwap is POST v1/ajo/{id}/swaps/{swap}/agree.
func (h Ajo) AgreeAjoSwap(c *echo.Context, id contract.Id, swap string, params contract.AgreeAjoSwapParams) error {
	view, pos, err := h.Ajo.AgreeSwap(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, swap)
	return httpapi.Recorded(c, "You have agreed to the swap.", view, pos, err)
}

// DeclineAjoSwap is POST v1/ajo/{id}/swaps/{swap}/decline.
func (h Ajo) DeclineAjoSwap(c *echo.Context, id contract.Id, swap string, params contract.DeclineAjoSwapParams) error {
	view, pos, err := h.Ajo.DeclineSwap(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, swap)
	return httpapi.Recorded(c, "The swap will not take place.", view, pos, err)
}

// VoteAjoNeed is POST v1/ajo/{id}/votes.
func (h Ajo) VoteAjoNeed(c *echo.Context, id contract.Id, params contract.VoteAjoNeedParams) error {
	form, err := httpapi.Bind[contract.AjoVote](c)
	if err != nil {
		return err
	}
	view, pos, err := h.Ajo.Vote(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form)
	return httpapi.Recorded(c, "Your vote is in. Nobody sees it before the due day is over.", view, pos, err)
}

// BidForAjoTurn is POST v1/ajo/{id}/bids.
func (h Ajo) BidForAjoTurn(c *echo.Context, id contract.Id, params contract.BidForAjoTurnParams) error {
	form, err := httpapi.Bind[contract.AjoBid](c)
	if err != nil {
		return err
	}
	view, pos, err := h.Ajo.Bid(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form)
	return httpapi.Recorded(c, "Your bid is sealed. Open it after the due day.", view, pos, err)
}

// RevealAjoBid is POST v1/ajo/{id}/bids/reveal.
func (h Ajo) RevealAjoBid(c *echo.Context, id contract.Id, params contract.RevealAjoBidParams) error {
	form, err := httpapi.Bind[contract.AjoBidOpened](c)
	if err != nil {
		return err
	}
	view, pos, err := h.Ajo.OpenBid(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form)
	return httpapi.Recorded(c, "Your bid is open.", view, pos, err)
}

// MoveInAjo is POST v1/ajo/{id}/motions.
func (h Ajo) MoveInAjo(c *echo.Context, id contract.Id, params contract.MoveInAjoParams) error {
	form, err := httpapi.Bind[contract.AjoMotionRequest](c)
	if err != nil {
		return err
	}
	view, pos, err := h.Ajo.Move(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form)
	return httpapi.Recorded(c, "The others vote on it now.", view, pos, err)
}

// VoteAjoMotion is POST v1/ajo/{id}/motions/{motion}/vote.
func (h Ajo) VoteAjoMotion(c *echo.Context, id contract.Id, motion string, params contract.VoteAjoMotionParams) error {
	form, err := httpapi.Bind[contract.AjoMotionVote](c)
	if err != nil {
		return err
	}
	view, pos, err := h.Ajo.VoteMotion(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, motion, form.Agrees)
	return httpapi.Recorded(c, "Your vote is counted.", view, pos, err)
}

// ForgiveAjoDebt is POST v1/ajo/{id}/debts/{debt}/forgive.
func (h Ajo) ForgiveAjoDebt(c *echo.Context, id contract.Id, debt string, params contract.ForgiveAjoDebtParams) error {
	view, pos, err := h.Ajo.Forgive(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, debt)
	return httpapi.Recorded(c, "Forgiven. They are told.", view, pos, err)
}

// SetAjoConsent is POST v1/ajo/{id}/consent.
func (h Ajo) SetAjoConsent(c *echo.Context, id contract.Id, params contract.SetAjoConsentParams) error {
	form, err := httpapi.Bind[contract.AjoConsent](c)
	if err != nil {
		return err
	}
	view, pos, err := h.Ajo.SetConsent(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form)
	return httpapi.Recorded(c, "Saved.", view, pos, err)
}

// ApproveAjoPayout is POST v1/ajo/{id}/payouts/{cycle}/approve.
func (h Ajo) ApproveAjoPayout(c *echo.Context, id contract.Id, cycle string, params contract.ApproveAjoPayoutParams) error {
	if err := h.Ajo.Sees(c.Request().Context(), httpapi.Caller(c).UserID, id); err != nil {
		return err
	}
	if err := httpapi.SteppedUp(c); err != nil {
		return err
	}
	view, pos, err := h.Ajo.ApprovePayout(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, cycle)
	return httpapi.Recorded(c, "You have approved the payout.", view, pos, err)
}

// RefuseAjoPayout is POST v1/ajo/{id}/payouts/{cycle}/refuse.
func (h Ajo) RefuseAjoPayout(c *echo.Context, id contract.Id, cycle string, params contract.RefuseAjoPayoutParams) error {
	form, err := httpapi.Bind[contract.AjoRefusalRequest](c)
	if err != nil {
		return err
	}
	view, pos, err := h.Ajo.RefusePayout(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, cycle, form)
	return httpapi.Recorded(c, "The payout is held. Everybody is told why.", view, pos, err)
}

// OpenAjoPlace is POST v1/ajo/{id}/places/open.
func (h Ajo) OpenAjoPlace(c *echo.Context, id contract.Id, params contract.OpenAjoPlaceParams) error {
	form, err := httpapi.Bind[contract.AjoSeatNumber](c)
	if err != nil {
		return err
	}
	view, pos, err := h.Ajo.OpenPlace(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.Seat)
	return httpapi.Recorded(c, "Your place can be taken over now. Until it is, it is yours.", view, pos, err)
}

// KeepAjoPlace is POST v1/ajo/{id}/places/keep.
func (h Ajo) KeepAjoPlace(c *echo.Context, id contract.Id, params contract.KeepAjoPlaceParams) error {
	form, err := httpapi.Bind[contract.AjoSeatNumber](c)
	if err != nil {
		return err
	}
	view, pos, err := h.Ajo.KeepPlace(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.Seat)
	return httpapi.Recorded(c, "You keep your place.", view, pos, err)
}

// TakeAjoPlace is POST v1/ajo/{id}/places/take.
func (h Ajo) TakeAjoPlace(c *echo.Context, id contract.Id, params contract.TakeAjoPlaceParams) error {
	form, err := httpapi.Bind[contract.TakeAjoPlaceRequest](c)
	if err != nil {
		return err
	}
	if err := httpapi.SelfEmail(c, form.Email); err != nil {
		return err
	}
	view, pos, err := h.Ajo.TakePlace(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form)
	return httpapi.Recorded(c, "The place is yours.", view, pos, err)
}
