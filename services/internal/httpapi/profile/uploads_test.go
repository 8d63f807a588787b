package profile_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"
)

func picture(t *testing.T) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, png.Encode(&out, image.NewRGBA(image.Rect(0, 0, 60, 40))))
	return out.String()
}

// part is a part of a form.
type part struct{ name, file, data string }

func (b *bundle) uploads(as string, parts ...part) reply {
	b.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for _, p := range parts {
		header := textproto.MIMEHeader{"Content-Disposition": {fmt.Sprintf(`form-data; name=%q`, p.name)}}
		if p.file != "" {
			header = textproto.MIMEHeader{"Content-Disposition": {fmt.Sprintf(`form-data; name=%q; filename=%q`, p.name, p.file)}, "Content-Type": {"image/png"}}
		}
		out, err := w.CreatePart(header)
		require.NoError(b, err)
		_, err = out.Write([]byte(p.data))
		require.NoError(b, err)
	}
	require.NoError(b, w.Close())
	request, err := http.NewRequest(http.MethodPost, b.base+"/api/file/profile", &body)
	require.NoError(b, err)
	request.Header.Set("Content-Type", w.FormDataContentType())
	return b.do(request, as)
}

func TestUploadsAndWhoSeesThem(t *testing.T) {
	t.Parallel()
	b := setup(t, false)
	b.joins("ada", "Obi", 30)
	b.joins("bisi", "Ade", 30)
	b.joins("eve", "Obi", 30)
	kind := part{"kind", "", "profile"}
	for name, c := range map[string]struct {
		parts  []part
		status int
		field  string
	}{
		"an SVG that says PNG": {[]part{kind, {"file", "a.png", "<svg xmlns='http://www.w3.org/2000/svg'/>"}}, 400, "file"},
		"HTML":                 {[]part{{"kind", "", "document"}, {"file", "a.pdf", "<html>"}}, 400, "file"},
		"no file":              {[]part{kind}, 400, "file"},
		"no kind":              {[]part{{"file", "a.png", picture(t)}}, 400, "kind"},
		"another kind":         {[]part{{"kind", "", "passport"}, {"file", "a.png", picture(t)}}, 400, "kind"},
		"two files":            {[]part{kind, {"file", "a.png", picture(t)}, {"file", "b.png", picture(t)}}, 400, "file"},
		"one more field":       {[]part{kind, {"userId", "", "x"}, {"file", "a.png", picture(t)}}, 400, "userId"},
		"too large":            {[]part{kind, {"file", "a.png", strings.Repeat("x", 5<<20+1)}}, 413, "file"},
		"far too large":        {[]part{kind, {"file", "a.png", strings.Repeat("x", 6<<20)}}, 413, ""},
	} {
		r := b.uploads("ada", c.parts...)
		require.Equal(t, c.status, r.status, "%s: %s", name, r.Message)
		require.Equal(t, c.field, r.field(), name)
	}
	require.Equal(t, 401, b.uploads("nobody", kind, part{"file", "a.png", picture(t)}).status)
	other := strings.Repeat("x", 70<<10)
	require.Equal(t, 413, b.ask("ada", "POST", update, filled("ada", form{"address": other})).status, "other calls take no more than before")

	var stored contract.StoredFile
	r := b.uploads("ada", kind, part{"file", "../../../etc/cron.d/canary.svg", picture(t)})
	require.Equal(t, 200, r.status, r.Message)
	require.NoError(t, json.Unmarshal(r.ReturnedObject, &stored))
	require.NotContains(t, string(r.body), "canary", "the name is not kept")
	require.Equal(t, contract.StoredFileKindProfile, stored.Kind)
	get := func(as string) reply { return b.ask(as, "GET", stored.Url, nil) }
	require.Equal(t, 404, get("bisi").status, "it is not the avatar yet")
	require.Equal(t, 400, b.ask("eve", "POST", "/api/Account/ChangeAvatar", filled("eve", form{"image": stored.Id})).status, "another's picture")
	require.Equal(t, 400, b.ask("ada", "POST", "/api/Account/SaveOfferLetter", filled("ada", form{"document": stored.Id})).status, "a picture is no document")
	require.Equal(t, stored.Url, b.ok("ada", "POST", "/api/Account/ChangeAvatar", filled("ada", form{"image": stored.Id}))["avatar"])
	seen := get("bisi")
	require.Equal(t, 200, seen.status)
	for header, value := range map[string]string{
		"Content-Type": "image/jpeg", "Content-Disposition": "attachment", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store",
	} {
		require.Equal(t, value, seen.header.Get(header))
	}
	require.Equal(t, 404, get("eve").status)
	gone := b.ok("ada", "POST", "/api/Account/ChangeAvatar", filled("ada", form{"image": ""}))
	require.Nil(t, gone["avatar"])
	require.Equal(t, 404, get("ada").status, "what is not shown any more is not kept")
	for _, path := range []string{"/api/v1/files/..%2f..%2fetc%2fpasswd", "/api/v1/files/0199a000-0000-7000-8000-000000000001"} {
		require.Equal(t, 404, b.ask("ada", "GET", path, nil).status, path)
	}
}
