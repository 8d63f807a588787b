package bundle

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/proofs/witness"
)

// Seen lists which trees of the ledger others than its own key saw: witnesses, and the member's own device.
type Seen struct {
	Witnesses []Witness `json:"witnesses"`
	Withheld  int       `json:"withheld,omitempty"` // Only in older formats: witnesses whose proof could help to guess something hidden.
	Phone     *Phone    `json:"phone"`
	Proofs    []Grown   `json:"proofs"` // One for each size.
}

// Witness is a cosignature of a checkpoint that the bundle's continues. The owner of the key is stated, not proven.
type Witness struct {
	By         string `json:"by"`         // OUTSIDER, or DEVICE of a member; the stated owner, in older formats.
	Key        string `json:"key"`        // An outsider's as they publish it, name+hash+base64; a device's in hex.
	Checkpoint string `json:"checkpoint"` // The text that was signed, without the line of the time.
	Signature  string `json:"signature"`  // Base64: the time, and the signature.
}

// The signers of a tree. A device is a member's: the ledger does not say whose.
const (
	ByOutsider = "OUTSIDER"
	ByDevice   = "DEVICE"
)

// Phone is the oldest checkpoint of the device that asked for the bundle.
type Phone struct {
	Note     string `json:"note"`              // The signed note; empty when the device had none.
	GivenUp  string `json:"givenUp,omitempty"` // The statement, when the ledger's key signed that its tree is given up.
	Withheld bool   `json:"withheld,omitempty"`
}

// Grown proves that the bundle's tree continues the one of a smaller size.
type Grown struct {
	Size int64 `json:"size"`
	Path []int `json:"path"` // Indexes in Hashes.
}

// Witnessed is a witness with a valid signature.
type Witnessed struct {
	Witness
	Verifier *witness.Verifier
	Size     int64 // Of the tree that they signed.
	At       time.Time
	Covers   int // The number of the bundle's events in their tree.
}

// PhoneSaw is the verified observation of the member's device.
type PhoneSaw struct {
	proofs.Checkpoint
	GivenUp *proofs.EpochStart // The statement that its tree need not be continued.
}

// ErrWitness is returned, as an ErrBundle, for a bundle whose only fault is in what a witness signed.
var ErrWitness = errors.New("a witness does not fit")

// isBy reports whether a witness may have a key: an outsider's key contains a name.
func (c *checking) isBy(w Witness) bool {
	_, _, isOutsider := strings.Cut(w.Key, "+")
	switch {
	case isOutsider:
		return w.By == ByOutsider
	case c.isBefore():
		return slices.Contains([]string{"MINE", "VALIDATOR_OF_GROUP", "VALIDATOR"}, w.By)
	default:
		return w.By == ByDevice
	}
}

// NewWitness reads a witness's key from Witness: as outsiders publish theirs, or in hex.
func NewWitness(key string) (*witness.Verifier, error) {
	if strings.Contains(key, "+") {
		return witness.ParseVerifier(key)
	}
	public, err := hex.DecodeString(key)
	if err != nil || strings.ToLower(key) != key {
		return nil, witness.ErrKey
	}
	return witness.NewVerifier("device", public)
}

// CompareWitnesses is the order of a bundle's witnesses: outsiders first, then by their keys.
func CompareWitnesses(a, b Witness) int {
	return cmp.Or(-strings.Compare(a.By, b.By), strings.Compare(a.Key, b.Key))
}

// Called is how a witness is named in a sentence.
func (w Witness) Called() string {
	name, _, outsider := strings.Cut(w.Key, "+")
	if outsider {
		return "witness " + name
	}
	return fmt.Sprintf("device %.8s", w.Key)
}

// grown reads the proofs between the bundle's tree and smaller ones.
func (c *checking) grown() error {
	says := c.Format != formatFirst && c.Format != formatAnchored
	if says != (c.Bundle.Seen != nil) || says && c.Bundle.Seen.Phone == nil || says && !c.isBefore() && c.Bundle.Seen.Withheld != 0 {
		return wrong("it does not say, as its format does, who has seen the ledger")
	}
	if c.Bundle.Seen == nil {
		return nil
	}
	c.leads, c.isUsed = map[int64]tlog.TreeProof{}, map[int64]bool{}
	for _, p := range c.Bundle.Seen.Proofs {
		proof, err := c.path(p.Path, fmt.Sprintf("the proof from size %d", p.Size))
		if err != nil {
			return err
		}
		if _, twice := c.leads[p.Size]; twice {
			return wrong("the proof from size %d is there twice", p.Size)
		}
		c.leads[p.Size] = proof
	}
	return nil
}

// continues reports whether the bundle's tree continues a smaller one.
func (c *checking) continues(older proofs.Checkpoint) bool {
	now := c.Checked.Checkpoint
	if older.Size >= now.Size {
		return older.Size == now.Size && older.Root == now.Root
	}
	c.isUsed[older.Size] = true
	proof, given := c.leads[older.Size]
	return given && tlog.CheckTree(proof, now.Size, now.Root, older.Size, older.Root) == nil
}

// isOurs reports whether a checkpoint is of the bundle's ledger, and of no later epoch.
func (c *checking) isOurs(other proofs.Checkpoint) bool {
	now := c.Checked.Checkpoint
	return other.Ledger() == now.Ledger() && other.Epoch <= now.Epoch
}

// phone checks that the ledger continues the first tree that the member's device saw.
func (c *checking) phone(verifiers []note.Verifier) error {
	if c.Bundle.Seen == nil || *c.Bundle.Seen.Phone == (Phone{}) {
		return nil
	}
	given := *c.Bundle.Seen.Phone
	first, err := proofs.ParseCheckpoint(given.Note, verifiers)
	if err != nil {
		return wrong("what the member's device saw first: %w", err)
	}
	if !c.isOurs(first) {
		return wrong("what the member's device saw first is of another ledger")
	}
	if err := c.note(given.Note, "what the member's device saw first", verifiers); err != nil {
		return err
	}
	if given.Withheld && (given.GivenUp != "" || first.Size >= c.Checked.Checkpoint.Size) {
		return wrong("what proves that the ledger continues what the member's device saw first is not hidden")
	}
	c.Phone = &PhoneSaw{Checkpoint: first}
	if given.GivenUp != "" {
		e, err := proofs.ParseEpochStart(given.GivenUp, verifiers)
		if err != nil || e.Epoch <= first.Epoch || e.Epoch > c.Checked.Checkpoint.Epoch || e.From >= first.Size {
			return wrong("that what the member's device saw first was given up is not what the ledger's key signed")
		}
		c.Phone.GivenUp = &e
		return c.note(given.GivenUp, "the statement that records were given up", verifiers)
	}
	if given.Withheld {
		return nil
	}
	if !c.continues(first) {
		return wrong("the ledger does not continue what the member's device saw first, of size %d: there are two histories", first.Size)
	}
	return nil
}

// witnesses checks that each signed a tree which the bundle's continues, and that every proof is about a tree that
// somebody saw.
func (c *checking) witnesses() error {
	if c.Bundle.Seen == nil {
		return nil
	}
	all := map[string]bool{}
	for _, w := range c.Bundle.Seen.Witnesses {
		saw, err := c.witnessed(w)
		if err == nil && all[string(saw.Verifier.Public())] {
			err = fmt.Errorf("%s is there twice", w.Called())
		}
		if err != nil {
			return wrong("%w: %w", ErrWitness, err)
		}
		all[string(saw.Verifier.Public())] = true
		c.Witnesses = append(c.Witnesses, saw)
	}
	for size := range c.leads {
		if !c.isUsed[size] {
			return wrong("the proof from size %d is of nothing that anybody saw", size)
		}
	}
	return nil
}

func (c *checking) witnessed(w Witness) (Witnessed, error) {
	saw := Witnessed{Witness: w}
	var err error
	if saw.Verifier, err = NewWitness(w.Key); err != nil || !c.isBy(w) || strings.Contains(w.Key, "+") && saw.Verifier.String() != w.Key {
		return saw, fmt.Errorf("%s has a key that is none", w.Called())
	}
	tree, err := proofs.ParseText(w.Checkpoint)
	if err != nil || !c.isOurs(tree) {
		return saw, fmt.Errorf("%s signed what is no checkpoint of this ledger", w.Called())
	}
	signature, err := base64.StdEncoding.Strict().DecodeString(w.Signature)
	isWritten := base64.StdEncoding.EncodeToString(signature) == w.Signature
	if err != nil || !isWritten || !saw.Verifier.Verify([]byte(w.Checkpoint), signature) || witness.TimeOf(signature).Unix() <= 0 {
		return saw, fmt.Errorf("the signature of %s is wrong", w.Called())
	}
	if !c.continues(tree) {
		return saw, fmt.Errorf("%s signed a tree of size %d that this ledger does not continue: there are two histories", w.Called(), tree.Size)
	}
	saw.Size, saw.At = tree.Size, witness.TimeOf(signature)
	for _, e := range c.all {
		if e.pos <= tree.Size {
			saw.Covers++
		}
	}
	if saw.Covers == 0 {
		return saw, fmt.Errorf("%s signed before anything that is told here", w.Called())
	}
	return saw, nil
}
