package people

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"runtime"
	"strings"

	"golang.org/x/crypto/argon2"
)

// argon2id's cost: 19 MiB, two passes, one thread.
const (
	hashKiB     = 19 * 1024
	hashPasses  = 2
	hashThreads = 1
	hashBytes   = 32
	saltBytes   = 16
)

// hashing leaves half of the processors, and most of the memory, to everybody who does not log in.
var hashing = make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2))

// nobody is a hash that no password has, so that an unknown e-mail costs what a known one does.
var nobody = fmt.Sprintf("$argon2id$v=19$m=%d,t=%d,p=%d$%s$%s", hashKiB, hashPasses, hashThreads,
	base64.RawStdEncoding.EncodeToString(make([]byte, saltBytes)), base64.RawStdEncoding.EncodeToString(make([]byte, hashBytes)))

// hashPassword waits its turn, or for the context.
func hashPassword(ctx context.Context, password string) (string, error) {
	salt := make([]byte, saltBytes)
	_, _ = rand.Read(salt) // It never fails.
	key, err := derive(ctx, password, salt)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, hashKiB, hashPasses, hashThreads,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(key)), nil
}

// checkHash reports whether the password has that hash. It takes the same time whether or not, and however long the
// password is.
func checkHash(ctx context.Context, password, hash string) (bool, error) {
	if len(password) > 4*passwordCharsMax {
		password = "" // No account has it, and hashing a long one is slow.
	}
	parts := strings.Split(hash, "$")
	if len(parts) != 6 || parts[3] != fmt.Sprintf("m=%d,t=%d,p=%d", hashKiB, hashPasses, hashThreads) {
		return false, fmt.Errorf("people: a stored password hash is of another kind")
	}
	salt, err := base64.RawStdEncoding.DecodeString(parts[4])
	if err != nil {
		return false, fmt.Errorf("people: stored salt: %w", err)
	}
	want, err := base64.RawStdEncoding.DecodeString(parts[5])
	if err != nil {
		return false, fmt.Errorf("people: stored hash: %w", err)
	}
	got, err := derive(ctx, password, salt)
	return err == nil && subtle.ConstantTimeCompare(got, want) == 1, err
}

func derive(ctx context.Context, password string, salt []byte) ([]byte, error) {
	select {
	case hashing <- struct{}{}:
		defer func() { <-hashing }()
		return argon2.IDKey([]byte(password), salt, hashPasses, hashKiB, hashThreads, hashBytes), nil
	case <-ctx.Done():
		return nil, outage("password", ctx.Err())
	}
}
