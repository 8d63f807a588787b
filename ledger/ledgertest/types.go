package ledgertest

import (
	"slices"
	"sort"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"adashi.ng/ledger/event"
)

// EventTypes are all naira.v1 messages that are events: every one that is not a part of another.
func EventTypes() []protoreflect.MessageType {
	parts := map[protoreflect.FullName]bool{}
	var all []protoreflect.MessageType
	protoregistry.GlobalTypes.RangeMessages(func(mt protoreflect.MessageType) bool {
		if mt.Descriptor().ParentFile().Package() != "naira.v1" {
			return true
		}
		all = append(all, mt)
		fields := mt.Descriptor().Fields()
		for i := range fields.Len() {
			if part := fields.Get(i).Message(); part != nil {
				parts[part.FullName()] = true
			}
		}
		return true
	})
	events := all[:0]
	for _, mt := range all {
		if !parts[mt.Descriptor().FullName()] {
			events = append(events, mt)
		}
	}
	sort.Slice(events, func(i, j int) bool { return events[i].Descriptor().FullName() < events[j].Descriptor().FullName() })
	return events
}

// Filled is a message with every field set, always alike: texts are their field's name, numbers derive from its number.
func Filled(mt protoreflect.MessageType) protoreflect.Message {
	m := mt.New()
	fields := mt.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		if f.IsList() {
			list := m.Mutable(f).List()
			for range 2 {
				list.Append(filledValue(f, list.NewElement))
			}
			continue
		}
		m.Set(f, filledValue(f, func() protoreflect.Value { return m.NewField(f) }))
	}
	return m
}

func filledValue(f protoreflect.FieldDescriptor, empty func() protoreflect.Value) protoreflect.Value {
	n := int64(f.Number())
	switch f.Kind() {
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(string(f.Name()))
	case protoreflect.Int64Kind:
		return protoreflect.ValueOfInt64(1_000_000 + n)
	case protoreflect.Int32Kind:
		return protoreflect.ValueOfInt32(int32(n))
	case protoreflect.Uint64Kind:
		return protoreflect.ValueOfUint64(uint64(n))
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes([]byte(f.Name()))
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(true)
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(1)
	case protoreflect.MessageKind:
		return protoreflect.ValueOfMessage(Filled(empty().Message().Type()))
	default:
		panic("ledgertest: no filling for a " + f.Kind().String())
	}
}

// CurrentEventTypes are those that deciders and folds know: no newer version has taken their place.
func CurrentEventTypes() []protoreflect.MessageType {
	return slices.DeleteFunc(EventTypes(), func(mt protoreflect.MessageType) bool {
		return slices.Contains(event.Superseded(), string(mt.Descriptor().FullName()))
	})
}
