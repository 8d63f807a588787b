// Package webui serves the built web app out of the binary: hashed assets that never change, an index and a service
// worker that are always asked for anew, and the index for every address that the app itself routes.
package webui

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
)

//go:embed all:dist
var embedded embed.FS

// types are by extension, ours and fixed: what the machine's own tables say differs from one to the next.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".mjs": "text/javascript; charset=utf-8",
	".css": "text/css; charset=utf-8", ".json": "application/json", ".map": "application/json",
	".webmanifest": "application/manifest+json", ".svg": "image/svg+xml", ".png": "image/png", ".ico": "image/x-icon",
	".jpg": "image/jpeg", ".webp": "image/webp", ".avif": "image/avif", ".woff2": "font/woff2", ".txt": "text/plain; charset=utf-8",
	".xml": "application/xml", ".wasm": "application/wasm", ".yaml": "application/yaml",
}

// compressible are those that gzip makes smaller.
var compressible = map[string]bool{
	".html": true, ".js": true, ".mjs": true, ".css": true, ".json": true, ".map": true, ".webmanifest": true, ".svg": true,
	".txt": true, ".xml": true, ".wasm": true, ".yaml": true,
}

// file is one of the app's, ready to send.
type file struct {
	kind   string
	etag   string
	cache  string
	plain  []byte
	zipped []byte // Nil when it would not be smaller.
}

// app is the whole build in memory.
type app struct {
	files map[string]file // By path without a leading slash.
	index file
}

// Handler serves the embedded build; without one, a page that says how to build it. It is made once a process.
var Handler = sync.OnceValues(func() (http.Handler, error) {
	dist, err := fs.Sub(embedded, "dist")
	if err != nil {
		return nil, fmt.Errorf("webui: %w", err)
	}
	return New(dist)
})

// New serves a build: a folder with index.html at its top.
func New(dist fs.FS) (http.Handler, error) {
	a := app{files: make(map[string]file)}
	err := fs.WalkDir(dist, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(path.Base(name), ".") {
			return err
		}
		raw, err := fs.ReadFile(dist, name)
		if err != nil {
			return err
		}
		a.files[name], err = prepare(name, raw)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("webui: %w", err)
	}
	index, built := a.files["index.html"]
	if !built {
		return http.HandlerFunc(notBuilt), nil
	}
	a.index = index
	return a, nil
}

func prepare(name string, raw []byte) (file, error) {
	extension := strings.ToLower(path.Ext(name))
	kind, known := types[extension]
	if !known {
		kind = "application/octet-stream"
	}
	sum := sha256.Sum256(raw)
	f := file{kind: kind, etag: `"` + hex.EncodeToString(sum[:12]) + `"`, cache: "no-cache", plain: raw}
	if strings.HasPrefix(name, "assets/") {
		f.cache = "public, max-age=31536000, immutable"
	}
	if !compressible[extension] {
		return f, nil
	}
	var zipped bytes.Buffer
	writer, err := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	if err != nil {
		return f, err
	}
	if _, err := writer.Write(raw); err != nil {
		return f, err
	}
	if err := writer.Close(); err != nil {
		return f, err
	}
	if zipped.Len() < len(raw) {
		f.zipped = zipped.Bytes()
	}
	return f, nil
}

func (a app) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	f, found := a.files[name]
	if !found {
		f, found = a.files[name+"/index.html"] // A folder's own page, such as /docs.
	}
	switch {
	case found:
	case strings.HasPrefix(name, "assets/"), path.Ext(name) != "":
		w.Header().Set("Cache-Control", "no-store")
		http.Error(w, "There is no such file.", http.StatusNotFound)
		return
	default:
		f = a.index // The app routes it, its not-found page too.
	}
	f.send(w, r)
}

func (f file) send(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Type", f.kind)
	header.Set("Cache-Control", f.cache)
	header.Set("ETag", f.etag)
	body := f.plain
	if f.zipped != nil {
		header.Set("Vary", "Accept-Encoding")
		if acceptsGzip(r.Header.Get("Accept-Encoding")) {
			header.Set("Content-Encoding", "gzip")
			header.Set("ETag", strings.TrimSuffix(f.etag, `"`)+`-gz"`)
			body = f.zipped
		}
	}
	if match := r.Header.Get("If-None-Match"); match != "" && strings.Contains(match, strings.Trim(header.Get("ETag"), `"`)) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // A browser that has gone is no error.
	}
}

// acceptsGzip reads the header's list; q=0 is a no.
func acceptsGzip(header string) bool {
	for part := range strings.SplitSeq(header, ",") {
		coding, quality, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.EqualFold(strings.TrimSpace(coding), "gzip") {
			quality = strings.ReplaceAll(quality, " ", "")
			return quality != "q=0" && !strings.HasPrefix(quality, "q=0.0")
		}
	}
	return false
}

// notBuilt is all there is before the web app was built into dist.
func notBuilt(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Adashi</title></head>
<body><main><h1>Adashi</h1><p>The web app is not built into this binary. Run <code>./scripts/up</code>, which builds and starts everything.</p></main></body></html>
`))
}
