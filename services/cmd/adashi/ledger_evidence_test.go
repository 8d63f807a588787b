package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"

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

	for _, file := range []string{"", "{}", "[]", "null", "a page", `{"shown": 7}`, strings.Repeat(" ", 2<<20)} {
		path := filepath.Join(folder, "no")
		require.NoError(t, os.WriteFile(path, []byte(file), 0o600))
		h.refuses("not the evidence that a watching device saves", "ledger", "evidence", "compare", path)
	}
}
