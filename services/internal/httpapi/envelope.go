package httpapi

import (
	"net/http"
	"strconv"

	"github.com/go-json-experiment/json"
	jsonv1 "github.com/go-json-experiment/json/v1"
	"github.com/labstack/echo/v5"

	"adashi.ng/ledger/base/fault"
)

// Done is the default message of a success.
const Done = "Operation Successful!"

const codeOK fault.Code = "OK"

// Envelope is the shape of every reply, errors too.
type Envelope[T any] struct {
	IsSuccessful   bool       `json:"isSuccessful"`
	Message        string     `json:"message"`
	ReturnedObject T          `json:"returnedObject"`
	ReturnedCode   fault.Code `json:"returnedCode"`
}

// OK answers 200 with the object and the default message. A nil slice is written as [].
func OK[T any](c *echo.Context, object T) error { return OKMessage(c, Done, object) }

// OKMessage answers 200 with the object and a sentence for the person. Pass nil for no object.
func OKMessage[T any](c *echo.Context, message string, object T) error {
	return write(c, http.StatusOK, Envelope[T]{IsSuccessful: true, Message: message, ReturnedObject: object, ReturnedCode: codeOK})
}

// Answer answers a read with its result, or with its error.
func Answer[T any](c *echo.Context, object T, err error) error {
	if err != nil {
		return err
	}
	return OK(c, object)
}

// Recorded answers a command with its result and the position of its record, or with its error.
func Recorded[T any](c *echo.Context, message string, object T, pos int64, err error) error {
	if err != nil {
		return err
	}
	if pos > 0 {
		Position(c, pos)
	}
	return OKMessage(c, message, object)
}

// Did is Recorded for a command without an object.
func Did(c *echo.Context, message string, pos int64, err error) error {
	return Recorded[any](c, message, nil, pos, err)
}

// Position sets X-Position: the position of a write's record, or of the state that a read shows. Call it before OK.
func Position(c *echo.Context, pos int64) {
	c.Response().Header()["X-Position"] = []string{strconv.FormatInt(pos, 10)}
}

// Stale sets X-Stale: the read shows an older state than the caller asked for. Call it before OK.
func Stale(c *echo.Context) { c.Response().Header()["X-Stale"] = []string{"true"} }

var jsonContent = []string{"application/json; charset=utf-8"}

// write encodes the object before it sends the status, so that an encoding error results in a clean 500.
func write[T any](c *echo.Context, status int, envelope Envelope[T]) error {
	body, err := json.Marshal(envelope, jsonv1.OmitEmptyWithLegacySemantics(true))
	if err != nil {
		return err
	}
	w := c.Response()
	w.Header()["Content-Type"] = jsonContent
	w.WriteHeader(status)
	_, err = w.Write(append(body, '\n'))
	return err
}
