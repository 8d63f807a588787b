package bundle

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/proofs/liabilities"
)

// Checked is the proven content of a bundle.
type Checked struct {
	Checkpoint proofs.Checkpoint
	Records    []event.Record // By their positions.
	Hidden     int
	Anchored   int // Accounts that had, at the anchor's position, the balance of the count.
	Witnesses  []Witnessed
	Phone      *PhoneSaw // nil when the member's device had seen nothing.
}

// checking is the state of a running check.
type checking struct {
	Bundle
	Checked
	hashes []tlog.Hash
	named  map[int]bool             // The hashes that something refers to.
	signed map[string]bool          // The file's keys that signed something.
	all    []entry                  // The events, and the entries of hidden ones, by their positions.
	leads  map[int64]tlog.TreeProof // From smaller trees to the bundle's, by their sizes.
	isUsed map[int64]bool           // The proofs among those that something needs.
}

// entry is an event, limited to its streams and accounts.
type entry struct {
	pos     int64
	stream  string
	version int64
	lines   []event.Line
	record  *event.Record // nil of a hidden one.
}

func wrong(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrBundle, fmt.Errorf(format, args...))
}

// Check verifies a bundle, and trusts nothing but the given keys: one of them signed the checkpoint; every record is in
// its tree and is the member's; every stream and account that the bundle calls complete has no gap; its description of
// the dispute follows from the dispute's events; and the tree continues those that the member's device and the
// witnesses saw. Any other result is ErrBundle, with a sentence and the place.
func Check(b Bundle, verifiers []note.Verifier) (Checked, error) {
	c := &checking{Bundle: b}
	for _, step := range []func() error{
		func() error { return c.head(verifiers) }, c.records, c.inOrder, c.earlier, c.streams, c.implied, c.accounts, c.anchor, c.dispute,
		c.grown, func() error { return c.phone(verifiers) }, c.witnesses, c.nothingMore,
	} {
		if err := step(); err != nil {
			return Checked{}, err
		}
	}
	c.Checked.Hidden = len(c.Bundle.Hidden)
	return c.Checked, nil
}

// isBefore reports whether a bundle has an older format, which proves less.
func (c *checking) isBefore() bool { return c.Format != Format }

func (c *checking) head(verifiers []note.Verifier) (err error) {
	if c.Format != Format && c.Format != formatSeen && c.Format != formatAnchored && (c.Format != formatFirst || c.Anchor != nil) {
		return wrong("its format is not %q", Format)
	}
	if n := len(c.Events) + len(c.Bundle.Hidden); n > EventsMost || n == 0 {
		return wrong("it has %d events, and a bundle has 1 to %d", n, EventsMost)
	}
	if !c.isBefore() && (len(c.Names) > 0 || !c.MadeAt.IsZero()) {
		return wrong("it says names or a time that its format does not have")
	}
	c.named, c.signed = map[int]bool{}, map[string]bool{}
	if c.Checked.Checkpoint, err = proofs.ParseCheckpoint(c.Bundle.Checkpoint, verifiers); err != nil {
		return wrong("its checkpoint: %w", err)
	}
	if err := c.note(c.Bundle.Checkpoint, "its checkpoint", verifiers); err != nil {
		return err
	}
	for _, text := range c.Hashes {
		hash, err := hashOf(text)
		if err != nil {
			return wrong("one of its hashes is not the base64 of 32 bytes")
		}
		c.hashes = append(c.hashes, hash)
	}
	return nil
}

// isSorted reports whether lists without a natural order are sorted as Adashi writes them.
func (c *checking) isSorted() bool {
	isSorted := slices.IsSortedFunc(c.Streams, func(a, b Stream) int { return strings.Compare(a.Name, b.Name) }) &&
		slices.IsSortedFunc(c.Accounts, func(a, b Account) int { return strings.Compare(a.Name, b.Name) })
	if c.Bundle.Seen != nil {
		isSorted = isSorted && slices.IsSortedFunc(c.Bundle.Seen.Proofs, func(a, b Grown) int { return cmp.Compare(a.Size, b.Size) }) &&
			slices.IsSortedFunc(c.Bundle.Seen.Witnesses, CompareWitnesses)
	}
	if c.Bundle.Anchor != nil {
		owed := c.Bundle.Anchor.Owed
		isSorted = isSorted && slices.IsSortedFunc(owed.Accounts, func(a, b liabilities.Proven) int { return strings.Compare(a.Account, b.Account) })
		for _, a := range owed.Accounts {
			isSorted = isSorted && slices.IsSortedFunc(a.Parts, func(a, b liabilities.ProvenPart) int { return cmp.Compare(a.Index, b.Index) })
		}
	}
	return isSorted
}

func hashOf(text string) (hash tlog.Hash, err error) {
	raw, err := base64.StdEncoding.Strict().DecodeString(text)
	if err == nil && len(raw) != tlog.HashSize {
		err = ErrBundle
	}
	if err != nil {
		return hash, err
	}
	return tlog.Hash(raw), nil
}

// note checks that a signed note has signatures of the file's keys and nothing else, and that each of those keys is one
// of the given keys.
func (c *checking) note(text, called string, verifiers []note.Verifier) error {
	if c.isBefore() {
		return nil
	}
	var own []note.Verifier
	for _, key := range c.Keys {
		v, err := note.NewVerifier(key)
		if err != nil || !slices.ContainsFunc(verifiers, func(given note.Verifier) bool { return given.Name() == v.Name() && given.KeyHash() == v.KeyHash() }) {
			return wrong("a public key in the file is none that was given")
		}
		own = append(own, v)
	}
	opened, err := note.Open([]byte(text), note.VerifierList(own...))
	if err != nil {
		return wrong("none of the public keys in the file signed %s: %w", called, err)
	}
	again := opened.Text + "\n"
	for _, signature := range opened.Sigs {
		again += "— " + signature.Name + " " + signature.Base64 + "\n"
		if _, err := base64.StdEncoding.Strict().DecodeString(signature.Base64); err != nil {
			return wrong("the signature of %s is not written as it was", called)
		}
		c.signed[fmt.Sprint(signature.Name, signature.Hash)] = true
	}
	if again != text {
		return wrong("%s has more than signatures of the public keys in the file", called)
	}
	return nil
}

// nothingMore checks that every key and every hash of the file is needed and occurs once, and that its lists are
// sorted.
func (c *checking) nothingMore() error {
	if c.isBefore() {
		return nil
	}
	once := map[tlog.Hash]bool{}
	for at := range c.named {
		once[c.hashes[at]] = true
	}
	if len(once) != len(c.hashes) {
		return wrong("it has a hash that nothing needs, or one that is there twice")
	}
	if !c.isSorted() {
		return wrong("its lists are not in order")
	}
	if len(c.signed) != len(c.Keys) {
		return wrong("it has a public key that signed nothing")
	}
	return nil
}

// path reads the hashes that a path refers to.
func (c *checking) path(places []int, called string) ([]tlog.Hash, error) {
	path := make([]tlog.Hash, len(places))
	for i, at := range places {
		if at < 0 || at >= len(c.hashes) {
			return nil, wrong("%s names a hash that is not here", called)
		}
		path[i], c.named[at] = c.hashes[at], true
	}
	return path, nil
}

// records checks that each record is in the signed tree.
func (c *checking) records() error {
	for i, e := range c.Events {
		r, err := c.record(e, fmt.Sprintf("event %d", i+1))
		if err != nil {
			return err
		}
		c.Records = append(c.Records, r)
	}
	return nil
}

func (c *checking) record(e Event, called string) (event.Record, error) {
	encoded, err := base64.StdEncoding.Strict().DecodeString(e.Record)
	if err != nil {
		return event.Record{}, wrong("%s is not base64", called)
	}
	r, err := event.DecodeRecord(encoded)
	if err != nil || !bytes.Equal(r.Encode(), encoded) || base64.StdEncoding.EncodeToString(encoded) != e.Record {
		return r, wrong("%s is not a recorded event", called)
	}
	return r, c.sealed(r.Pos, tlog.RecordHash(encoded), e.Path)
}

// sealed checks that a leaf is in the signed tree, at a position.
func (c *checking) sealed(pos int64, leaf tlog.Hash, places []int) error {
	proof, err := c.path(places, fmt.Sprintf("the path of position %d", pos))
	if err != nil {
		return err
	}
	root := c.Checked.Checkpoint
	if pos < 1 || pos > root.Size || tlog.CheckRecord(proof, root.Size, root.Root, pos-1, leaf) != nil {
		return wrong("the record at position %d is not the one that was sealed", pos)
	}
	return nil
}

// hidden checks that an event without a record is in the tree, if its leaf is given.
func (c *checking) hidden(h Hidden) error {
	if h.Leaf == "" || c.isBefore() {
		if h.Leaf != "" || h.Path != nil {
			return wrong("the path of position %d leads from no leaf", h.Position)
		}
		return nil
	}
	leaf, err := hashOf(h.Leaf)
	if err != nil {
		return wrong("the leaf of position %d is none", h.Position)
	}
	return c.sealed(h.Position, leaf, h.Path)
}

// inOrder merges the entries of hidden events with the events.
func (c *checking) inOrder() error {
	for i := range c.Records {
		r := &c.Records[i]
		if i > 0 && r.Pos <= c.Records[i-1].Pos {
			return wrong("position %d is not in its place", r.Pos)
		}
		c.all = append(c.all, entry{r.Pos, r.Stream, r.Version, r.Lines, r})
	}
	for i, h := range c.Bundle.Hidden {
		if i > 0 && h.Position <= c.Bundle.Hidden[i-1].Position {
			return wrong("position %d is not in its place", h.Position)
		}
		if err := c.hidden(h); err != nil {
			return err
		}
		e := entry{pos: h.Position, stream: h.Stream, version: h.Version}
		for _, line := range h.Lines {
			e.lines = append(e.lines, event.Line{Account: line.Account, Amount: kobo(line.Amount), Balance: kobo(line.Balance)})
		}
		c.all = append(c.all, e)
	}
	slices.SortStableFunc(c.all, func(a, b entry) int { return int(min(1, max(-1, a.pos-b.pos))) })
	for i, e := range c.all {
		if i > 0 && e.pos == c.all[i-1].pos {
			return wrong("position %d is there twice", e.pos)
		}
		if e.pos < 1 || e.pos > c.Checked.Checkpoint.Size {
			return wrong("position %d is not under the checkpoint", e.pos)
		}
	}
	return nil
}

// accounts checks that each of the member's balances is the one before it plus the amount.
func (c *checking) accounts() error {
	type standing struct {
		balance int64
		lines   int
	}
	now := map[string]*standing{}
	for _, a := range c.Accounts {
		if now[a.Name] != nil || !c.owns(a.Name) || a.Opening != 0 && !c.Earlier || a.Lines < 1 {
			return wrong("the account %s does not begin with nothing", a.Name)
		}
		now[a.Name] = &standing{balance: a.Opening}
	}
	for _, e := range c.all {
		for _, line := range e.lines {
			at := now[line.Account]
			switch {
			case at == nil && c.owns(line.Account):
				return wrong("the account %s, which position %d moves, is not told", line.Account, e.pos)
			case at == nil:
				continue
			case int64(line.Balance) != at.balance+int64(line.Amount):
				return wrong("a movement of the account %s is missing before position %d", line.Account, e.pos)
			}
			at.balance, at.lines = int64(line.Balance), at.lines+1
		}
	}
	for _, a := range c.Accounts {
		if at := now[a.Name]; at.balance != a.Closing || at.lines != a.Lines {
			return wrong("the account %s has %d movements here and should have %d: its end is missing", a.Name, at.lines, a.Lines)
		}
	}
	return nil
}
