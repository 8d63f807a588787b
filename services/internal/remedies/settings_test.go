package remedies

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/reflect/protoreflect"

	"adashi.ng/ledger/ledgertest"
)

// What officials set, appoint, add or remove in their group names them in one of these fields.
var setters = []string{"set_by", "appointed_by", "removed_by", "added_by"}

// A member whose account is given back gets a notice of each setting that a thief may have changed in their name. So an
// event of a group by which an official sets something is in the table of settings.
func TestEverySettingOfAGroupIsInTheNoticeAfterATheft(t *testing.T) {
	t.Parallel()
	for _, mt := range ledgertest.EventTypes() {
		of := mt.Descriptor()
		if of.Fields().ByName("group_id") == nil {
			continue
		}
		if slices.ContainsFunc(setters, func(field string) bool { return of.Fields().ByName(protoreflect.Name(field)) != nil }) {
			require.NotZero(t, settings[string(of.FullName())], "%s changes a setting of a group: add it to settings", of.Name())
		}
	}
}
