package files

import (
	"bytes"
	"context"
	"crypto/sha256"
	"net/http"
	"time"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/vault"
)

// BytesMax is the largest file that is taken.
const BytesMax = 5 << 20

// The kinds.
const (
	Profile  = "profile"  // A picture of the member; others in their groups see it.
	Document = "document" // For staff to review.
)

// Options are the parts that a Store needs. Now may be nil.
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
	turns turns
}

// New makes a Store.
func New(o Options) *Store {
	if o.Now == nil {
		o.Now = clock.System
	}
	return &Store{Options: o, turns: newTurns()}
}

// Put judges a file, writes it anew and keeps it for the member. A refusal is Invalid about the field file,
// TooLarge, TooMany while another of the member's is taken, or Conflict when the member's quota is used up.
func (s *Store) Put(ctx context.Context, userID, kind string, data []byte) (f vault.File, err error) {
	err = s.take(ctx, userID, kind, data, func(contentType string, clean []byte) error {
		f, err = s.Vault.PutFile(ctx, userID, kind, contentType, clean, s.Now())
		return err
	})
	return f, err
}

// take cleans a member's file, one at a time, and has it kept.
func (s *Store) take(ctx context.Context, userID, kind string, data []byte, keep func(contentType string, clean []byte) error) error {
	if len(data) > BytesMax {
		return fault.New(fault.TooLarge, "A file may have at most 5 MB. Please choose a smaller one.")
	}
	leave, err := s.turns.begin(userID)
	if err != nil {
		return err
	}
	defer leave()
	contentType, clean, err := s.clean(ctx, kind, data)
	if err != nil {
		return err
	}
	return keep(contentType, clean)
}

// clean answers what a file is, and the file as we keep it.
func (s *Store) clean(ctx context.Context, kind string, data []byte) (contentType string, clean []byte, err error) {
	found := http.DetectContentType(data)
	switch {
	case len(data) == 0:
		return "", nil, fault.Field("file", "This file is empty.")
	case found == jpegType || found == pngType:
		pixels, err := measure(found, data)
		if err != nil {
			return "", nil, err
		}
		done, err := s.turns.work(ctx, pixels >= largeFrom)
		if err != nil {
			return "", nil, err
		}
		defer done()
		return cleanImage(kind, found, data)
	case found == pdfType && kind == Document:
		done, err := s.turns.work(ctx, true) // What is packed in it may be large.
		if err != nil {
			return "", nil, err
		}
		defer done()
		return pdfType, bytes.Clone(data), checkPDF(data)
	case kind == Document:
		return "", nil, fault.Field("file", "Please choose a PDF, or a JPEG or PNG picture.")
	default:
		return "", nil, fault.Field("file", "Please choose a JPEG or PNG picture.")
	}
}

// PutGroup judges a document, writes it anew and keeps it under an id, to be listed under a name. It answers the hash
// of what is kept.
func (s *Store) PutGroup(ctx context.Context, userID, id, name string, data []byte) (sum [sha256.Size]byte, err error) {
	err = s.take(ctx, userID, Document, data, func(contentType string, clean []byte) error {
		sum = sha256.Sum256(clean)
		return s.Vault.PutGroupFile(ctx, userID, id, name, contentType, clean, s.Now())
	})
	return sum, err
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
