package httpapi_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v5"
	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/services/internal/httpapi"
)

func (api) GetStates(c *echo.Context) error {
	return httpapi.OK(c, strings.Split(strings.Repeat("Lagos,", 500), ","))
}

// Live answers in parts that may not wait for each other.
func (api) Live(c *echo.Context, _ contract.LiveParams) error {
	_, err := io.WriteString(c.Response(), strings.Repeat("data: {}\n\n", 500))
	return err
}

func TestLongAnswersToReadsAreCompressedForWhoTakesIt(t *testing.T) {
	t.Parallel()
	handler := router(t)
	get := func(path, takes string) *httptest.ResponseRecorder {
		request := httptest.NewRequest(http.MethodGet, path, http.NoBody)
		request.Header.Set("Authorization", "Bearer ada")
		request.Header.Set("Accept-Encoding", takes)
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, request)
		return recorder
	}
	plain, small := get("/api/Utility/GetStates", ""), get("/api/Utility/GetStates", "gzip, deflate, br")
	require.Empty(t, plain.Header().Get("Content-Encoding"))
	require.Equal(t, "gzip", small.Header().Get("Content-Encoding"))
	require.Equal(t, "api", small.Header().Get("X-Adashi"))
	require.Less(t, small.Body.Len(), plain.Body.Len()/10)
	reader, err := gzip.NewReader(small.Body)
	require.NoError(t, err)
	body, err := io.ReadAll(reader)
	require.NoError(t, err)
	require.Equal(t, plain.Body.String(), string(body))

	for what, answer := range map[string]*httptest.ResponseRecorder{
		"a short one":      get("/api/Utility/GetMonths", "gzip"),
		"a refusal":        get("/api/v1/activity/poor", "gzip"),
		"a broken handler": get("/api/v1/activity/panic", "gzip"),
		"the stream":       get("/api/live", "gzip"),
		"a page":           get("/", "gzip"),
	} {
		require.Empty(t, answer.Header().Get("Content-Encoding"), what)
		require.NotEmpty(t, answer.Body.String(), what)
	}
	require.Equal(t, http.StatusInternalServerError, get("/api/v1/activity/panic", "gzip").Code)
}
