// Package text keeps out text that Postgres cannot store.
package text

import (
	"bytes"
	"errors"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protopath"
	"google.golang.org/protobuf/reflect/protorange"

	"adashi.ng/ledger/base/fault"
)

// Storable reports whether Postgres can store texts.
func Storable(texts ...string) bool {
	for _, text := range texts {
		if strings.IndexByte(text, 0) >= 0 || !utf8.ValidString(text) {
			return false
		}
	}
	return true
}

// Err is the answer to the person who wrote such a text.
func Err() error {
	return fault.New(fault.Invalid, "This has a character in it that cannot be stored. Nothing was taken. Please write it without.")
}

// InEvent reports whether the tables that are made of an event can hold its texts. Protobuf has already checked that
// they are UTF-8.
func InEvent(m proto.Message, body []byte) bool {
	if bytes.IndexByte(body, 0) < 0 {
		return true
	}
	errFound := errors.New("a text with a NUL")
	return protorange.Range(m.ProtoReflect(), func(p protopath.Values) error {
		if text, ok := p.Index(-1).Value.Interface().(string); ok && strings.IndexByte(text, 0) >= 0 {
			return errFound
		}
		return nil
	}) == nil
}

// Cleaned is the refusal with text that the tables can hold: it may quote what a person wrote.
func Cleaned(f *fault.Fault) *fault.Fault {
	if Storable(f.Message, f.Field) {
		return f
	}
	clean := *f
	clean.Message, clean.Field = writable(f.Message), writable(f.Field)
	return &clean
}

func writable(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}
