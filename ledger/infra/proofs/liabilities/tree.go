package liabilities

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// HashSize is the size of every hash.
const HashSize = sha256.Size

// Hash is a SHA-256.
type Hash = [HashSize]byte

// Node is a leaf, or the parent of two nodes.
type Node struct {
	Hash Hash
	Kobo int64 // The sum of the leaves under it.
}

const (
	leafPrefix = "adashi liabilities leaf v1\x00"
	nodePrefix = "adashi liabilities node v1\x00"

	// DepthMin is the smallest number of levels between the leaves and the root.
	DepthMin = 8
	// DepthMax is the largest.
	DepthMax = 32
)

var (
	// ErrNegative is returned for an amount or a sum below zero.
	ErrNegative = errors.New("an amount is below zero")
	// ErrOverflow is returned for a sum beyond int64.
	ErrOverflow = errors.New("a sum is larger than any that there can be")
)

// LeafOf is the leaf of a part of an account. The salt and the amount have fixed lengths and the account comes last, so
// that no two leaves hash the same bytes.
func LeafOf(salt Hash, account string, kobo int64) Node {
	b := make([]byte, 0, 128)
	b = append(append(b, leafPrefix...), salt[:]...)
	b = append(binary.BigEndian.AppendUint64(b, uint64(kobo)), account...)
	return Node{sha256.Sum256(b), kobo}
}

// Above is the node above two. It fails with ErrNegative or ErrOverflow.
func Above(left, right Node) (Node, error) {
	if left.Kobo < 0 || right.Kobo < 0 {
		return Node{}, ErrNegative
	}
	sum, err := add(left.Kobo, right.Kobo)
	if err != nil {
		return Node{}, err
	}
	b := make([]byte, 0, len(nodePrefix)+2*nodeBytes)
	b = right.append(left.append(append(b, nodePrefix...)))
	return Node{sha256.Sum256(b), sum}, nil
}

const nodeBytes = HashSize + 8

func (n Node) append(b []byte) []byte {
	return append(binary.BigEndian.AppendUint64(b, uint64(n.Kobo)), n.Hash[:]...)
}

// Account is an account's amount, and the number of leaves into which it is split.
type Account struct {
	Name  string
	Kobo  int64
	Parts int
}

// Tree is a whole tree.
type Tree struct {
	levels [][]Node // From the leaves up; the last is the root alone.
}

// Plan sets into how many leaves each account is split: at least two, and more the larger it is beside the others, so
// that no leaf gives a large account away. If there are few accounts, each gets more leaves: among empty leaves the sum
// of all leaves of one account would often appear alone. Accounts that hold nothing are left out.
func Plan(accounts []Account) ([]Account, error) {
	accounts = slices.DeleteFunc(slices.Clone(accounts), func(a Account) bool { return a.Kobo == 0 })
	total := int64(0)
	for _, a := range accounts {
		if a.Kobo < 0 {
			return nil, fmt.Errorf("liabilities: %s: %w", a.Name, ErrNegative)
		}
		var err error
		if total, err = add(total, a.Kobo); err != nil {
			return nil, fmt.Errorf("liabilities: %w", err)
		}
	}
	many := int64(max(1, len(accounts)))
	mean, least := total/many+1, max(2, 1<<DepthMin/many)
	for i := range accounts {
		accounts[i].Parts = int(min(partsMost, least+accounts[i].Kobo/mean))
	}
	return accounts, nil
}

// Build makes the tree of the accounts that Plan returned.
func Build(secret Secret, accounts []Account) (*Tree, error) {
	var leaves []Node
	for _, a := range accounts {
		for _, part := range secret.parts(a) {
			leaves = append(leaves, LeafOf(part.Salt, a.Name, part.Kobo))
		}
	}
	depth := DepthMin
	for len(leaves) > 1<<depth {
		depth++
	}
	if depth > DepthMax {
		return nil, errors.New("liabilities: there are too many accounts")
	}
	for n := 0; len(leaves) < 1<<depth; n++ {
		leaves = append(leaves, LeafOf(secret.salt("", n), "", 0))
	}
	slices.SortFunc(leaves, func(a, b Node) int { return slices.Compare(a.Hash[:], b.Hash[:]) })
	return grow(leaves)
}

// grow makes the tree above some leaves, whose number is a power of two.
func grow(leaves []Node) (*Tree, error) {
	t := &Tree{levels: [][]Node{leaves}}
	for below := leaves; len(below) > 1; {
		level, err := fold(below)
		if err != nil {
			return nil, fmt.Errorf("liabilities: %w", err)
		}
		t.levels, below = append(t.levels, level), level
	}
	return t, nil
}

// fold is the level above one.
func fold(below []Node) ([]Node, error) {
	level := make([]Node, len(below)/2)
	for i := range level {
		var err error
		if level[i], err = Above(below[2*i], below[2*i+1]); err != nil {
			return nil, err
		}
	}
	return level, nil
}

// Root is the root, with the sum of all leaves.
func (t *Tree) Root() Node { return t.levels[len(t.levels)-1][0] }

// Leaves is the number of leaves, empty ones included.
func (t *Tree) Leaves() int64 { return int64(len(t.levels[0])) }
