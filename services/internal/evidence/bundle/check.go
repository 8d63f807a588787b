package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/proofs"
)

// Checked is what a bundle was found to prove.
type Checked struct {
	Checkpoint proofs.Checkpoint
	Records    []event.Record // By their positions.
	Hidden     int
	Anchored   int // Accounts that held, at the anchor's position, what was counted as owed.
	Witnesses  []Witnessed
	Phone      *PhoneSaw // nil where the member's device had seen nothing.
}

// checking is a check on its way.
type checking struct {
	Bundle
	Checked
	hashes []tlog.Hash
	all    []entry                  // The events, and what is said of those that are hidden, by their positions.
	leads  map[int64]tlog.TreeProof // From smaller trees to the bundle's, by their sizes.
	isUsed map[int64]bool           // Which of those something needs.
}

// entry is an event as far as streams and accounts are concerned.
type entry struct {
	pos     int64
	stream  string
	version int64
	lines   []event.Line
}

func wrong(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrBundle, fmt.Errorf(format, args...))
}

// Check verifies a bundle, trusting nothing but the keys that it is given: one of them signed the checkpoint, every
// record is in its tree, every stream and account that it says to tell whole is told without a gap, and what was
// written in the dispute is what the ledger has the SHA-256 of, and the tree is grown from what the member's device and
// the witnesses saw. Anything else is ErrBundle, a sentence and where it is.
func Check(b Bundle, verifiers []note.Verifier) (Checked, error) {
	c := &checking{Bundle: b}
	for _, step := range []func() error{
		func() error { return c.signed(verifiers) }, c.records, c.inOrder, c.streams, c.accounts, c.anchor, c.dispute,
		c.grown, func() error { return c.phone(verifiers) }, c.witnesses,
	} {
		if err := step(); err != nil {
			return Checked{}, err
		}
	}
	c.Checked.Hidden = len(c.Bundle.Hidden)
	return c.Checked, nil
}

func (c *checking) signed(verifiers []note.Verifier) (err error) {
	if c.Format != Format && c.Format != formatAnchored && (c.Format != formatFirst || c.Anchor != nil) {
		return wrong("its format is not %q", Format)
	}
	if n := len(c.Events) + len(c.Bundle.Hidden); n > EventsMost || len(c.Events) == 0 {
		return wrong("it has %d events, and a bundle has 1 to %d", n, EventsMost)
	}
	if c.Checked.Checkpoint, err = proofs.ParseCheckpoint(c.Bundle.Checkpoint, verifiers); err != nil {
		return wrong("its checkpoint: %w", err)
	}
	for _, text := range c.Hashes {
		raw, err := base64.StdEncoding.DecodeString(text)
		if err != nil || len(raw) != tlog.HashSize {
			return wrong("one of its hashes is not the base64 of 32 bytes")
		}
		c.hashes = append(c.hashes, tlog.Hash(raw))
	}
	return nil
}

// records holds that each record is in the tree that was signed.
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
	encoded, err := base64.StdEncoding.DecodeString(e.Record)
	if err != nil {
		return event.Record{}, wrong("%s is not base64", called)
	}
	r, err := event.DecodeRecord(encoded)
	if err != nil || !bytes.Equal(r.Encode(), encoded) {
		return r, wrong("%s is not a recorded event", called)
	}
	proof := make(tlog.RecordProof, len(e.Path))
	for j, at := range e.Path {
		if at < 0 || at >= len(c.hashes) {
			return r, wrong("the path of position %d names a hash that is not here", r.Pos)
		}
		proof[j] = c.hashes[at]
	}
	root := c.Checked.Checkpoint
	if r.Pos < 1 || r.Pos > root.Size || tlog.CheckRecord(proof, root.Size, root.Root, r.Pos-1, tlog.RecordHash(encoded)) != nil {
		return r, wrong("the record at position %d is not the one that was sealed", r.Pos)
	}
	return r, nil
}

// inOrder puts what is said of hidden events among the events.
func (c *checking) inOrder() error {
	for i := range c.Records {
		r := &c.Records[i]
		if i > 0 && r.Pos <= c.Records[i-1].Pos {
			return wrong("position %d is not in its place", r.Pos)
		}
		c.all = append(c.all, entry{r.Pos, r.Stream, r.Version, r.Lines})
	}
	for _, h := range c.Bundle.Hidden {
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

// streams holds that of each stream every version is here.
func (c *checking) streams() error {
	next := map[string]int64{}
	for _, s := range c.Streams {
		if _, twice := next[s.Name]; twice || s.From < 1 || s.From > 1 && !c.Earlier {
			return wrong("the stream %s does not begin at version 1", s.Name)
		}
		next[s.Name] = s.From
	}
	for _, e := range c.all {
		version, told := next[e.stream]
		switch {
		case told && e.version != version:
			return wrong("version %d of the stream %s is missing before position %d", version, e.stream, e.pos)
		case told:
			next[e.stream]++
		case !slices.ContainsFunc(e.lines, func(l event.Line) bool { return c.owns(l.Account) }):
			return wrong("position %d is of no stream and no account that is told whole", e.pos)
		}
	}
	for _, s := range c.Streams {
		if next[s.Name] != s.To+1 {
			return wrong("version %d of the stream %s is missing at its end", next[s.Name], s.Name)
		}
	}
	return nil
}

// owns reports whether an account is the member's.
func (c *checking) owns(account string) bool { return Owns(c.Member, account) }

// Owns reports whether an account is a member's: their wallet, a deposit or what they owe, or what is held of it.
func Owns(member, account string) bool {
	kind, id, _ := strings.Cut(strings.TrimPrefix(account, "held:"), ":")
	return (kind == "wallet" || kind == "owed") && id == member || kind == "deposit" && strings.HasSuffix(id, ":"+member)
}

// accounts holds that each balance of the member's is the one before it and the amount.
func (c *checking) accounts() error {
	type standing struct {
		balance int64
		lines   int
	}
	now := map[string]*standing{}
	for _, a := range c.Accounts {
		if now[a.Name] != nil || !c.owns(a.Name) || a.Opening != 0 && !c.Earlier {
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

// dispute holds what is told of the dispute against its events.
func (c *checking) dispute() error {
	d, stream := c.Dispute, "dispute:"+c.Dispute.ID
	if !slices.ContainsFunc(c.Streams, func(s Stream) bool { return s.Name == stream }) {
		return wrong("the events of the dispute are not here")
	}
	told := map[int64]bool{}
	for _, step := range d.Steps {
		// Of the correction, or of the answer to a card's bank, whose events are not the member's.
		if strings.HasPrefix(step.Kind, "PLAN_") || strings.HasPrefix(step.Kind, "CARD_") {
			continue
		}
		at, found := slices.BinarySearchFunc(c.Records, step.Position, func(r event.Record, pos int64) int { return int(min(1, max(-1, r.Pos-pos))) })
		if !found || c.Records[at].Stream != stream {
			return wrong("the step at position %d is not an event of the dispute", step.Position)
		}
		if err := c.step(step, &c.Records[at]); err != nil {
			return err
		}
		told[step.Position] = true
	}
	for i := range c.Records {
		if r := &c.Records[i]; r.Stream == stream && !told[r.Pos] {
			return wrong("the step at position %d of the dispute is not told", r.Pos)
		}
	}
	return nil
}

func (c *checking) step(step Step, r *event.Record) error {
	sum, err := hex.DecodeString(step.SHA256)
	words := sha256.Sum256([]byte(step.Words))
	if err != nil || len(sum) > 0 && !bytes.Contains(r.Body, sum) || step.Words != "" && !bytes.Equal(words[:], sum) {
		return wrong("the words of the step at position %d are not those that were recorded", r.Pos)
	}
	m, err := r.Message()
	if err != nil {
		return wrong("the record at position %d cannot be read: %w", r.Pos, err)
	}
	switch m := m.(type) {
	case *nairav1.DisputeOpened:
		if m.GetUserId() != c.Member || m.GetKind().String() != "DISPUTE_KIND_"+c.Dispute.Kind {
			return wrong("the dispute at position %d is another member's, or about something else", r.Pos)
		}
	case *nairav1.CardDisputeTold:
		if m.GetUserId() != c.Member || c.Dispute.Kind != "CARD" {
			return wrong("the dispute at position %d is another member's, or about something else", r.Pos)
		}
	case *nairav1.CardDisputeEnded:
		if m.GetUpheld() != (step.Kind == "BANK_TOOK_BACK") {
			return wrong("the outcome at position %d is not the one that was recorded", r.Pos)
		}
	case *nairav1.DisputeResolved:
		if m.GetUpheld() != (step.Kind == "RESOLVED_UPHELD") {
			return wrong("the outcome at position %d is not the one that was recorded", r.Pos)
		}
	}
	return nil
}
