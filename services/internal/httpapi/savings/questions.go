package savings

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/services/internal/httpapi"
)

// GetQuestion is GET v1/questions/{id}.
func (h Savings) GetQuestion(c *echo.Context, id contract.Id) error {
	view, err := h.Audit.Question(c.Request().Context(), httpapi.Caller(c).UserID, id)
	return httpapi.Answer(c, view, err)
}

// SayOfQuestion is POST v1/questions/{id}.
func (h Savings) SayOfQuestion(c *echo.Context, id contract.Id, params contract.SayOfQuestionParams) error {
	form, err := httpapi.Bind[contract.QuestionSayRequest](c)
	if err != nil {
		return err
	}
	view, pos, err := h.Audit.Say(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form)
	return httpapi.Recorded(c, "It is sent.", view, pos, err)
}

// GetQuestions is GET v1/questions.
func (h Savings) GetQuestions(c *echo.Context) error {
	list, err := h.Audit.Questions(c.Request().Context(), httpapi.Caller(c).UserID)
	return httpapi.Answer(c, list, err)
}

// GetQuestionPaper is GET v1/questions/{id}/papers/{paper}.
func (h Savings) GetQuestionPaper(c *echo.Context, id contract.Id, paper string) error {
	file, data, err := h.Audit.Paper(c.Request().Context(), httpapi.Caller(c).UserID, id, paper)
	if err != nil {
		return err
	}
	return httpapi.Attachment(c, file.ContentType, data)
}
