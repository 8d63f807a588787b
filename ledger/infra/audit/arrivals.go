package audit

import (
	nairav1 "adashi.ng/proto/gen/naira/v1"
)

// credit is an amount that arrived under a bank reference.
type credit struct {
	pos     int64
	payment key  // The payment that it belongs to; zero when unknown.
	matched bool // It left suspense for that payment, whose confirmation must follow.
}

// reference checks that money is credited once, under whichever of its bank references it was reported.
func (w *walk) reference(j *judged) {
	switch m := j.message.(type) {
	case *nairav1.PaymentConfirmedV2:
		payment := w.text(m.GetPaymentId())
		delete(w.matched, payment)
		w.credited(j, m, payment)
	case *nairav1.ArrivalCreditedV2:
		w.credited(j, m, w.text(m.GetPaymentId()))
	case *nairav1.UnmatchedMoneyReceivedV2:
		w.credited(j, m, key{})
	case *nairav1.HeldArrivalSettledV2:
		if m.GetPaymentId() != "" {
			w.credited(j, m, w.text(m.GetPaymentId()))
		}
	case *nairav1.UnmatchedMatchedV2:
		payment := w.text(m.GetPaymentId())
		w.refs[w.nameOf(m, m.GetProviderRef())] = credit{j.Pos, payment, true}
		w.matched[payment] = j.Pos
	case *nairav1.ArrivalNamedV2:
		w.credited(j, m, w.refs[w.nameOf(m, m.GetKnownAs())].payment)
	}
}

// named is an event about money that names its bank reference.
type named interface {
	GetProvider() string
	GetProviderRef() string
}

func (w *walk) nameOf(m named, ref string) key {
	return w.text(m.GetProvider() + "\x00" + ref)
}

// credited records that money under a bank reference belongs to a payment, or to none yet. A second credit is allowed
// only for the same payment: by an event beside its confirmation, or by that confirmation after the money left
// suspense.
func (w *walk) credited(j *judged, m named, payment key) {
	if m.GetProviderRef() == "" {
		return
	}
	w.references.Looked++
	k := w.nameOf(m, m.GetProviderRef())
	before, twice := w.refs[k]
	_, confirms := j.message.(*nairav1.PaymentConfirmedV2)
	if same := before.payment == payment && payment != (key{}); twice && !(same && (!confirms || before.matched)) {
		w.references.Violate(j.Pos, m.GetProviderRef(), "The bank's reference was credited before, at position %d.", before.pos)
		return
	}
	if !twice {
		before.pos = j.Pos
	}
	w.refs[k] = credit{pos: before.pos, payment: payment}
}
