package savings

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/services/internal/groups"
	"adashi.ng/services/internal/httpapi"
)

// The most bytes of a document's fields.
const (
	idBytesMax   = 64
	nameBytesMax = 400
)

// GetPendingGroupSavings is GET pending-group-savings/{id}.
func (h Savings) GetPendingGroupSavings(c *echo.Context, id contract.Id, params contract.GetPendingGroupSavingsParams) error {
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, groups.ReadModels...)
	view, err := h.Groups.Pending(c.Request().Context(), httpapi.Caller(c).UserID, id)
	return httpapi.Answer(c, view, err)
}

// GetInactiveMembers is GET inactive/{id}.
func (h Savings) GetInactiveMembers(c *echo.Context, id contract.Id, params contract.GetInactiveMembersParams) error {
	limit, err := httpapi.Limit(params.Limit)
	if err != nil {
		return err
	}
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, groups.ReadModels...)
	view, err := h.Groups.InactiveMembers(c.Request().Context(), httpapi.Caller(c).UserID, id, params.Before, limit)
	return httpapi.Answer(c, view, err)
}

// GetGroupDetails is GET GetGroupDetails/{id}.
func (h Savings) GetGroupDetails(c *echo.Context, id contract.Id, params contract.GetGroupDetailsParams) error {
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, groups.ReadModels...)
	view, err := h.Groups.GroupDetails(c.Request().Context(), httpapi.Caller(c).UserID, id)
	return httpapi.Answer(c, view, err)
}

// GetLeaving is GET v1/savings/groups/{id}/leaving.
func (h Savings) GetLeaving(c *echo.Context, id contract.Id, params contract.GetLeavingParams) error {
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, groups.ReadModels...)
	view, err := h.Groups.Leaving(c.Request().Context(), httpapi.Caller(c).UserID, id)
	return httpapi.Answer(c, view, err)
}

// GetGroupDocuments is GET get-group-documents/{id}.
func (h Savings) GetGroupDocuments(c *echo.Context, id contract.Id) error {
	view, err := h.Groups.Documents(c.Request().Context(), httpapi.Caller(c).UserID, id)
	return httpapi.Answer(c, view, err)
}

// GetMyGroupDocuments is GET v1/savings/documents.
func (h Savings) GetMyGroupDocuments(c *echo.Context) error {
	view, err := h.Groups.MyDocuments(c.Request().Context(), httpapi.Caller(c).UserID)
	return httpapi.Answer(c, view, err)
}

// SaveGroupDocument is POST save-group-document.
func (h Savings) SaveGroupDocument(c *echo.Context, params contract.SaveGroupDocumentParams) error {
	fields, err := httpapi.Form(c, map[string]int{"groupId": idBytesMax, "userId": idBytesMax, "name": nameBytesMax, "file": httpapi.FileBytesMax})
	if err != nil {
		return err
	}
	if err := httpapi.SelfUser(c, string(fields["userId"])); err != nil {
		return err
	}
	document, pos, err := h.Groups.SaveDocument(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), string(fields["groupId"]), string(fields["name"]), fields["file"])
	return httpapi.Recorded(c, "The document is saved for every member.", document, pos, err)
}

// RemoveGroupDocument is DELETE v1/savings/documents/{id}.
func (h Savings) RemoveGroupDocument(c *echo.Context, id contract.Id, params contract.RemoveGroupDocumentParams) error {
	pos, err := h.Groups.RemoveDocument(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id)
	return httpapi.Did(c, "The document is removed.", pos, err)
}
