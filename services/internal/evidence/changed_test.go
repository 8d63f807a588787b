package evidence_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/correction"
	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/dues"
	"adashi.ng/services/internal/evidence/bundle"
	"adashi.ng/services/internal/usecase"
)

var update = flag.Bool("update", false, "write the kept pages as this build does")

// pages are the stored pages of each kind: both verifiers must agree on them, the browser's in webapp/tests.
const pages = "testdata/v4"

// kept makes a page of each kind.
var kept = map[string]func(t *testing.T) []byte{
	"plain":    func(t *testing.T) []byte { return disputed(t, false, nil).page() },
	"anchored": func(t *testing.T) []byte { return counted(t).page() },
	"hidden":   func(t *testing.T) []byte { return disputed(t, true, paysHidden).page() },
	"unsalted": func(t *testing.T) []byte { return unsalted(t, paysHidden).page() },
	"decided":  decided,
	"card":     ofCard,
	"seen": func(t *testing.T) []byte {
		s := seenWhileItGrew(t)
		page, err := s.asks(s.oldest.Note)
		require.NoError(t, err)
		return page
	},
}

func paysHidden(w *apptest.Town) {
	for range 3 {
		_, err := w.App.Dues.PayFromWallet(context.Background(), w.Member, w.Closed(), apptest.Naira(10), dues.Due{})
		require.NoError(w, err)
	}
	w.Fund(w.Member.User)
}

// writes stores a text in a member's dispute.
func (d *desk) writes(text string) *nairav1.Words {
	d.Helper()
	said := usecase.Say(uuid.New(), d.Member.User, text)
	_, err := d.App.Disputes.Vault.PutPaper(context.Background(), d.Member.User, said.PaperId, text, time.Now())
	require.NoError(d, err)
	return said.Words
}

// decided is a dispute with every kind of step that a member sees.
func decided(t *testing.T) []byte {
	d := disputed(t, false, nil)
	later, of := timestamppb.New(time.Now().Add(time.Hour)), dispute.Stream(d.id)
	for _, draft := range []event.Draft{
		event.On(of, &nairav1.DisputeTaken{DisputeId: d.id, UserId: d.Member.User, StaffId: "sade"}),
		event.On(of, &nairav1.DisputeAsked{DisputeId: d.id, UserId: d.Member.User, StaffId: "sade", Words: d.writes("Which of the two?"), AnswerBy: later}),
		event.On(of, &nairav1.DisputeAnswered{DisputeId: d.id, UserId: d.Member.User, Words: d.writes("The second one."), DecideBy: later}),
		event.On(of, &nairav1.DisputeEvidenceAdded{DisputeId: d.id, UserId: d.Member.User, PaperId: uuid.NewString(), File: true, Sha256: bytes.Repeat([]byte{7}, 32)}),
		event.On(of, &nairav1.DisputeOverdue{DisputeId: d.id, UserId: d.Member.User, Clock: nairav1.DisputeClock_DISPUTE_CLOCK_DECIDE, Due: later}),
		event.On(of, &nairav1.DisputeResolved{DisputeId: d.id, UserId: d.Member.User, StaffId: "sade", Words: d.writes("Once is right."), ReopenUntil: later}),
		event.On(of, &nairav1.DisputeReopened{DisputeId: d.id, UserId: d.Member.User, Words: d.writes("Look again."), AcknowledgeBy: later, DecideBy: later}),
		event.On(correction.Stream(d.id), &nairav1.CorrectionApplied{DisputeId: d.id, PlanId: "p", UserId: d.Member.User}),
		event.On(of, &nairav1.DisputeResolved{DisputeId: d.id, UserId: d.Member.User, StaffId: "ayo", Upheld: true, Words: d.writes("You are right.")}),
	} {
		d.Gives(ledgertest.Raw{draft})
	}
	d.Sealed()
	return d.page()
}

// ofCard is a dispute of a card's bank.
func ofCard(t *testing.T) []byte {
	d := disputed(t, false, nil)
	d.id = uuid.NewString()
	of := dispute.Stream(d.id)
	d.Gives(dispute.TellCard{DisputeID: d.id, User: d.Member.User, Payment: "p", Provider: "paystack", Ref: "r", Amount: 100, Now: time.Now()}, ledgertest.Raw{
		event.On(of, &nairav1.CardAnswerDue{DisputeId: d.id, UserId: d.Member.User, AnswerBy: timestamppb.Now()}),
		event.On(dispute.AnswerStream(d.id), &nairav1.CardAnswerTaken{DisputeId: d.id, AnswerId: "a", UserId: d.Member.User, Words: d.writes("It was paid for.")}),
	}, dispute.EndCard{DisputeID: d.id, User: d.Member.User, Provider: "paystack", Ref: "r", Upheld: true})
	d.Sealed()
	return d.page()
}

// keysOf returns the keys that a page names, which a test trusts.
func keysOf(t *testing.T, b bundle.Bundle) (verifiers []note.Verifier) {
	t.Helper()
	for _, key := range b.Keys {
		v, err := note.NewVerifier(key)
		require.NoError(t, err)
		verifiers = append(verifiers, v)
	}
	return verifiers
}

func keptPage(t *testing.T, kind string) []byte {
	t.Helper()
	file := filepath.Join(pages, kind+".html")
	page, err := os.ReadFile(file)
	if !*update {
		require.NoError(t, err)
		return page
	}
	b, err := bundle.Read(page)
	if err == nil {
		_, err = bundle.Check(b, keysOf(t, b))
	}
	if err != nil {
		b, err = bundle.Read(kept[kind](t))
		require.NoError(t, err)
	}
	page, err = bundle.Page(b)
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(pages, 0o755))
	require.NoError(t, os.WriteFile(file, page, 0o600))
	return page
}

const opens = `<script type="application/json" id="evidence">`

// carried returns a page's content, and the page around it.
func carried(t *testing.T, page []byte) (before, raw, after []byte) {
	t.Helper()
	before, rest, found := bytes.Cut(page, []byte(opens))
	require.True(t, found)
	raw, after, found = bytes.Cut(rest, []byte("</script>"))
	require.True(t, found)
	return append(before, opens...), raw, append([]byte("</script>"), after...)
}

// changes calls try with each value of a JSON document changed, one at a time: every text, number and boolean, every
// field removed, every element removed, repeated, or swapped with its neighbour.
func changes(v any, path string, set func(any), try func(path string)) {
	with := func(how string, other any) {
		set(other)
		try(path + " " + how)
		set(v)
	}
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			is := v[key]
			changes(is, path+"."+key, func(other any) { v[key] = other }, try)
			delete(v, key)
			try(path + "." + key + " removed")
			v[key] = is
		}
		v["another"] = "x"
		try(path + " with another field")
		delete(v, "another")
	case []any:
		for i, is := range v {
			changes(is, fmt.Sprintf("%s[%d]", path, i), func(other any) { v[i] = other }, try)
			with(fmt.Sprintf("without element %d", i), slices.Delete(slices.Clone(v), i, i+1))
			with(fmt.Sprintf("with element %d twice", i), slices.Insert(slices.Clone(v), i, is))
			if i > 0 && fmt.Sprint(is) != fmt.Sprint(v[i-1]) {
				swapped := slices.Clone(v)
				swapped[i], swapped[i-1] = swapped[i-1], swapped[i]
				with(fmt.Sprintf("with element %d before the one before", i), swapped)
			}
		}
	case string:
		for how, other := range map[string]string{"empty": "", "longer": v + "x", "of another first letter": "A" + v[min(1, len(v)):], "of another last letter": v[:max(0, len(v)-1)] + "B"} {
			if other != v {
				with(how, other)
			}
		}
		if n := len(v); n > 1 && v[n-1] == '=' { // The same bytes with other letters.
			at := strings.IndexByte(v, '=') - 1
			with("in other base64", v[:at]+string(v[at]+1)+v[at+1:])
		}
	case json.Number:
		n, _ := v.Int64()
		with("less one", n-1)
		with("and one", n+1)
		if n != 0 {
			with("nothing", 0)
		}
	case bool:
		with("the other", !v)
	}
}

func TestNoChangeOfAPageVerifies(t *testing.T) {
	for kind := range kept {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			page := keptPage(t, kind)
			b, err := bundle.Read(page)
			require.NoError(t, err)
			keys := keysOf(t, b)
			_, err = bundle.Check(b, keys)
			require.NoError(t, err)
			before, raw, after := carried(t, page)
			again, err := bundle.Page(b)
			require.NoError(t, err)
			require.Equal(t, string(again), string(page), "a kept page is as this build writes it: go test -run %s -update", t.Name())
			decoder := json.NewDecoder(bytes.NewReader(raw))
			decoder.UseNumber()
			var whole map[string]any
			require.NoError(t, decoder.Decode(&whole))
			tried := 0
			var verify []string
			changes(whole, "", func(any) {}, func(path string) {
				tried++
				if !isSaid(kind, path) && !refused(before, whole, after, keys) {
					verify = append(verify, path)
				}
			})
			t.Logf("%d changes, %d verify", tried, len(verify))
			require.Greater(t, tried, 300)
			require.Empty(t, verify)
		})
	}
}

// isSaid reports whether the page declares a change as unproven: that a witness was left out, and the place of a hidden
// event without random bytes.
func isSaid(kind, path string) bool {
	return strings.HasPrefix(path, ".seen.witnesses without element") || kind == "unsalted" && strings.HasPrefix(path, ".hidden[") && strings.Contains(path, ".position")
}

// refused reports whether a changed page does not verify. It writes the page as Adashi does, as far as it can be read.
func refused(before []byte, whole map[string]any, after []byte, keys []note.Verifier) bool {
	raw, err := json.Marshal(whole)
	if err != nil {
		return true
	}
	var b bundle.Bundle
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if decoder.Decode(&b) != nil {
		return true
	}
	page, err := bundle.Page(b)
	if err != nil {
		return true
	}
	if b, err = bundle.Read(page); err != nil {
		return true
	}
	if canonical, _ := json.Marshal(b); !sameJSON(canonical, raw) {
		return true // An empty field of this name is not written.
	}
	_, err = bundle.Check(b, keys)
	return err != nil
}

func sameJSON(a, b []byte) bool {
	var one, other any
	return json.Unmarshal(a, &one) == nil && json.Unmarshal(b, &other) == nil && fmt.Sprint(one) == fmt.Sprint(other)
}
