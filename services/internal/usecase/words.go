package usecase

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"

	"github.com/google/uuid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/event"
)

// ReadWords holds what people write to what can be kept and shown: lines stay, other control characters do not.
func ReadWords(text string, least, most int) (string, error) {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	switch n := len([]rune(text)); {
	case n < least || n > most:
		return "", fault.Field("words", "Say it in %d to %d characters.", least, most)
	case strings.ContainsFunc(text, func(r rune) bool {
		return r != '\n' && r != '\t' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
	}):
		return "", fault.Field("words", "There is a character in it that cannot be shown.")
	}
	return text, nil
}

// KeepWords puts what was written about a member's money into the vault, under an id that a retry makes again, and
// answers what the ledger keeps of it.
func (b *Base) KeepWords(ctx context.Context, command uuid.UUID, user, text string) (*nairav1.Words, error) {
	sum := sha256.Sum256([]byte(text))
	id := event.DeriveID(command, "words "+hex.EncodeToString(sum[:])).String()
	if err := b.Vault.PutPaper(ctx, user, id, text, b.Present()); err != nil {
		return nil, err
	}
	return &nairav1.Words{PaperId: id, Sha256: sum[:]}, nil
}

// KeepDocument keeps a document that a member uploaded for good, and answers what the ledger keeps of it. field is what
// a refusal names.
func (b *Base) KeepDocument(ctx context.Context, user, field, fileID string) (*nairav1.Words, error) {
	id, err := uuid.Parse(fileID)
	if err != nil {
		return nil, fault.Field(field, "Please upload the file first.")
	}
	data, err := b.Vault.KeepDocument(ctx, user, field, id.String())
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(data)
	return &nairav1.Words{PaperId: id.String(), Sha256: sum[:]}, nil
}
