package webui

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

func serve(t *testing.T) http.Handler {
	t.Helper()
	handler, err := New(fstest.MapFS{
		"index.html":           {Data: []byte("<title>Adashi</title>" + strings.Repeat(" ", 500))},
		"sw.js":                {Data: []byte("// worker")},
		"manifest.webmanifest": {Data: []byte("{}")},
		"assets/app-1a2b.js":   {Data: []byte(strings.Repeat("let a = 1;\n", 200))},
		"assets/font.woff2":    {Data: []byte("wOF2")},
		".gitkeep":             {},
	})
	require.NoError(t, err)
	return handler
}

func get(t *testing.T, method, target string, header ...string) *http.Response {
	t.Helper()
	request := httptest.NewRequest(method, target, nil)
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	recorder := httptest.NewRecorder()
	serve(t).ServeHTTP(recorder, request)
	return recorder.Result()
}

func text(t *testing.T, response *http.Response) string {
	t.Helper()
	raw, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return string(raw)
}

func TestFilesHaveTheirTypesAndCaches(t *testing.T) {
	t.Parallel()
	for target, want := range map[string][2]string{
		"/":                     {"text/html; charset=utf-8", "no-cache"},
		"/index.html":           {"text/html; charset=utf-8", "no-cache"},
		"/sw.js":                {"text/javascript; charset=utf-8", "no-cache"},
		"/manifest.webmanifest": {"application/manifest+json", "no-cache"},
		"/assets/app-1a2b.js":   {"text/javascript; charset=utf-8", "public, max-age=31536000, immutable"},
		"/assets/font.woff2":    {"font/woff2", "public, max-age=31536000, immutable"},
	} {
		response := get(t, "GET", target)
		require.Equal(t, 200, response.StatusCode, target)
		require.Equal(t, want[0], response.Header.Get("Content-Type"), target)
		require.Equal(t, want[1], response.Header.Get("Cache-Control"), target)
	}
}

func TestTheAppsOwnRoutesAreTheIndex(t *testing.T) {
	t.Parallel()
	for _, target := range []string{"/dashboard/wallet/", "/savings/join-group/0199", "/no/such/page", "/../etc"} {
		response := get(t, "GET", target)
		require.Equal(t, 200, response.StatusCode, target)
		require.Contains(t, text(t, response), "<title>Adashi</title>")
	}
}

func TestUnknownFilesAreNotFound(t *testing.T) {
	t.Parallel()
	for _, target := range []string{"/assets/gone-9.js", "/assets/x", "/favicon.ico", "/.gitkeep", "/../webui.go"} {
		require.Equal(t, 404, get(t, "GET", target).StatusCode, target)
	}
}

func TestGzipForWhoTakesIt(t *testing.T) {
	t.Parallel()
	response := get(t, "GET", "/assets/app-1a2b.js", "Accept-Encoding", "br, gzip;q=0.8")
	require.Equal(t, "gzip", response.Header.Get("Content-Encoding"))
	require.Equal(t, "Accept-Encoding", response.Header.Get("Vary"))
	reader, err := gzip.NewReader(response.Body)
	require.NoError(t, err)
	plain, err := io.ReadAll(reader)
	require.NoError(t, err)
	require.Len(t, plain, 11*200)
	for _, refused := range []string{"", "br", "gzip;q=0"} {
		require.Empty(t, get(t, "GET", "/assets/app-1a2b.js", "Accept-Encoding", refused).Header.Get("Content-Encoding"))
	}
	require.Empty(t, get(t, "GET", "/assets/font.woff2", "Accept-Encoding", "gzip").Header.Get("Content-Encoding"))
}

func TestHeadAndNotModified(t *testing.T) {
	t.Parallel()
	head := get(t, "HEAD", "/assets/app-1a2b.js")
	require.Equal(t, "2200", head.Header.Get("Content-Length"))
	require.Empty(t, text(t, head))
	again := get(t, "GET", "/assets/app-1a2b.js", "If-None-Match", head.Header.Get("ETag"))
	require.Equal(t, 304, again.StatusCode)
}

func TestNotBuiltSaysHow(t *testing.T) {
	t.Parallel()
	handler, err := New(fstest.MapFS{".gitkeep": {}})
	require.NoError(t, err)
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, httptest.NewRequest("GET", "/login", nil))
	require.Contains(t, recorder.Body.String(), "./scripts/up")
}

func TestAFolderHasItsOwnPage(t *testing.T) {
	t.Parallel()
	handler, err := New(fstest.MapFS{
		"index.html": {Data: []byte("the app")}, "docs/index.html": {Data: []byte("the contract")}, "docs/openapi.yaml": {Data: []byte("openapi: 3.0.3")},
	})
	require.NoError(t, err)
	for address, want := range map[string]string{"/docs": "the contract", "/docs/": "the contract", "/docs/openapi.yaml": "openapi: 3.0.3", "/doc": "the app"} {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, address, nil))
		require.Equal(t, want, w.Body.String(), address)
	}
}
