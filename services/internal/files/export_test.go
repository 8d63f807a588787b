package files

import "context"

// Clean judges a file of a member's without keeping it.
func Clean(data []byte) (string, []byte, error) {
	return New(Options{}).clean(context.Background(), Document, data)
}

// Begins has f called whenever a file begins to be unpacked, while it has its place.
func (s *Store) Begins(f func()) { s.turns.began = f }
