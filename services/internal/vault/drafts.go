package vault

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/fault"
)

const (
	// draftFor is how long a draft stays that nobody changes or sends.
	draftFor = 30 * 24 * time.Hour
	// draftsMax limits the drafts of a person.
	draftsMax = 20
)

// Draft is a text with documents that a person has written and not sent.
type Draft struct {
	Words string      `json:"words"`
	Files []DraftFile `json:"files"`
	At    time.Time   `json:"-"` // When it was saved.
}

// DraftFile is a document of a draft, with its original name.
type DraftFile struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

func draftField(about uuid.UUID) string { return "draft:" + about.String() }

func errNoDraft() error {
	return fault.New(fault.NotFound, "There is nothing that this could be about.")
}

// SaveDraft replaces a person's draft about something; an empty one is removed. It returns fault.Invalid for a file
// that is not a document of theirs.
func (v *Vault) SaveDraft(ctx context.Context, userID, subject string, d Draft, now time.Time) error {
	id, err := uuid.Parse(subject)
	if err != nil {
		return errNoDraft()
	}
	if d.Words == "" && len(d.Files) == 0 {
		return v.RemoveDraft(ctx, userID, subject)
	}
	_, err = v.Update(ctx, userID, func(ctx context.Context, tx Tx) error {
		files, err := tx.documents(ctx, d.Files)
		if err != nil {
			return err
		}
		var others int
		if err := tx.tx.QueryRow(ctx, `SELECT count(*) FROM drafts WHERE person = $1 AND about <> $2`, tx.person, id).Scan(&others); err != nil {
			return err
		}
		if others >= draftsMax {
			return fault.New(fault.Conflict, "You have begun so many that no more is kept. Send one of them first.")
		}
		plain, err := json.Marshal(d)
		if err != nil {
			return err
		}
		aead, err := v.aead(ctx, tx.tx, tx.person)
		if err != nil {
			return err
		}
		_, err = tx.tx.Exec(ctx, `INSERT INTO drafts (person, about, saved_at, files, sealed) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (person, about) DO UPDATE SET saved_at = excluded.saved_at, files = excluded.files, sealed = excluded.sealed`,
			tx.person, id, now, files, seal(aead, plain, about(tx.person, draftField(id))))
		return err
	})
	return err
}

// documents returns the ids of documents, each of which must be the person's own.
func (tx Tx) documents(ctx context.Context, named []DraftFile) ([]uuid.UUID, error) {
	ids := make([]uuid.UUID, len(named))
	for i, f := range named {
		id, err := uuid.Parse(f.ID)
		if err != nil {
			return nil, fault.Field("files", "Please upload the file first.")
		}
		ids[i] = id
	}
	var own int
	err := tx.tx.QueryRow(ctx, `SELECT count(*) FROM files WHERE id = ANY($1) AND person = $2 AND kind = 'document'`, ids, tx.person).Scan(&own)
	if err == nil && own != len(ids) {
		err = fault.Field("files", "One of the files is no longer here. Please upload it again.")
	}
	return ids, err
}

// Draft returns a person's draft about something; an empty one when there is none.
func (v *Vault) Draft(ctx context.Context, userID, subject string) (Draft, error) {
	var d Draft
	person, err := parse(userID)
	if err != nil {
		return d, err
	}
	id, err := uuid.Parse(subject)
	if err != nil {
		return d, errNoDraft()
	}
	var sealed []byte
	err = v.pool.QueryRow(ctx, `SELECT saved_at, sealed FROM drafts WHERE person = $1 AND about = $2`, person, id).Scan(&d.At, &sealed)
	if errors.Is(err, pgx.ErrNoRows) {
		return d, nil
	}
	if err != nil {
		return d, fmt.Errorf("vault: draft: %w", err)
	}
	aead, err := v.aead(ctx, v.pool, person)
	if err != nil {
		return d, err
	}
	plain, err := open(aead, sealed, about(person, draftField(id)))
	if err != nil {
		return d, err
	}
	return d, json.Unmarshal(plain, &d)
}

// RemoveDraft removes a person's draft about something, if there is one. Sweep removes its files later if nobody uses
// them.
func (v *Vault) RemoveDraft(ctx context.Context, userID, subject string) error {
	person, err := parse(userID)
	if err != nil {
		return err
	}
	id, err := uuid.Parse(subject)
	if err != nil {
		return errNoDraft()
	}
	if _, err := v.pool.Exec(ctx, `DELETE FROM drafts WHERE person = $1 AND about = $2`, person, id); err != nil {
		return fmt.Errorf("vault: draft: %w", err)
	}
	return nil
}
