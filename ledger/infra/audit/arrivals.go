package audit

import (
	nairav1 "adashi.ng/proto/gen/naira/v1"
)

// credit is what is known of a bank's name for money.
type credit struct {
	pos     int64
	payment key  // Whose money it is; zero for nobody's.
	matched bool // It left suspense for that payment, whose confirmation is due.
}

// reference holds that money is credited once, whatever name of the bank's it was told of by.
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

// named is an event about money by a bank's name.
type named interface {
	GetProvider() string
	GetProviderRef() string
}

func (w *walk) nameOf(m named, ref string) key {
	return w.text(m.GetProvider() + "\x00" + ref)
}

// credited takes down that money of a name is a payment's, or nobody's yet. It is so once: again only of the same
// payment, by an event that says so beside its confirmation, or that confirmation after the money left suspense for it.
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
