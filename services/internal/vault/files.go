package vault

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/fault"
)

// The limits of one person's uploads: unused files, and all files. Files that were sent with a dispute or an answer
// stay, so they do not count against later uploads.
const (
	unusedMax      = 12
	unusedBytesMax = 30 << 20
	filesMax       = 60
	fileBytesMax   = 100 << 20
)

// looseFor is how long a file stays that was uploaded and never used.
const looseFor = 24 * time.Hour

// File is an uploaded file, in the form in which we re-encoded it.
type File struct {
	ID          string
	Person      string
	Kind        string // profile or document.
	ContentType string
	Bytes       int
	CreatedAt   time.Time
}

// PutFile seals a file and returns it with a random id. It returns fault.Conflict beyond a person's quota.
func (v *Vault) PutFile(ctx context.Context, userID, kind, contentType string, data []byte, now time.Time) (File, error) {
	id := uuid.New()
	_, err := v.Update(ctx, userID, func(ctx context.Context, tx Tx) error {
		var count, total, loose, looseTotal int
		if err := tx.tx.QueryRow(ctx, `SELECT count(*), coalesce(sum(bytes), 0), count(*) FILTER (WHERE NOT kept), coalesce(sum(bytes) FILTER (WHERE NOT kept), 0)
			FROM files WHERE person = $1 AND kind <> 'group'`, tx.person).Scan(&count, &total, &loose, &looseTotal); err != nil {
			return err
		}
		switch {
		case loose >= unusedMax || looseTotal+len(data) > unusedBytesMax:
			return fault.New(fault.Conflict, "You have uploaded as much as you may for now. What you do not use is removed after a day.")
		case count >= filesMax || total+len(data) > fileBytesMax:
			return fault.New(fault.Conflict, "Your files fill all the room that there is for them. Please write to us by e-mail if there is more to send.")
		}
		aead, err := v.aead(ctx, tx.tx, tx.person)
		if err != nil {
			return err
		}
		_, err = tx.tx.Exec(ctx, `INSERT INTO files (id, person, kind, content_type, bytes, created_at, sealed) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
			id, tx.person, kind, contentType, len(data), now, seal(aead, data, about(tx.person, "file:"+id.String())))
		return err
	})
	return File{ID: id.String(), Person: userID, Kind: kind, ContentType: contentType, Bytes: len(data), CreatedAt: now}, err
}

func errNoFile() error { return fault.New(fault.NotFound, "There is no such file.") }

// File returns a file and its content. An unknown id is NotFound.
func (v *Vault) File(ctx context.Context, id string) (File, []byte, error) {
	parsed, err := uuid.Parse(id)
	if err != nil {
		return File{}, nil, errNoFile()
	}
	f := File{ID: parsed.String()}
	var person uuid.UUID
	var sealed []byte
	err = v.pool.QueryRow(ctx, `SELECT person, kind, content_type, bytes, created_at, sealed FROM files WHERE id = $1`, parsed).
		Scan(&person, &f.Kind, &f.ContentType, &f.Bytes, &f.CreatedAt, &sealed)
	if errors.Is(err, pgx.ErrNoRows) {
		return File{}, nil, errNoFile()
	}
	if err != nil {
		return File{}, nil, fmt.Errorf("vault: file: %w", err)
	}
	aead, err := v.aead(ctx, v.pool, person)
	if err != nil {
		return File{}, nil, err
	}
	data, err := open(aead, sealed, about(person, "file:"+f.ID))
	f.Person = person.String()
	return f, data, err
}

// Owner returns a file's owner, and whether it is the avatar that they show.
func (v *Vault) Owner(ctx context.Context, id string) (userID string, avatar bool, err error) {
	parsed, err := uuid.Parse(id)
	if err != nil {
		return "", false, errNoFile()
	}
	err = v.pool.QueryRow(ctx, `SELECT f.person::text, p.avatar IS NOT DISTINCT FROM f.id FROM files f JOIN people p ON p.id = f.person WHERE f.id = $1`, parsed).Scan(&userID, &avatar)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", false, errNoFile()
	}
	if err != nil {
		return "", false, fmt.Errorf("vault: owner: %w", err)
	}
	return userID, avatar, nil
}

// Use replaces a file of the person with another one of theirs; either may be empty. It removes the old one, unless
// that was sent with a dispute. It returns fault.Invalid for a file that is not theirs, or of another kind.
func (tx Tx) Use(ctx context.Context, field, kind, id, instead string) error {
	if id != "" {
		parsed, err := uuid.Parse(id)
		if err != nil {
			return fault.Field(field, "Please upload the file first.")
		}
		tag, err := tx.tx.Exec(ctx, `UPDATE files SET kept = true WHERE id = $1 AND person = $2 AND kind = $3`, parsed, tx.person, kind)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return fault.Field(field, "Please upload the file first.")
		}
	}
	if instead == "" || instead == id {
		return nil
	}
	_, err := tx.tx.Exec(ctx, `DELETE FROM files WHERE id = $1 AND person = $2 AND evidence IS NOT true`, instead, tx.person)
	return err
}

// ShowAvatar sets the file that others may see; none when empty.
func (tx Tx) ShowAvatar(ctx context.Context, id string) error {
	tx.Avatar = id
	_, err := tx.tx.Exec(ctx, `UPDATE people SET avatar = nullif($2, '')::uuid WHERE id = $1`, tx.person, id)
	return err
}

// avatarValid is for how long we may still show a picture that another process has changed.
const avatarValid = 5 * time.Second

// Avatars returns the avatars of people, by person. A person without one is absent, or empty.
func (v *Vault) Avatars(ctx context.Context, userIDs []string) (map[string]string, error) {
	avatars, err := v.avatars.Get(userIDs, func(missing []uuid.UUID) (map[string]string, error) {
		rows, err := v.pool.Query(ctx, `SELECT id::text, avatar::text FROM people WHERE id = ANY($1) AND avatar IS NOT NULL`, missing)
		if err != nil {
			return nil, err
		}
		found := make(map[string]string, len(missing))
		for _, id := range missing {
			found[id.String()] = ""
		}
		var person, avatar string
		_, err = pgx.ForEachRow(rows, []any{&person, &avatar}, func() error { found[person] = avatar; return nil })
		return found, err
	})
	if err != nil {
		return nil, fmt.Errorf("vault: avatars: %w", err)
	}
	return avatars, nil
}

// Files returns all uploads of a person, oldest first.
func (v *Vault) Files(ctx context.Context, userID string) ([]File, error) {
	rows, err := v.pool.Query(ctx, `SELECT id::text, person::text, kind, content_type, bytes, created_at FROM files WHERE person = $1::uuid ORDER BY created_at, id`, userID)
	if err != nil {
		return nil, fmt.Errorf("vault: files: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[File])
}

// Sweep removes drafts that nobody changed for a month, and files that were uploaded a day ago, were never used and are
// in no draft.
func (v *Vault) Sweep(ctx context.Context, now time.Time) error {
	if _, err := v.pool.Exec(ctx, `DELETE FROM drafts WHERE saved_at < $1`, now.Add(-draftFor)); err != nil {
		return err
	}
	_, err := v.pool.Exec(ctx, `DELETE FROM files f WHERE NOT kept AND created_at < $1
		AND NOT EXISTS (SELECT FROM drafts d WHERE d.person = f.person AND f.id = ANY(d.files))`, now.Add(-looseFor))
	return err
}
