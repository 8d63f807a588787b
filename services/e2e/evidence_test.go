package e2e

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"

	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/services/internal/config"
	"adashi.ng/services/internal/evidence/bundle"
)

func TestAMemberDownloadsTheEvidenceOfADisputeAndNobodyElseDoes(t *testing.T) {
	t.Parallel()
	i := own(t)
	bisi, other := somebody(t, i, "Bisi").funded(500), somebody(t, i, "Chidi")
	opened := must[object](bisi, "POST", disputesPath, claims(700, nil))
	path := disputesPath + "/" + opened["id"].(string) + "/bundle"
	require.Equal(t, 404, other.ask("GET", path, nil).status)
	page, response := bisi.file(path)
	require.Equal(t, 200, response.StatusCode)
	require.Equal(t, `attachment; filename="adashi-evidence-`+strings.ToLower(opened["number"].(string))+`.html"`, response.Header.Get("Content-Disposition"))
	b, err := bundle.Read(page)
	require.NoError(t, err)
	keys := must[[]object](other, "GET", "/api/Ledger/keys", nil)
	key, err := proofs.ParseKey(keys[0]["key"].(string))
	require.NoError(t, err)
	checked, err := bundle.Check(b, []note.Verifier{key.Verifier()})
	require.NoError(t, err)
	require.NotEmpty(t, checked.Records)
	require.NotContains(t, string(page), "Bisi")
}

func TestTheEvidenceSaysWhoSawTheLedgerAndContinuesWhatTheDeviceSawFirst(t *testing.T) {
	t.Parallel()
	i := own(t)
	c := settled(t, i)
	c.member.sealedText(0)
	first, err := i.App.Activity.Proofs.Latest(context.Background())
	require.NoError(t, err)
	w := newWatcher(c.validator.stepsUp())
	require.Equal(t, 200, w.registers().status)
	opened := must[object](c.member, "POST", disputesPath, object{"kind": "WRONG_MONTH", "words": "It went to the wrong month.", "groupId": c.group})
	path := disputesPath + "/" + opened["id"].(string) + "/bundle"
	given := func(note string) string { return path + "?checkpoint=" + url.QueryEscape(note) }
	text, size := w.sealedText(first.Size)
	require.Equal(t, 200, w.ask("POST", cosignatures, w.cosigns(text, time.Now())).status)
	c.member.funded(100)
	w.sealedText(size)
	outsider, push := witnessOf(t, i)
	require.NoError(t, push.Push(context.Background()))

	page, response := c.member.file(given(first.Note))
	require.Equal(t, 200, response.StatusCode, "%s", page)
	b, err := bundle.Read(page)
	require.NoError(t, err)
	checked, err := bundle.Check(b, keysOf(t, i).Verifiers())
	require.NoError(t, err)
	require.Equal(t, first.Note, checked.Phone.Note)
	require.Len(t, checked.Witnesses, 2)
	require.Equal(t, []string{"OUTSIDER", outsider.String()}, []string{checked.Witnesses[0].By, checked.Witnesses[0].Key})
	require.Equal(t, []any{"DEVICE", w.public(), size}, []any{checked.Witnesses[1].By, checked.Witnesses[1].Key, checked.Witnesses[1].Size})
	for _, of := range []string{c.validator.id, c.validator.email, "Chidi"} {
		require.NotContains(t, string(page), of, "whose device it is")
	}

	secrets, err := config.Config{Data: i.Config.Data}.Secrets()
	require.NoError(t, err)
	signer, err := note.NewSigner(secrets.LedgerKey)
	require.NoError(t, err)
	signed := func(size int64) string {
		root := base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, 32))
		other, err := note.Sign(&note.Note{Text: fmt.Sprintf("%s\n%d\n%s\n", first.Origin, size, root)}, signer)
		require.NoError(t, err)
		return string(other)
	}
	for name, c409 := range map[string]string{"another history": signed(first.Size), "larger than the head": signed(1 << 40)} {
		raw, response := c.member.file(given(c409))
		require.Equal(t, 409, response.StatusCode, name)
		var said struct {
			Message        string
			ReturnedObject struct{ Field string }
		}
		require.NoError(t, json.Unmarshal(raw, &said))
		require.Contains(t, said.Message, "there are two histories", name)
		require.Equal(t, "checkpoint", said.ReturnedObject.Field, name)
	}
	for name, none := range map[string]string{
		"no checkpoint": "x", "unsigned": text + "\n", "one byte": strings.Replace(first.Note, "\n", "0\n", 1), "long": strings.Repeat("x", 2000),
	} {
		raw, response := c.member.file(given(none))
		require.Equal(t, 400, response.StatusCode, name)
		require.Contains(t, string(raw), "no checkpoint that this ledger's key signed", name)
	}
	for none, status := range map[string]int{"\xff\x00\n\n": 400, strings.Repeat("x", 20<<10): 400, strings.Repeat("x", 2<<20): 431} {
		_, response = c.member.file(given(none))
		require.Equal(t, status, response.StatusCode)
	}
	_, response = c.member.file(path + "?checkpoint=")
	require.Equal(t, 200, response.StatusCode)
}
