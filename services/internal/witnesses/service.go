// Package witnesses is who signs which tree of the ledger they saw: validators' devices, and outsiders whose servers
// the ledger calls. It keeps what they signed and shows it beside proofs; nothing is decided from it.
package witnesses

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/ajos"
	"adashi.ng/projections/groups"
	"adashi.ng/services/internal/usecase"
)

const (
	aheadMost = time.Minute // How far a device's clock may be ahead.
	oldMost   = time.Hour   // How long ago a device may have signed.
	shownMost = 20
)

// Service keeps and shows what witnesses signed.
type Service struct {
	*usecase.Base
	Proofs      *proofs.Reader
	DeviceClock clock.Clock // What devices' clocks are held against.
}

// ReadModels tell who is a validator.
var ReadModels = []string{groups.Name, ajos.Name}

// Keys are a member's devices that watch the ledger.
func (s *Service) Keys(ctx context.Context, user string) (WitnessKeys, error) {
	view := WitnessKeys{Keys: []WitnessKey{}}
	a, err := s.AccountState(ctx, user)
	if err != nil {
		return view, err
	}
	if view.MayWatch, err = s.validates(ctx, user); err != nil {
		return view, err
	}
	latest, err := ofUser(ctx, s.Pool, user)
	for _, k := range a.WitnessKeys {
		key := WitnessKey{PublicKey: k.Public, Since: k.Since.UTC(), Revoked: k.Revoked}
		if at := slices.IndexFunc(latest, func(l signed) bool { return hex.EncodeToString(l.Public) == k.Public }); at >= 0 {
			seen := latest[at].at()
			key.Size, key.SeenAt = &latest[at].Size, &seen
		}
		view.Keys = append(view.Keys, key)
	}
	return view, err
}

// validates reports whether a member is the validator of a group or an ajo.
func (s *Service) validates(ctx context.Context, user string) (bool, error) {
	of, err := groups.ValidatedBy(ctx, s.Pool, user)
	if err != nil || len(of) > 0 {
		return len(of) > 0, err
	}
	ofAjo, err := ajos.ValidatedBy(ctx, s.Pool, user)
	return len(ofAjo) > 0, err
}

func (s *Service) mustValidate(ctx context.Context, user string) error {
	validates, err := s.validates(ctx, user)
	if err == nil && !validates {
		err = fault.New(fault.Forbidden, "Only the validator of a group or an ajo has a device watch the ledger.")
	}
	return err
}

func keyOf(text string) ([]byte, error) {
	public, err := hex.DecodeString(strings.ToLower(text))
	if err != nil || len(public) != 32 {
		return nil, fault.Field("publicKey", "This must be an Ed25519 key of 64 hex digits. Please update your browser and try again.")
	}
	return public, nil
}

// Register has a member's device watch the ledger.
func (s *Service) Register(ctx context.Context, who usecase.Who, key string) (WitnessKeys, int64, error) {
	if err := s.mustValidate(ctx, who.User); err != nil {
		return WitnessKeys{}, 0, err
	}
	return s.change(ctx, who, "register witness", key, account.RegisterWitness)
}

// Revoke ends that.
func (s *Service) Revoke(ctx context.Context, who usecase.Who, key string) (WitnessKeys, int64, error) {
	return s.change(ctx, who, "revoke witness", key, account.RevokeWitness)
}

func (s *Service) change(ctx context.Context, who usecase.Who, operation, key string, of func(user string, public []byte) event.Command) (WitnessKeys, int64, error) {
	public, err := keyOf(key)
	if err != nil {
		return WitnessKeys{}, 0, err
	}
	id, _ := who.ID(operation)
	result, err := s.Record(ctx, who, id, who.User, store.Fingerprint(operation, hex.EncodeToString(public)), of(who.User, public))
	if err != nil {
		return WitnessKeys{}, 0, err
	}
	view, err := s.Keys(ctx, who.User)
	return view, result.Position(), err
}

// Add keeps what a member's device signed.
func (s *Service) Add(ctx context.Context, user string, form CosignatureRequest) (WitnessKeys, error) {
	public, err := keyOf(form.PublicKey)
	if err != nil {
		return WitnessKeys{}, err
	}
	a, err := s.AccountState(ctx, user)
	if err != nil {
		return WitnessKeys{}, err
	}
	if key, is := a.Witness(hex.EncodeToString(public)); !is || key.Revoked || a.Closed {
		return WitnessKeys{}, fault.New(fault.Conflict, "This device does not watch the ledger. Turn watching on first.")
	}
	if err := s.mustValidate(ctx, user); err != nil {
		return WitnessKeys{}, err
	}
	c, err := s.ours(ctx, form.Checkpoint)
	if err != nil {
		return WitnessKeys{}, err
	}
	given := signed{Public: public, User: user, Origin: c.Origin, Size: c.Size, Root: c.Root[:]}
	given.Signature, err = base64.StdEncoding.DecodeString(form.Signature)
	if err != nil || !given.right() {
		return WitnessKeys{}, fault.Field("signature", "This is not the device's signature of the checkpoint. Nothing was kept.")
	}
	if now := s.DeviceClock(); given.at().After(now.Add(aheadMost)) || given.at().Before(now.Add(-oldMost)) {
		return WitnessKeys{}, fault.Field("signature", "The clock of this device is wrong. Set its time, then try again.")
	}
	kept, err := keep(ctx, s.Pool, given, s.Now())
	if err != nil {
		return WitnessKeys{}, err
	}
	if !kept {
		return WitnessKeys{}, fault.New(fault.Conflict, "This device signed a later checkpoint already. Nothing was kept.")
	}
	return s.Keys(ctx, user)
}

// ours finds the checkpoint whose text this is, to the letter.
func (s *Service) ours(ctx context.Context, text string) (proofs.Checkpoint, error) {
	wrong := fault.Field("checkpoint", "The ledger never signed this checkpoint. Keep it: it is evidence, and show it to Support.")
	size, ok := sizeOf(text)
	if !ok {
		return proofs.Checkpoint{}, wrong
	}
	c, err := s.Proofs.UpTo(ctx, size)
	if err != nil {
		return c, err
	}
	if note, _, _ := strings.Cut(c.Note, "\n\n"); c.Size != size || note+"\n" != text {
		return c, wrong
	}
	return c, nil
}

// Seen answers who signed a tree that has a position in it.
func (s *Service) Seen(ctx context.Context, user string, position int64, groupID string) (Cosignatures, error) {
	view := Cosignatures{Cosignatures: []Cosignature{}}
	if position < 1 {
		return view, fault.Field("position", "position must be 1 or more.")
	}
	validator := ""
	if groupID != "" {
		id, err := usecase.ParseID(groupID, "group")
		if err != nil {
			return view, err
		}
		r, err := s.Relation(ctx, user, id)
		if err != nil {
			return view, err
		}
		if err := r.MustBeInside(); err != nil {
			return view, err
		}
		validator = r.Group.Validator
	}
	latest, err := s.Proofs.Latest(ctx)
	if errors.Is(err, proofs.ErrNone) {
		return view, nil
	}
	if err != nil {
		return view, err
	}
	view.Cosignatures, err = s.signed(ctx, latest.Origin, position, math.MaxInt64, user, validator)
	return view, err
}

// UpTo answers who signed a tree that a checkpoint continues and that has a position in it, as a member of a group sees
// them; whoever is not in it is not told which are its validator's.
func (s *Service) UpTo(ctx context.Context, c proofs.Checkpoint, position int64, user, groupID string) ([]Cosignature, error) {
	validator := ""
	if groupID != "" {
		r, err := s.Relation(ctx, user, groupID)
		if err != nil {
			return nil, err
		}
		if r.Inside() {
			validator = r.Group.Validator
		}
	}
	return s.signed(ctx, c.Origin, position, c.Size, user, validator)
}

// signed are the latest of each witness among the trees of at least and at most a size: outsiders first, then those
// that concern who looks.
func (s *Service) signed(ctx context.Context, origin string, least, most int64, user, validator string) ([]Cosignature, error) {
	begun, err := s.Proofs.Epochs(ctx)
	if err != nil {
		return nil, err
	}
	of := stillHold(origin, begun)
	for i := range of {
		of[i].upto = min(of[i].upto, most)
	}
	all, err := latestOf(ctx, s.Pool, of, least)
	shown := make([]Cosignature, len(all))
	for i, one := range all {
		shown[i] = one.shown(user, validator)
	}
	slices.SortStableFunc(shown, func(a, b Cosignature) int { return slices.Index(nearest, a.By) - slices.Index(nearest, b.By) })
	return shown[:min(len(shown), shownMost)], err
}

// nearest is the order in which witnesses are shown.
var nearest = []CosignatureBy{OUTSIDER, VALIDATOROFGROUP, MINE, VALIDATOR}

// held is an origin, and the largest of its trees that the ledger goes on from.
type held struct {
	origin string
	upto   int64
}

// stillHold are the origin of an epoch and those of the epochs before it: trees that were given up since are not of the
// ledger any more, and those before them are.
func stillHold(origin string, begun []proofs.EpochStart) []held {
	all, upto := []held{{origin, math.MaxInt64}}, int64(math.MaxInt64)
	name, epoch, ok := epochOf(origin)
	for before := epoch - 1; ok && before > 0; before-- {
		for _, e := range begun {
			if e.Epoch == before+1 {
				upto = min(upto, e.From)
			}
		}
		all = append(all, held{fmt.Sprintf("%s/e%d", name, before), upto})
	}
	return all
}

// shown is a cosignature as somebody sees it. Whose device it is, members are not told.
func (s signed) shown(user, validator string) Cosignature {
	c := Cosignature{
		By: VALIDATOR, PublicKey: hex.EncodeToString(s.Public), Checkpoint: s.text(), Size: s.Size, At: s.at(), Signature: base64.StdEncoding.EncodeToString(s.Signature),
	}
	switch {
	case s.User == "":
		c.By, c.Name = OUTSIDER, &s.Name
	case s.User == user:
		c.By = MINE
	case s.User == validator:
		c.By = VALIDATOROFGROUP
	}
	return c
}
