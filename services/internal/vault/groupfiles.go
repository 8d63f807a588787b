package vault

import (
	"context"
	"crypto/cipher"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/fault"
)

// GroupKind is the kind of a file that is a group's document. The ledger knows which group has it.
const GroupKind = "group"

// looseMax limits the documents of one person that no group has taken yet.
const looseMax = 20

// GroupFile is a document in a list.
type GroupFile struct {
	ID          string
	Name        string
	ContentType string
	Bytes       int
}

// PutGroupFile seals a group's document and its name under an id of the caller's; it does not change one that exists.
// Sweep removes it after a day unless KeepFile says that a group has it.
func (v *Vault) PutGroupFile(ctx context.Context, userID, fileID, name, contentType string, data []byte, now time.Time) error {
	id, err := uuid.Parse(fileID)
	if err != nil {
		return errNoFile()
	}
	_, err = v.Update(ctx, userID, func(ctx context.Context, tx Tx) error {
		var loose int
		if err := tx.tx.QueryRow(ctx, `SELECT count(*) FROM files WHERE person = $1 AND kind = $2 AND NOT kept AND id <> $3`, tx.person, GroupKind, id).Scan(&loose); err != nil {
			return err
		}
		if loose >= looseMax {
			return fault.New(fault.Conflict, "You have uploaded as much as you may for now. What no group has taken is removed after a day.")
		}
		aead, err := v.aead(ctx, tx.tx, tx.person)
		if err != nil {
			return err
		}
		_, err = tx.tx.Exec(ctx, `INSERT INTO files (id, person, kind, content_type, bytes, created_at, sealed, name) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (id) DO NOTHING`,
			id, tx.person, GroupKind, contentType, len(data), now, seal(aead, data, about(tx.person, "file:"+id.String())), seal(aead, []byte(name), about(tx.person, nameField(id))))
		return err
	})
	return err
}

func nameField(id uuid.UUID) string { return "file name:" + id.String() }

// KeepFile keeps a group's document from being swept.
func (v *Vault) KeepFile(ctx context.Context, fileID string) error {
	_, err := v.pool.Exec(ctx, `UPDATE files SET kept = true WHERE id = $1::uuid AND kind = $2`, fileID, GroupKind)
	if err != nil {
		return fmt.Errorf("vault: keep file: %w", err)
	}
	return nil
}

// GroupFiles returns those of some documents that exist, by id.
func (v *Vault) GroupFiles(ctx context.Context, ids []string) (map[string]GroupFile, error) {
	out := map[string]GroupFile{}
	rows, err := v.pool.Query(ctx, `SELECT id, person, content_type, bytes, name FROM files WHERE id = ANY($1::uuid[]) AND kind = $2`, ids, GroupKind)
	if err != nil {
		return nil, fmt.Errorf("vault: group files: %w", err)
	}
	type row struct {
		ID, Person  uuid.UUID
		ContentType string
		Bytes       int
		Name        []byte
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[row])
	if err != nil {
		return nil, fmt.Errorf("vault: group files: %w", err)
	}
	keys := map[uuid.UUID]cipher.AEAD{}
	for _, r := range found {
		if keys[r.Person] == nil {
			keys[r.Person], err = v.aead(ctx, v.pool, r.Person)
			if errors.Is(err, ErrGone) {
				continue // The others of the group can be read.
			}
			if err != nil {
				return nil, err
			}
		}
		name, err := open(keys[r.Person], r.Name, about(r.Person, nameField(r.ID)))
		if err != nil {
			return nil, err
		}
		out[r.ID.String()] = GroupFile{ID: r.ID.String(), Name: string(name), ContentType: r.ContentType, Bytes: r.Bytes}
	}
	return out, nil
}

// RemoveGroupFiles removes documents that their groups no longer have.
func (v *Vault) RemoveGroupFiles(ctx context.Context, ids []string) error {
	_, err := v.pool.Exec(ctx, `DELETE FROM files WHERE id = ANY($1::uuid[]) AND kind = $2`, ids, GroupKind)
	if err != nil {
		return fmt.Errorf("vault: remove group files: %w", err)
	}
	return nil
}
