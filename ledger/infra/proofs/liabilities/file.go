package liabilities

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// File proves that some accounts are in the sum. Anybody who knows the root can check it.
type File struct {
	Version  int            `json:"version"` // 1.
	ID       string         `json:"id"`      // Of the proof of reserves.
	Position int64          `json:"position"`
	Root     Hex            `json:"root"`
	Sum      Kobo           `json:"sum"`
	Leaves   int64          `json:"leaves"`
	Accounts []Proven       `json:"accounts"`
	Receipt  jsontext.Value `json:"receipt,omitempty"` // Of the event that records the root. Verify ignores it.
}

// Proven is one account with all of its leaves.
type Proven struct {
	Account string       `json:"account"`
	Kobo    Kobo         `json:"kobo"`
	Parts   []ProvenPart `json:"parts"`
}

// ProvenPart is one leaf, and the nodes beside the path from the leaf to the root.
type ProvenPart struct {
	Kobo  Kobo     `json:"kobo"`
	Salt  Hex      `json:"salt"`
	Index int64    `json:"index"`
	Path  []Beside `json:"path"`
}

// Beside is a node beside the path.
type Beside struct {
	Kobo Kobo `json:"kobo"`
	Hash Hex  `json:"hash"`
}

// Kobo is an amount as text, since programs that read JSON's numbers as floats lose kobo. It is never negative.
type Kobo int64

// MarshalText implements encoding.TextMarshaler.
func (k Kobo) MarshalText() ([]byte, error) { return strconv.AppendInt(nil, int64(k), 10), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (k *Kobo) UnmarshalText(text []byte) error {
	n, err := strconv.ParseInt(string(text), 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange) && text[0] != '-':
		return ErrOverflow
	case err == nil && n < 0, errors.Is(err, strconv.ErrRange):
		return ErrNegative
	case err != nil, strconv.FormatInt(n, 10) != string(text):
		return errors.New("an amount is not whole kobo in plain digits")
	}
	*k = Kobo(n)
	return nil
}

// Hex is a hash as text.
type Hex Hash

// MarshalText implements encoding.TextMarshaler.
func (h Hex) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, h[:]), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (h *Hex) UnmarshalText(text []byte) error {
	raw, err := hex.DecodeString(string(text))
	if err != nil || len(raw) != HashSize || hex.EncodeToString(raw) != string(text) {
		return errors.New("a hash is not 64 small hexadecimal digits")
	}
	*h = Hex(raw)
	return nil
}

// ErrFile is returned for a file whose proof fails.
var ErrFile = errors.New("the file does not prove what it says")

const fileBytesMax = 16 << 20

// Read reads a file, or fails with ErrFile and a sentence.
func Read(raw []byte) (File, error) {
	var f File
	if len(raw) > fileBytesMax {
		return f, fmt.Errorf("%w: it is longer than %d bytes", ErrFile, fileBytesMax)
	}
	if err := json.Unmarshal(raw, &f, json.RejectUnknownMembers(true)); err != nil {
		return File{}, fmt.Errorf("%w: %w", ErrFile, err)
	}
	return f, nil
}

// Verify checks the file against a root that the caller trusts, and answers the total of its accounts. It trusts
// nothing but the root. An error is ErrFile and a sentence.
func (f File) Verify(root Hash) (int64, error) {
	kobo, err := f.verify(root)
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrFile, err)
	}
	return kobo, nil
}

func (f File) verify(root Hash) (total int64, err error) {
	switch depth := bits.Len64(uint64(f.Leaves)) - 1; {
	case f.Version != 1:
		return 0, fmt.Errorf("its version is %d and only 1 is known", f.Version)
	case Hash(f.Root) != root:
		return 0, errors.New("it is about another root")
	case f.Leaves <= 0 || f.Leaves&(f.Leaves-1) != 0 || depth < DepthMin || depth > DepthMax:
		return 0, errors.New("there can be no tree with so many leaves")
	}
	if len(f.Accounts) == 0 {
		return 0, errors.New("it names no account")
	}
	accounts, leaves := map[string]bool{}, map[int64]bool{}
	for _, a := range f.Accounts {
		if accounts[a.Account] || a.Account == "" || len(a.Parts) == 0 {
			return 0, errors.New("an account is in it twice, has no name or has no parts")
		}
		accounts[a.Account] = true
		sum, err := f.verifyAccount(a, Node{root, int64(f.Sum)}, leaves)
		if err != nil {
			return 0, err
		}
		if total, err = add(total, sum); err != nil {
			return 0, err
		}
	}
	return total, nil
}

// verifyAccount answers an account's amount from its leaves, none of which may be counted already.
func (f File) verifyAccount(a Proven, root Node, counted map[int64]bool) (sum int64, err error) {
	for i, part := range a.Parts {
		up, err := part.up(a.Account, f.Leaves)
		if err != nil {
			return 0, fmt.Errorf("part %d of %s: %w", i+1, a.Account, err)
		}
		if up != root {
			return 0, fmt.Errorf("part %d of %s does not lead to the root and its sum", i+1, a.Account)
		}
		if counted[part.Index] {
			return 0, errors.New("a leaf is counted twice")
		}
		counted[part.Index] = true
		if sum, err = add(sum, int64(part.Kobo)); err != nil {
			return 0, err
		}
	}
	if sum != int64(a.Kobo) {
		return 0, fmt.Errorf("the parts of %s are not what it is said to hold", a.Account)
	}
	return sum, nil
}

// add adds two amounts that are not negative.
func add(a, b int64) (int64, error) {
	if a > math.MaxInt64-b {
		return 0, ErrOverflow
	}
	return a + b, nil
}

// up is the root that the part leads to.
func (p ProvenPart) up(account string, leaves int64) (Node, error) {
	if len(p.Path) != bits.Len64(uint64(leaves))-1 {
		return Node{}, errors.New("its path is not as long as the tree is high")
	}
	if p.Index < 0 || p.Index >= leaves {
		return Node{}, errors.New("there is no such leaf")
	}
	if p.Kobo < 0 {
		return Node{}, ErrNegative
	}
	now := LeafOf(Hash(p.Salt), account, int64(p.Kobo))
	for i, beside := range p.Path {
		left, right := now, Node{Hash(beside.Hash), int64(beside.Kobo)}
		if p.Index>>i&1 == 1 {
			left, right = right, left
		}
		var err error
		if now, err = Above(left, right); err != nil {
			return Node{}, err
		}
	}
	return now, nil
}
