package vault

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/session"
)

const recordField = "record"

// about binds sealed data to its owner and its field.
func about(person uuid.UUID, field string) string { return person.String() + "\x00" + field }

func parse(userID string) (uuid.UUID, error) {
	id, err := uuid.Parse(userID)
	if err != nil || id == vaultsOwn {
		return uuid.Nil, fault.New(fault.NotFound, "There is no such account.")
	}
	return id, nil
}

// Read returns a person's record; the zero record for a person without data, and ErrGone once their key is destroyed.
func (v *Vault) Read(ctx context.Context, userID string) (Record, error) {
	person, err := parse(userID)
	if err != nil {
		return Record{}, err
	}
	r, err := v.read(ctx, v.pool, person)
	if err != nil {
		return Record{}, fmt.Errorf("vault: read: %w", err)
	}
	return r, nil
}

// ReadAll returns the records of some people by id. It leaves out people without data, and those whose key is
// destroyed.
func (v *Vault) ReadAll(ctx context.Context, userIDs ...string) (map[string]Record, error) {
	people := make([]uuid.UUID, len(userIDs))
	for n, id := range userIDs {
		var err error
		if people[n], err = parse(id); err != nil {
			return nil, err
		}
	}
	rows, err := v.pool.Query(ctx, `SELECT p.id, p.master, p.wrapped, r.sealed FROM people p
		LEFT JOIN records r ON r.person = p.id AND r.field = $2 WHERE p.id = ANY($1)`, people, recordField)
	if err != nil {
		return nil, fmt.Errorf("vault: read all: %w", err)
	}
	records := make(map[string]Record, len(people))
	var person uuid.UUID
	var name, wrapped, sealed []byte
	_, err = pgx.ForEachRow(rows, []any{&person, &name, &wrapped, &sealed}, func() error {
		if wrapped == nil || sealed == nil {
			return nil
		}
		key, err := v.keys.unwrap(name, wrapped, person.String())
		if err != nil {
			return err
		}
		records[person.String()], err = opened(key, sealed, person)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("vault: read all: %w", err)
	}
	return records, nil
}

func opened(key, sealed []byte, person uuid.UUID) (Record, error) {
	plain, err := open(newAEAD(key), sealed, about(person, recordField))
	if err != nil {
		return Record{}, err
	}
	return decode(plain)
}

func (v *Vault) read(ctx context.Context, db querier, person uuid.UUID) (Record, error) {
	key, err := v.key(ctx, db, person)
	if err != nil || key == nil {
		return Record{}, err
	}
	var sealed []byte
	err = db.QueryRow(ctx, `SELECT sealed FROM records WHERE person = $1 AND field = $2`, person, recordField).Scan(&sealed)
	if errors.Is(err, pgx.ErrNoRows) {
		return Record{}, nil
	}
	if err != nil {
		return Record{}, err
	}
	return opened(key, sealed, person)
}

// Tx is a change of a person's record and the rows that belong to it, all of it or nothing.
type Tx struct {
	*Record
	vault  *Vault
	tx     pgx.Tx
	person uuid.UUID
}

// Letters is where a change queues its letters: they are sent if the change is made, and only then.
func (tx Tx) Letters() mail.DB { return tx.tx }

// Update changes a person's record and returns it. It locks the session of its call, and returns fault.Unauthenticated
// when that has ended, and ErrClosed for a closed account. Changes of one person take turns. A change must use only its
// Tx: it occupies a connection and holds locks that others wait for.
func (v *Vault) Update(ctx context.Context, userID string, change func(ctx context.Context, tx Tx) error) (Record, error) {
	return v.update(ctx, userID, func(ctx context.Context, tx Tx) error {
		var closed bool
		if err := tx.tx.QueryRow(ctx, `SELECT closed_at IS NOT NULL FROM people WHERE id = $1`, tx.person).Scan(&closed); err != nil {
			return err
		}
		if closed {
			return ErrClosed
		}
		return change(ctx, tx)
	})
}

// update is Update, for closed accounts too.
func (v *Vault) update(ctx context.Context, userID string, change func(ctx context.Context, tx Tx) error) (Record, error) {
	person, err := parse(userID)
	if err != nil {
		return Record{}, err
	}
	if err := v.begin(ctx, person); err != nil {
		return Record{}, fmt.Errorf("vault: update: %w", err)
	}
	var r Record
	defer v.avatars.Forget(person.String())
	err = pgx.BeginFunc(ctx, v.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SELECT FROM people WHERE id = $1 FOR UPDATE`, person); err != nil {
			return err
		}
		if err := session.Hold(ctx, tx); err != nil {
			return err
		}
		aead, err := v.aead(ctx, tx, person)
		if err != nil {
			return err
		}
		if r, err = v.read(ctx, tx, person); err != nil {
			return err
		}
		before := r.Bank
		before.Verified = before.Verified || r.Bvn.Status == Verified
		if err := change(ctx, Tx{&r, v, tx, person}); err != nil {
			return err
		}
		r.replaces(before)
		plain, err := r.encode()
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO records (person, field, sealed) VALUES ($1, $2, $3)
			ON CONFLICT (person, field) DO UPDATE SET sealed = excluded.sealed`, person, recordField, seal(aead, plain, about(person, recordField)))
		return err
	})
	if err != nil {
		return Record{}, fmt.Errorf("vault: update: %w", err)
	}
	return r, nil
}

// replaces stores each replaced bank account: its dates decide which one the member gets back.
func (r *Record) replaces(before Bank) {
	if before.Number != "" && (before.Code != r.Bank.Code || before.Number != r.Bank.Number) {
		r.EarlierBanks = append(r.EarlierBanks, before)
	}
}

// Set is Update for a change that cannot fail and touches only the record.
func (v *Vault) Set(ctx context.Context, userID string, change func(r *Record)) (Record, error) {
	return v.Update(ctx, userID, func(_ context.Context, tx Tx) error {
		change(tx.Record)
		return nil
	})
}

// Minimise deletes at once the data that no law requires: documents, pictures, cards, addresses, salary, guardian,
// settings and the claim to the BVN. The details that identify the money's owner stay until the key is destroyed, and
// so does data that belongs to others: the documents of groups, and those that were sent with a dispute.
func (v *Vault) Minimise(ctx context.Context, userID string, now time.Time) error {
	_, err := v.update(ctx, userID, func(ctx context.Context, tx Tx) error {
		bvn := tx.Bvn
		bvn.Asked, bvn.Check = Claim{}, ""
		own := []string{tx.Avatar, tx.UtilityBill, tx.BankStatement, tx.OfferLetter}
		if _, err := tx.tx.Exec(ctx, `DELETE FROM files WHERE person = $1 AND evidence IS NOT true AND
			(NOT kept OR kind = 'profile' OR kind = 'document' AND (NOT evidence OR id::text = ANY ($2)))`, tx.person, own); err != nil {
			return err
		}
		*tx.Record = Record{Bank: tx.Bank, Bvn: bvn}
		for _, statement := range []string{
			`DELETE FROM cards WHERE person = $1`,
			`DELETE FROM bvns WHERE person = $1`,
			`DELETE FROM checks WHERE person = $1`,
			`DELETE FROM guardian_links WHERE person = $1`,
		} {
			if _, err := tx.tx.Exec(ctx, statement, tx.person); err != nil {
				return err
			}
		}
		_, err := tx.tx.Exec(ctx, `UPDATE people SET avatar = NULL, closed_at = coalesce(closed_at, $2) WHERE id = $1`, tx.person, now)
		return err
	})
	return err
}

// Closed returns people who closed their account and whose key is not destroyed yet, after an id, in order.
func (v *Vault) Closed(ctx context.Context, after uuid.UUID, limit int) ([]uuid.UUID, error) {
	rows, err := v.pool.Query(ctx, `SELECT id FROM people WHERE closed_at IS NOT NULL AND destroyed_at IS NULL AND id > $1 ORDER BY id LIMIT $2`, after, limit)
	if err != nil {
		return nil, fmt.Errorf("vault: closed: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}

// KeptForOthers returns when a person closed their account, if we store data of theirs that belongs to others too:
// destinations of payouts, documents of groups, and texts and documents in a dispute. Otherwise it returns the zero
// time.
func (v *Vault) KeptForOthers(ctx context.Context, person uuid.UUID) (closed time.Time, err error) {
	err = v.pool.QueryRow(ctx, `SELECT closed_at FROM people p WHERE id = $1 AND closed_at IS NOT NULL AND (EXISTS (SELECT FROM payees WHERE person = p.id)
		OR EXISTS (SELECT FROM files WHERE person = p.id) OR EXISTS (SELECT FROM papers WHERE person = p.id))`, person).Scan(&closed)
	if errors.Is(err, pgx.ErrNoRows) {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, fmt.Errorf("vault: kept: %w", err)
	}
	return closed, nil
}

// Destroy destroys a person's data key, and with it all data that it sealed.
func (v *Vault) Destroy(ctx context.Context, person uuid.UUID, now time.Time) error {
	defer v.avatars.Forget(person.String())
	err := pgx.BeginFunc(ctx, v.pool, func(tx pgx.Tx) error {
		// The row stays, so that this person never gets a new key.
		if _, err := tx.Exec(ctx, `INSERT INTO people (id, destroyed_at) VALUES ($1, $2)
			ON CONFLICT (id) DO UPDATE SET master = NULL, wrapped = NULL, avatar = NULL, destroyed_at = excluded.destroyed_at`, person, now); err != nil {
			return err
		}
		for _, table := range []string{"records", "files", "cards", "bvns", "checks", "guardian_links", "payees", "drafts"} {
			if _, err := tx.Exec(ctx, `DELETE FROM `+table+` WHERE person = $1`, person); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("vault: destroy: %w", err)
	}
	return nil
}
