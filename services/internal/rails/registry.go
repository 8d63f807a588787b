package rails

import (
	"fmt"
	"slices"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
)

// Provider is an adapter's description of its bank or gateway. The id also names its bank account in the chart of
// accounts.
type Provider struct {
	ID       event.Provider
	Name     string                            // Its name in reports.
	Collects map[nairav1.Channel]wallet.Tariff // The channels over which payers may pay, and its tariff for each.
}

// Adapter speaks to one provider. It implements one or more of Collector, PaymentHook, SecretPath, Payer, PayoutHook,
// Enquirer, Verifier, IdentityHook, Teller, CardCharger, Reverser, CardDisputer, CardAnswerer, Checker.
type Adapter interface {
	Provider() Provider
}

// Registry is the providers that we work with, in the order in which we ask them.
type Registry struct{ adapters []Adapter }

// NewRegistry registers adapters. When several collect over one channel, the first takes new payments.
func NewRegistry(adapters ...Adapter) (*Registry, error) {
	r := &Registry{}
	for _, a := range adapters {
		p := a.Provider()
		_, twice := r.find(p.ID)
		_, collects := a.(Collector)
		switch {
		case !p.ID.Valid():
			return nil, fmt.Errorf("rails: %q cannot be a provider's id: take 2 to 20 of a-z, 0-9 and -", p.ID)
		case twice:
			return nil, fmt.Errorf("rails: two adapters for %s", p.ID)
		case !collects && len(p.Collects) > 0:
			return nil, fmt.Errorf("rails: %s names channels and collects nothing", p.ID)
		}
		r.adapters = append(r.adapters, a)
	}
	return r, nil
}

// All returns the adapters, in their order.
func (r *Registry) All() []Adapter { return slices.Clone(r.adapters) }

func (r *Registry) find(id event.Provider) (Adapter, bool) {
	for _, a := range r.adapters {
		if a.Provider().ID == id {
			return a, true
		}
	}
	return nil, false
}

// Provider returns a provider's description; false when it is not registered.
func (r *Registry) Provider(id event.Provider) (Provider, bool) {
	a, known := r.find(id)
	if !known {
		return Provider{}, false
	}
	return a.Provider(), true
}

// NameOf returns a provider's name in reports; its id when it is not registered.
func (r *Registry) NameOf(id event.Provider) string {
	if p, known := r.Provider(id); known {
		return p.Name
	}
	return string(id)
}

// Collecting returns the provider that takes new payments over a channel.
func (r *Registry) Collecting(channel nairav1.Channel) (Provider, bool) {
	for _, a := range r.adapters {
		if p := a.Provider(); has(p, channel) {
			return p, true
		}
	}
	return Provider{}, false
}

func has(p Provider, channel nairav1.Channel) bool {
	_, collects := p.Collects[channel]
	return collects
}

// Channel is the channel of money that no provider was asked to collect: card for a provider that takes only cards,
// else bank transfer.
func (r *Registry) Channel(id event.Provider) nairav1.Channel {
	if p, _ := r.Provider(id); len(p.Collects) > 0 && !has(p, nairav1.Channel_CHANNEL_BANK_TRANSFER) {
		return nairav1.Channel_CHANNEL_CARD
	}
	return nairav1.Channel_CHANNEL_BANK_TRANSFER
}

var notNow = fault.New(fault.Unavailable, "The bank or card company that this needs cannot be used just now. Nothing was taken. Please try again later, or pay another way.")

// As returns a provider's adapter as the interface C. It returns fault.Unavailable when the provider is not registered
// or does not implement C.
func As[C any](r *Registry, id event.Provider) (can C, err error) {
	a, _ := r.find(id)
	can, ok := a.(C)
	if !ok {
		return can, notNow
	}
	return can, nil
}

// First returns the first adapter that implements C.
func First[C any](r *Registry) (can C, err error) {
	for _, a := range r.adapters {
		if can, ok := a.(C); ok {
			return can, nil
		}
	}
	return can, notNow
}
