// Package operator handles the Operator calls: the state of the read models, and repairs.
package operator

import (
	"errors"
	"log/slog"

	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/projections/engine"
	"adashi.ng/services/internal/checks"
	"adashi.ng/services/internal/httpapi"
	"adashi.ng/services/internal/notices"
)

// Operator has its handlers. httpapi's access.go says who may call them.
type Operator struct {
	Engine  *engine.Engine
	Checks  func() checks.Standing
	Notices *notices.Service
	// Inbox says that no mail server is set, and letters stay in the dev inbox.
	Inbox bool
}

// GetLetters is GET Operator/letters.
func (h Operator) GetLetters(c *echo.Context) error {
	letters, err := h.Notices.Letters(c.Request().Context())
	if h.Inbox {
		letters.Inbox = &h.Inbox
	}
	return httpapi.Answer(c, letters, err)
}

// RetryLetters is POST Operator/letters/retry.
func (h Operator) RetryLetters(c *echo.Context) error {
	if err := h.Notices.TryLettersAgain(c.Request().Context()); err != nil {
		return err
	}
	slog.InfoContext(c.Request().Context(), "operator: retry letters", "by", httpapi.Caller(c).UserID)
	return httpapi.OKMessage[any](c, "They are tried again. Which of them fail shows within a few seconds.", nil)
}

// GetChecks is GET Operator/checks.
func (h Operator) GetChecks(c *echo.Context) error {
	stands := h.Checks()
	out := contract.Checks{Ready: stands.Ready, Checks: make([]contract.Check, 0, len(stands.Checks))}
	for _, r := range stands.Checks {
		out.Checks = append(out.Checks, contract.Check{Name: r.Name, Ok: r.OK, Needed: r.Needed, Since: r.Since, Says: r.Says})
	}
	return httpapi.OK(c, out)
}

// GetProjections is GET Operator/projections.
func (h Operator) GetProjections(c *echo.Context) error {
	status, err := h.Engine.Status(c.Request().Context())
	if err != nil {
		return err
	}
	return httpapi.OK(c, view(status))
}

// GetDeadLetters is GET Operator/dead-letters.
func (h Operator) GetDeadLetters(c *echo.Context) error {
	letters, err := h.Engine.DeadLetters(c.Request().Context())
	if err != nil {
		return err
	}
	views := make([]contract.DeadLetter, 0, len(letters))
	for _, l := range letters {
		views = append(views, contract.DeadLetter{
			Model: l.Model, Position: l.Pos, Type: l.Type, Error: l.Error, At: l.At, ResolvedAt: l.ResolvedAt, Event: string(l.Event),
		})
	}
	return httpapi.OK(c, views)
}

// RetryProjection is POST Operator/projections/{name}/retry.
func (h Operator) RetryProjection(c *echo.Context, name string) error {
	if err := h.Engine.Retry(c.Request().Context(), name); err != nil {
		return known(err)
	}
	slog.InfoContext(c.Request().Context(), "operator: retry", "model", name, "by", httpapi.Caller(c).UserID)
	return httpapi.OKMessage[any](c, "It tries again. Whether it goes on shows within a second or two.", nil)
}

// RebuildProjection is POST Operator/projections/{name}/rebuild.
func (h Operator) RebuildProjection(c *echo.Context, name string) error {
	if err := h.Engine.AskRebuild(c.Request().Context(), name); err != nil {
		return known(err)
	}
	slog.InfoContext(c.Request().Context(), "operator: rebuild", "model", name, "by", httpapi.Caller(c).UserID)
	return httpapi.OKMessage[any](c, "A projector builds it anew. What stands serves meanwhile.", nil)
}

func known(err error) error {
	if errors.Is(err, engine.ErrNoModel) {
		return fault.New(fault.NotFound, "There is no such read model.")
	}
	return err
}

func view(s engine.Status) contract.Projections {
	models := make([]contract.Projection, 0, len(s.Models))
	for _, m := range s.Models {
		parts := make([]contract.ProjectionPart, 0, len(m.Parts))
		for _, p := range m.Parts {
			parts = append(parts, contract.ProjectionPart{Part: p.Part, Position: p.Pos, Paused: some(p.Paused)})
		}
		models = append(models, contract.Projection{
			Name: m.Name, State: contract.ProjectionState(m.State), Version: m.Version, Position: m.Pos, LagEvents: max(0, s.Head-m.Pos),
			LagSeconds: m.Lag.Seconds(), Parts: parts, DeadLetters: m.DeadLetters, Rebuild: rebuild(m.Rebuild),
		})
	}
	return contract.Projections{Epoch: s.Epoch, Head: s.Head, Models: models}
}

func rebuild(r *engine.RebuildStatus) *contract.Rebuild {
	if r == nil {
		return nil
	}
	return &contract.Rebuild{State: contract.RebuildState(r.State), Position: r.Pos, Head: r.Head, Error: some(r.Error), AskedAt: r.AskedAt, EndedAt: r.EndedAt}
}

func some(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
