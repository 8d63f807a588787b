package files

import "context"

// Clean checks a member's file without storing it.
func Clean(data []byte) (string, []byte, error) {
	return New(Options{}).clean(context.Background(), Document, data)
}

// Begins sets a function that is called whenever unpacking of a file begins, while the file has its place.
func (s *Store) Begins(f func()) { s.turns.began = f }
