package proofs

import (
	"crypto/sha256"
	"errors"
	"fmt"
	stdhash "hash"
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// A statement is an operator's declaration under the ledger's key. It is a signed note like a checkpoint, stays in the
// checkpoint file for ever, and its first line is the key's name and the kind of statement.
const (
	epochStartKind = "/epoch-start"
	closingKind    = "/closing"
)

// EpochStart states that an epoch began, where its history parts from the one before, and what was lost with that. Only
// a signed one allows a ledger to give up checkpoints in the checkpoint file.
type EpochStart struct {
	Epoch      int
	From       int64      // Positions 1 to From are shared with the epoch before; 0 for none.
	Root       tlog.Hash  // Of the tree of size From; zero when From is 0.
	Lost       Checkpoint // The last checkpoint given up, without its note; of size 0 when none is.
	StreamLast int64      // The last position in the stream of the epoch before; 0 when it had none beyond From.
	At         time.Time  // UTC, whole seconds.
	Reason     string     // One line.
	Note       string     // The signed note.
}

// Ledger is the name of the epoch's ledger.
func (e EpochStart) Ledger() string {
	name, _, _ := strings.Cut(e.Note, epochStartKind+"\n")
	return name
}

// Origin is the first line of the epoch's checkpoints.
func (e EpochStart) Origin() string { return origin(e.Ledger(), e.Epoch) }

// GivesUp is how many positions after From are known to have been recorded and are lost.
func (e EpochStart) GivesUp() int64 { return max(e.Lost.Size, e.StreamLast, e.From) - e.From }

// Closing states the balances of all accounts after a position, so that the events up to it can be kept elsewhere.
type Closing struct {
	Pos      int64
	Accounts int64    // How many accounts had been posted to.
	Digest   [32]byte // Of their balances: see ClosingDigest.
	At       time.Time
	Note     string
}

// ErrStatement is returned for a text that is not a statement signed by a given key.
var ErrStatement = errors.New("not a statement that a known key signed")

// reasonMax is how long a reason may be, in bytes.
const reasonMax = 1000

// CheckReason is an error when a statement cannot hold the reason.
func CheckReason(reason string) error {
	if strings.TrimSpace(reason) == "" {
		return errors.New("say why, in a sentence that members may read")
	}
	if len(reason) > reasonMax || strings.ContainsFunc(reason, func(r rune) bool { return unicode.IsControl(r) || r == unicode.ReplacementChar }) {
		return fmt.Errorf("the reason must be one line of at most %d bytes", reasonMax)
	}
	return nil
}

// SignEpochStart signs the statement. It fails without the private key, and on a reason that CheckReason refuses.
func SignEpochStart(keys Keys, e EpochStart) (EpochStart, error) {
	if err := CheckReason(e.Reason); err != nil {
		return e, err
	}
	signed, err := signStatement(keys, e.text(keys.Current.Name()))
	if err != nil {
		return e, err
	}
	return ParseEpochStart(signed, keys.Verifiers())
}

// SignClosing signs the statement. It fails without the private key.
func SignClosing(keys Keys, c Closing) (Closing, error) {
	signed, err := signStatement(keys, c.text(keys.Current.Name()))
	if err != nil {
		return c, err
	}
	return parseClosing(signed, keys.Verifiers())
}

func signStatement(keys Keys, text string) (string, error) {
	if !keys.Current.CanSign() {
		return "", errors.New("this needs the ledger's private key: ADASHI_LEDGER_KEY is its public half here")
	}
	signed, err := note.Sign(&note.Note{Text: text}, keys.Current.signer)
	return string(signed), err
}

func (e EpochStart) text(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s\nepoch %d\nfrom %d %s\n", name, epochStartKind, e.Epoch, e.From, e.Root)
	fmt.Fprintf(&b, "lost e%d %d %s\nstream %d\nat %s\nreason %s\n", e.Lost.Epoch, e.Lost.Size, e.Lost.Root, e.StreamLast, e.At.UTC().Format(time.RFC3339), e.Reason)
	return b.String()
}

func (c Closing) text(name string) string {
	return fmt.Sprintf("%s%s\nposition %d\naccounts %d\ndigest %s\nat %s\n", name, closingKind, c.Pos, c.Accounts, tlog.Hash(c.Digest), c.At.UTC().Format(time.RFC3339))
}

// fields opens a statement of a kind and answers its values by their names.
func fields(signed, kind string, verifiers []note.Verifier) (name, text string, values map[string]string, err error) {
	if len(signed) > noteBytesMax {
		return "", "", nil, ErrStatement
	}
	opened, err := note.Open([]byte(signed), note.VerifierList(verifiers...))
	if err != nil {
		return "", "", nil, fmt.Errorf("%w: %w", ErrStatement, err)
	}
	first, rest, _ := strings.Cut(opened.Text, "\n")
	name, ok := strings.CutSuffix(first, kind)
	if !ok || name != opened.Sigs[0].Name {
		return "", "", nil, fmt.Errorf("%w: its first line %q is not that of the key that signed it", ErrStatement, first)
	}
	values = map[string]string{}
	for line := range strings.SplitSeq(strings.TrimSuffix(rest, "\n"), "\n") {
		key, value, _ := strings.Cut(line, " ")
		values[key] = value
	}
	return name, opened.Text, values, nil
}

// ParseEpochStart reads a signed statement that an epoch began, and verifies it with the keys. It fails with
// ErrStatement.
func ParseEpochStart(signed string, verifiers []note.Verifier) (EpochStart, error) {
	name, text, v, err := fields(signed, epochStartKind, verifiers)
	if err != nil {
		return EpochStart{}, err
	}
	e := EpochStart{Note: signed, Reason: v["reason"]}
	e.Epoch, _ = strconv.Atoi(v["epoch"])
	e.From, e.Root = sized(v["from"])
	epoch, lost, _ := strings.Cut(strings.TrimPrefix(v["lost"], "e"), " ")
	e.Lost.Epoch, _ = strconv.Atoi(epoch)
	e.Lost.Size, e.Lost.Root = sized(lost)
	e.StreamLast, _ = strconv.ParseInt(v["stream"], 10, 64)
	e.At, _ = time.Parse(time.RFC3339, v["at"])
	if e.text(name) != text { // The parsed fields must give exactly the signed text.
		return EpochStart{}, fmt.Errorf("%w: it does not read as the start of an epoch", ErrStatement)
	}
	return e, nil
}

func parseClosing(signed string, verifiers []note.Verifier) (Closing, error) {
	name, text, v, err := fields(signed, closingKind, verifiers)
	if err != nil {
		return Closing{}, err
	}
	c := Closing{Note: signed}
	c.Pos, _ = strconv.ParseInt(v["position"], 10, 64)
	c.Accounts, _ = strconv.ParseInt(v["accounts"], 10, 64)
	digest, _ := tlog.ParseHash(v["digest"])
	c.Digest = digest
	c.At, _ = time.Parse(time.RFC3339, v["at"])
	if c.text(name) != text {
		return Closing{}, fmt.Errorf("%w: it does not read as closing balances", ErrStatement)
	}
	return c, nil
}

// sized reads a size and a root.
func sized(text string) (int64, tlog.Hash) {
	size, root, _ := strings.Cut(text, " ")
	n, _ := strconv.ParseInt(size, 10, 64)
	hash, _ := tlog.ParseHash(root)
	return n, hash
}

// ClosingDigest is the SHA-256 of all balances, account by account in the order of their names' bytes: a first line
// "adashi closing v1", and for each account a line of its name, a space and the balance in kobo.
type ClosingDigest struct {
	sum stdhash.Hash
	n   int64
}

// NewClosingDigest begins one.
func NewClosingDigest() *ClosingDigest {
	d := &ClosingDigest{sum: sha256.New()}
	fmt.Fprintln(d.sum, "adashi closing v1")
	return d
}

// Add adds the next account.
func (d *ClosingDigest) Add(account string, kobo int64) {
	d.n++
	fmt.Fprintf(d.sum, "%s %d\n", account, kobo)
}

// Sum is how many accounts were added, and the digest.
func (d *ClosingDigest) Sum() (accounts int64, digest [32]byte) {
	return d.n, [32]byte(d.sum.Sum(nil))
}
