package httpapi

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/services/internal/usecase"
)

// Who returns the caller of a command, with the key that they sent.
func Who(c *echo.Context, key *contract.IdempotencyKey) usecase.Who {
	caller := Caller(c)
	who := usecase.Who{User: caller.UserID, Email: caller.Email}
	if key != nil {
		who.Key = *key
	}
	return who
}
