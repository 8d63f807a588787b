package files

import (
	"bytes"
	"context"
	"crypto/sha256"
	"net/http"
	"time"

	"adashi.ng/ledger/fault"
	"adashi.ng/services/internal/vault"
)

// BytesMax is the largest file that is taken.
const BytesMax = 5 << 20

// The kinds.
const (
	Profile  = "profile"  // A picture of the member; others in their groups see it.
	Document = "document" // For staff to review.
)

// Options is what a Store stands on. Now may be nil.
type Options struct {
	Vault *vault.Vault
	// Share reports whether a viewer shares a group with an owner.
	Share func(ctx context.Context, viewer, owner string) (bool, error)
	// Shows reports whether a file is a document of a group that a viewer is in.
	Shows func(ctx context.Context, viewer, id string) (bool, error)
	Now   func() time.Time
}

// Store is the door to members' files.
type Store struct {
	Options
	turn chan struct{} // Decoding takes memory: one at a time.
}

// New makes a Store.
func New(o Options) *Store {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Store{Options: o, turn: make(chan struct{}, 1)}
}

// Put judges a file, writes it anew and keeps it for the member. What it refuses is Invalid about the field file,
// TooLarge, or Conflict when the member's quota is used up.
func (s *Store) Put(ctx context.Context, userID, kind string, data []byte) (vault.File, error) {
	if len(data) > BytesMax {
		return vault.File{}, fault.New(fault.TooLarge, "A file may have at most 5 MB. Please choose a smaller one.")
	}
	contentType, clean, err := s.clean(ctx, kind, data)
	if err != nil {
		return vault.File{}, err
	}
	return s.Vault.PutFile(ctx, userID, kind, contentType, clean, s.Now())
}

// clean answers what a file is, and the file as we keep it.
func (s *Store) clean(ctx context.Context, kind string, data []byte) (contentType string, clean []byte, err error) {
	found := http.DetectContentType(data)
	switch {
	case len(data) == 0:
		return "", nil, fault.Field("file", "This file is empty.")
	case found == jpegType || found == pngType:
		select {
		case s.turn <- struct{}{}:
			defer func() { <-s.turn }()
		case <-ctx.Done():
			return "", nil, fault.New(fault.Unavailable, "We could not take your file just now. Please try again shortly.")
		}
		return cleanImage(kind, found, data)
	case found == pdfType && kind == Document:
		return pdfType, bytes.Clone(data), checkPDF(data)
	case kind == Document:
		return "", nil, fault.Field("file", "Please choose a PDF, or a JPEG or PNG picture.")
	default:
		return "", nil, fault.Field("file", "Please choose a JPEG or PNG picture.")
	}
}

// PutGroup judges a document, writes it anew and keeps it under an id, to be listed under a name. It answers the hash of
// what is kept.
func (s *Store) PutGroup(ctx context.Context, userID, id, name string, data []byte) (sum [sha256.Size]byte, err error) {
	if len(data) > BytesMax {
		return sum, fault.New(fault.TooLarge, "A file may have at most 5 MB. Please choose a smaller one.")
	}
	contentType, clean, err := s.clean(ctx, Document, data)
	if err != nil {
		return sum, err
	}
	return sha256.Sum256(clean), s.Vault.PutGroupFile(ctx, userID, id, name, contentType, clean, s.Now())
}

// Get answers a file to whom it may be shown: its owner, an avatar in use to whoever shares a group with its owner, and
// a group's document to its members. To anybody else it is NotFound.
func (s *Store) Get(ctx context.Context, viewer, id string) (vault.File, []byte, error) {
	if s.Shows != nil {
		if shown, err := s.Shows(ctx, viewer, id); err != nil || shown {
			if err != nil {
				return vault.File{}, nil, err
			}
			return s.Vault.File(ctx, id)
		}
	}
	f, data, err := s.own(ctx, viewer, id)
	if err == nil && f.Kind == vault.GroupKind { // Who saved it is in the group no more.
		return vault.File{}, nil, fault.New(fault.NotFound, "There is no such file.")
	}
	return f, data, err
}

func (s *Store) own(ctx context.Context, viewer, id string) (vault.File, []byte, error) {
	owner, avatar, err := s.Vault.Owner(ctx, id)
	if err != nil {
		return vault.File{}, nil, err
	}
	shown := owner == viewer
	if !shown && avatar {
		if shown, err = s.Share(ctx, viewer, owner); err != nil {
			return vault.File{}, nil, err
		}
	}
	if !shown {
		return vault.File{}, nil, fault.New(fault.NotFound, "There is no such file.")
	}
	return s.Vault.File(ctx, id)
}
