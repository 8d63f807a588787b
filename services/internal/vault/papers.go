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

// papersMax limits the papers of one person.
const papersMax = 1000

// PutPaper seals a text about a person's money under an id of the caller's, and reports whether it is new: it does not
// change one that exists.
func (v *Vault) PutPaper(ctx context.Context, userID, paperID, text string, now time.Time) (fresh bool, err error) {
	id, err := uuid.Parse(paperID)
	if err != nil {
		return false, errNoFile()
	}
	_, err = v.update(ctx, userID, func(ctx context.Context, tx Tx) error { // Closed accounts too: their cases are still decided.
		var count int
		if err := tx.tx.QueryRow(ctx, `SELECT count(*) FROM papers WHERE person = $1 AND id <> $2`, tx.person, id).Scan(&count); err != nil {
			return err
		}
		if count >= papersMax {
			return fault.New(fault.Conflict, "So much was written already that no more fits. Please write to us by e-mail.")
		}
		aead, err := v.aead(ctx, tx.tx, tx.person)
		if err != nil {
			return err
		}
		tag, err := tx.tx.Exec(ctx, `INSERT INTO papers (id, person, created_at, sealed) VALUES ($1, $2, $3, $4) ON CONFLICT (id) DO NOTHING`,
			id, tx.person, now, seal(aead, []byte(text), about(tx.person, "paper:"+id.String())))
		fresh = tag.RowsAffected() > 0
		return err
	})
	return fresh && err == nil, err
}

// DropPaper removes a paper whose text was not recorded.
func (v *Vault) DropPaper(ctx context.Context, userID, paperID string) error {
	person, err := parse(userID)
	if err != nil {
		return err
	}
	if _, err := v.pool.Exec(ctx, `DELETE FROM papers WHERE id = $1 AND person = $2`, paperID, person); err != nil {
		return fmt.Errorf("vault: drop a paper: %w", err)
	}
	return nil
}

// Papers returns those of some papers of a person that exist, by id: none once their key is destroyed.
func (v *Vault) Papers(ctx context.Context, userID string, ids []string) (map[string]string, error) {
	out := map[string]string{}
	person, err := parse(userID)
	if err != nil || len(ids) == 0 {
		return out, err
	}
	aead, err := v.aead(ctx, v.pool, person)
	if errors.Is(err, ErrGone) {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	rows, err := v.pool.Query(ctx, `SELECT id, sealed FROM papers WHERE person = $1 AND id = ANY($2::uuid[])`, person, ids)
	if err != nil {
		return nil, fmt.Errorf("vault: papers: %w", err)
	}
	var id uuid.UUID
	var sealed []byte
	_, err = pgx.ForEachRow(rows, []any{&id, &sealed}, func() error {
		text, err := open(aead, sealed, about(person, "paper:"+id.String()))
		out[id.String()] = string(text)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("vault: papers: %w", err)
	}
	return out, nil
}

// KeepDocument keeps an uploaded document for a dispute: from now on nothing that its owner does removes it. It returns
// its content.
func (v *Vault) KeepDocument(ctx context.Context, userID, field, id string) ([]byte, error) {
	_, err := v.Update(ctx, userID, func(ctx context.Context, tx Tx) error {
		if err := tx.Use(ctx, field, "document", id, ""); err != nil {
			return err
		}
		_, err := tx.tx.Exec(ctx, `UPDATE files SET evidence = true WHERE id = $1::uuid AND person = $2`, id, tx.person)
		return err
	})
	if err != nil {
		return nil, err
	}
	_, data, err := v.File(ctx, id)
	return data, err
}
