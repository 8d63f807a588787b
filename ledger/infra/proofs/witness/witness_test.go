package witness_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/proofs/witness"
)

const origin = "example.ng/ledger/e1"

// history is a ledger's tree, all of it in memory.
type history struct {
	t      *testing.T
	signer note.Signer
	key    proofs.Key
	hashes []tlog.Hash
	size   int64
}

func newHistory(t *testing.T) *history {
	t.Helper()
	private, public, err := proofs.GenerateKey("example.ng/ledger")
	require.NoError(t, err)
	signer, err := note.NewSigner(private)
	require.NoError(t, err)
	key, err := proofs.ParseKey(public)
	require.NoError(t, err)
	return &history{t: t, signer: signer, key: key}
}

// ReadHashes implements tlog.HashReader.
func (h *history) ReadHashes(at []int64) (found []tlog.Hash, err error) {
	for _, i := range at {
		found = append(found, h.hashes[i])
	}
	return found, nil
}

func (h *history) grow(what string, n int) *history {
	for range n {
		added, err := tlog.StoredHashes(h.size, fmt.Appendf(nil, "%s %d", what, h.size), h)
		require.NoError(h.t, err)
		h.hashes = append(h.hashes, added...)
		h.size++
	}
	return h
}

// parted is another history of the same ledger, equal up to now.
func (h *history) parted() *history {
	other := *h
	other.hashes = append([]tlog.Hash{}, h.hashes...)
	return &other
}

func (h *history) root(size int64) tlog.Hash {
	root, err := tlog.TreeHash(size, h)
	require.NoError(h.t, err)
	return root
}

func (h *history) signedBy(signer note.Signer, origin string, size int64) string {
	root := h.root(size)
	signed, err := note.Sign(&note.Note{Text: fmt.Sprintf("%s\n%d\n%s\n", origin, size, root)}, signer)
	require.NoError(h.t, err)
	return string(signed)
}

func (h *history) checkpoint() proofs.Checkpoint {
	c, err := proofs.ParseCheckpoint(h.signedBy(h.signer, origin, h.size), []note.Verifier{h.key.Verifier()})
	require.NoError(h.t, err)
	return c
}

func (h *history) proof(from int64) tlog.TreeProof {
	if from == 0 || from == h.size {
		return nil
	}
	proof, err := tlog.ProveTree(h.size, from, h)
	require.NoError(h.t, err)
	return proof
}

// body asks for the newest checkpoint to be signed after an old size.
func (h *history) body(old int64) string {
	text := fmt.Sprintf("old %d\n", old)
	for _, hash := range h.proof(old) {
		text += hash.String() + "\n"
	}
	return text + "\n" + h.checkpoint().Note
}

// opened is a witness of a ledger, with its state in a file.
func opened(t *testing.T, file string, h *history) (*witness.Signer, *witness.Server) {
	t.Helper()
	key, err := witness.NewSigner("witness.example/w1")
	require.NoError(t, err)
	server, err := witness.Open(witness.Options{Key: key, Logs: []proofs.Key{h.key}, State: file})
	require.NoError(t, err)
	return key, server
}

func served(t *testing.T, s *witness.Server) string {
	t.Helper()
	http := httptest.NewServer(s.Handler())
	t.Cleanup(http.Close)
	return http.URL
}

func post(t *testing.T, url, body string) (*http.Response, string) {
	t.Helper()
	reply, err := http.Post(url+witness.PathAdd, "text/plain", strings.NewReader(body))
	require.NoError(t, err)
	defer func() { _ = reply.Body.Close() }()
	raw, err := io.ReadAll(reply.Body)
	require.NoError(t, err)
	return reply, string(raw)
}

func ask(t *testing.T, url string, key *witness.Signer, h *history, old int64) ([]byte, error) {
	t.Helper()
	return witness.Ask(context.Background(), http.DefaultClient, url, &key.Verifier, old, h.proof(old), h.checkpoint())
}

// The example of the specification: other implementations can read ours, and ours theirs.
func TestTheKeyAndTheSignatureAreThoseOfTheSpecification(t *testing.T) {
	t.Parallel()
	key, err := witness.NewSigner("witness.example/w1")
	require.NoError(t, err)
	back, err := witness.ParseVerifier(key.String())
	require.NoError(t, err)
	again, err := witness.ParseSigner(key.Secret())
	require.NoError(t, err)
	require.Equal(t, key.String(), again.String())
	text, at := "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n", time.Unix(1679315147, 0)
	line := key.Line(key.Sign(text, at))
	found := back.Find(text, line)
	require.Len(t, found, 72)
	require.True(t, witness.TimeOf(found).Equal(at))
	require.Nil(t, back.Find(strings.Replace(text, "20852163", "20852164", 1), line))
	found[7]++
	require.False(t, back.Verify([]byte(text), found), "the time is signed too")
	require.False(t, back.Verify([]byte(text), found[:71]))
	private, public, err := proofs.GenerateKey("witness.example/w1")
	require.NoError(t, err)
	for _, wrong := range []string{"", "a", "a+b+c", public, key.Secret(), key.String() + "A", private} {
		_, err := witness.ParseVerifier(wrong)
		require.ErrorIs(t, err, witness.ErrKey, "%q", wrong)
	}
	for _, wrong := range []string{"", private, key.String()} {
		_, err := witness.ParseSigner(wrong)
		require.ErrorIs(t, err, witness.ErrKey)
	}
}

func TestAWitnessSignsWhatContinuesWhatItSigned(t *testing.T) {
	t.Parallel()
	h := newHistory(t).grow("record", 5)
	file := filepath.Join(t.TempDir(), "state")
	key, server := opened(t, file, h)
	url := served(t, server)
	signed := int64(0)
	for _, grown := range []int{0, 0, 1, 300} { // The second asks again for the same.
		h.grow("record", grown)
		signature, err := ask(t, url, key, h, signed)
		require.NoError(t, err)
		require.WithinDuration(t, time.Now(), witness.TimeOf(signature), time.Minute)
		signed = h.size
	}
	reply, body := post(t, url, h.body(0))
	require.Equal(t, http.StatusConflict, reply.StatusCode)
	require.Equal(t, "306\n", body)
	require.Equal(t, "text/x.tlog.size", reply.Header.Get("Content-Type"))

	// A restarted witness remembers what it signed, and no two witnesses share one state file.
	_, err := witness.Open(witness.Options{Key: key, Logs: []proofs.Key{h.key}, State: file})
	require.ErrorContains(t, err, "another witness has")
	require.NoError(t, server.Close())
	again, err := witness.Open(witness.Options{Key: key, Logs: []proofs.Key{h.key}, State: file})
	require.NoError(t, err)
	var elsewhere *witness.Elsewhere
	_, err = ask(t, served(t, again), key, h, 0)
	require.ErrorAs(t, err, &elsewhere)
	require.EqualValues(t, 306, elsewhere.Size)
}

func TestAWitnessRefusesAsTheSpecificationSays(t *testing.T) {
	t.Parallel()
	h := newHistory(t).grow("record", 7)
	stranger := newHistory(t).grow("record", 7)
	_, server := opened(t, filepath.Join(t.TempDir(), "state"), h)
	url := served(t, server)
	good := h.body(0)
	for name, c := range map[string]struct {
		status int
		body   string
	}{
		"nothing":                  {400, ""},
		"no old line":              {400, strings.TrimPrefix(good, "old 0\n")},
		"a leading zero":           {400, strings.Replace(good, "old 0", "old 00", 1)},
		"a negative size":          {400, strings.Replace(good, "old 0", "old -1", 1)},
		"a hash that is none":      {400, strings.Replace(good, "old 0\n", "old 0\nabc\n", 1)},
		"64 hashes":                {400, strings.Replace(good, "old 0\n", "old 0\n"+strings.Repeat(h.root(7).String()+"\n", 64), 1)},
		"too long":                 {400, good + strings.Repeat("x", 40<<10)},
		"an old size beyond":       {400, strings.Replace(good, "old 0", "old 8", 1)},
		"another origin":           {404, "old 0\n\n" + h.signedBy(h.signer, "example.ng/other/e1", 7)},
		"another's signature":      {403, "old 0\n\n" + stranger.signedBy(stranger.signer, origin, 7)},
		"a wrong signature":        {403, strings.Replace(good, "\n7\n", "\n6\n", 1)},
		"a proof from nothing":     {422, strings.Replace(good, "old 0\n", "old 0\n"+base64.StdEncoding.EncodeToString(make([]byte, 32))+"\n", 1)},
		"a size it has not signed": {409, strings.Replace(good, "old 0", "old 3", 1)},
	} {
		reply, body := post(t, url, c.body)
		require.Equal(t, c.status, reply.StatusCode, "%s: %s", name, body)
	}
	reply, _ := post(t, url, good)
	require.Equal(t, http.StatusOK, reply.StatusCode, "nothing of that was remembered")
}

func TestAWitnessThatSawOneHistoryRefusesTheOther(t *testing.T) {
	t.Parallel()
	one := newHistory(t).grow("record", 6)
	file := filepath.Join(t.TempDir(), "state")
	key, server := opened(t, file, one)
	url := served(t, server)
	other := one.parted()
	one.grow("shown to Ada", 3)
	other.grow("shown to Bisi", 3)
	_, err := ask(t, url, key, one, 0)
	require.NoError(t, err)
	before, err := os.ReadFile(file)
	require.NoError(t, err)

	_, err = ask(t, url, key, other, 9)
	require.ErrorIs(t, err, witness.ErrRefused, "another root of the same size")
	_, err = ask(t, url, key, other.grow("shown to Bisi", 2), 9)
	require.ErrorIs(t, err, witness.ErrRefused, "a larger tree that does not continue it")
	after, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(before), string(after), "and what it saw stays")
	_, err = ask(t, url, key, one.grow("shown to Ada", 1), 9)
	require.NoError(t, err)
}

func TestOfTwoRootsAtOnceAWitnessSignsOne(t *testing.T) {
	t.Parallel()
	one := newHistory(t).grow("record", 4)
	_, server := opened(t, filepath.Join(t.TempDir(), "state"), one)
	url := served(t, server)
	bodies := []string{}
	for n := range 8 {
		bodies = append(bodies, one.parted().grow(fmt.Sprint("shown to ", n), 2).body(0))
	}
	statuses := make([]int, len(bodies))
	var all sync.WaitGroup
	for n, body := range bodies {
		all.Go(func() {
			reply, err := http.Post(url+witness.PathAdd, "text/plain", strings.NewReader(body))
			if err == nil {
				statuses[n] = reply.StatusCode
				_ = reply.Body.Close()
			}
		})
	}
	all.Wait()
	signed := 0
	for _, status := range statuses {
		if status == http.StatusOK {
			signed++
		} else {
			require.Equal(t, http.StatusConflict, status)
		}
	}
	require.Equal(t, 1, signed)
}

func TestNothingIsSignedThatIsNotKept(t *testing.T) {
	t.Parallel()
	h := newHistory(t).grow("record", 4)
	dir := t.TempDir()
	file := filepath.Join(dir, "state")
	_, server := opened(t, file, h)
	url := served(t, server)
	require.NoError(t, os.Mkdir(file, 0o700)) // The witness cannot write its file under this name.
	reply, body := post(t, url, h.body(0))
	require.Equal(t, http.StatusInternalServerError, reply.StatusCode)
	require.NotContains(t, body, "—")
	require.NoError(t, os.Remove(file))
	reply, _ = post(t, url, h.body(0))
	require.Equal(t, http.StatusOK, reply.StatusCode)
	require.FileExists(t, file)
}

func TestAnUnreadableStateStopsTheWitness(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	file := filepath.Join(t.TempDir(), "state")
	require.NoError(t, os.WriteFile(file, []byte("{"), 0o600))
	key, err := witness.NewSigner("w")
	require.NoError(t, err)
	for range 2 { // The second finds the lock free.
		_, err = witness.Open(witness.Options{Key: key, State: file, Logs: []proofs.Key{h.key}})
		require.ErrorContains(t, err, "cannot be read")
	}
}
