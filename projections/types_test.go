package projections_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/reflect/protoreflect"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
	"adashi.ng/projections"
	"adashi.ng/projections/engine"
)

// untouched is a transaction that panics when anything is done with it.
type untouched struct{ pgx.Tx }

// The engine never gives a model the types that it ignores.
func TestNoModelIgnoresAnEventThatItFolds(t *testing.T) {
	t.Parallel()
	for _, mt := range ledgertest.CurrentEventTypes() {
		for _, channel := range []nairav1.Channel{nairav1.Channel_CHANNEL_WALLET, nairav1.Channel_CHANNEL_CARD, nairav1.Channel_CHANNEL_BANK_TRANSFER} {
			m := ledgertest.Filled(mt).Interface()
			if field := mt.Descriptor().Fields().ByName("channel"); field != nil {
				m.ProtoReflect().Set(field, protoreflect.ValueOfEnum(channel.Number()))
			}
			if field := mt.Descriptor().Fields().ByName("to_account"); field != nil {
				m.ProtoReflect().Set(field, protoreflect.ValueOfString("bank:transfer"))
			}
			name := string(mt.Descriptor().FullName())
			e := engine.Event{Record: event.Record{Pos: 1, Command: uuid.New(), Type: name, Lines: posting.Lines(m)}, Message: m}
			for _, model := range projections.All() {
				if !slices.Contains(model.Ignores, name) {
					continue
				}
				require.NotPanics(t, func() {
					changes, err := model.Fold(context.Background(), untouched{}, engine.Part{N: 0, Of: 1}, []engine.Event{e})
					require.NoError(t, err)
					require.Empty(t, changes)
				}, "%s does something for %s, which it ignores", model.Name, name)
			}
		}
	}
}

// A new column must not shift the values of an older INSERT.
func TestEveryInsertNamesItsColumns(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*/*.go")
	require.NoError(t, err)
	nameless := regexp.MustCompile(`INSERT INTO rm_\w+ (VALUES|SELECT)`)
	for _, file := range files {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		if !strings.HasSuffix(file, "_test.go") {
			require.Empty(t, nameless.FindString(string(source)), file)
		}
	}
	require.True(t, nameless.MatchString("INSERT INTO rm_holds VALUES ($1)"))
}
