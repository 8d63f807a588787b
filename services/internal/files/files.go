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

// BytesMax is the size of the largest accepted file.
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

// Store gives access to members' files.
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

// Put checks a file, re-encodes it and stores it for the member. A refusal is fault.Invalid about the field file,
// fault.TooLarge, fault.TooMany while another upload of the member is in progress, or fault.Conflict when the member's
// quota is used up.
func (s *Store) Put(ctx context.Context, userID, kind string, data []byte) (f vault.File, err error) {
	err = s.take(ctx, userID, kind, data, func(contentType string, clean []byte) error {
		f, err = s.Vault.PutFile(ctx, userID, kind, contentType, clean, s.Now())
		return err
	})
	return f, err
}

// take cleans a member's file, one at a time, and stores it with keep.
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

// clean returns a file's type, and the file as we store it.
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
		done, err := s.turns.work(ctx, true) // Its compressed content may be large.
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

// PutGroup checks a document, re-encodes it and stores it under an id, with a name for lists. It returns the hash of
// the stored bytes.
func (s *Store) PutGroup(ctx context.Context, userID, id, name string, data []byte) (sum [sha256.Size]byte, err error) {
	err = s.take(ctx, userID, Document, data, func(contentType string, clean []byte) error {
		sum = sha256.Sum256(clean)
		return s.Vault.PutGroupFile(ctx, userID, id, name, contentType, clean, s.Now())
	})
	return sum, err
}

// Get returns a file to people who may see it: its owner, members of the owner's groups if it is their avatar, and a
// group's members if it is the group's document. For anybody else it is NotFound.
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
	if err == nil && f.Kind == vault.GroupKind { // The member who saved it has left the group.
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
