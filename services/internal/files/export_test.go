package files

import "context"

// Clean judges a file of a member's without keeping it.
func Clean(data []byte) (string, []byte, error) {
	return New(Options{}).clean(context.Background(), Document, data)
}
