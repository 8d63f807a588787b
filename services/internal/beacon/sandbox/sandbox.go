// Package sandbox is a beacon of our own for tests and the demo. It speaks drand's HTTP API and signs as quicknet does,
// with a key that this machine holds: who runs it knows every round before it comes, so its draws prove nothing, and
// its Beacon says so.
//
//	GET /{chainhash}/info             the chain
//	GET /{chainhash}/public/{round}   a round; 425 before its time
package sandbox

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cloudflare/circl/sign/bls"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/domain/draw"
)

const (
	chainName = "adashi-test-beacon"
	keyDomain = "adashi.ng/sandbox-beacon/v1"
	hugeBytes = 2 << 20 // More than anybody reads of a round.
)

// group stands where drand has the hash of the servers that make up a chain; ours has none.
var group = sha256.Sum256([]byte(keyDomain))

// Manner is how the beacon goes wrong. The zero value is one at its best.
type Manner struct {
	Down  bool          // It breaks every call off.
	Hold  time.Duration // How long an answer takes.
	Tells Telling
}

// Telling is what it tells of a round.
type Telling string

// What it may tell: the truth, or something that a client must not take.
const (
	Truth      Telling = ""
	Forged     Telling = "forged"      // The signature with one bit changed.
	OtherRound Telling = "other round" // The signature of the round before.
	OtherChain Telling = "other chain" // The round as another key signs it.
	NoJSON     Telling = "no json"
	Huge       Telling = "huge"
)

// Server is the beacon. It is safe for concurrent use.
type Server struct {
	beacon draw.Beacon
	key    *bls.PrivateKey[bls.KeyG2SigG1]
	other  *bls.PrivateKey[bls.KeyG2SigG1]
	now    clock.Clock

	mu     sync.Mutex
	manner Manner
}

// New makes a beacon of which the key follows from a secret: one secret is one chain. Now is clock.System when nil.
func New(secret string, now clock.Clock) (*Server, error) {
	key, err := keyOf(secret)
	if err != nil {
		return nil, err
	}
	other, err := keyOf("not " + secret)
	if err != nil {
		return nil, err
	}
	if now == nil {
		now = clock.System
	}
	b := draw.Beacon{Name: chainName, Genesis: draw.Quicknet.Genesis, Period: draw.Quicknet.Period, Test: true}
	if b.PublicKey, err = key.PublicKey().MarshalBinary(); err != nil {
		return nil, err
	}
	b.Chain = b.ChainHash(group)
	return &Server{beacon: b, key: key, other: other, now: now}, nil
}

func keyOf(secret string) (*bls.PrivateKey[bls.KeyG2SigG1], error) {
	material := sha256.Sum256([]byte(secret))
	return bls.KeyGen[bls.KeyG2SigG1](material[:], nil, []byte(keyDomain))
}

// Beacon is the chain that it serves.
func (s *Server) Beacon() draw.Beacon { return s.beacon }

// Behave sets how it answers from now on.
func (s *Server) Behave(m Manner) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.manner = m
}

// Sign answers the signature of a round, whether it has come or not.
func (s *Server) Sign(round uint64) []byte { return bls.Sign(s.key, draw.Message(round)) }

// ServeHTTP implements http.Handler, at the root.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	manner := s.manner
	s.mu.Unlock()
	if manner.Down {
		panic(http.ErrAbortHandler) // Which ends the connection without an answer.
	}
	if manner.Hold > 0 {
		late := time.NewTimer(manner.Hold)
		defer late.Stop()
		select {
		case <-late.C:
		case <-r.Context().Done():
			return
		}
	}
	path, ours := strings.CutPrefix(r.URL.Path, "/"+hex.EncodeToString(s.beacon.Chain[:]))
	number, public := strings.CutPrefix(path, "/public/")
	round, err := strconv.ParseUint(number, 10, 64)
	switch {
	case !ours:
		http.NotFound(w, r)
	case path == "/info":
		s.info(w)
	case !public || err != nil || round == 0:
		http.NotFound(w, r)
	case round > s.beacon.Round(s.now()):
		http.Error(w, "Requested future beacon", http.StatusTooEarly)
	default:
		s.round(w, round, manner.Tells)
	}
}

func (s *Server) info(w http.ResponseWriter) {
	b := s.beacon
	reply(w, map[string]any{
		"public_key": hex.EncodeToString(b.PublicKey), "period": b.Period, "genesis_time": b.Genesis,
		"hash": hex.EncodeToString(b.Chain[:]), "groupHash": hex.EncodeToString(group[:]),
		"schemeID": "bls-unchained-g1-rfc9380", "metadata": map[string]any{"beaconID": b.Name},
	})
}

func (s *Server) round(w http.ResponseWriter, round uint64, tells Telling) {
	signature := s.Sign(round)
	switch tells {
	case Truth:
	case Forged:
		signature[len(signature)-1] ^= 1
	case OtherRound:
		signature = s.Sign(round - 1)
	case OtherChain:
		signature = bls.Sign(s.other, draw.Message(round))
	case NoJSON:
		write(w, "<html>Bad gateway</html>")
		return
	case Huge:
		write(w, strings.Repeat(" ", hugeBytes))
	}
	randomness := sha256.Sum256(signature)
	reply(w, map[string]any{"round": round, "randomness": hex.EncodeToString(randomness[:]), "signature": hex.EncodeToString(signature)})
}

func reply(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(value); err != nil {
		slog.Debug("sandbox beacon: reply not sent", "error", err)
	}
}

func write(w io.Writer, text string) {
	if _, err := io.WriteString(w, text); err != nil {
		slog.Debug("sandbox beacon: reply not sent", "error", err)
	}
}
