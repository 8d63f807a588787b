package witnesses

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/infra/proofs"
)

// Evidence is the file that a device saves when the ledger showed it something else before.
type Evidence struct {
	Device string `json:"device"` // Its key, hex; empty of one that does not watch.
	Before string `json:"before"` // The checkpoint that it signed last, or saw first; empty where there is none.
	Shown  string `json:"shown"`  // The one that does not continue it.
	At     string `json:"at"`     // RFC 3339, by the device's clock.
}

// Shown is one of the two checkpoints of an evidence, held against a database.
type Shown struct {
	Checkpoint proofs.Checkpoint
	Forged     error  // Why it is no checkpoint that the ledger's key signed.
	Parted     string // Why the database does not lead to its tree; empty where it does.
}

// Compared is an evidence held against a database.
type Compared struct {
	Device        string
	Before, Shown *Shown // nil where the device had signed none yet.
}

// evidenceBytesMax bounds a file of evidence: two checkpoints, and a proof between them.
const evidenceBytesMax = 1 << 20

// ErrEvidence is returned for a file that no device saved.
var ErrEvidence = errors.New("this is not the evidence that a device saves")

// Compare tells which of the two trees that a device was shown a database leads to, and whether the ledger's key signed
// both. Only the keys given are believed.
func Compare(ctx context.Context, pool *pgxpool.Pool, keys proofs.Keys, file []byte) (Compared, error) {
	var e Evidence
	if len(file) > evidenceBytesMax {
		return Compared{}, fmt.Errorf("%w: it is longer than %d bytes", ErrEvidence, evidenceBytesMax)
	}
	if err := json.Unmarshal(file, &e); err != nil || e.Shown == "" {
		return Compared{}, ErrEvidence
	}
	reader := proofs.NewReader(pool, keys)
	l := leading{reader: reader}
	var err error
	if l.epochs, err = reader.Epochs(ctx); err != nil {
		return Compared{}, err
	}
	if l.latest, err = reader.Latest(ctx); err != nil {
		return Compared{}, err
	}
	out := Compared{Device: e.Device, Shown: l.shown(ctx, keys, e.Shown)}
	if e.Before != "" {
		out.Before = l.shown(ctx, keys, e.Before)
	}
	return out, nil
}

func (l leading) shown(ctx context.Context, keys proofs.Keys, text string) *Shown {
	c, err := proofs.ParseCheckpoint(text, keys.Verifiers())
	if err != nil {
		return &Shown{Forged: err}
	}
	return &Shown{Checkpoint: c, Parted: l.parted(ctx, c.Origin, c.Size, c.Root[:])}
}

// leading is what a database leads to.
type leading struct {
	reader *proofs.Reader
	epochs []proofs.EpochStart
	latest proofs.Checkpoint
}

// parted says why a database does not lead to a tree that somebody signed; empty where it does, or where the ledger's
// key signed that it is given up.
func (l leading) parted(ctx context.Context, origin string, size int64, root []byte) string {
	name, epoch, ok := epochOf(origin)
	if ours, _, _ := epochOf(l.latest.Origin); !ok || name != ours {
		return fmt.Sprintf("It signed an origin that is not the ledger's: %q.", origin)
	}
	for _, e := range l.epochs {
		if e.Epoch > epoch && e.From < size {
			return ""
		}
	}
	if size > l.latest.Size {
		return fmt.Sprintf("It signed a tree of size %d, and the ledger ends at %d.", size, l.latest.Size)
	}
	here, err := l.reader.Root(ctx, size)
	switch {
	case err != nil:
		return fmt.Sprintf("The tree of that size cannot be made: %v.", err)
	case string(here[:]) != string(root):
		return fmt.Sprintf("It signed another tree of size %d than this database leads to.", size)
	}
	return ""
}
