package items

import (
	"context"
	"errors"
)

// Pages is a list that is too long to be read at once. Its pages follow each other in the order of a cursor, whose zero
// value is before the first item.
type Pages[T, C any] struct {
	Most int                                  // How many items a page holds.
	Read func(after C, most int) ([]T, error) // The page after a cursor.
	At   func(T) C                            // The cursor of an item.
	Key  func(T) string                       // An item's opaque id.
}

// EachOf does for all of a long list what Each does for a list. A page that cannot be read ends it; what failed before
// is in its answer.
func EachOf[T, C any](ctx context.Context, j Job, p Pages[T, C], do func(context.Context, T) error) error {
	var (
		after  C
		failed []error
	)
	for {
		page, err := p.Read(after, p.Most)
		if err != nil {
			return errors.Join(append(failed, err)...)
		}
		failed = append(failed, Each(ctx, j, page, p.Key, do))
		if len(page) < p.Most {
			return errors.Join(failed...)
		}
		after = p.At(page[len(page)-1])
	}
}
