package vault

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/secret"
	"adashi.ng/services/internal/session"
)

// cardsMax limits how many cards a person may save; another one replaces the oldest.
const cardsMax = 10

// Card is a saved card. Only the gateway knows its number. It never shows its contents in text, JSON or logs.
type Card struct {
	ID                 string
	Provider           string // The provider that charges it; empty for cards from before there were several.
	Token              string // The gateway's authorization to charge it.
	Email              string // Its owner's e-mail at the gateway.
	Last4, Brand, Bank string
	ExpMonth, ExpYear  int
}

// Format hides a card from fmt, whatever the verb.
func (Card) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, secret.Redacted) }

// MarshalJSON hides a card from JSON; only seal writes one.
func (Card) MarshalJSON() ([]byte, error) { return json.Marshal(secret.Redacted) }

// LogValue hides a card from slog.
func (Card) LogValue() slog.Value { return slog.StringValue(secret.Redacted) }

// openCard is a card that can be written out.
type openCard Card

func cardField(id uuid.UUID) string { return "card:" + id.String() }

// KeepCard saves a person's card, or updates one that is already saved.
func (v *Vault) KeepCard(ctx context.Context, userID string, card Card, now time.Time) error {
	hash := hmac.New(sha256.New, v.pepper)
	hash.Write([]byte("card v1\x00" + card.Token))
	mac := hash.Sum(nil)
	_, err := v.Update(ctx, userID, func(ctx context.Context, tx Tx) error {
		id := uuid.New()
		err := tx.tx.QueryRow(ctx, `SELECT id FROM cards WHERE person = $1 AND mac = $2`, tx.person, mac).Scan(&id)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		aead, err := v.aead(ctx, tx.tx, tx.person)
		if err != nil {
			return err
		}
		card.ID = id.String()
		plain, err := json.Marshal(openCard(card))
		if err != nil {
			return err
		}
		if _, err = tx.tx.Exec(ctx, `INSERT INTO cards (id, person, mac, kept_at, sealed) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (person, mac) DO UPDATE SET sealed = excluded.sealed, kept_at = excluded.kept_at`,
			id, tx.person, mac, now, seal(aead, plain, about(tx.person, cardField(id)))); err != nil {
			return err
		}
		_, err = tx.tx.Exec(ctx, `DELETE FROM cards WHERE person = $1 AND id NOT IN (SELECT id FROM cards WHERE person = $1 ORDER BY kept_at DESC, id LIMIT $2)`, tx.person, cardsMax)
		return err
	})
	return err
}

// Cards returns a person's cards, the latest first.
func (v *Vault) Cards(ctx context.Context, userID string) ([]Card, error) {
	person, err := parse(userID)
	if err != nil {
		return nil, err
	}
	rows, err := v.pool.Query(ctx, `SELECT id, sealed FROM cards WHERE person = $1 ORDER BY kept_at DESC, id`, person)
	if err != nil {
		return nil, fmt.Errorf("vault: cards: %w", err)
	}
	type sealed struct {
		ID    uuid.UUID
		Bytes []byte
	}
	kept, err := pgx.CollectRows(rows, pgx.RowToStructByPos[sealed])
	if err != nil || len(kept) == 0 {
		return nil, err
	}
	aead, err := v.aead(ctx, v.pool, person)
	if err != nil {
		return nil, err
	}
	cards := make([]Card, len(kept))
	for i, k := range kept {
		plain, err := open(aead, k.Bytes, about(person, cardField(k.ID)))
		if err != nil {
			return nil, fmt.Errorf("vault: cards: %w", err)
		}
		var card openCard
		if err := json.Unmarshal(plain, &card); err != nil {
			return nil, fmt.Errorf("vault: cards: %w", err)
		}
		cards[i] = Card(card)
	}
	return cards, nil
}

// Card returns one of a person's cards. One that is not theirs is NotFound.
func (v *Vault) Card(ctx context.Context, userID, id string) (Card, error) {
	cards, err := v.Cards(ctx, userID)
	if err != nil {
		return Card{}, err
	}
	if i := slices.IndexFunc(cards, func(c Card) bool { return c.ID == id }); i >= 0 {
		return cards[i], nil
	}
	return Card{}, errNoCard()
}

// ForgetCards removes a person's cards that were saved from a moment on and before another.
func (v *Vault) ForgetCards(ctx context.Context, userID string, since, until time.Time) error {
	person, err := parse(userID)
	if err == nil {
		_, err = v.pool.Exec(ctx, `DELETE FROM cards WHERE person = $1 AND kept_at >= $2 AND kept_at < $3`, person, since, until)
	}
	if err != nil {
		return fmt.Errorf("vault: cards: %w", err)
	}
	return nil
}

func errNoCard() error { return fault.New(fault.NotFound, "There is no such card.") }

// ForgetCard removes one of a person's cards. One that is not theirs is NotFound. It locks the session of its call, as
// Update does.
func (v *Vault) ForgetCard(ctx context.Context, userID, id string) error {
	person, err := parse(userID)
	if err != nil {
		return err
	}
	card, err := uuid.Parse(id)
	if err != nil {
		return errNoCard()
	}
	err = pgx.BeginFunc(ctx, v.pool, func(tx pgx.Tx) error {
		if err := session.Hold(ctx, tx); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, `DELETE FROM cards WHERE id = $1 AND person = $2`, card, person)
		if err == nil && tag.RowsAffected() == 0 {
			err = errNoCard()
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("vault: cards: %w", err)
	}
	return nil
}
