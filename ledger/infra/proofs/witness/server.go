package witness

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/durable"
	"adashi.ng/ledger/infra/proofs"
)

// seen is the last checkpoint of an origin that a witness signed.
type seen struct {
	Size int64     `json:"size"`
	Root tlog.Hash `json:"root"`
	Note string    `json:"note"` // As the log signed it: evidence if another history appears.
	// Start is the ledger's signed statement that the origin's epoch began; "" where none was needed.
	Start string `json:"start,omitempty"`
}

// Options configure a witness.
type Options struct {
	Key   *Signer
	Logs  []proofs.Key // The ledgers' keys, whose checkpoints it signs in each epoch.
	State string       // The file with the last checkpoint signed of each origin.
	Now   func() time.Time
}

// Server is a witness. It signs a checkpoint only when it continues the last one that it signed of that ledger, and
// only once that is on its disk. A later epoch must continue the one before, except for what the ledger's key signed as
// given up.
type Server struct {
	opt  Options
	lock *durable.Lock

	mu   sync.Mutex
	last map[string]seen // By origin.
}

// Open reads what a witness last signed. Only one process at a time may use the file.
func Open(opt Options) (*Server, error) {
	if opt.Now == nil {
		opt.Now = clock.System
	}
	s := &Server{opt: opt, last: map[string]seen{}}
	lock, err := durable.TryLock(opt.State+".lock", 0o600)
	if errors.Is(err, durable.ErrLocked) {
		return nil, fmt.Errorf("another witness has %s: two with one state would sign two roots", opt.State)
	}
	if err != nil {
		return nil, err
	}
	s.lock = lock
	raw, err := os.ReadFile(opt.State)
	if err == nil {
		err = json.Unmarshal(raw, &s.last)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, errors.Join(fmt.Errorf("what this witness signed last cannot be read from %s: %w", opt.State, err), s.Close())
	}
	return s, nil
}

// Close releases the file for another process.
func (s *Server) Close() error { return s.lock.Close() }

// Handler answers POST /add-checkpoint and POST /add-epoch.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+PathAdd, answers(s.add))
	mux.HandleFunc("POST "+PathEpoch, answers(s.begins))
	return mux
}

// answers answers a request by its body.
func answers(by func(body string) answer) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, requestBytes))
		if err != nil {
			http.Error(w, errRequest.Error(), http.StatusBadRequest)
			return
		}
		a := by(string(body))
		kind := "text/plain; charset=utf-8"
		if a.size {
			kind = sizeType
		}
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(a.status)
		_, _ = io.WriteString(w, a.body)
	}
}

// answer is a witness's HTTP response.
type answer struct {
	status int
	body   string
	size   bool // The body is a size.
}

func refused(status int, why string) answer { return answer{status: status, body: why + "\n"} }

func conflict(size int64) answer { return answer{http.StatusConflict, fmt.Sprintf("%d\n", size), true} }

// add signs a checkpoint, or answers why not.
func (s *Server) add(body string) answer {
	r, err := decode(body)
	if err != nil {
		return refused(http.StatusBadRequest, err.Error())
	}
	c, bad := s.read(r.Note)
	if bad.status != 0 {
		return bad
	}
	if r.Old > c.Size {
		return refused(http.StatusBadRequest, "the old size is larger than the checkpoint's")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	last, bad := s.before(c)
	switch {
	case bad.status != 0:
		return bad
	case r.Old > c.Size || r.Old != last.Size:
		return conflict(last.Size)
	case last.Size == c.Size && last.Root != c.Root:
		slog.Error("THE LEDGER SIGNED TWO ROOTS OF ONE SIZE: keep both", "origin", c.Origin, "size", c.Size, "first", last.Note, "second", c.Note)
		return conflict(last.Size)
	case !follows(last, c, r.Proof):
		slog.Warn("a checkpoint was not proven to continue the last one", "origin", c.Origin, "last", last.Note, "offered", c.Note)
		return refused(http.StatusUnprocessableEntity, "the proof does not lead from the old tree to the checkpoint")
	}
	if own := s.last[c.Origin]; own.Size < c.Size {
		if err := s.keep(c.Origin, seen{c.Size, c.Root, c.Note, own.Start}); err != nil {
			slog.Error("nothing is signed: the state is not on the disk", "error", err)
			return refused(http.StatusInternalServerError, "the witness could not keep what it saw")
		}
	}
	return answer{status: http.StatusOK, body: s.opt.Key.Line(s.opt.Key.Sign(textOf(c.Note), s.opt.Now()))}
}

// textOf is the signed text of a note.
func textOf(signed string) string {
	text, _, _ := strings.Cut(signed, "\n\n")
	return text + "\n"
}

// read verifies a checkpoint with the keys of the logs; an answer with status 0 means success.
func (s *Server) read(signed string) (c proofs.Checkpoint, bad answer) {
	origin, _, _ := strings.Cut(signed, "\n")
	var verifiers []note.Verifier
	for _, key := range s.opt.Logs {
		if name, _, ok := cutLast(origin, "/e"); ok && name == key.Name() {
			verifiers = append(verifiers, key.Verifier())
		}
	}
	if len(verifiers) == 0 {
		return c, refused(http.StatusNotFound, "this witness does not watch that origin")
	}
	c, err := proofs.ParseCheckpoint(signed, verifiers)
	var unsigned *note.UnverifiedNoteError
	var wrong *note.InvalidSignatureError
	switch {
	case errors.As(err, &unsigned), errors.As(err, &wrong):
		return c, refused(http.StatusForbidden, "no key that this witness knows signed that checkpoint")
	case err != nil:
		return c, refused(http.StatusBadRequest, "this is no checkpoint")
	}
	return c, answer{}
}

func cutLast(s, sep string) (before, after string, ok bool) {
	at := strings.LastIndex(s, sep)
	if at < 0 {
		return s, "", false
	}
	return s[:at], s[at+len(sep):], true
}

// follows reports whether a proof leads from the last tree to a checkpoint's.
func follows(last seen, c proofs.Checkpoint, proof tlog.TreeProof) bool {
	if last.Size == 0 || last.Size == c.Size {
		return len(proof) == 0
	}
	return tlog.CheckTree(proof, c.Size, c.Root, last.Size, last.Root) == nil
}

// keep saves the last checkpoint seen of an origin before the witness signs it, so that a witness never forgets what it
// signed, even if the process ends in between.
func (s *Server) keep(origin string, last seen) error {
	next := maps.Clone(s.last)
	next[origin] = last
	raw, err := json.MarshalIndent(next, "", "  ")
	if err != nil {
		return err
	}
	if err := durable.WriteFile(s.opt.State, append(raw, '\n'), 0o600); err != nil {
		return err
	}
	s.last = next
	return nil
}
