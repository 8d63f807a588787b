package months

import (
	"context"
	"encoding/hex"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/services/internal/usecase"
)

// Keys returns a member's devices that sign attestations.
func (s *Service) Keys(ctx context.Context, user string) (AttestKeys, error) {
	view := AttestKeys{Keys: []AttestKey{}}
	a, err := s.AccountState(ctx, user)
	for _, k := range a.AttestKeys {
		view.Keys = append(view.Keys, AttestKey{PublicKey: k.Public, Device: Device(account.Named(k.Device)), Since: k.Since.UTC(), Revoked: k.Revoked})
	}
	return view, err
}

// Register lets a member's device sign attestations. The member gets a notice, and an e-mail whatever their settings,
// because the device's holder attests in their name. The ledger's notices trigger the e-mail.
func (s *Service) Register(ctx context.Context, who usecase.Who, form AttestKeyRequest) (AttestKeys, int64, error) {
	signature, err := ofHex("signature", form.Signature, signatureBytes)
	if err != nil {
		return AttestKeys{}, 0, err
	}
	device := nairav1.DeviceKind(nairav1.DeviceKind_value["DEVICE_KIND_"+string(form.Device)])
	return s.change(ctx, who, "register attest key", form.PublicKey, func(user string, public []byte) event.Command {
		return account.RegisterAttestKey(user, public, device, signature)
	})
}

// Revoke ends a device's right to sign.
func (s *Service) Revoke(ctx context.Context, who usecase.Who, key string) (AttestKeys, int64, error) {
	return s.change(ctx, who, "revoke attest key", key, account.RevokeAttestKey)
}

func (s *Service) change(ctx context.Context, who usecase.Who, operation, key string, of func(user string, public []byte) event.Command) (AttestKeys, int64, error) {
	public, err := ofHex("publicKey", key, publicBytes)
	if err != nil {
		return AttestKeys{}, 0, err
	}
	id, _ := who.ID(operation)
	result, err := s.Record(ctx, who, id, who.User, store.Fingerprint(operation, hex.EncodeToString(public)), of(who.User, public))
	if err != nil {
		return AttestKeys{}, 0, err
	}
	view, err := s.Keys(ctx, who.User)
	return view, result.Position(), err
}
