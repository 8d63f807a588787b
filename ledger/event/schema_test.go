package event_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
)

// schemaOf is a message in words: its fields, and the messages and enums of ours that it uses, each once.
func schemaOf(of protoreflect.MessageDescriptor) string {
	var text strings.Builder
	seen := map[protoreflect.FullName]bool{}
	var message func(protoreflect.MessageDescriptor)
	enum := func(of protoreflect.EnumDescriptor) {
		fmt.Fprintf(&text, "enum %s\n", of.FullName())
		for i := range of.Values().Len() {
			fmt.Fprintf(&text, "  %d %s\n", of.Values().Get(i).Number(), of.Values().Get(i).Name())
		}
	}
	message = func(of protoreflect.MessageDescriptor) {
		fmt.Fprintf(&text, "message %s\n", of.FullName())
		var parts []protoreflect.Descriptor
		for i := range of.Fields().Len() {
			field := of.Fields().Get(i)
			fmt.Fprintf(&text, "  %d %s %s %s", field.Number(), field.Name(), field.Cardinality(), field.Kind())
			switch {
			case field.Message() != nil:
				fmt.Fprintf(&text, " %s", field.Message().FullName())
				parts = append(parts, field.Message())
			case field.Enum() != nil:
				fmt.Fprintf(&text, " %s", field.Enum().FullName())
				parts = append(parts, field.Enum())
			}
			if oneof := field.ContainingOneof(); oneof != nil {
				fmt.Fprintf(&text, " in %s", oneof.Name())
			}
			text.WriteByte('\n')
		}
		for _, part := range parts {
			if seen[part.FullName()] || strings.HasPrefix(string(part.FullName()), "google.protobuf.") {
				continue
			}
			seen[part.FullName()] = true
			switch part := part.(type) {
			case protoreflect.MessageDescriptor:
				message(part)
			case protoreflect.EnumDescriptor:
				enum(part)
			}
		}
	}
	seen[of.FullName()] = true
	message(of)
	return text.String()
}

func TestAShippedEventsSchemaNeverChanges(t *testing.T) {
	t.Parallel()
	for _, mt := range ledgertest.EventTypes() {
		name := string(mt.Descriptor().FullName())
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join("testdata", name+".schema")
			schema := schemaOf(mt.Descriptor())
			if _, err := os.Stat(path); *update && os.IsNotExist(err) {
				require.NoError(t, os.WriteFile(path, []byte(schema), 0o644))
			}
			shipped, err := os.ReadFile(path)
			require.NoError(t, err, "a new event needs a schema beside its golden: go test ./event -update")
			require.Equal(t, string(shipped), schema, "%s was shipped, and what is recorded must stay as it is. "+
				"Leave it alone and add a new version: a message %sV2, its upcaster in upcast.go, and its golden and schema (go test ./event -update).", name, name)
		})
	}
}

func TestEveryChangeOfADescriptorShowsInItsSchema(t *testing.T) {
	t.Parallel()
	shipped := schemaOf((&nairav1.ContributionReceived{}).ProtoReflect().Descriptor())
	for name, change := range map[string]func(*descriptorpb.FileDescriptorProto){
		"nothing":          func(*descriptorpb.FileDescriptorProto) {},
		"a field's name":   func(f *descriptorpb.FileDescriptorProto) { field(f, "ContributionReceived", 0).Name = ptr("gruppe") },
		"a field's number": func(f *descriptorpb.FileDescriptorProto) { field(f, "ContributionReceived", 0).Number = ptr(int32(99)) },
		"a field's type": func(f *descriptorpb.FileDescriptorProto) {
			field(f, "ContributionReceived", 3).Type = descriptorpb.FieldDescriptorProto_TYPE_UINT64.Enum()
		},
		"one becomes many": func(f *descriptorpb.FileDescriptorProto) {
			field(f, "ContributionReceived", 0).Label = descriptorpb.FieldDescriptorProto_LABEL_REPEATED.Enum()
		},
		"a field less": func(f *descriptorpb.FileDescriptorProto) {
			m := message(f, "ContributionReceived")
			m.Field = m.Field[1:]
		},
		"a field more in part": func(f *descriptorpb.FileDescriptorProto) {
			m := message(f, "Settlement")
			m.Field = append(m.Field, &descriptorpb.FieldDescriptorProto{Name: ptr("more"), Number: ptr(int32(9)), Type: descriptorpb.FieldDescriptorProto_TYPE_BOOL.Enum(), Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum()})
		},
	} {
		file := protodesc.ToFileDescriptorProto(nairav1.File_naira_v1_savings_proto)
		change(file)
		built, err := protodesc.NewFile(file, files{})
		require.NoError(t, err, name)
		schema := schemaOf(built.Messages().ByName("ContributionReceived"))
		require.Equal(t, name == "nothing", shipped == schema, "%s\n%s", name, schema)
	}
	enum := protodesc.ToFileDescriptorProto(nairav1.File_naira_v1_wallet_proto)
	enum.EnumType[0].Value[1].Name = ptr("CHANNEL_VOUCHER")
	wallet, err := protodesc.NewFile(enum, files{})
	require.NoError(t, err)
	built, err := protodesc.NewFile(protodesc.ToFileDescriptorProto(nairav1.File_naira_v1_savings_proto), files{wallet})
	require.NoError(t, err)
	require.NotEqual(t, shipped, schemaOf(built.Messages().ByName("ContributionReceived")), "a value of an enum in another file")
}

func ptr[T any](v T) *T { return &v }

func message(f *descriptorpb.FileDescriptorProto, name string) *descriptorpb.DescriptorProto {
	return f.MessageType[slices.IndexFunc(f.MessageType, func(m *descriptorpb.DescriptorProto) bool { return m.GetName() == name })]
}

func field(f *descriptorpb.FileDescriptorProto, name string, n int) *descriptorpb.FieldDescriptorProto {
	return message(f, name).Field[n]
}

// files resolves imports from the given files first, then from the registered ones.
type files []protoreflect.FileDescriptor

func (all files) FindFileByPath(path string) (protoreflect.FileDescriptor, error) {
	for _, file := range all {
		if file.Path() == path {
			return file, nil
		}
	}
	return protoregistry.GlobalFiles.FindFileByPath(path)
}

func (all files) FindDescriptorByName(name protoreflect.FullName) (protoreflect.Descriptor, error) {
	for _, file := range all {
		if enum := file.Enums().ByName(name.Name()); enum != nil && enum.FullName() == name {
			return enum, nil
		}
	}
	return protoregistry.GlobalFiles.FindDescriptorByName(name)
}

func TestEverySupersededEventKeepsItsGoldenAndUpcastsToACurrentOne(t *testing.T) {
	t.Parallel()
	for _, name := range event.Superseded() {
		upcastsFromItsGolden(t, name)
	}
}

func upcastsFromItsGolden(t *testing.T, name string) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	require.NoError(t, err, "%s is recorded somewhere: its golden must stay", name)
	var g golden
	require.NoError(t, json.Unmarshal(raw, &g))
	encoded, err := hex.DecodeString(g.Encoded)
	require.NoError(t, err)
	record, err := event.DecodeRecord(encoded)
	require.NoError(t, err)
	require.Equal(t, name, record.Type)
	current, err := record.Message()
	require.NoError(t, err)
	require.NotContains(t, event.Superseded(), event.TypeOf(current))
	require.FileExists(t, filepath.Join("testdata", event.TypeOf(current)+".json"))
}
