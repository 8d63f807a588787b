package main

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"

	"adashi.ng/ledger/infra/proofs/witness"
	"adashi.ng/services/internal/evidence/bundle"
	"adashi.ng/services/internal/witnesses"
)

// forged is a checkpoint that this ledger's own key signed, of a tree that its database never had.
func (h *installation) forged(size int) string {
	h.Helper()
	signer, err := note.NewSigner(os.Getenv("ADASHI_LEDGER_KEY"))
	require.NoError(h, err)
	text, err := note.Sign(&note.Note{Text: fmt.Sprintf("adashi.ng/ledger/e1\n%d\nBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=\n", size)}, signer)
	require.NoError(h, err)
	return string(text)
}

func TestWhatAWatchingDeviceSavedIsHeldAgainstTheDatabase(t *testing.T) {
	h := installed(t)
	h.kept()
	folder := t.TempDir()
	saved := func(before, shown string) string {
		t.Helper()
		raw, err := json.Marshal(witnesses.Evidence{Device: "ab12", Before: before, Shown: shown})
		require.NoError(t, err)
		path := filepath.Join(folder, "evidence.json")
		require.NoError(t, os.WriteFile(path, raw, 0o600))
		return path
	}
	compare := func(before, shown string) (string, error) {
		t.Helper()
		return h.run("ledger", "evidence", "compare", saved(before, shown))
	}
	ours := h.says("", "ledger", "checkpoint")
	said, err := compare(ours, ours)
	require.NoError(t, err, said)
	require.Contains(t, said, "This ledger leads to both.")

	said, err = compare(ours, h.forged(19))
	require.ErrorContains(t, err, "does not lead to all")
	require.Regexp(t, "before by device ab12: .* this database leads to it", said)
	require.Regexp(t, "Shown then: size 19 .* signed by this ledger's key. It signed another tree of size 19 than this database leads to", said)
	said, err = compare(h.forged(900), ours)
	require.ErrorContains(t, err, "does not lead to all")
	require.Contains(t, said, "It signed a tree of size 900, and the ledger ends at")
	said, err = compare("", strings.Replace(ours, "adashi.ng/ledger/e1", "adashi.ng/ledger/e2", 1))
	require.ErrorContains(t, err, "does not lead to all")
	require.Contains(t, said, "not signed by this ledger's key")
	require.NotContains(t, said, "before", "it had signed none")

	raw, err := json.Marshal(witnesses.Evidence{Before: ours, Shown: h.forged(19)})
	require.NoError(t, err)
	path := filepath.Join(folder, "evidence.json")
	require.NoError(t, os.WriteFile(path, raw, 0o600))
	said, err = h.run("ledger", "evidence", "compare", path)
	require.ErrorContains(t, err, "does not lead to all")
	require.Contains(t, said, "Seen first by a member's device: size")

	for _, file := range []string{"", "{}", "[]", "null", "a page", `{"shown": 7}`, strings.Repeat(" ", 2<<20)} {
		path := filepath.Join(folder, "no")
		require.NoError(t, os.WriteFile(path, []byte(file), 0o600))
		h.refuses("not the evidence that a device saves", "ledger", "evidence", "compare", path)
	}
}

// saved writes a page with one text in place of another.
func saved(t *testing.T, page []byte, was, is string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.html")
	require.NoError(t, os.WriteFile(file, []byte(strings.ReplaceAll(string(page), was, is)), 0o600))
	return file
}

func TestEvidenceOfADisputeTellsGivenKeysOfWitnessesFromThoseOfTheLedgersWord(t *testing.T) {
	h := installed(t)
	page := filepath.Join("..", "..", "internal", "evidence", "testdata", "v3.html")
	raw, err := os.ReadFile(page)
	require.NoError(t, err)
	b, err := bundle.Read(raw)
	require.NoError(t, err)
	outsider, device := b.Seen.Witnesses[0].Key, b.Seen.Witnesses[1].Key
	verify := func(file string, args ...string) (string, error) {
		return h.run(append([]string{"ledger", "evidence", "verify", file, "--key", b.Keys[0]}, args...)...)
	}
	said, err := verify(page)
	require.NoError(t, err)
	require.Contains(t, said, outsider+" (an outside witness, says the ledger): size 31 ")
	require.Contains(t, said, "with 7 of the 11 events")
	require.Contains(t, said, device+" (a validator's device, says the ledger): size 36 ")
	require.Regexp(t, "The member's device saw first size 28 of .*, and the ledger continues it", said)
	said, err = verify(page, "--witness", outsider, "--witness", device)
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(said, "(you gave this key)"))
	other := strings.Repeat("ab", 32)
	_, err = verify(page, "--witness", outsider, "--witness", other)
	require.ErrorContains(t, err, "nothing in this file is signed by the witness that you gave, "+other)
	_, err = verify(page, "--json", "--witness", other)
	require.ErrorContains(t, err, "nothing in this file is signed")
	for _, none := range []string{"x", strings.ToUpper(device), outsider + "x", "w+1+AA=="} {
		_, err = verify(page, "--witness", none)
		require.ErrorContains(t, err, "the key of a witness cannot be used", none)
	}
	_, public, _ := strings.Cut(outsider, "+")
	inHex, err := bundle.NewWitness(outsider)
	require.NoError(t, err)
	said, err = verify(page, "--witness", hex.EncodeToString(inHex.Public()))
	require.NoError(t, err)
	require.Contains(t, said, outsider+" (you gave this key)")
	renamed, err := witness.NewVerifier("bank.example/w1", inHex.Public()) // The same key under another name.
	require.NoError(t, err)
	_, err = verify(saved(t, bytes.ReplaceAll(raw, []byte(public), []byte(strings.SplitN(renamed.String(), "+", 2)[1])), "witness.example/w1+", "bank.example/w1+"), "--witness", outsider)
	require.ErrorContains(t, err, "nothing in this file is signed by the witness that you gave, "+outsider)
	wrong := bytes.Replace(raw, []byte(`"signature":"AAAAA`), []byte(`"signature":"AAAAB`), 1)
	require.NotEqual(t, raw, wrong)
	_, err = verify(saved(t, wrong, "", ""))
	require.ErrorContains(t, err, "the signature of witness witness.example/w1 is wrong")

	second, err := os.ReadFile(filepath.Join(filepath.Dir(page), "v2.html"))
	require.NoError(t, err)
	older, err := bundle.Read(second)
	require.NoError(t, err)
	said, err = h.run("ledger", "evidence", "verify", filepath.Join(filepath.Dir(page), "v2.html"), "--key", older.Keys[0])
	require.NoError(t, err)
	require.Contains(t, said, "does not say who has seen the ledger")
}

// A file of 2 GB is not read into memory.
func TestAFileThatIsFarTooLargeIsRefusedInASentence(t *testing.T) {
	h := installed(t)
	large := filepath.Join(t.TempDir(), "large")
	require.NoError(t, os.WriteFile(large, []byte(`{"format":`), 0o600))
	require.NoError(t, os.Truncate(large, 2<<30))
	_, key, err := note.GenerateKey(rand.Reader, "adashi.ng/ledger")
	require.NoError(t, err)
	for _, command := range [][]string{
		{"evidence", "verify", large, "--key", key},
		{"receipt", "verify", large, "--key", key},
		{"liabilities", "verify", large, "--root", strings.Repeat("ab", 32)},
		{"evidence", "compare", large},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := h.run(append([]string{"ledger"}, command...)...)
		runtime.ReadMemStats(&after)
		require.EqualError(t, err, "the file is larger than 32 MB: this is not a file that Adashi wrote", command)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(256<<20), command)
	}
}

func TestEvidenceOfAnotherHouseIsRefused(t *testing.T) {
	h := installed(t)
	_, other, err := note.GenerateKey(rand.Reader, "other.example/ledger")
	require.NoError(t, err)
	page := filepath.Join("..", "..", "internal", "evidence", "testdata", "v3.html")
	raw, err := os.ReadFile(page)
	require.NoError(t, err)
	b, err := bundle.Read(raw)
	require.NoError(t, err)
	name, _, _ := strings.Cut(b.Keys[0], "+")
	_, namesake, err := note.GenerateKey(rand.Reader, name) // Of the same name, and another key.
	require.NoError(t, err)
	for _, key := range []string{other, namesake} {
		_, err = h.run("ledger", "evidence", "verify", page, "--key", key)
		require.ErrorContains(t, err, "the evidence does not verify: its checkpoint: not a checkpoint that a known key signed", key)
	}
}
