package httpapi

import (
	"reflect"
	"strings"
	"sync"
)

// field describes one member of a request for Bind.
type field struct {
	name     string
	index    int
	required bool // The generated struct has no pointer there.
	whole    bool // A whole number.
}

// schema lists a request struct's members by JSON name.
type schema struct {
	byName map[string]int // Indexes in fields.
	fields []field
}

var schemas sync.Map // reflect.Type → *schema

// schemaOf reads a flat request struct once and caches the result.
func schemaOf(t reflect.Type) *schema {
	if known, ok := schemas.Load(t); ok {
		return known.(*schema)
	}
	made := &schema{byName: make(map[string]int, t.NumField())}
	for i := range t.NumField() {
		member := t.Field(i)
		name, _, _ := strings.Cut(member.Tag.Get("json"), ",")
		if name == "-" || !member.IsExported() {
			continue
		}
		if name == "" {
			name = member.Name
		}
		base := member.Type
		if base.Kind() == reflect.Pointer {
			base = base.Elem()
		}
		made.byName[name] = len(made.fields)
		made.fields = append(made.fields, field{
			name: name, index: i, required: member.Type.Kind() != reflect.Pointer,
			whole: base.Kind() >= reflect.Int && base.Kind() <= reflect.Uint64,
		})
	}
	known, _ := schemas.LoadOrStore(t, made)
	return known.(*schema)
}
