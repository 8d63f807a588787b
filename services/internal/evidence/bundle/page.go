package bundle

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // The page's parts.
	"encoding/base64"
	"encoding/json"
	"html"

	"adashi.ng/ledger/base/money"
)

var (
	//go:embed page.html
	frame string
	//go:embed page.css
	style string
	//go:embed page.js
	parts string
	//go:embed dispute.js
	told string
	//go:embed seen.js
	seen string
)

// script is the page's script. It runs once the whole page is loaded.
var script = "\"use strict\";\nconst TABLES = " + tables() + ";\n" + parts + told + seen + "main();\n"

// around is the page before and after its content. Only this script and this style may run in it, and it may fetch
// nothing.
var around = func() (parts [2][]byte) {
	hash := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	policy := "default-src 'none'; script-src " + hash(script) + "; style-src " + hash(style) + "; base-uri 'none'; form-action 'none'"
	page := []byte(frame)
	for name, text := range map[string]string{"POLICY": policy, "STYLE": style, "SCRIPT": script} {
		page = bytes.Replace(page, []byte("{{"+name+"}}"), []byte(text), 1)
	}
	before, after, _ := bytes.Cut(page, []byte("{{EVIDENCE}}"))
	return [2][]byte{before, after}
}()

// Page writes the page of a bundle.
func Page(b Bundle) ([]byte, error) {
	raw, err := json.Marshal(b) // It escapes <, > and &, so that nothing in it ends the element.
	if err != nil {
		return nil, err
	}
	number := []byte(html.EscapeString(b.Dispute.Number))
	return bytes.Join([][]byte{bytes.ReplaceAll(around[0], []byte("{{NUMBER}}"), number), []byte(opens), raw, []byte(closes), around[1]}, nil), nil
}

func kobo(n int64) money.Kobo { return money.Kobo(n) }
