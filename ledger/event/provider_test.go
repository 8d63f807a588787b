package event_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
)

func TestAProvidersBankAccountIsItsOwn(t *testing.T) {
	t.Parallel()
	accounts := map[string]bool{}
	for _, p := range []event.Provider{event.Vfd, event.Paystack, "third", "third-2"} {
		require.True(t, p.Valid(), p)
		of, bank := event.ProviderOf(p.Account())
		require.Equal(t, []any{p, true}, []any{of, bank})
		accounts[p.Account()], accounts[p.Stored()] = true, true
	}
	require.Len(t, accounts, 8)
	for _, bad := range []event.Provider{"", "x", "transfer", "card", "Third", "a:b", "a provider", "abcdefghijklmnopqrstu"} {
		require.False(t, bad.Valid(), bad)
	}
	_, bank := event.ProviderOf("wallet:bisi")
	require.False(t, bank)
}

// Each event version without a provider upcasts without loss, and its channel becomes the provider.
func TestAChannelOfBeforeBecomesItsProviderAndNothingElseIsLost(t *testing.T) {
	t.Parallel()
	seen := 0
	for _, mt := range ledgertest.EventTypes() {
		channel := mt.Descriptor().Fields().ByName("channel")
		if channel == nil || mt.Descriptor().Fields().ByName("provider") != nil {
			continue
		}
		for number, want := range map[nairav1.Channel]event.Provider{
			nairav1.Channel_CHANNEL_CARD: event.Paystack, nairav1.Channel_CHANNEL_BANK_TRANSFER: event.Vfd, nairav1.Channel_CHANNEL_UNSPECIFIED: event.Vfd,
		} {
			old := ledgertest.Filled(mt)
			old.Set(channel, protoreflect.ValueOfEnum(number.Number()))
			body, err := proto.Marshal(old.Interface())
			require.NoError(t, err)
			current, err := event.Decode(string(mt.Descriptor().FullName()), body)
			require.NoError(t, err)
			named, ok := current.(interface{ GetProvider() string })
			if !ok {
				continue // Its channel never was a provider's.
			}
			seen++
			require.Equal(t, string(want), named.GetProvider(), event.TypeOf(current))
			is := current.ProtoReflect()
			old.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
				same := is.Descriptor().Fields().ByName(f.Name())
				require.True(t, same != nil || f.Name() == "channel", "%s loses %s", event.TypeOf(current), f.Name())
				require.True(t, same == nil || v.Equal(is.Get(same)), "%s changes %s", event.TypeOf(current), f.Name())
				return true
			})
		}
	}
	require.Equal(t, 3*18, seen, "seventeen events, one of which had two versions")
}
