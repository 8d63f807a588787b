package people

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/mail"
)

// How many tries are free before each next one has to wait twice as long, up to so many seconds. Many people may share
// an address; one account takes guesses from devices that it does not know only so often, wherever they come from.
const (
	passwordTries = 10
	codeTries     = 5
	waitMaxSec    = 300
	addressTries  = 100
	addressMaxSec = 10
	strangerTries = 50
	warnAfter     = 20 // Wrong passwords from strange devices, of which the owner is told.
	warnEvery     = 24 * time.Hour
	triesForgot   = 24 * time.Hour
)

// guess is something that somebody may try to guess.
type guess struct {
	kind, of         string
	free, waitMaxSec int
	shared           bool // Others' tries count here too: a right one takes back itself alone.
}

func own(kind, of string, free int) guess {
	return guess{kind: kind, of: of, free: free, waitMaxSec: waitMaxSec}
}

// passwordsAt are what a try at an e-mail's password counts for. Nobody says whether there is an account. A try on a
// device that the account knows counts there alone, where no stranger uses it up.
func passwordsAt(email string, from Origin, on knownDevice) []guess {
	if on.known {
		return []guess{own("password on", string(on.hash[:])+email, passwordTries)}
	}
	return []guess{
		{kind: "password from", of: from.Address, free: addressTries, waitMaxSec: addressMaxSec, shared: true},
		passwordFrom(email, from),
		strangers(email),
	}
}

func passwordFrom(email string, from Origin) guess {
	return own("password from to", from.Address+" "+email, passwordTries)
}

// strangers is what all tries at an e-mail's password on devices that it does not know count for.
func strangers(email string) guess {
	return guess{kind: "password", of: email, free: strangerTries, waitMaxSec: waitMaxSec, shared: true}
}

// passwordIn is the password as it is asked for in an open session, and passwordWith as a mailed link asks for it.
func passwordIn(caller Caller) guess { return own("password in", caller.SessionID, passwordTries) }

func passwordWith(l linked) guess { return own("password with", string(l.hash[:]), passwordTries) }

// codeFor is the second factor at login: whoever gets there knows the password. Devices that it was shown on before
// count by themselves.
func codeFor(userID string, on knownDevice) guess {
	if on.loggedIn {
		return own("code on", string(on.hash[:])+userID, codeTries)
	}
	return own("code", userID, codeTries)
}

func codeIn(caller Caller) guess { return own("code in", caller.SessionID, codeTries) }

// take counts a try at each of them before it is judged, so that many at once are no more than one after another. Right
// answers give it back. While it is too soon for one of them it counts for none and answers fault.TooMany with the time
// to wait.
func (s *Service) take(ctx context.Context, guesses ...guess) error {
	return outage("count tries", pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		for _, g := range guesses {
			if err := s.takeOne(ctx, tx, g); err != nil {
				return err
			}
		}
		return nil
	}))
}

func (s *Service) takeOne(ctx context.Context, tx pgx.Tx, g guess) error {
	key, now := s.keys.Hash(g.kind, g.of), s.now()
	tag, err := tx.Exec(ctx, `
		INSERT INTO tries AS t (key_hash, taken, tried_at, next_at) VALUES ($1, 1, $2, '-infinity')
		ON CONFLICT (key_hash) DO UPDATE SET tried_at = $2,
			taken = CASE WHEN t.tried_at < $3 THEN 1 ELSE t.taken + 1 END,
			next_at = CASE WHEN t.tried_at < $3 OR t.taken < $4 THEN '-infinity'
				ELSE $2 + interval '1 second' * least($5, power(2, least(t.taken + 1 - $4, 20))) END
		WHERE t.next_at <= $2`, key, now, now.Add(-triesForgot), g.free, g.waitMaxSec)
	if err != nil || tag.RowsAffected() > 0 {
		return err
	}
	var next time.Time
	if err := tx.QueryRow(ctx, `SELECT next_at FROM tries WHERE key_hash = $1`, key).Scan(&next); err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	return fault.Wait(max(next.Sub(now), time.Second))
}

// giveBack forgets the tries at what was right.
func (s *Service) giveBack(ctx context.Context, db mail.DB, guesses ...guess) error {
	for _, g := range guesses {
		sql := `DELETE FROM tries WHERE key_hash = $1`
		if g.shared {
			sql = `UPDATE tries SET taken = greatest(taken - 1, 0), next_at = '-infinity' WHERE key_hash = $1`
		}
		if _, err := db.Exec(ctx, sql, s.keys.Hash(g.kind, g.of)); err != nil {
			return outage("count tries", err)
		}
	}
	return nil
}

// forget forgets what strangers tried, also of others.
func (s *Service) forget(ctx context.Context, db mail.DB, g guess) error {
	g.shared = false
	return s.giveBack(ctx, db, g)
}

// warn tells an account's owner, at most once a day, that many wrong passwords were tried on strange devices. It asks
// Postgres the same for an e-mail without an account.
func (s *Service) warn(ctx context.Context, profile Profile) error {
	id, now := uuid.Nil, s.now()
	if profile.UserID != "" && profile.EmailVerified {
		id = uuid.MustParse(profile.UserID)
	}
	told := false
	g := strangers(profile.Email)
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `
			UPDATE accounts SET warned_at = $2 WHERE id = $1 AND coalesce(warned_at, '-infinity') < $3
				AND EXISTS (SELECT FROM tries WHERE key_hash = $4 AND taken >= $5)`, id, now, now.Add(-warnEvery), s.keys.Hash(g.kind, g.of), warnAfter)
		if told = err == nil && tag.RowsAffected() > 0; !told {
			return err
		}
		return mail.Queue(ctx, tx, mail.TriesAtPassword(profile.Email, profile.FirstName, s.when(), s.publicURL+"/send_forgot_password_mail"), now)
	})
	if err == nil && told {
		s.secured(ctx, profile.UserID, PasswordTried)
	}
	return outage("warn", err)
}

// cause names who has a letter written to an account: a device that it knows, or an address.
func (s *Service) cause(email string, from Origin, on knownDevice) string {
	kind, of := "cause address", from.Address
	if on.known {
		kind, of = "cause device", string(on.hash[:])+email
	}
	return base64.RawStdEncoding.EncodeToString(s.keys.Hash(kind, of))
}

// oldSignUps removes expired links of sign-ups that no password is compared with any more: those that carry none, and
// all of an address but the newest, so that nobody fills the table with another's address.
var oldSignUps = fmt.Sprintf(`
	DELETE FROM email_links l WHERE expires_at < $1 AND purpose = 'VERIFY_EMAIL' AND (password IS NULL OR %d <= (
		SELECT count(*) FROM email_links n
		WHERE n.user_id = l.user_id AND n.purpose = l.purpose AND n.password IS NOT NULL AND n.created_at > l.created_at))`, signUpsMax)

// Prune removes what nobody will ask for again: counts that are forgotten, links and sign-ups 30 days after they
// expired, sessions that ran out, devices that nobody used for long.
func (s *Service) Prune(ctx context.Context) error {
	now := s.now()
	var failures []error
	for _, old := range []struct {
		sql    string
		before time.Time
	}{
		{`DELETE FROM tries WHERE tried_at < $1`, now.Add(-triesForgot)},
		{`DELETE FROM email_links WHERE expires_at < $1`, now.Add(-signUpStays)},
		{oldSignUps, now},
		{`DELETE FROM sessions WHERE expires_at < $1`, now},
		{`DELETE FROM removed_totp WHERE removed_at < $1`, now.Add(-kinds[undoChange].valid - undoSlack)},
		{`DELETE FROM known_devices WHERE seen_at < $1`, now.Add(-deviceForgotten)},
	} {
		if _, err := s.pool.Exec(ctx, old.sql, old.before); err != nil {
			failures = append(failures, outage("prune", err))
		}
	}
	return errors.Join(failures...)
}
