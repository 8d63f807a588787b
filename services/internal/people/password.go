package people

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"

	"adashi.ng/services/internal/people/fields"
	"adashi.ng/services/internal/people/spelling"
	"adashi.ng/services/internal/people/turns"
)

// cost is what one try at a password takes by argon2id.
type cost struct {
	KiB, Passes uint32
	Threads     uint8
}

// today is what passwords are hashed with: 19 MiB, two passes, one thread. Those of before keep their own until their
// owner logs in.
var today = cost{19 * 1024, 2, 1}

// fast is the least that argon2id takes: for tests that register hundreds of people. See Options.FastHashing.
var fast = cost{8, 1, 1}

const (
	hashBytes = 32
	saltBytes = 16
)

// What a stored hash may ask for at most: whoever writes one is not to take the memory or the time of all others.
const (
	costKiBMax     = 64 * 1024
	costPassesMax  = 6
	costThreadsMax = 4
	storedBytesMin = 16 // Of a hash: a shorter one is one that others have too.
	storedBytesMax = 64
	saltBytesMin   = 8
)

func (c cost) String() string { return fmt.Sprintf("m=%d,t=%d,p=%d", c.KiB, c.Passes, c.Threads) }

// allowed reports whether a hash of that cost is tried.
func (c cost) allowed() bool {
	return c.Threads >= 1 && c.Threads <= costThreadsMax && c.Passes >= 1 && c.Passes <= costPassesMax && c.KiB >= 8*uint32(c.Threads) && c.KiB <= costKiBMax
}

// hashing leaves half of the processors, and most of the memory, to everybody who does not log in.
var hashing = turns.New(max(1, runtime.GOMAXPROCS(0)/2))

// nobody is a hash that no password has, so that an unknown e-mail costs what a known one does.
func (c cost) nobody() string {
	return stored{c, make([]byte, saltBytes), make([]byte, hashBytes)}.String()
}

// stored is a password as it is kept, in the PHC's form of argon2id.
type stored struct {
	cost
	salt, key []byte
}

func (s stored) String() string {
	return fmt.Sprintf("$argon2id$v=%d$%s$%s$%s", argon2.Version, s.cost, base64.RawStdEncoding.EncodeToString(s.salt), base64.RawStdEncoding.EncodeToString(s.key))
}

// readHash reads a password as it is kept. One that costs more than any of ours did is refused.
func readHash(hash string) (s stored, err error) {
	parts := strings.Split(hash, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return s, errors.New("people: a stored password hash is of another kind")
	}
	_, err = fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &s.KiB, &s.Passes, &s.Threads)
	if err != nil || s.cost.String() != parts[3] || !s.allowed() {
		return s, errors.New("people: a stored password hash is of a cost that is not tried")
	}
	if s.salt, err = base64.RawStdEncoding.DecodeString(parts[4]); err != nil {
		return s, fmt.Errorf("people: stored salt: %w", err)
	}
	if s.key, err = base64.RawStdEncoding.DecodeString(parts[5]); err != nil {
		return s, fmt.Errorf("people: stored hash: %w", err)
	}
	if len(s.salt) < saltBytesMin || len(s.salt) > storedBytesMax || len(s.key) < storedBytesMin || len(s.key) > storedBytesMax {
		return s, errors.New("people: a stored password hash is of another length")
	}
	return s, nil
}

// isOld reports whether a hash is of another cost or length than new ones.
func (c cost) isOld(hash string) bool {
	s, err := readHash(hash)
	return err == nil && (s.cost != c || len(s.salt) != saltBytes || len(s.key) != hashBytes)
}

// hash hashes a new password, in the form in which passwords are compared. It waits its turn, or for the context.
func (c cost) hash(ctx context.Context, in turns.Line, password string) (string, error) {
	salt := make([]byte, saltBytes)
	_, _ = rand.Read(salt) // It never fails.
	key, err := derive(ctx, in, norm.NFC.String(password), salt, c, hashBytes)
	return stored{c, salt, key}.String(), err
}

// checkHash reports whether the password has that hash. It takes the time of the hash's cost whether or not, and
// however long the password is.
func checkHash(ctx context.Context, in turns.Line, password, hash string) (bool, error) {
	for _, form := range spelling.Of(password, fields.PasswordCharsMax) {
		if right, err := hasHash(ctx, in, form, hash); err != nil || right {
			return right, err
		}
	}
	return false, nil
}

func hasHash(ctx context.Context, in turns.Line, form, hash string) (bool, error) {
	kept, err := readHash(hash)
	if err != nil {
		return false, err
	}
	got, err := derive(ctx, in, form, kept.salt, kept.cost, len(kept.key))
	return err == nil && subtle.ConstantTimeCompare(got, kept.key) == 1, err
}

// keptAsNow reports whether the hash of a right password is one as new ones are: of today's cost, and of today's form.
func (c cost) keptAsNow(ctx context.Context, password, hash string) (bool, error) {
	all := spelling.Of(password, fields.PasswordCharsMax)
	if c.isOld(hash) || len(all) == 1 {
		return !c.isOld(hash), nil
	}
	return hasHash(ctx, turns.Known, all[0], hash)
}

func derive(ctx context.Context, in turns.Line, password string, salt []byte, c cost, bytes int) ([]byte, error) {
	done, err := hashing.Take(ctx, in)
	if err != nil {
		return nil, outage("password", err)
	}
	defer done()
	return argon2.IDKey([]byte(password), salt, c.Passes, c.KiB, c.Threads, uint32(bytes)), nil
}
