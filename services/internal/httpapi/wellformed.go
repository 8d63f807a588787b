package httpapi

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/labstack/echo/v5"

	"adashi.ng/ledger/base/fault"
)

const (
	idCharsMax    = 128
	queryBytesMax = 2048
)

// wellFormed refuses paths, queries and keys that are never valid, so that they do not cause a 500 in the database:
// NUL, broken UTF-8 and great lengths. Such an id is simply not found.
func wellFormed(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c *echo.Context) error {
		for _, value := range c.PathValues() {
			id, err := url.PathUnescape(value.Value)
			if err != nil || id == "" || !storable(id, idCharsMax) || strings.Contains(id, "/") {
				return fault.New(fault.NotFound, nothingHere)
			}
		}
		if c.Request().URL.RawQuery != "" {
			for name, values := range c.QueryParams() {
				for _, value := range values {
					if !storable(name, idCharsMax) || !storable(value, queryBytesMax) {
						return fault.New(fault.Invalid, notUnderstood)
					}
				}
			}
		}
		if err := tidyKey(c.Request().Header["Idempotency-Key"]); err != nil {
			return err
		}
		return next(c)
	}
}

func storable(text string, bytesMax int) bool {
	return len(text) <= bytesMax && utf8.ValidString(text) && strings.IndexByte(text, 0) < 0
}

// tidyKey checks the contract's rule: 8 to 128 characters, once. They must be printable ASCII, as headers should be.
func tidyKey(keys []string) error {
	if len(keys) == 0 {
		return nil
	}
	key := keys[0]
	printable := strings.IndexFunc(key, func(r rune) bool { return r < ' ' || r > '~' }) < 0
	if len(keys) > 1 || len(key) < 8 || len(key) > 128 || !printable {
		return fault.Field("Idempotency-Key", "Idempotency-Key must be one key of 8 to 128 plain characters.")
	}
	return nil
}

// Limit is the number of rows of a page: 50 when absent, else 1 to 100.
func Limit(limit *int) (int, error) { return Count("limit", limit, 50, 100) }

// Count is a number in a query or a body: otherwise when absent, else 1 to most.
func Count(field string, asked *int, otherwise, most int) (int, error) {
	switch {
	case asked == nil:
		return otherwise, nil
	case *asked < 1 || *asked > most:
		return 0, fault.Field(field, "%s must be from 1 to %d.", field, most)
	default:
		return *asked, nil
	}
}
