package beacon_test

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/draw"
	"adashi.ng/services/internal/beacon"
	"adashi.ng/services/internal/beacon/sandbox"
)

// now is where the sandbox's clock stands.
var now = time.Date(2026, 4, 20, 0, 0, 0, 0, time.UTC)

// round is the latest that has come then.
const round = 27_946_612

// mirrors are so many servers of one chain.
func mirrors(t *testing.T, n int) (servers []*sandbox.Server, urls []string) {
	t.Helper()
	for range n {
		server, err := sandbox.New("a secret", func() time.Time { return now })
		require.NoError(t, err)
		at := httptest.NewServer(server)
		t.Cleanup(at.Close)
		servers, urls = append(servers, server), append(urls, at.URL)
	}
	return servers, urls
}

func TestARoundIsFetchedAndRight(t *testing.T) {
	t.Parallel()
	servers, urls := mirrors(t, 1)
	c := beacon.New(beacon.Options{Beacon: servers[0].Beacon(), Mirrors: []string{" " + urls[0] + "/"}})
	require.Equal(t, servers[0].Beacon(), c.Beacon())
	require.True(t, c.Beacon().Test, "a beacon of which we hold the key says so")
	for _, n := range []uint64{1, round} {
		signature, err := c.Fetch(t.Context(), n)
		require.NoError(t, err)
		require.NoError(t, c.Beacon().Verify(n, signature))
		require.Error(t, c.Beacon().Verify(n+1, signature))
		require.Error(t, draw.Quicknet.Verify(n, signature))
	}
	require.Error(t, c.Beacon().Verify(0, servers[0].Sign(0)), "no chain has a round 0")
}

// TestABadMirrorIsPassedOver has every mirror but the last one go wrong in its own way.
func TestABadMirrorIsPassedOver(t *testing.T) {
	t.Parallel()
	servers, urls := mirrors(t, 8)
	for i, manner := range []sandbox.Manner{
		{Down: true},
		{Hold: time.Hour},
		{Tells: sandbox.Forged},
		{Tells: sandbox.OtherRound},
		{Tells: sandbox.OtherChain},
		{Tells: sandbox.NoJSON},
		{Tells: sandbox.Huge},
	} {
		servers[i].Behave(manner)
	}
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	options := beacon.Options{Beacon: servers[0].Beacon(), Mirrors: append([]string{closed.URL}, urls...), MirrorTime: time.Second / 2}
	soon, cancel := context.WithTimeout(t.Context(), 8*time.Second) // One that is held up must not hold up the others.
	defer cancel()
	signature, err := beacon.New(options).Fetch(soon, round)
	require.NoError(t, err)
	require.Equal(t, servers[7].Sign(round), signature)

	options.Mirrors = options.Mirrors[:8]
	_, err = beacon.New(options).Fetch(t.Context(), round)
	require.True(t, fault.Is(err, fault.Unavailable))
	require.Contains(t, fault.As(err).Message, "please try again")
	for i, says := range []string{
		"cannot be reached", "no answer in time", "no answer in time", "That is not the beacon of round 27,946,612.",
		"That is not the beacon of round 27,946,612.", "That is not the beacon of round 27,946,612.", "its answer is no round", "larger than we read",
	} {
		require.Regexp(t, options.Mirrors[i]+": [^;]*"+says, err.Error())
	}
}

// TestAMirrorThatLiesAboutItsRoundIsNotBelieved has it answer what no sandbox does.
func TestAMirrorThatLiesAboutItsRoundIsNotBelieved(t *testing.T) {
	t.Parallel()
	servers, _ := mirrors(t, 1)
	good := hex.EncodeToString(servers[0].Sign(round))
	for body, says := range map[string]string{
		fmt.Sprintf(`{"round": %d, "signature": %q}`, round+1, good):   "it answered round 27946613",
		fmt.Sprintf(`{"round": %d, "signature": "%s00"}`, round, good): "That is not the beacon",
		fmt.Sprintf(`{"round": %d, "signature": "no hex"}`, round):     "its signature is not hexadecimal",
		fmt.Sprintf(`{"round": %d}`, round):                            "That is not the beacon",
		fmt.Sprintf(`{"round": -1, "signature": %q}`, good):            "its answer is no round",
		`[]`: "its answer is no round", ``: "its answer is no round", `null`: "it answered round 0",
	} {
		at := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) }))
		t.Cleanup(at.Close)
		_, err := beacon.New(beacon.Options{Beacon: servers[0].Beacon(), Mirrors: []string{at.URL}}).Fetch(t.Context(), round)
		require.ErrorContains(t, err, says, body)
	}
}

func TestARoundThatHasNotComeIsTooEarly(t *testing.T) {
	t.Parallel()
	servers, urls := mirrors(t, 1)
	c := beacon.New(beacon.Options{Beacon: servers[0].Beacon(), Mirrors: urls})
	_, err := c.Fetch(t.Context(), round+1)
	require.ErrorContains(t, err, "it answered 425")
	_, err = c.Fetch(t.Context(), 0)
	require.ErrorContains(t, err, "it answered 404")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = c.Fetch(ctx, round)
	require.ErrorIs(t, err, context.Canceled)
}

func TestTheSandboxTellsItsChain(t *testing.T) {
	t.Parallel()
	servers, urls := mirrors(t, 2)
	b := servers[0].Beacon()
	require.Equal(t, b, servers[1].Beacon(), "one secret is one chain")
	other, err := sandbox.New("another", nil)
	require.NoError(t, err)
	require.NotEqual(t, b.Chain, other.Beacon().Chain)
	response, err := http.Get(urls[0] + "/" + hex.EncodeToString(b.Chain[:]) + "/info")
	require.NoError(t, err)
	defer response.Body.Close()
	var info struct {
		PublicKey string `json:"public_key"`
		GroupHash string `json:"groupHash"`
		Hash      string
		Genesis   int64 `json:"genesis_time"`
		Period    int64
		Metadata  struct{ BeaconID string }
	}
	require.NoError(t, json.NewDecoder(response.Body).Decode(&info))
	group, err := hex.DecodeString(info.GroupHash)
	require.NoError(t, err)
	key, err := hex.DecodeString(info.PublicKey)
	require.NoError(t, err)
	told := draw.Beacon{Name: info.Metadata.BeaconID, PublicKey: key, Genesis: info.Genesis, Period: info.Period, Test: true}
	told.Chain = told.ChainHash([32]byte(group))
	require.Equal(t, b, told)
	require.Equal(t, hex.EncodeToString(b.Chain[:]), info.Hash)
	wrong, err := http.Get(urls[0] + "/" + hex.EncodeToString(draw.Quicknet.Chain[:]) + "/info")
	require.NoError(t, err)
	defer wrong.Body.Close()
	require.Equal(t, http.StatusNotFound, wrong.StatusCode)
}
