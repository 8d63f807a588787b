package e2e

import (
	"bytes"
	"cmp"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"

	"adashi.ng/ledger"
	"adashi.ng/ledger/infra/audit"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/proofs/witness"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/config"
	"adashi.ng/services/internal/witnesses"
)

const (
	witnessKeys  = "/api/v1/witness/keys"
	cosignatures = "/api/v1/witness/cosignatures"
)

// watcher is a device that watches the ledger: its owner and its key.
type watcher struct {
	*person
	key ed25519.PrivateKey
}

func newWatcher(p *person) watcher {
	_, key, err := ed25519.GenerateKey(nil)
	require.NoError(p, err)
	return watcher{p, key}
}

func (w watcher) public() string { return hex.EncodeToString(w.key.Public().(ed25519.PublicKey)) }

func (w watcher) registers() reply {
	return w.ask("POST", witnessKeys, object{"publicKey": w.public()})
}

// cosigns signs a checkpoint's text as it is, at a time.
func (w watcher) cosigns(text string, at time.Time) object {
	blob := binary.BigEndian.AppendUint64(nil, uint64(at.Unix()))
	blob = append(blob, ed25519.Sign(w.key, fmt.Appendf(nil, "cosignature/v1\ntime %d\n%s", at.Unix(), text))...)
	return object{"publicKey": w.public(), "checkpoint": text, "signature": base64.StdEncoding.EncodeToString(blob)}
}

// sealedText is the text of the newest checkpoint, once it has more than so many records.
func (p *person) sealedText(more int64) (text string, size int64) {
	p.Helper()
	require.Eventually(p, func() bool {
		request, err := http.NewRequest(http.MethodGet, p.base+"/api/Ledger/checkpoint", nil)
		require.NoError(p, err)
		request.Header.Set("X-Forwarded-For", fromAnywhere())
		response, err := client.Do(request)
		require.NoError(p, err)
		defer func() { _ = response.Body.Close() }()
		raw, err := io.ReadAll(response.Body)
		require.NoError(p, err)
		text, _, _ = strings.Cut(string(raw), "\n\n")
		if _, err := fmt.Sscanf(text, "%s\n%d", new(string), &size); err != nil {
			return false
		}
		return size > more
	}, time.Minute, 20*time.Millisecond)
	return text + "\n", size
}

func (p *person) seen(query string) (all []object) {
	p.Helper()
	for _, one := range must[object](p, "GET", cosignatures+query, nil)["cosignatures"].([]any) {
		all = append(all, one.(object))
	}
	return all
}

// by is what a device's cosignature is called to somebody; empty where it is not shown.
func (w watcher) by(p *person, query string) string {
	for _, one := range p.seen(query) {
		if one["publicKey"] == w.public() {
			return one["by"].(string)
		}
	}
	return ""
}

func TestAValidatorsDeviceSignsWhatItSawOfTheLedger(t *testing.T) {
	t.Parallel()
	i := product(t)
	c := settled(t, i)
	w := newWatcher(c.validator)
	require.Equal(t, "STEP_UP", w.registers().ReturnedCode)
	stranger := newWatcher(c.member.stepsUp())
	require.Equal(t, 403, stranger.registers().status, "who validates nothing watches nothing")
	require.Equal(t, false, must[object](c.member, "GET", witnessKeys, nil)["mayWatch"])
	text, size := w.sealedText(0)
	require.Equal(t, 409, w.ask("POST", cosignatures, w.cosigns(text, time.Now())).status, "it is not registered yet")
	w.stepsUp()
	for _, wrong := range []string{"", "00", strings.Repeat("g", 64), "04" + strings.Repeat("00", 64)} {
		require.Equal(t, 400, w.ask("POST", witnessKeys, object{"publicKey": wrong}).status, "%q", wrong)
	}
	first := w.ask("POST", witnessKeys, object{"publicKey": w.public()}, "Idempotency-Key", "a-retry-of-one")
	require.Equal(t, 200, first.status, first.Message)
	require.Equal(t, 200, w.ask("POST", witnessKeys, object{"publicKey": w.public()}, "Idempotency-Key", "a-retry-of-one").status, "a retry")
	require.Equal(t, 409, w.registers().status)

	now := time.Now()
	for name, wrong := range map[string]object{
		"of another root":   w.cosigns(strings.Replace(text, fmt.Sprintf("\n%d\n", size), fmt.Sprintf("\n%d\n", size+1), 1), now),
		"of no checkpoint":  w.cosigns("nothing", now),
		"a size beyond":     w.cosigns("a\n99999999999999999999\nb\n", now),
		"in the future":     w.cosigns(text, now.Add(2*time.Minute)),
		"long ago":          w.cosigns(text, now.Add(-2*time.Hour)),
		"at no time":        w.cosigns(text, time.Unix(-1, 0)),
		"by another's key":  {"publicKey": w.public(), "checkpoint": text, "signature": stranger.cosigns(text, now)["signature"]},
		"no signature":      {"publicKey": w.public(), "checkpoint": text, "signature": "AAAA"},
		"not even base64":   {"publicKey": w.public(), "checkpoint": text, "signature": "\u0000"},
		"the line is moved": {"publicKey": w.public(), "checkpoint": text + "\n", "signature": w.cosigns(text, now)["signature"]},
	} {
		require.Equal(t, 400, w.ask("POST", cosignatures, wrong).status, name)
	}
	require.Empty(t, w.by(c.member, "?position=1"), "nothing of that was kept")
	other := newWatcher(c.member)
	require.Equal(t, 409, other.ask("POST", cosignatures, w.cosigns(text, now)).status, "another's device is not theirs")

	signed := w.cosigns(text, now)
	require.Equal(t, 200, w.ask("POST", cosignatures, signed).status)
	require.Equal(t, 200, w.ask("POST", cosignatures, signed).status, "a replay keeps nothing anew")
	key := must[object](w.person, "GET", witnessKeys, nil)["keys"].([]any)[0].(object)
	require.EqualValues(t, size, key["size"])
	in, of := fmt.Sprintf("?position=%d", size), "&groupId="+c.group
	require.Equal(t, "MINE", w.by(c.validator, in+of))
	require.Equal(t, "VALIDATOR_OF_GROUP", w.by(c.member, in+of))
	require.Equal(t, "VALIDATOR", w.by(c.member, in), "whose device it is they are not told")
	require.Empty(t, w.by(c.member, fmt.Sprintf("?position=%d", size+1)), "what came later it has not seen")
	outsider := somebody(t, i, "Zainab")
	require.Equal(t, 404, outsider.ask("GET", cosignatures+in+of, nil).status)
	require.Equal(t, "VALIDATOR", w.by(outsider, in))
	for _, bad := range []string{"", "?position=0", "?position=x", in + "&groupId=x"} {
		require.Contains(t, []int{400, 404}, c.member.ask("GET", cosignatures+bad, nil).status, bad)
	}

	c.member.funded(100)
	later, larger := w.sealedText(size)
	require.Equal(t, 200, w.ask("POST", cosignatures, w.cosigns(later, time.Now())).status)
	require.Equal(t, "VALIDATOR", w.by(c.member, fmt.Sprintf("?position=%d", larger)))
	require.Equal(t, 200, w.ask("POST", cosignatures, signed).status, "a replay of what is kept changes nothing")
	require.EqualValues(t, larger, must[object](w.person, "GET", witnessKeys, nil)["keys"].([]any)[0].(object)["size"])

	require.Equal(t, 404, c.member.ask("POST", witnessKeys+"/revoke", object{"publicKey": w.public()}).status, "nobody turns another's off")
	require.Equal(t, [][3]any{{"WATCHES", w.public(), nil}}, exportedKeys(w.person, false))
	must[object](w.person, "POST", witnessKeys+"/revoke", object{"publicKey": w.public()})
	require.Equal(t, [][3]any{{"WATCHES", w.public(), nil}}, exportedKeys(w.person, true))
	require.Equal(t, 409, w.ask("POST", cosignatures, w.cosigns(later, time.Now())).status)
	require.Equal(t, 409, w.registers().status, "it never comes back")
	require.Equal(t, "VALIDATOR", w.by(c.member, in), "what it signed before still counts")
}

// keysOf are the keys of an instance's ledger.
func keysOf(t testing.TB, i *boot.Instance) proofs.Keys {
	t.Helper()
	secrets, err := config.Config{Data: i.Config.Data}.Secrets()
	require.NoError(t, err)
	keys, err := i.Config.LedgerKeys(secrets)
	require.NoError(t, err)
	return keys
}

// witnessOf runs a witness of an instance's ledger, and what asks it.
func witnessOf(t testing.TB, i *boot.Instance) (*witness.Signer, *witnesses.Pusher) {
	t.Helper()
	key, err := witness.NewSigner("witness.example/w1")
	require.NoError(t, err)
	public, err := proofs.ParseKey(keysOf(t, i).Current.Public())
	require.NoError(t, err)
	server, err := witness.Open(witness.Options{Key: key, Logs: []proofs.Key{public}, State: filepath.Join(t.TempDir(), "state")})
	require.NoError(t, err)
	t.Cleanup(func() { _ = server.Close() })
	serves := httptest.NewServer(server.Handler())
	t.Cleanup(serves.Close)
	outsiders, err := witnesses.ParseOutsiders(" " + serves.URL + "  " + key.String() + " , ")
	require.NoError(t, err)
	return key, &witnesses.Pusher{Service: i.App.Witnesses, Outsiders: outsiders}
}

func TestAnOutsiderSignsWhatTheLedgerSealed(t *testing.T) {
	t.Parallel()
	i, ctx := product(t), context.Background()
	p := somebody(t, i, "Ada").funded(100) // Something is sealed.
	key, push := witnessOf(t, i)
	w := watcher{p, nil}
	covers := func(size int64) bool {
		for _, one := range w.seen(fmt.Sprintf("?position=%d", size)) {
			if one["publicKey"] == hex.EncodeToString(key.Public()) {
				require.Equal(t, []any{"OUTSIDER", "witness.example/w1"}, []any{one["by"], one["name"]})
				raw, err := base64.StdEncoding.DecodeString(one["signature"].(string))
				require.NoError(t, err)
				require.True(t, key.Verify([]byte(one["checkpoint"].(string)), raw))
				return true
			}
		}
		return false
	}
	_, size := p.sealedText(0)
	require.NoError(t, push.Push(ctx))
	require.True(t, covers(size))
	somebody(t, i, "Bisi").funded(100)
	_, size = p.sealedText(size)
	// Who knows nothing of what was signed, such as another process, is told by the witness.
	again := &witnesses.Pusher{Service: push.Service, Outsiders: push.Outsiders}
	require.NoError(t, again.Push(ctx))
	require.True(t, covers(size))
	somebody(t, i, "Bisi").funded(100)
	_, size = p.sealedText(size)
	require.NoError(t, again.Push(ctx))
	require.True(t, covers(size))

	down := httptest.NewServer(http.NotFoundHandler())
	outsiders, err := witnesses.ParseOutsiders(down.URL + " " + key.String())
	require.NoError(t, err)
	down.Close()
	require.NoError(t, (&witnesses.Pusher{Service: push.Service, Outsiders: outsiders}).Push(ctx), "whatever becomes of a witness, the job goes on")
	for _, wrong := range []string{"x", "https://a", "ftp://a " + key.String(), "https://a " + key.Secret(), "https://a b c"} {
		_, err := witnesses.ParseOutsiders(wrong)
		require.ErrorContains(t, err, "ADASHI_WITNESSES")
		require.NotContains(t, err.Error(), "PRIVATE")
	}
}

// The ledger's own key signs another history, of as many records or more, and an outsider sees that first.
func TestAnOutsiderWhoSawAnotherHistoryIsHeard(t *testing.T) {
	t.Parallel()
	i, ctx := product(t), context.Background()
	p := somebody(t, i, "Ada").funded(100) // Something is sealed.
	secrets, err := config.Config{Data: i.Config.Data}.Secrets()
	require.NoError(t, err)
	signer, err := note.NewSigner(secrets.LedgerKey)
	require.NoError(t, err)
	text, size := p.sealedText(0)
	first, _, _ := strings.Cut(text, "\n")
	for _, forged := range []int64{1, size, 1 << 40} {
		key, push := witnessOf(t, i)
		other, err := note.Sign(&note.Note{Text: fmt.Sprintf("%s\n%d\n%s\n", first, forged, base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, 32)))}, signer)
		require.NoError(t, err)
		seen, err := proofs.ParseCheckpoint(string(other), keysOf(t, i).Verifiers())
		require.NoError(t, err)
		_, err = witness.Ask(ctx, http.DefaultClient, push.Outsiders[0].URL, &key.Verifier, 0, nil, seen)
		require.NoError(t, err)
		require.ErrorIs(t, push.Push(ctx), witness.ErrRefused, "of size %d", forged)
		for _, one := range p.seen("?position=1") {
			require.NotEqual(t, hex.EncodeToString(key.Public()), one["publicKey"])
		}
		require.NoError(t, push.Push(ctx), "it is not asked again at once")
	}
}

// violations are what verifying the ledger says of what witnesses signed, of one of them.
func violations(t *testing.T, i *boot.Instance, who string) (said string) {
	t.Helper()
	report, err := audit.Verify(context.Background(), audit.Options{
		Pool: i.Pool, Keys: keysOf(t, i), Aggregates: ledger.Aggregates(), NoStream: "not here", Listed: 100, More: []audit.More{witnesses.Check(i.Pool, keysOf(t, i))},
	})
	require.NoError(t, err)
	check := report.Checks[len(report.Checks)-1]
	require.Equal(t, "witnesses", check.Name)
	for _, v := range check.Listed {
		if strings.Contains(v.String(), who) {
			said += v.String() + "\n"
		}
	}
	return said
}

// Two honest witnesses who were shown two histories have the proof of it between them.
func TestVerifyFindsThatTheLedgerShowedTwoHistories(t *testing.T) {
	t.Parallel()
	i, ctx := product(t), context.Background()
	p := somebody(t, i, "Ada").funded(100) // Something is sealed.
	honest, push := witnessOf(t, i)
	text, size := p.sealedText(0)
	require.NoError(t, push.Push(ctx))
	require.Empty(t, violations(t, i, "witness.example/w1"))
	lines := strings.Split(text, "\n")
	keep := func(name string, at int64, root []byte, signature func(*witness.Signer) []byte) string {
		key, err := witness.NewSigner(name)
		require.NoError(t, err)
		insert := "INSERT INTO witness_cosignatures (public_key, name, user_id, origin, size, root, signature, kept_at) VALUES ($1, $2, $3, $4, $5, $6, $7, now())"
		user := ""
		if strings.HasPrefix(name, "device") {
			name, user = "", p.id
		}
		_, err = i.Pool.Exec(ctx, insert, key.Public(), name, user, lines[0], at, root, signature(key))
		require.NoError(t, err)
		said := violations(t, i, cmp.Or(name, "device "+hex.EncodeToString(key.Public())[:16]))
		_, err = i.Pool.Exec(ctx, "DELETE FROM witness_cosignatures WHERE public_key = $1", key.Public())
		require.NoError(t, err)
		return said
	}
	forged := bytes.Repeat([]byte{7}, 32)
	of := func(size int64, root []byte) func(*witness.Signer) []byte {
		text := fmt.Sprintf("%s\n%d\n%s\n", lines[0], size, base64.StdEncoding.EncodeToString(root))
		return func(k *witness.Signer) []byte { return k.Sign(text, time.Now()) }
	}
	theirs := p.seen(fmt.Sprintf("?position=%d", size))
	at := int64(0)
	for _, one := range theirs {
		if one["publicKey"] == hex.EncodeToString(honest.Public()) {
			at = int64(one["size"].(float64))
		}
	}
	require.Positive(t, at)
	said := keep("witness.example/w2", at, forged, of(at, forged))
	require.Regexp(t, "Two roots of size .* The ledger showed two histories", said)
	require.Contains(t, said, fmt.Sprintf("another tree of size %d than this database leads to", at))
	require.Contains(t, keep("witness.example/w3", 1<<40, forged, of(1<<40, forged)), "and the ledger ends at")
	root, err := base64.StdEncoding.DecodeString(lines[2])
	require.NoError(t, err)
	require.Contains(t, keep("witness.example/w4", size, root, func(*witness.Signer) []byte { return make([]byte, 72) }), "not that of its key")
	require.Empty(t, keep("witness.example/w5", size, root, of(size, root)))
	require.Contains(t, keep("device/x", size, root, of(size, root)), "does not say that this device watches")
}
