package ledger_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/draw"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
)

// Every state that any event leads to comes back from its snapshot as it was.
func TestEveryStateComesBackWholeFromItsSnapshot(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 2, 8, 0, 0, 123456000, time.UTC)
	for _, a := range ledger.Aggregates() {
		t.Run(a.Category, func(t *testing.T) {
			t.Parallel()
			changed := false
			state := a.Zero
			for _, mt := range ledgertest.EventTypes() {
				m := ledgertest.Filled(mt).Interface()
				if opened, ok := m.(*nairav1.SubAccountOpened); ok {
					opened.FirstDue = "2026-11-01"
				}
				state = a.Evolve(state, event.Happened{Message: m, EffectiveAt: at, RecordedAt: at})
				frozen, err := a.Freeze(state)
				require.NoError(t, err)
				thawed, err := a.Thaw(frozen)
				require.NoError(t, err)
				require.EqualExportedValues(t, state, thawed)
				changed = changed || string(frozen) != string(must(a.Freeze(a.Zero)))
			}
			require.True(t, changed, "no event changes it")
		})
	}
}

// The lists that an ajo is drawn from are of arrays, which other readers of JSON expect in another form.
func TestADrawnAjoComesBackWholeFromItsSnapshot(t *testing.T) {
	t.Parallel()
	drawn := ajo.Ajo{
		Sealed:    []draw.Seat{{No: 1, Holders: []draw.Holder{{ID: "u", Halves: 2, Nonce: [16]byte{7, 200}}}}},
		DrawnFrom: []draw.Reveal{{ID: "u", Commitment: [32]byte{9}, Secret: &[32]byte{255, 1}}, {ID: "v"}},
	}
	frozen, err := ajo.Ajos.Freeze(drawn)
	require.NoError(t, err)
	thawed, err := ajo.Ajos.Thaw(frozen)
	require.NoError(t, err)
	require.Equal(t, drawn, thawed)
}

var update = flag.Bool("update", false, "write the shapes of states that have none; one that is there is never written over")

// packages are the names of the packages that types stand in. Snapshots do not hold them.
var packages = regexp.MustCompile(`\b[a-z]\w*\.`)

// A state that looks different is another version of its fold: snapshots of the old one must not be read as the new.
func TestAStateThatChangesGetsANewFoldVersion(t *testing.T) {
	t.Parallel()
	for _, a := range ledger.Aggregates() {
		shape := fmt.Sprintf("%+v\n", fields(reflect.TypeOf(a.Zero)))
		path := filepath.Join("testdata", "states", fmt.Sprintf("%s.v%d.txt", a.Category, a.Fold))
		if _, err := os.Stat(path); *update && os.IsNotExist(err) {
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
			require.NoError(t, os.WriteFile(path, []byte(shape), 0o644))
		}
		written, err := os.ReadFile(path)
		require.NoError(t, err, "a new fold version needs its shape: go test . -update")
		require.Equal(t, packages.ReplaceAllString(string(written), ""), packages.ReplaceAllString(shape, ""), "the state of %s changed: give its fold the next version", a.Category)
	}
}

// fields tells a state's type, with the types of our own inside it.
func fields(t reflect.Type) string {
	if t.Kind() != reflect.Struct || t == reflect.TypeFor[time.Time]() {
		return t.String()
	}
	out := "{"
	for _, f := range reflect.VisibleFields(t) {
		if f.IsExported() {
			out += f.Name + " " + fields(f.Type) + "; "
		}
	}
	return out + "}"
}

func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}
