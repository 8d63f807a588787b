package boot

import (
	"context"
	"crypto/hmac"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"adashi.ng/services/internal/sealing"
)

var errIdentityKey = errors.New("ADASHI_IDENTITY_KEY is not the key that second factors were sealed with: set that one, or put back the secrets.json that had it")

// keepIdentityKey refuses an identity key that is not the database's. Under another one nobody with a second factor
// could log in, and what was sealed would seem changed.
func (i *Instance) keepIdentityKey(ctx context.Context) error {
	if !i.roles.API && !i.roles.Jobs {
		return nil
	}
	keys, err := sealing.New(i.Config.IdentityBytes(i.secrets))
	if err != nil {
		return fmt.Errorf("ADASHI_IDENTITY_KEY: %w", err)
	}
	var mark []byte
	err = i.Pool.QueryRow(ctx, "SELECT mark FROM identity_key").Scan(&mark)
	if errors.Is(err, pgx.ErrNoRows) {
		mark, err = i.markIdentityKey(ctx, keys)
	}
	if err == nil && !hmac.Equal(mark, identityMark(keys)) {
		err = errIdentityKey
	}
	return err
}

func identityMark(keys sealing.Keys) []byte { return keys.Hash("identity key", "adashi") }

// markIdentityKey notes the key of a database that has no mark yet, unless a second factor shows that it is another's.
func (i *Instance) markIdentityKey(ctx context.Context, keys sealing.Keys) (mark []byte, err error) {
	var user string
	var sealed []byte
	err = i.Pool.QueryRow(ctx, "SELECT user_id::text, secret FROM totp ORDER BY user_id LIMIT 1").Scan(&user, &sealed)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
	case err != nil:
		return nil, err
	default:
		if _, err := keys.Decrypt(sealed, user); err != nil {
			return nil, errIdentityKey
		}
	}
	if _, err := i.Pool.Exec(ctx, "INSERT INTO identity_key (mark) VALUES ($1) ON CONFLICT DO NOTHING", identityMark(keys)); err != nil {
		return nil, err
	}
	err = i.Pool.QueryRow(ctx, "SELECT mark FROM identity_key").Scan(&mark)
	return mark, err
}
