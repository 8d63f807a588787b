package months_test

import (
	"context"
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/sampling"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/audit"
	"adashi.ng/services/internal/apptest"
	marking "adashi.ng/services/internal/audit"
	"adashi.ng/services/internal/months"
	"adashi.ng/services/internal/phones"
)

// waits is a group whose first month can be attested: its whole sample is marked.
func waits(t *testing.T) *world {
	w := setup(t, false)
	require.NoError(t, w.closes(w.months(1, 2), w.Validator, w.first))
	w.draws()
	w.marks(w.Validator, "VALIDATED", w.sample(w.Validator)...)
	w.marks(w.Owner, "VALIDATED", w.sample(w.Owner)...)
	return w
}

func (w *world) proof(month string) contract.MonthDraw {
	w.Helper()
	draw, err := w.of(w.App).Draw(context.Background(), w.Validator.User, w.Group, month)
	require.NoError(w, err)
	return draw
}

func (w *world) isRefused(form contract.AttestMonthRequest, says string) {
	w.Helper()
	err := w.sends(w.Validator, form)
	require.ErrorContains(w, err, says)
	require.True(w, fault.Is(err, fault.Conflict) || fault.Is(err, fault.Invalid))
	require.Equal(w, months.DRAWN, w.shows(w.Member, w.first).Status, "nothing moved")
}

func TestAMonthIsAttestedByWhatADeviceWasShownAndSigned(t *testing.T) {
	t.Parallel()
	w := waits(t)
	right := w.signs(w.Validator, w.first)
	with := func(change func(f *contract.AttestMonthRequest)) contract.AttestMonthRequest {
		form := right
		change(&form)
		return form
	}
	w.isRefused(with(func(f *contract.AttestMonthRequest) { f.Signature = "ab" }), "128 hex digits")
	w.isRefused(with(func(f *contract.AttestMonthRequest) { f.PublicKey = "" }), "64 hex digits")
	w.isRefused(with(func(f *contract.AttestMonthRequest) { f.Signature = strings.Repeat("0", 128) }), "not what your device signed")
	w.isRefused(with(func(f *contract.AttestMonthRequest) { f.Position++ }), "Something has changed since you looked")
	draw := w.proof(w.first)
	for _, never := range []int64{draw.Position, 1 << 40} { // The device signs a position before the draw or in the future.
		draw.Attestation.Position = never
		w.isRefused(w.devices[w.Validator.User].Attests(draw), "Something has changed since you looked")
	}

	owners, unknown := phones.New(), phones.New()
	_, _, err := w.of(w.App).Register(context.Background(), w.Owner, owners.Registers(w.Owner.User))
	require.NoError(t, err)
	w.isRefused(owners.Attests(w.proof(w.first)), "does not sign for you yet") // A colleague's device.
	w.isRefused(unknown.Attests(w.proof(w.first)), "does not sign for you yet")
	_, _, err = w.of(w.App).Register(context.Background(), w.Validator, owners.Registers(w.Owner.User))
	require.ErrorContains(t, err, "did not sign that it is yours")

	w.marks(w.Validator, "QUERIED", w.sampled()[0]) // Between showing and signing.
	w.isRefused(right, "Something has changed since you looked")
	right = w.signs(w.Validator, w.first)
	w.pays(w.On(2, 4), w.Member, 5000) // Payments of another month do not matter.
	require.NoError(t, w.sends(w.Validator, right))
	require.ErrorContains(t, w.sends(w.Validator, right), "attested already")
	for _, who := range []string{w.Member.User, w.Validator.User} {
		draw, err := w.of(w.App).Draw(context.Background(), who, w.Group, w.first)
		require.NoError(t, err)
		said := draw.Attestation
		require.Equal(t, []any{right.PublicKey, right.Signature, contract.PHONE, w.Validator.User, right.Position}, []any{*said.PublicKey, *said.Signature, *said.Device, said.By, said.Position})
	}
	shown := w.shows(w.Member, w.first)
	require.Equal(t, []any{contract.PHONE, right.PublicKey}, []any{*shown.SignedDevice, *shown.SignedKey})
	require.Zero(t, w.violations())
}

// sampled returns all payments of the sample, including marked ones.
func (w *world) sampled() []contract.AuditPayment {
	w.Helper()
	page, err := w.App.Audit.Audit(context.Background(), w.Validator.User, w.Group, marking.WhichPayments{}, nil, 100)
	require.NoError(w, err)
	var own []contract.AuditPayment
	for _, p := range page.Payments {
		if p.MayMark {
			own = append(own, p)
		}
	}
	return own
}

func TestADeviceThatIsTurnedOffAttestsNothingAndWhatItAttestedStands(t *testing.T) {
	t.Parallel()
	w := waits(t)
	ctx, right := context.Background(), w.signs(w.Validator, w.first)
	keys, _, err := w.of(w.App).Revoke(ctx, w.Validator, right.PublicKey) // Between showing and signing.
	require.NoError(t, err)
	require.True(t, keys.Keys[0].Revoked)
	w.isRefused(right, "does not sign for you any more")
	_, _, err = w.of(w.App).Revoke(ctx, w.Member, right.PublicKey)
	require.True(t, fault.Is(err, fault.NotFound), "nobody turns another's off")
	_, _, err = w.of(w.App).Register(ctx, w.Validator, w.devices[w.Validator.User].Registers(w.Validator.User))
	require.ErrorContains(t, err, "turned off for ever")
	delete(w.devices, w.Validator.User)
	right = w.signs(w.Validator, w.first)
	require.NoError(t, w.sends(w.Validator, right))
	_, _, err = w.of(w.App).Revoke(ctx, w.Validator, right.PublicKey)
	require.NoError(t, err)
	require.Zero(t, w.violations(), "what it signed before stands")
	require.Equal(t, right.PublicKey, *w.shows(w.Member, w.first).SignedKey)
}

// Only the closing person sees the text to sign.
func TestWhatIsToBeSignedIsShownToWhoeverClosesTheMonth(t *testing.T) {
	t.Parallel()
	w := waits(t)
	require.NotNil(t, w.proof(w.first).Attestation)
	for _, who := range []string{w.Owner.User, w.Member.User} {
		draw, err := w.of(w.App).Draw(context.Background(), who, w.Group, w.first)
		require.NoError(t, err)
		require.Nil(t, draw.Attestation)
	}
}

// Where totals are hidden, a member could test guesses of the figures against the signature, so plain members do not
// get it.
func TestWhereTotalsAreHiddenMembersSeeWhichDeviceSignedAndNoSignature(t *testing.T) {
	t.Parallel()
	w := setup(t, true)
	require.NoError(t, w.closes(w.months(1, 2), w.Validator, w.first))
	w.draws()
	w.marks(w.Validator, "VALIDATED", w.sample(w.Validator)...)
	w.marks(w.Owner, "VALIDATED", w.sample(w.Owner)...)
	require.NoError(t, w.attests(w.Validator, w.first))
	require.Equal(t, w.devices[w.Validator.User].Public(), *w.shows(w.Member, w.first).SignedKey)
	_, err := w.of(w.App).Draw(context.Background(), w.Member.User, w.Group, w.first)
	require.True(t, fault.Is(err, fault.Forbidden))
}

// found returns the findings of the verification of closed months.
func (w *world) found() (said string) {
	w.Helper()
	report, err := audit.Verify(context.Background(), audit.Options{
		Pool: w.Pool, Aggregates: ledger.Aggregates(), NoStream: "not here", Listed: 100, More: []audit.More{months.Check(w.Pool)},
	})
	require.NoError(w, err)
	for _, v := range report.Checks[len(report.Checks)-1].Listed {
		said += v.String() + "\n"
	}
	return said
}

// planted changes the body and the type of the last event of a type, which the product never does, and checks the
// finding.
func (w *world) planted(was, becomes proto.Message, pos int64) (put func()) {
	w.Helper()
	ctx := context.Background()
	set := func(m proto.Message) {
		body, err := proto.Marshal(m)
		require.NoError(w, err)
		tx, err := w.Pool.Begin(ctx)
		require.NoError(w, err)
		_, err = tx.Exec(ctx, "SET LOCAL session_replication_role = replica")
		require.NoError(w, err)
		_, err = tx.Exec(ctx, "UPDATE events SET type = $2, body = $3 WHERE pos = $1", pos, event.TypeOf(m), body)
		require.NoError(w, err)
		require.NoError(w, tx.Commit(ctx))
	}
	set(becomes)
	return func() { set(was) }
}

// recordedAt changes the time at which an event was recorded.
func (w *world) recordedAt(pos int64, at time.Time) {
	w.Helper()
	ctx := context.Background()
	tx, err := w.Pool.Begin(ctx)
	require.NoError(w, err)
	_, err = tx.Exec(ctx, "SET LOCAL session_replication_role = replica")
	require.NoError(w, err)
	_, err = tx.Exec(ctx, "UPDATE events SET recorded_at = $2 WHERE pos = $1", pos, at)
	require.NoError(w, err)
	require.NoError(w, tx.Commit(ctx))
}

func (w *world) at(typ proto.Message) (pos int64) {
	w.Helper()
	require.NoError(w, w.Pool.QueryRow(context.Background(), "SELECT max(pos) FROM events WHERE type = $1", event.TypeOf(typ)).Scan(&pos))
	return pos
}

// A person with control of the database, but not of the phone, changes the attestation, or its signer.
func TestWhoeverOwnsTheDatabaseCannotAttestInAnothersName(t *testing.T) {
	t.Parallel()
	w := waits(t)
	ctx, gone, owners, forged := context.Background(), phones.New(), phones.New(), phones.New()
	_, _, err := w.of(w.App).Register(ctx, w.Validator, gone.Registers(w.Validator.User))
	require.NoError(t, err)
	_, _, err = w.of(w.App).Revoke(ctx, w.Validator, gone.Public())
	require.NoError(t, err)
	_, _, err = w.of(w.App).Register(ctx, w.Owner, owners.Registers(w.Owner.User))
	require.NoError(t, err)
	w.Gives(account.RegisterWitness(w.Owner.User, []byte(strings.Repeat("w", 32))))
	require.NoError(t, w.attests(w.Validator, w.first))
	require.Empty(t, w.found())

	is := recorded[*nairav1.PeriodAttestedV2](w)
	resigned := func(d phones.Phone) func(m *nairav1.PeriodAttestedV2) {
		form := d.Attests(w.proof(w.first))
		return func(m *nairav1.PeriodAttestedV2) {
			m.PublicKey, _ = hex.DecodeString(form.PublicKey)
			m.Signature, _ = hex.DecodeString(form.Signature)
		}
	}
	for says, spoil := range map[string]func(m *nairav1.PeriodAttestedV2){
		"is not what the device of":                   func(m *nairav1.PeriodAttestedV2) { m.Signature[7] ^= 1 },
		"is not what the device of ":                  func(m *nairav1.PeriodAttestedV2) { m.Undone = 1 },
		"is signed by a key that was not registered":  resigned(forged),
		"is signed by a key that was not registered ": resigned(owners),
		"had revoked at position":                     resigned(gone),
		"by another kind of device":                   func(m *nairav1.PeriodAttestedV2) { m.Device = nairav1.DeviceKind_DEVICE_KIND_COMPUTER },
		"no device signed it, though devices sign":    func(m *nairav1.PeriodAttestedV2) { m.PublicKey, m.Signature = nil, nil },
	} {
		m := proto.Clone(is).(*nairav1.PeriodAttestedV2)
		spoil(m)
		put := w.planted(is, m, w.at(is))
		require.Contains(t, w.found(), strings.TrimSpace(says))
		put()
	}
	before := &nairav1.PeriodAttested{
		GroupId: is.GetGroupId(), Month: is.GetMonth(), By: is.GetBy(), Position: is.GetPosition(), Validated: is.GetValidated(), Queried: is.GetQueried(),
		Resolved: is.GetResolved(), Unreviewed: is.GetUnreviewed(), Drawn: is.GetDrawn(), DrawnQueried: is.GetDrawnQueried(), Always: is.GetAlways(), AlwaysQueried: is.GetAlwaysQueried(),
	}
	put := w.planted(is, before, w.at(is))
	require.Contains(t, w.found(), "no device signed it, though devices sign", "as if it were of before")
	put()

	key := recorded[*nairav1.AttestKeyRegistered](w)
	require.Equal(t, w.devices[w.Validator.User].Public(), hex.EncodeToString(key.GetPublicKey()))
	for says, spoil := range map[string]func(m *nairav1.AttestKeyRegistered){
		"did not sign who has it":      func(m *nairav1.AttestKeyRegistered) { m.UserId = w.Owner.User },
		"did not sign who has it ":     func(m *nairav1.AttestKeyRegistered) { m.Signature[0] ^= 1 },
		"was not registered for":       func(m *nairav1.AttestKeyRegistered) { m.PublicKey[0] ^= 1 },
		"watches the ledger and signs": func(m *nairav1.AttestKeyRegistered) { m.PublicKey = []byte(strings.Repeat("w", 32)) },
		"a key is registered again":    func(m *nairav1.AttestKeyRegistered) { again(m, gone, w.Validator.User) },
	} {
		m := proto.Clone(key).(*nairav1.AttestKeyRegistered)
		spoil(m)
		put := w.planted(key, m, w.at(key))
		require.Contains(t, w.found(), strings.TrimSpace(says))
		put()
	}
	require.Empty(t, w.found())
}

// again turns a registration into another device's.
func again(m *nairav1.AttestKeyRegistered, d phones.Phone, user string) {
	form := d.Registers(user)
	m.PublicKey, _ = hex.DecodeString(form.PublicKey)
	m.Signature, _ = hex.DecodeString(form.Signature)
}

// Nor can the validator choose which payments are unusual: that follows from the ledger at the time when the list was
// sealed.
func TestWhatIsLookedAtInAnyCaseFollowsFromTheLedger(t *testing.T) {
	t.Parallel()
	w := setup(t, false)
	for range 3 {
		w.Fund(w.Member.User)
	}
	w.pays(w.On(0, 4), w.Member, 5000)
	w.pays(w.App.At(w.On(0, 4).Now().Add(9*time.Minute)), w.Member, 5000) // Both within ten minutes.
	w.pays(w.On(0, 8), w.Member, 1000)                                    // Far less than before.
	w.Caught()
	w.pays(w.App.At(w.On(0, 3).Now().Add(time.Minute)), w.Owner, 5000) // The read models have not reached it yet, so it is not on the list.
	_, _, err := w.months(1, 2).Close(context.Background(), w.Validator, w.Group, contract.CloseMonthRequest{Month: w.first, MarginPercent: 5})
	require.NoError(t, err)
	is := recorded[*nairav1.MonthSampleNamed](w)
	w.recordedAsDecided(is)
	require.Len(t, is.GetAlways(), 3)
	require.Empty(t, w.found(), "one on the list became unusual before its list was recorded, and after it was read")
	w.pays(w.App.At(w.On(0, 8).Now().Add(time.Minute)), w.Member, 1000) // Recorded late: it makes one on the list unusual after the sealing.
	require.Empty(t, w.found(), "what became unusual after it was sealed")
	for says, spoil := range map[string]func(m *nairav1.MonthSampleNamed){
		"was unusual or a payout, and the list of":  func(m *nairav1.MonthSampleNamed) { m.Always = m.GetAlways()[1:] },
		"was unusual or a payout, and the list of ": func(m *nairav1.MonthSampleNamed) { m.Always = nil },
		"was not unusual, and the list of":          func(m *nairav1.MonthSampleNamed) { m.Always = append([]int64{w.firstPos()}, m.GetAlways()...) },
	} {
		m := proto.Clone(is).(*nairav1.MonthSampleNamed)
		spoil(m)
		put := w.planted(is, m, w.at(is))
		require.Contains(t, w.found(), strings.TrimSpace(says))
		put()
	}
	require.Empty(t, w.found())
}

// firstPos is the position of the group's first contribution.
func (w *world) firstPos() (pos int64) {
	w.Helper()
	require.NoError(w, w.Pool.QueryRow(context.Background(), "SELECT min(pos) FROM rm_contributions WHERE group_id = $1", w.Group).Scan(&pos))
	return pos
}

// Verify also finds the payments that the desk marked as unusual, for late dues and for payments by another member.
func TestLateDuesAndCoversAreUnusualForTheDeskAndForVerify(t *testing.T) {
	t.Parallel()
	w := setup(t, false)
	for range 4 {
		w.Fund(w.Owner.User)
	}
	w.pays(w.On(2, 4), w.Owner, 5000) // For the month before, which has ended.
	w.pays(w.On(2, 5), w.Owner, 5000) // In time.
	_, err := w.On(2, 6).Dues.Cover(context.Background(), w.Owner, contract.CoverRequest{
		SubAccountId: w.Sub, MemberId: w.Member.User, Amount: apptest.Naira(1000), UserId: w.Owner.User,
	})
	require.NoError(t, err)
	w.pays(w.On(2, 7), w.Owner, 16_000) // More than three times their earlier payments.
	begin, _, err := sampling.Span(w.first)
	require.NoError(t, err)
	require.NoError(t, w.closes(w.of(w.App), w.Validator, begin.AddDate(0, 2, 0).Format("2006-01")))
	is := recorded[*nairav1.MonthSampleNamed](w)
	require.EqualValues(t, 4, is.GetPopulation())
	require.Len(t, is.GetAlways(), 3)
	require.Empty(t, w.found())
	for n := range is.GetAlways() {
		m := proto.Clone(is).(*nairav1.MonthSampleNamed)
		m.Always = append(append([]int64{}, is.GetAlways()[:n]...), is.GetAlways()[n+1:]...)
		put := w.planted(is, m, w.at(is))
		require.Contains(t, w.found(), "was unusual or a payout")
		put()
	}
}
