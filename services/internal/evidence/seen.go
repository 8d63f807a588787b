package evidence

import (
	"context"
	"encoding/hex"
	"log/slog"
	"maps"
	"slices"

	"golang.org/x/mod/sumdb/tlog"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/proofs/witness"
	"adashi.ng/services/internal/evidence/bundle"
	"adashi.ng/services/internal/witnesses"
)

// field is the contract's name of a device's oldest checkpoint.
const field = "checkpoint"

// given reads a device's oldest checkpoint; the zero one when it has none.
func (s *Service) given(note string) (proofs.Checkpoint, error) {
	if note == "" {
		return proofs.Checkpoint{}, nil
	}
	c, err := proofs.ParseCheckpoint(note, s.Activity.Proofs.Keys().Verifiers())
	if err != nil {
		return c, fault.Field(field, "This is no checkpoint that this ledger's key signed. Ask for the evidence without it.")
	}
	return c, nil
}

// twoHistories refuses a checkpoint that the ledger's key signed and that the ledger does not continue.
var twoHistories = &fault.Fault{Code: fault.Conflict, Field: field, Message: "The ledger does not continue what this device saw first, and its own key signed both: there are two histories. " +
	"Keep what the device has, save both checkpoints, and show them to the officials of your group and to an outside witness, not to Adashi alone."}

// making is the input of the parts of a bundle.
type making struct {
	*gathering
	first      int64 // The position of the first event.
	group      string
	checkpoint proofs.Checkpoint
	oldest     proofs.Checkpoint // The device's; of size 0 when it has none.
	secret     map[int64]bool
	places     map[tlog.Hash]int
}

// seen adds the trees that the member's device and witnesses saw, with one proof for each smaller tree. It omits a
// proof with a hash against which somebody could test guesses of a secret, and says so.
func (s *Service) seen(ctx context.Context, b *bundle.Bundle, m making) error {
	b.Seen = &bundle.Seen{Witnesses: []bundle.Witness{}, Phone: &bundle.Phone{Note: m.oldest.Note}, Proofs: []bundle.Grown{}}
	trees := map[int64][]span{}
	add := func(size int64) {
		if size < m.checkpoint.Size {
			trees[size] = grownOf(size, 0, m.checkpoint.Size, true)
		}
	}
	statement, err := s.givenUp(ctx, m)
	if err != nil {
		return err
	}
	b.Seen.Phone.GivenUp = statement
	if m.oldest.Size > 0 && statement == "" {
		if err := s.continued(ctx, m); err != nil {
			return err
		}
		add(m.oldest.Size)
	}
	signed, err := s.Witnesses.UpTo(ctx, m.checkpoint, m.first, m.user, m.group)
	if err != nil {
		return err
	}
	for _, one := range signed {
		add(one.Size)
	}
	tell, err := s.telling(ctx, m.gathering, trees, m.secret)
	if err != nil {
		return err
	}
	b.Seen.Phone.Withheld = statement == "" && tell[m.oldest.Size]
	for _, one := range signed {
		if tell[one.Size] {
			continue
		}
		by := bundle.ByDevice
		if one.Name != nil {
			by = bundle.ByOutsider
		}
		b.Seen.Witnesses = append(b.Seen.Witnesses, bundle.Witness{By: by, Key: keyOf(one), Checkpoint: one.Checkpoint, Signature: one.Signature})
	}
	slices.SortFunc(b.Seen.Witnesses, bundle.CompareWitnesses)
	maps.DeleteFunc(trees, func(size int64, _ []span) bool { return tell[size] })
	sizes := slices.Sorted(maps.Keys(trees))
	grown, err := s.Activity.Proofs.Consistencies(ctx, m.checkpoint, sizes)
	if err != nil {
		return err
	}
	for i, size := range sizes {
		b.Grows(size, grown[i], m.places)
	}
	return nil
}

// keyOf returns a witness's key: an outsider's as they publish it, a device's in hex.
func keyOf(one witnesses.Cosignature) string {
	public, err := hex.DecodeString(one.PublicKey)
	if one.Name == nil || err != nil {
		return one.PublicKey
	}
	key, err := witness.NewVerifier(*one.Name, public)
	if err != nil {
		return one.PublicKey
	}
	return key.String()
}

// givenUp returns the statement that the device's oldest tree need not be continued; "" when there is none.
func (s *Service) givenUp(ctx context.Context, m making) (string, error) {
	if m.oldest.Size == 0 {
		return "", nil
	}
	begun, err := s.Activity.Proofs.Epochs(ctx)
	for _, e := range begun {
		if e.Epoch > m.oldest.Epoch && e.Epoch <= m.checkpoint.Epoch && e.From < m.oldest.Size {
			return e.Note, nil
		}
	}
	return "", err
}

// continued checks that the ledger continues the device's oldest tree.
func (s *Service) continued(ctx context.Context, m making) error {
	now, oldest := m.checkpoint, m.oldest
	continues := oldest.Ledger() == now.Ledger() && oldest.Epoch <= now.Epoch && oldest.Size <= now.Size
	if continues {
		proof, err := s.Activity.Proofs.Consistencies(ctx, now, []int64{oldest.Size})
		if err != nil {
			return err
		}
		continues = tlog.CheckTree(proof[0], now.Size, now.Root, oldest.Size, oldest.Root) == nil
	}
	if !continues {
		slog.ErrorContext(ctx, "A MEMBER'S DEVICE SAW ANOTHER HISTORY OF THIS LEDGER: find out before anything else", "saw", oldest.Size, "size", now.Size)
		return twoHistories
	}
	return nil
}
