package disputes

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/projections/engine"
	"adashi.ng/services/internal/cardanswers"
	"adashi.ng/services/internal/disputes"
	"adashi.ng/services/internal/httpapi"
)

// BankAnswers has the handlers of answers to the banks of cards. The contract says who may call each.
type BankAnswers struct {
	CardAnswers *cardanswers.Service
	Tracker     *engine.Tracker
}

// GetBankAnswer is GET v1/support/cases/{id}/bank-answer.
func (h BankAnswers) GetBankAnswer(c *echo.Context, id contract.Id, params contract.GetBankAnswerParams) error {
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, disputes.ReadModels...)
	view, err := h.CardAnswers.Answer(c.Request().Context(), httpapi.Who(c, nil), id)
	return httpapi.Answer(c, view, err)
}

// GiveBankAnswer is POST v1/support/cases/{id}/bank-answer.
func (h BankAnswers) GiveBankAnswer(c *echo.Context, id contract.Id, params contract.GiveBankAnswerParams) error {
	form, err := httpapi.Bind[contract.GiveBankAnswerRequest](c)
	if err != nil {
		return err
	}
	if err := httpapi.SteppedUp(c); err != nil {
		return err
	}
	view, pos, err := h.CardAnswers.Give(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form)
	says := "The bank is being answered."
	if form.Accept {
		says = "An Admin must agree before the bank is told."
	}
	return httpapi.Recorded(c, says, view, pos, err)
}

// AgreeBankAnswer is POST v1/support/cases/{id}/bank-answer/agree.
func (h BankAnswers) AgreeBankAnswer(c *echo.Context, id contract.Id, params contract.AgreeBankAnswerParams) error {
	form, err := httpapi.Bind[contract.AgreeBankAnswerRequest](c)
	if err != nil {
		return err
	}
	if err := httpapi.SteppedUp(c); err != nil {
		return err
	}
	view, pos, err := h.CardAnswers.Judge(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.AnswerId, true, "")
	return httpapi.Recorded(c, "You agreed. The bank is being told.", view, pos, err)
}

// DropBankAnswer is POST v1/support/cases/{id}/bank-answer/drop.
func (h BankAnswers) DropBankAnswer(c *echo.Context, id contract.Id, params contract.DropBankAnswerParams) error {
	form, err := httpapi.Bind[contract.DropBankAnswerRequest](c)
	if err != nil {
		return err
	}
	view, pos, err := h.CardAnswers.Judge(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.AnswerId, false, form.Words)
	return httpapi.Recorded(c, "It is dropped. Nothing was sent.", view, pos, err)
}
