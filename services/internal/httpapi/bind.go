package httpapi

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/labstack/echo/v5"

	"adashi.ng/ledger/base/fault"
)

const (
	bodyBytesMax = 64 << 10
	depthMax     = 16
)

// Bind reads the body as one JSON object of type T, strictly: a body that is too large, too deep, not UTF-8, or has
// an unknown, duplicate, missing, null or wrongly typed member, or anything after the object, is a fault that names
// the member. Members of T that are not pointers are required; a pointer may be absent or null. Types with a Valid
// method (the contract's enumerations) must be valid. Amounts are read by wire.Naira.
func Bind[T any](c *echo.Context) (T, error) {
	var zero T
	kind, _, err := mime.ParseMediaType(c.Request().Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		return zero, fault.New(fault.Invalid, "Please send JSON, with Content-Type application/json.")
	}
	body, err := io.ReadAll(io.LimitReader(c.Request().Body, bodyBytesMax+1))
	if err != nil {
		return zero, bodyFault(err)
	}
	return Decode[T](body)
}

// bodyFault keeps the frame's 413, and blames every other broken body on the sender.
func bodyFault(err error) error {
	var tooBig *http.MaxBytesError
	if errors.As(err, &tooBig) {
		return fault.New(fault.TooLarge, tooLarge)
	}
	return fault.New(fault.Invalid, "The request broke off before it was complete. Please try again.")
}

// Decode is Bind without HTTP.
func Decode[T any](body []byte) (T, error) {
	var zero, out T
	if len(body) > bodyBytesMax {
		return zero, fault.New(fault.TooLarge, tooLarge)
	}
	if tooDeep(body) {
		return zero, fault.New(fault.Invalid, "The JSON is nested too deeply.")
	}
	known := schemaOf(reflect.TypeFor[T]())
	if err := inspect(body, known); err != nil {
		return zero, err
	}
	if err := json.Unmarshal(body, &out, json.RejectUnknownMembers(true)); err != nil {
		return zero, decodeFault(err)
	}
	return out, checkEnums(reflect.ValueOf(&out).Elem(), known)
}

// inspect walks the object's members without decoding them, and refuses faults that the decoder would accept.
func inspect(body []byte, known *schema) error {
	decoder := jsontext.NewDecoder(bytes.NewBuffer(body))
	opening, err := decoder.ReadToken()
	if err != nil {
		return decodeFault(err)
	}
	if opening.Kind() != '{' {
		return fault.New(fault.Invalid, "Please send a JSON object.")
	}
	var few [64]bool // Enough for every request of today, without an allocation.
	seen := few[:]
	if len(known.fields) > len(few) {
		seen = make([]bool, len(known.fields))
	}
	for decoder.PeekKind() != '}' {
		token, err := decoder.ReadToken()
		if err != nil {
			return decodeFault(err)
		}
		name := token.String()
		at, ok := known.byName[name]
		if !ok {
			return unknownField(name)
		}
		value, err := decoder.ReadValue()
		if err != nil {
			return decodeFault(err)
		}
		if err := known.fields[at].check(value); err != nil {
			return err
		}
		seen[at] = true
	}
	if _, err := decoder.ReadToken(); err != nil {
		return decodeFault(err)
	}
	for i, member := range known.fields {
		if member.required && !seen[i] {
			return fault.Field(member.name, "Please give %s: it is missing.", member.name)
		}
	}
	return nil
}

func (f field) check(value jsontext.Value) error {
	switch value.Kind() {
	case 'n':
		if f.required {
			return fault.Field(f.name, "Please give %s: it is empty.", f.name)
		}
	case '0':
		if f.whole && bytes.ContainsAny(value, "-+.eE") {
			return fault.Field(f.name, "%s must be a whole number.", f.name)
		}
	case '"', '[', '{':
		if hasNUL(value) {
			return fault.Field(f.name, "%s has a character that cannot be stored.", f.name)
		}
	}
	return nil
}

// hasNUL reports whether a JSON string, or a nested one, contains U+0000, which Postgres cannot store. A raw NUL is not
// valid JSON anyway.
func hasNUL(value jsontext.Value) bool {
	if !bytes.Contains(value, []byte(`\u0000`)) {
		return false
	}
	for decoder := jsontext.NewDecoder(bytes.NewReader(value)); ; {
		switch token, err := decoder.ReadToken(); {
		case err != nil:
			return !errors.Is(err, io.EOF)
		case token.Kind() == '"' && strings.IndexByte(token.String(), 0) >= 0:
			return true
		}
	}
}

// tooDeep counts brackets outside strings and reports whether they nest too deeply.
func tooDeep(body []byte) bool {
	depth, quoted := 0, false
	for i := 0; i < len(body); i++ {
		switch b := body[i]; {
		case quoted && b == '\\':
			i++
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '{' || b == '[':
			if depth++; depth > depthMax {
				return true
			}
		case b == '}' || b == ']':
			depth--
		}
	}
	return false
}

// decodeFault turns the decoder's error into a sentence about the member it happened at.
func decodeFault(err error) error {
	var meaning *json.SemanticError
	if errors.As(err, &meaning) {
		name := fieldOf(meaning.JSONPointer)
		if name == "" {
			return fault.New(fault.Invalid, notUnderstood)
		}
		if errors.Is(err, json.ErrUnknownName) {
			return unknownField(name)
		}
		return fault.Field(name, "%s %s.", name, demand(meaning))
	}
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) && errors.Is(err, jsontext.ErrDuplicateName) {
		name := fieldOf(syntax.JSONPointer)
		return fault.Field(name, "%s is given twice.", name)
	}
	return fault.New(fault.Invalid, "That is not valid JSON. Please check it and try again.")
}

func unknownField(name string) error {
	if runes := []rune(name); len(runes) > 40 {
		name = string(runes[:40]) + "…"
	}
	return fault.Field(name, "%q is not a field of this request.", name)
}

// fieldOf returns the top member of a JSON pointer.
func fieldOf(pointer jsontext.Pointer) string {
	for token := range pointer.Tokens() {
		return token
	}
	return ""
}

// demand describes the value that the member must have.
func demand(err *json.SemanticError) string {
	t := err.GoType
	if t == nil {
		return "is not right"
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch kind := t.Kind(); {
	case kind == reflect.String:
		return "must be text"
	case kind == reflect.Bool:
		return "must be true or false"
	case kind >= reflect.Int && kind <= reflect.Uint64:
		return "must be a whole number"
	case err.Err != nil && strings.HasPrefix(err.Err.Error(), "must be"): // wire.Naira's own sentence.
		return err.Err.Error()
	default:
		return "is not right"
	}
}

// checkEnums checks that every enumerated member has one of its values.
func checkEnums(value reflect.Value, known *schema) error {
	for _, member := range known.fields {
		at := value.Field(member.index)
		if at.Kind() == reflect.Pointer {
			if at.IsNil() {
				continue
			}
			at = at.Elem()
		}
		if at.Kind() != reflect.String {
			continue
		}
		if enum, ok := at.Interface().(interface{ Valid() bool }); ok && !enum.Valid() {
			return fault.Field(member.name, "%s is not one of the values we know.", member.name)
		}
	}
	return nil
}
