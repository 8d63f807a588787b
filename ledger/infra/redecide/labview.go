package redecide

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
)

// track is a stream at the lab's current position.
func (w *lab) track(name string) *track {
	t := w.tracks[name]
	if t == nil {
		category, _, _ := strings.Cut(name, ":")
		fold, known := w.folds[category]
		if !known {
			w.fail(fmt.Errorf("nothing folds the stream %s", name))
			return &track{}
		}
		t = &track{fold: fold, was: fold.Zero, would: fold.Zero}
		records, err := w.Stream(name)
		w.fail(err)
		t.others = slices.DeleteFunc(records, func(r event.Record) bool { return w.own[r.Command] })
		w.tracks[name] = t
	}
	for len(t.others) > 0 && t.others[0].Pos < w.pos {
		r := &t.others[0]
		m, err := r.Message()
		if err != nil {
			w.fail(err)
			return t
		}
		h := event.Happened{Message: m, EffectiveAt: r.EffectiveAt, RecordedAt: r.RecordedAt}
		t.was, t.would, t.others = t.fold.Evolve(t.was, h), t.fold.Evolve(t.would, h), t.others[1:]
	}
	return t
}

func (w *lab) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// held is an account's recorded balance before the command in hand.
func (w *lab) held(account string) money.Kobo {
	if kobo, known := w.before[account]; known {
		return kobo
	}
	kobo, err := w.Balance(account, w.pos)
	w.fail(err)
	return kobo
}

// once reads each balance once: the jobs ask for the same ones at the beginning of each day.
func once(ask func(account string, before int64) (money.Kobo, error)) func(account string, before int64) (money.Kobo, error) {
	type moment struct {
		account string
		before  int64
	}
	known := map[moment]money.Kobo{}
	return func(account string, before int64) (kobo money.Kobo, err error) {
		at := moment{account, before}
		if kobo, is := known[at]; is {
			return kobo, nil
		}
		kobo, err = ask(account, before)
		known[at] = kobo // A lab ends with the first error.
		return kobo, err
	}
}

// side is the ledger as it was, or as it would have been.
type side struct {
	*lab
	other bool
}

// State implements event.View.
func (s side) State(stream string) any {
	if t := s.track(stream); s.other {
		return t.would
	} else {
		return t.was
	}
}

// Balance implements event.View.
func (s side) Balance(account string) money.Kobo {
	kobo := s.held(account)
	if s.other {
		kobo += s.delta[account]
	}
	return kobo
}

// compare notes the differences at the end.
func (w *lab) compare() error {
	for _, name := range slices.Sorted(maps.Keys(w.tracks)) {
		t := w.tracks[name]
		was, err := json.Marshal(t.was)
		if err != nil {
			return err
		}
		would, err := json.Marshal(t.would)
		if err != nil {
			return err
		}
		if !bytes.Equal(was, would) {
			w.found.States[name] = Change[json.RawMessage]{was, would}
		}
	}
	for account, by := range w.delta {
		if by != 0 {
			was := w.held(account)
			w.found.Balances[account] = Change[money.Kobo]{was, was + by}
		}
	}
	return w.err
}
