package usecase

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"strings"
	"unicode"

	"github.com/google/uuid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
)

// ReadWords checks a text, and cleans it for storing and showing: line breaks stay, other control characters do not.
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

// Said is a text about a member's money. The ledger stores its id and its digest, the member's vault the text.
type Said struct {
	*nairav1.Words
	user, text string
}

// Say makes the text of a command about a user's money. A retry makes the same.
func Say(command uuid.UUID, user, text string) Said {
	sum := sha256.Sum256([]byte(text))
	id := event.DeriveID(command, "words "+hex.EncodeToString(sum[:])).String()
	return Said{&nairav1.Words{PaperId: id, Sha256: sum[:]}, user, text}
}

// keepAhead puts words into the vault before their command is recorded, so that no recorded words are missing. It
// first decides the command without recording it, and keeps nothing if the rules refuse it. It returns the words that
// are new.
func (b *Base) keepAhead(ctx context.Context, c store.Command, said []Said) (fresh []Said, err error) {
	if len(said) == 0 {
		return nil, nil
	}
	from := c.EffectiveAt
	if from.IsZero() {
		from = b.Now()
	}
	if _, err := b.Ledger.DryRunAt(ctx, c.Command, from); err != nil {
		return nil, nil //nolint:nilerr // Append says why, or that it was recorded before.
	}
	for _, s := range said {
		is, err := b.Vault.PutPaper(ctx, s.user, s.PaperId, s.text, b.Present())
		if err != nil {
			b.drop(ctx, fresh)
			return nil, err
		}
		if is {
			fresh = append(fresh, s)
		}
	}
	return fresh, nil
}

// keepAfter keeps the words of a command that was recorded and drops those of a command that was refused. While the
// outcome is unknown they stay.
func (b *Base) keepAfter(ctx context.Context, command uuid.UUID, said, fresh []Said, outcome error) {
	if len(said) == 0 {
		return
	}
	switch {
	case outcome == nil:
		for _, s := range said {
			if _, err := b.Vault.PutPaper(ctx, s.user, s.PaperId, s.text, b.Present()); err != nil {
				slog.ErrorContext(ctx, "usecase: words were recorded and are not in the vault", "paper", s.PaperId, "error", err)
			}
		}
	case !errors.Is(outcome, store.ErrUnknown):
		// Another try under the same key may have recorded them meanwhile.
		if again, err := b.Ledger.Recorded(context.WithoutCancel(ctx), command); err == nil && !again {
			b.drop(ctx, fresh)
		}
	}
}

func (b *Base) drop(ctx context.Context, fresh []Said) {
	for _, s := range fresh {
		if err := b.Vault.DropPaper(context.WithoutCancel(ctx), s.user, s.PaperId); err != nil {
			slog.WarnContext(ctx, "usecase: words that were refused stay in the vault", "paper", s.PaperId, "error", err)
		}
	}
}

// KeepDocument keeps a document that a member uploaded for good, and returns the ledger's reference to it. field is the
// field that a refusal names.
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
