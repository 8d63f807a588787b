package event

import (
	"regexp"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	nairav1 "adashi.ng/proto/gen/naira/v1"
)

// Provider is the id of the bank or gateway that money comes or goes through. Events name it, and so does the chart of
// accounts. Its adapter in services says which features it has.
type Provider string

// The first two providers. Early events named only their channels, so their stored accounts are named by channel.
const (
	Vfd      Provider = "vfd"
	Paystack Provider = "paystack"
)

var validProvider = regexp.MustCompile(`^[a-z0-9-]{2,20}$`)

// Valid reports whether it may be a provider's id: it must not be the name of a bank account of the first two.
func (p Provider) Valid() bool {
	return validProvider.MatchString(string(p)) && p != "transfer" && p != "card"
}

// Stored is the provider's name in streams and in the ids of commands.
func (p Provider) Stored() string {
	switch p {
	case Vfd:
		return "BANK_TRANSFER"
	case Paystack:
		return "CARD"
	default:
		return string(p)
	}
}

// Account is the provider's bank account in the chart of accounts: Adashi's money there, and money due from it.
func (p Provider) Account() string {
	switch p {
	case Vfd:
		return "bank:transfer"
	case Paystack:
		return "bank:card"
	default:
		return "bank:" + string(p)
	}
}

// ProviderOf is the provider whose bank account this is; false for another account.
func ProviderOf(account string) (Provider, bool) {
	name, bank := strings.CutPrefix(account, "bank:")
	switch name {
	case "transfer":
		return Vfd, bank
	case "card":
		return Paystack, bank
	default:
		return Provider(name), bank
	}
}

// ProviderOnce is the provider that a channel meant before events named theirs.
func ProviderOnce(channel nairav1.Channel) Provider {
	if channel == nairav1.Channel_CHANNEL_CARD {
		return Paystack
	}
	return Vfd
}

// named is the upcaster to a version that names its provider, and is otherwise the same.
func named[Old interface {
	proto.Message
	GetChannel() nairav1.Channel
}, New proto.Message]() upcaster {
	return upcast(func(old Old) New {
		m := withProvider(old, (*new(New)).ProtoReflect().New())
		return m.Interface().(New)
	})
}

// withProvider copies the fields that both messages have, by name, and sets the provider.
func withProvider(old interface {
	proto.Message
	GetChannel() nairav1.Channel
}, to protoreflect.Message,
) protoreflect.Message {
	fields := to.Descriptor().Fields()
	old.ProtoReflect().Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		if same := fields.ByName(f.Name()); same != nil {
			to.Set(same, v)
		}
		return true
	})
	to.Set(fields.ByName("provider"), protoreflect.ValueOfString(string(ProviderOnce(old.GetChannel()))))
	return to
}
