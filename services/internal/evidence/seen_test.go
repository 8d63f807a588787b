package evidence_test

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/proofs/witness"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/dues"
	"adashi.ng/services/internal/evidence/bundle"
)

// watched is a member's dispute in a ledger that others saw while it grew: the member's device, an outsider, and now a
// device of the group's validator.
type watched struct {
	*desk
	oldest, later, now proofs.Checkpoint
	outsider, device   *witness.Signer
}

func seenWhileItGrew(t *testing.T) *watched {
	t.Helper()
	s := &watched{}
	latest := func(w *apptest.Town) proofs.Checkpoint {
		w.Sealed()
		c, err := w.App.Activity.Proofs.Latest(context.Background())
		require.NoError(t, err)
		return c
	}
	s.desk = disputed(t, false, func(w *apptest.Town) {
		s.oldest = latest(w)
		w.Fund(w.Member.User)
		s.later = latest(w)
		w.Fund(w.Member.User)
	})
	s.now = latest(s.Town)
	require.Greater(t, s.now.Size, s.later.Size)
	require.Greater(t, s.later.Size, s.oldest.Size)
	s.outsider, s.device = newSigner(t, "witness.example/w1"), newSigner(t, "device")
	s.signs(s.outsider, "", textOf(s.later))
	s.signs(s.device, s.Validator.User, textOf(s.now))
	return s
}

func newSigner(t *testing.T, name string) *witness.Signer {
	t.Helper()
	key, err := witness.NewSigner(name)
	require.NoError(t, err)
	return key
}

func textOf(c proofs.Checkpoint) string {
	text, _, _ := strings.Cut(c.Note, "\n\n")
	return text + "\n"
}

// text is a tree's text, as in a checkpoint.
func text(origin string, size int64, root tlog.Hash) string {
	return fmt.Sprintf("%s\n%d\n%s\n", origin, size, root)
}

var elsewhere = tlog.Hash{7} // The root of another history.

// signs stores a witness's signature of a text as the ledger does.
func (s *watched) signs(key *witness.Signer, user, text string) {
	s.Helper()
	c, err := proofs.ParseText(text)
	require.NoError(s, err)
	name := ""
	if user == "" {
		name = key.Name()
	}
	_, err = s.Pool.Exec(context.Background(), "INSERT INTO witness_cosignatures (public_key, name, user_id, origin, size, root, signature, kept_at) VALUES ($1, $2, $3, $4, $5, $6, $7, now())",
		key.Public(), name, user, c.Origin, c.Size, c.Root[:], key.Sign(text, time.Now()))
	require.NoError(s, err)
}

// signed returns a note with the ledger's own signature.
func (s *watched) signed(text string) string {
	s.Helper()
	signer, err := note.NewSigner(s.LedgerKey)
	require.NoError(s, err)
	signed, err := note.Sign(&note.Note{Text: text}, signer)
	require.NoError(s, err)
	return string(signed)
}

func (s *watched) asks(oldest string) ([]byte, error) {
	made, err := s.App.Evidence.Bundle(context.Background(), s.Member.User, s.id, oldest)
	return made.Page, err
}

func (s *watched) bundled() bundle.Bundle {
	s.Helper()
	page, err := s.asks(s.oldest.Note)
	require.NoError(s, err)
	b, err := bundle.Read(page)
	require.NoError(s, err)
	return b
}

// proves adds the proof from a size to a bundle.
func (s *watched) proves(b *bundle.Bundle, size int64) {
	s.Helper()
	proof, err := s.App.Activity.Proofs.Consistency(context.Background(), size, s.now.Size)
	require.NoError(s, err)
	b.Grows(size, proof, map[tlog.Hash]int{})
}

func (s *watched) root(size int64) tlog.Hash {
	s.Helper()
	root, err := s.App.Activity.Proofs.Root(context.Background(), size)
	require.NoError(s, err)
	return root
}

func TestABundleSaysWhoHasSeenTheLedger(t *testing.T) {
	t.Parallel()
	s := seenWhileItGrew(t)
	b := s.bundled()
	checked, err := bundle.Check(b, s.keys)
	require.NoError(t, err)
	require.Len(t, checked.Witnesses, 2)
	out, dev := checked.Witnesses[0], checked.Witnesses[1]
	require.Equal(t, []any{"OUTSIDER", s.outsider.String(), s.later.Size}, []any{out.By, out.Key, out.Size})
	require.Equal(t, []any{"DEVICE", hex.EncodeToString(s.device.Public()), s.now.Size, len(b.Events)}, []any{dev.By, dev.Key, dev.Size, dev.Covers})
	require.Positive(t, out.Covers)
	require.Less(t, out.Covers, len(b.Events), "what came later it has not seen")
	require.WithinDuration(t, time.Now(), out.At, time.Minute)
	require.Equal(t, s.oldest.Note, checked.Phone.Note)
	require.Len(t, b.Seen.Proofs, 2, "one for each smaller size")
	page, err := s.asks(s.oldest.Note)
	require.NoError(t, err)
	require.NotContains(t, string(page), s.Validator.User, "whose device it is nobody is told")
	if keep := os.Getenv("EVIDENCE_PAGE"); keep != "" {
		require.NoError(t, os.WriteFile(keep+"seen.html", page, 0o600))
	}
	class, says := shows(t, page)
	require.Equal(t, "good", class, says)

	// Three that saw one size share its proof; a tree later than the bundle's is omitted.
	for i := range 3 {
		s.signs(newSigner(t, fmt.Sprintf("witness.example/x%d", i)), "", textOf(s.later))
	}
	require.Len(t, s.bundled().Seen.Proofs, 2)
	require.Len(t, s.bundled().Seen.Witnesses, 5)

	signed, err := s.App.Witnesses.UpTo(context.Background(), s.later, 1, s.Member.User, "")
	require.NoError(t, err)
	require.Len(t, signed, 4, "who signed a larger tree than a checkpoint's is not told under it")

	none, err := bundle.Read(s.page())
	require.NoError(t, err)
	require.Equal(t, bundle.Phone{}, *none.Seen.Phone)
	checked, err = bundle.Check(none, s.keys)
	require.NoError(t, err)
	require.Nil(t, checked.Phone)
}

// change is a change of a bundle, and the verdict of both verifiers.
type change struct {
	says   string
	inPage bool // Also tried in the page: each takes a Chromium.
	makes  func(b *bundle.Bundle)
}

// flipped changes one byte of base64.
func flipped(t *testing.T, encoded string, at int) string {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(encoded)
	require.NoError(t, err)
	raw[at] ^= 1
	return base64.StdEncoding.EncodeToString(raw)
}

func (s *watched) ofWitnesses() []change {
	first := func(b *bundle.Bundle) *bundle.Witness { return &b.Seen.Witnesses[0] }
	signs := func(b *bundle.Bundle, text string) {
		w := first(b)
		w.Checkpoint, w.Signature = text, base64.StdEncoding.EncodeToString(s.outsider.Sign(text, time.Now()))
	}
	another := newSigner(s.T, "witness.example/w1")
	origin := s.now.Origin
	return []change{
		{"the signature of witness", true, func(b *bundle.Bundle) { first(b).Signature = flipped(s.T, first(b).Signature, 20) }},
		{"the signature of witness", false, func(b *bundle.Bundle) { first(b).Signature = flipped(s.T, first(b).Signature, 7) }}, // The time.
		{"the signature of witness", false, func(b *bundle.Bundle) { first(b).Key = another.String() }},
		{"the signature of witness", false, func(b *bundle.Bundle) {
			first(b).Signature = base64.StdEncoding.EncodeToString(another.Sign(first(b).Checkpoint, time.Now()))
		}},
		{"the signature of witness", false, func(b *bundle.Bundle) { first(b).Checkpoint = text(origin, s.later.Size, elsewhere) }},
		{"the signature of witness", false, func(b *bundle.Bundle) {
			first(b).Signature = base64.StdEncoding.EncodeToString(s.outsider.Sign(first(b).Checkpoint, time.Unix(0, 0)))
		}},
		{"has a key that is none", true, func(b *bundle.Bundle) { first(b).Key = strings.Replace(first(b).Key, "w1+", "w2+", 1) }},
		{"has a key that is none", false, func(b *bundle.Bundle) { first(b).By = "DEVICE" }},
		{"has a key that is none", false, func(b *bundle.Bundle) { b.Seen.Witnesses[1].By = "OUTSIDER" }},
		{"has a key that is none", false, func(b *bundle.Bundle) { b.Seen.Witnesses[1].By = "constructor" }},
		{"signed what is no checkpoint of this ledger", true, func(b *bundle.Bundle) { signs(b, text("other.example/ledger/e1", s.later.Size, s.later.Root)) }},
		{"signed what is no checkpoint of this ledger", false, func(b *bundle.Bundle) { signs(b, text(s.now.Ledger()+"/e2", s.later.Size, s.later.Root)) }},
		{"signed what is no checkpoint of this ledger", false, func(b *bundle.Bundle) { signs(b, "nothing") }},
		{"signed before anything that is told here", true, func(b *bundle.Bundle) {
			signs(b, text(origin, 1, s.root(1)))
			b.Seen.Proofs = b.Seen.Proofs[:1]
			s.proves(b, 1)
		}},
		{"there are two histories", true, func(b *bundle.Bundle) { signs(b, text(origin, s.later.Size, elsewhere)) }},
		{"there are two histories", false, func(b *bundle.Bundle) { signs(b, text(origin, s.now.Size, elsewhere)) }},
		{"there are two histories", false, func(b *bundle.Bundle) { // The same root at another size, with that one's proof.
			signs(b, text(origin, s.later.Size+1, s.later.Root))
			s.proves(b, s.later.Size+1)
		}},
		{"there are two histories", false, func(b *bundle.Bundle) { signs(b, text(origin, s.now.Size+1, s.now.Root)) }},
		{"is there twice", true, func(b *bundle.Bundle) { b.Seen.Witnesses = append(b.Seen.Witnesses, b.Seen.Witnesses[1]) }},
		{"is of nothing that anybody saw", true, func(b *bundle.Bundle) { b.Seen.Witnesses = b.Seen.Witnesses[1:] }},
	}
}

func (s *watched) ofProofs() []change {
	return []change{
		{"who has seen the ledger", true, func(b *bundle.Bundle) { b.Seen = nil }},
		{"who has seen the ledger", false, func(b *bundle.Bundle) { b.Seen.Phone = nil }},
		{"names a hash that is not here", true, func(b *bundle.Bundle) { b.Seen.Proofs[0].Path[0] = len(b.Hashes) }},
		{"there are two histories", false, func(b *bundle.Bundle) {
			b.Seen.Proofs[0].Path[0], b.Seen.Proofs[0].Path[1] = b.Seen.Proofs[0].Path[1], b.Seen.Proofs[0].Path[0]
		}},
		{"there are two histories", false, func(b *bundle.Bundle) { b.Seen.Proofs[0].Path = b.Seen.Proofs[0].Path[1:] }},
		{"there are two histories", false, func(b *bundle.Bundle) { b.Seen.Proofs = b.Seen.Proofs[:0] }},
		{"there are two histories", false, func(b *bundle.Bundle) { b.Seen.Proofs[0].Size++ }},
		{"is there twice", false, func(b *bundle.Bundle) { b.Seen.Proofs = append(b.Seen.Proofs, b.Seen.Proofs[0]) }},
	}
}

func (s *watched) ofPhone() []change {
	origin, is := s.now.Origin, "what the member's device saw first"
	given := func(note string) func(b *bundle.Bundle) {
		return func(b *bundle.Bundle) { b.Seen.Phone.Note = note }
	}
	key, err := proofs.ParseKey(s.LedgerKey)
	require.NoError(s, err)
	statement, err := proofs.SignEpochStart(proofs.Keys{Current: key}, proofs.EpochStart{Epoch: 1, From: 3, Root: s.root(3), At: time.Now().UTC().Truncate(time.Second), Reason: "Another epoch's."})
	require.NoError(s, err)
	return []change{
		{"is of nothing that anybody saw", true, func(b *bundle.Bundle) { b.Seen.Phone = &bundle.Phone{} }}, // Removed.
		{"is of nothing that anybody saw", false, func(b *bundle.Bundle) { b.Seen.Phone.Withheld = true }},
		{"does not continue " + is, true, given(s.signed(text(origin, s.oldest.Size, elsewhere)))},
		{"does not continue " + is, false, given(s.signed(text(origin, s.now.Size, elsewhere)))},
		{"does not continue " + is, false, given(s.signed(text(origin, s.now.Size+1, s.now.Root)))},
		{is + " is of another ledger", true, given(s.signed(text(s.now.Ledger()+"/e2", s.oldest.Size, s.oldest.Root)))},
		{is, false, given(strings.Replace(s.oldest.Note, fmt.Sprintf("\n%d\n", s.oldest.Size), fmt.Sprintf("\n%d\n", s.oldest.Size+1), 1))},
		{is, false, given(strings.TrimSuffix(s.oldest.Note, "\n"))},
		{is, false, func(b *bundle.Bundle) { *b.Seen.Phone = bundle.Phone{GivenUp: statement.Note} }},
		{"given up", false, func(b *bundle.Bundle) { b.Seen.Phone.GivenUp = s.oldest.Note }},
		{"given up", true, func(b *bundle.Bundle) { b.Seen.Phone.GivenUp = statement.Note }},
	}
}

func TestWhoHasSeenTheLedgerCannotBeChanged(t *testing.T) {
	t.Parallel()
	s := seenWhileItGrew(t)
	for name, changes := range map[string][]change{"witnesses": s.ofWitnesses(), "proofs": s.ofProofs(), "phone": s.ofPhone()} {
		for i, c := range changes {
			t.Run(fmt.Sprintf("%s/%d %s", name, i, c.says), func(t *testing.T) {
				b := s.bundled()
				c.makes(&b)
				_, err := bundle.Check(b, s.keys)
				require.ErrorIs(t, err, bundle.ErrBundle)
				require.ErrorContains(t, err, c.says)
				if name == "witnesses" && !strings.Contains(c.says, "nothing that anybody") {
					require.ErrorIs(t, err, bundle.ErrWitness)
				}
				if c.inPage {
					page, err := bundle.Page(b)
					require.NoError(t, err)
					class, says := shows(t, page)
					require.Equal(t, "bad", class)
					require.Contains(t, says, c.says)
				}
			})
		}
	}
}

func TestASignatureOfTheLedgersKeyCannotBeChanged(t *testing.T) {
	t.Parallel()
	s := seenWhileItGrew(t)
	changed := func(note *string) {
		at := strings.LastIndex(*note, " ") + 1
		*note = (*note)[:at] + flipped(t, strings.TrimSpace((*note)[at:]), 20) + "\n"
	}
	for says, change := range map[string]func(b *bundle.Bundle){
		"the signature of the checkpoint is wrong":                     func(b *bundle.Bundle) { changed(&b.Checkpoint) },
		"the signature of what the member's device saw first is wrong": func(b *bundle.Bundle) { changed(&b.Seen.Phone.Note) },
		"the signature of the statement that records were given up is wrong": func(b *bundle.Bundle) {
			b.Seen.Phone.GivenUp = s.oldest.Note
			changed(&b.Seen.Phone.GivenUp)
		},
	} {
		b := s.bundled()
		change(&b)
		_, err := bundle.Check(b, s.keys)
		require.ErrorIs(t, err, bundle.ErrBundle)
		page, err := bundle.Page(b)
		require.NoError(t, err)
		class, found := shows(t, page)
		require.Equal(t, "bad", class)
		require.Contains(t, found, says)
	}
}

func TestADeviceThatSawAnotherHistoryIsHeard(t *testing.T) {
	t.Parallel()
	s := seenWhileItGrew(t)
	origin := s.now.Origin
	for _, oldest := range []string{s.oldest.Note, s.later.Note, s.now.Note} {
		page, err := s.asks(oldest)
		require.NoError(t, err)
		b, err := bundle.Read(page)
		require.NoError(t, err)
		require.Equal(t, oldest, b.Seen.Phone.Note)
	}
	other := seenWhileItGrew(t)
	for name, none := range map[string]string{
		"nothing": "x", "another ledger's": other.oldest.Note, "unsigned": textOf(s.oldest) + "\n", "megabytes": strings.Repeat("x", 1<<22),
		"a long note": s.oldest.Note + strings.Repeat("— x "+strings.Repeat("AAAA", 20)+"\n", 300), "one byte": strings.Replace(s.oldest.Note, "\n", "1\n", 1),
		"a statement": s.signed("adashi.example/ledger/epoch-start\nepoch 2\n"), "no size": s.signed(origin + "\n0\n" + elsewhere.String() + "\n"), "no text": "\xff\x00",
	} {
		_, err := s.asks(none)
		require.True(t, fault.Is(err, fault.Invalid), "%s: %v", name, err)
		require.Equal(t, "checkpoint", fault.As(err).Field)
	}
	for name, parted := range map[string]string{
		"another root": text(origin, s.oldest.Size, elsewhere), "another root of now": text(origin, s.now.Size, elsewhere), "larger than the head": text(origin, s.now.Size+1, elsewhere),
		"a later epoch": text(s.now.Ledger()+"/e2", s.oldest.Size, s.oldest.Root), "the same root at another size": text(origin, s.oldest.Size+1, s.oldest.Root),
		"larger than can be": text(origin, 1<<62, elsewhere),
	} {
		_, err := s.asks(s.signed(parted))
		require.True(t, fault.Is(err, fault.Conflict), "%s: %v", name, err)
		require.Equal(t, "checkpoint", fault.As(err).Field)
		require.Contains(t, err.Error(), "there are two histories", name)
	}

	// A witness saw another history: the member gets the page, which says so.
	s.signs(newSigner(t, "witness.example/w2"), "", text(origin, s.later.Size, elsewhere))
	page, err := s.asks(s.oldest.Note)
	require.NoError(t, err)
	class, says := shows(t, page)
	require.Equal(t, "bad", class)
	require.Contains(t, says, "witness witness.example/w2 signed a tree of size")
	require.Contains(t, says, "there are two histories")
}

func TestWhatTheKeySignedAsGivenUpIsSaid(t *testing.T) {
	t.Parallel()
	s, ctx := seenWhileItGrew(t), context.Background()
	key, err := proofs.ParseKey(s.LedgerKey)
	require.NoError(t, err)
	lost, err := proofs.ParseCheckpoint(s.signed(text(s.now.Origin, s.now.Size+5, elsewhere)), s.keys)
	require.NoError(t, err)
	raised, err := history.RaiseEpoch(ctx, s.Pool, 1, history.Epoch{Number: 2, From: s.now.Size, StreamLast: s.now.Size + 5, Reason: "A backup was restored.", RaisedAt: time.Now()})
	require.NoError(t, err)
	require.True(t, raised)
	start, err := proofs.SignEpochStart(proofs.Keys{Current: key}, proofs.EpochStart{
		Epoch: 2, From: s.now.Size, Root: s.now.Root, Lost: lost, StreamLast: s.now.Size + 5, At: time.Now().UTC().Truncate(time.Second), Reason: "The backup of 04:00 was restored.",
	})
	require.NoError(t, err)
	require.NoError(t, history.SignEpoch(ctx, s.Pool, 2, start.Note))
	s.Fund(s.Member.User)
	s.Sealed()
	before := s.bundled() // From an earlier epoch, and not given up.
	require.Contains(t, before.Checkpoint, "/e2\n")
	checked, err := bundle.Check(before, s.keys)
	require.NoError(t, err)
	require.Nil(t, checked.Phone.GivenUp)
	require.Len(t, checked.Witnesses, 2)
	page, err := s.asks(before.Seen.Phone.Note)
	require.NoError(t, err)
	class, says := shows(t, page)
	require.Equal(t, "good", class, says)

	page, err = s.asks(lost.Note)
	require.NoError(t, err)
	b, err := bundle.Read(page)
	require.NoError(t, err)
	checked, err = bundle.Check(b, s.keys)
	require.NoError(t, err)
	require.Equal(t, "The backup of 04:00 was restored.", checked.Phone.GivenUp.Reason)
	class, says = shows(t, page)
	require.Equal(t, "good", class, says)
	if keep := os.Getenv("EVIDENCE_PAGE"); keep != "" {
		require.NoError(t, os.WriteFile(keep+"givenup.html", page, 0o600))
	}
	b.Seen.Phone.GivenUp = ""
	_, err = bundle.Check(b, s.keys)
	require.ErrorContains(t, err, "there are two histories")
}

// A proof between two sizes contains the leaf at which the smaller tree ends.
func TestWhoSawTheLedgerIsLeftOutWhereItsProofWouldTellAHiddenTotal(t *testing.T) {
	t.Parallel()
	s, ctx := &watched{}, context.Background()
	var leaf tlog.Hash
	s.desk = unsalted(t, func(w *apptest.Town) {
		for s.oldest.Size%2 == 0 { // So that it ends at a leaf of its own.
			_, err := w.App.Dues.PayFromWallet(ctx, w.Member, w.Closed(), apptest.Naira(10), dues.Due{})
			require.NoError(w, err)
			w.Sealed()
			s.oldest, err = w.App.Activity.Proofs.Latest(ctx)
			require.NoError(w, err)
		}
		records, err := history.Read(ctx, w.Pool, s.oldest.Size-1, 1)
		require.NoError(w, err)
		require.Equal(w, "pool:"+w.Closed(), records[0].Lines[1].Account)
		leaf = records[0].Leaf()
		w.Fund(w.Member.User)
		w.Sealed()
		s.later, err = w.App.Activity.Proofs.Latest(ctx)
		require.NoError(w, err)
	})
	s.signs(newSigner(t, "witness.example/w1"), "", textOf(s.oldest))
	s.signs(newSigner(t, "witness.example/w2"), "", textOf(s.later))
	page, err := s.asks(s.oldest.Note)
	require.NoError(t, err)
	b, err := bundle.Read(page)
	require.NoError(t, err)
	checked, err := bundle.Check(b, s.keys)
	require.NoError(t, err)
	require.Equal(t, bundle.Phone{Note: s.oldest.Note, Withheld: true}, *b.Seen.Phone)
	require.Equal(t, s.oldest.Size, checked.Phone.Size)
	require.Len(t, checked.Witnesses, 1)
	require.NotContains(t, string(page), leaf.String())
	class, says := shows(t, page)
	require.Equal(t, "good", class, says)
	_, err = s.asks(s.signed(text(s.oldest.Origin, s.oldest.Size, elsewhere)))
	require.ErrorContains(t, err, "there are two histories", "it is held against the ledger all the same")
}

func TestAPageOfAnOlderBuildStillVerifies(t *testing.T) {
	t.Parallel()
	read := func(version string) (bundle.Bundle, []note.Verifier) {
		page, err := os.ReadFile("testdata/" + version + ".html")
		require.NoError(t, err)
		b, err := bundle.Read(page)
		require.NoError(t, err)
		require.Equal(t, "adashi evidence "+version, b.Format)
		return b, keysOf(t, b)
	}
	b, keys := read("v2")
	checked, err := bundle.Check(b, keys)
	require.NoError(t, err)
	require.Nil(t, checked.Phone)
	require.Empty(t, checked.Witnesses)
	b.Seen = &bundle.Seen{Witnesses: []bundle.Witness{}, Phone: &bundle.Phone{}, Proofs: []bundle.Grown{}}
	_, err = bundle.Check(b, keys)
	require.ErrorContains(t, err, "who has seen the ledger", "its format says nothing of that")

	b, keys = read("v3")
	checked, err = bundle.Check(b, keys)
	require.NoError(t, err)
	require.Len(t, checked.Witnesses, 2)
	b.Dispute.Status = "RESOLVED_UPHELD"
	_, err = bundle.Check(b, keys)
	require.ErrorContains(t, err, "where the dispute stands", "the state follows from the events in it too")
	b, _ = read("v3")
	b.Format = bundle.Format
	_, err = bundle.Check(b, keys)
	require.ErrorContains(t, err, "says names", "it proves less than this format")
}
