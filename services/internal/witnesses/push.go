package witnesses

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/proofs/witness"
)

func sizeOf(text string) (int64, bool) {
	lines := strings.Split(text, "\n")
	if len(lines) != 4 {
		return 0, false
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	return size, err == nil && size > 0
}

const (
	askTimeMax = 10 * time.Second
	backOffMax = 5 * time.Minute
)

// Outsider is a witness whose server the ledger calls.
type Outsider struct {
	URL string
	Key *witness.Verifier
}

// ParseOutsiders reads ADASHI_WITNESSES: an address and a key each, between commas.
func ParseOutsiders(text string) (all []Outsider, err error) {
	for part := range strings.SplitSeq(text, ",") {
		fields := strings.Fields(part)
		if len(fields) == 0 {
			continue
		}
		if len(fields) != 2 || !strings.HasPrefix(fields[0], "http://") && !strings.HasPrefix(fields[0], "https://") {
			return nil, errors.New("ADASHI_WITNESSES must be witnesses between commas, each its address, a space and its public key: https://witness.example name+hash+base64")
		}
		key, err := witness.ParseVerifier(fields[1])
		if err != nil {
			return nil, fmt.Errorf("ADASHI_WITNESSES: the key of %s: %w", fields[0], err)
		}
		all = append(all, Outsider{fields[0], key})
	}
	return all, nil
}

// Pusher has outsiders sign what the ledger sealed. It is beside the sealer: whatever becomes of a witness, sealing and
// payments go on.
type Pusher struct {
	Service   *Service
	Outsiders []Outsider
	Client    *http.Client // http.DefaultClient when nil.

	mu    sync.Mutex
	stand map[string]*standing // By address.
}

// standing is how it goes with a witness.
type standing struct {
	signed checkpoint
	failed int
	pause  time.Duration // Before it is asked again,
	asked  clock.Watch   // since it was asked last.
}

type checkpoint struct {
	origin string
	size   int64
}

// Push asks each outsider for its signature of the latest checkpoint. It is a job, and safe to repeat. It fails when
// an outsider saw another history, or does not watch the ledger's epoch.
func (p *Pusher) Push(ctx context.Context) error {
	latest, err := p.Service.Proofs.Latest(ctx)
	if errors.Is(err, proofs.ErrNone) {
		return nil
	}
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stand == nil {
		p.stand = map[string]*standing{}
	}
	var all sync.WaitGroup
	refused := make(chan error, len(p.Outsiders))
	for _, o := range p.Outsiders {
		st := p.stand[o.URL]
		if st == nil {
			st = &standing{}
			p.stand[o.URL] = st
		}
		if st.asked.Took() < st.pause || st.signed == (checkpoint{latest.Origin, latest.Size}) {
			continue
		}
		all.Go(func() {
			err := p.ask(ctx, o, st, latest)
			if err == nil {
				st.failed, st.pause = 0, 0
				return
			}
			st.failed++
			st.asked, st.pause = clock.Start(), min(backOffMax, time.Second<<min(st.failed, 10))
			if errors.Is(err, witness.ErrUnknown) {
				slog.ErrorContext(ctx, "a witness does not sign this epoch: its operator has to add the origin", "witness", o.Key.Name(), "origin", latest.Origin, "error", err)
				refused <- fmt.Errorf("witness %s: %w", o.Key.Name(), err)
				return
			}
			if errors.Is(err, witness.ErrRefused) {
				slog.ErrorContext(ctx, "A WITNESS SAW ANOTHER HISTORY OF THIS LEDGER: find out before anything else", "witness", o.Key.Name(), "size", latest.Size, "error", err)
				refused <- fmt.Errorf("witness %s: %w", o.Key.Name(), err)
				return
			}
			slog.WarnContext(ctx, "a witness did not sign", "witness", o.Key.Name(), "error", err, "again in", st.pause)
		})
	}
	all.Wait()
	close(refused)
	for one := range refused {
		err = errors.Join(err, one)
	}
	return err
}

// begins gives a witness the statements of the epochs up to a checkpoint's.
func (p *Pusher) begins(ctx context.Context, client *http.Client, o Outsider, c proofs.Checkpoint) error {
	begun, err := p.Service.Proofs.Epochs(ctx)
	for _, e := range begun {
		if err == nil && e.Epoch <= c.Epoch {
			err = witness.Begin(ctx, client, o.URL, e)
		}
	}
	return err
}

// ask has one outsider sign. It begins from the size that it signed last, as far as that is known, or as it says.
func (p *Pusher) ask(ctx context.Context, o Outsider, st *standing, c proofs.Checkpoint) error {
	ctx, cancel := context.WithTimeout(ctx, askTimeMax)
	defer cancel()
	client := p.Client
	if client == nil {
		client = http.DefaultClient
	}
	old := int64(0)
	if st.signed.origin == c.Origin {
		old = st.signed.size
	}
	isBegun := false
	for try := 0; ; try++ {
		var proof tlog.TreeProof
		if old > 0 && old < c.Size {
			var err error
			if proof, err = p.Service.Proofs.Consistency(ctx, old, c.Size); err != nil {
				return err
			}
		}
		signature, err := witness.Ask(ctx, client, o.URL, o.Key, old, proof, c)
		if errors.Is(err, witness.ErrStatement) && !isBegun {
			if err := p.begins(ctx, client, o, c); err != nil {
				return err
			}
			isBegun, try = true, -1
			continue
		}
		var elsewhere *witness.Elsewhere
		if errors.As(err, &elsewhere) && try == 0 {
			if old = elsewhere.Size; old <= c.Size {
				continue
			}
			// Another process may have asked meanwhile.
			if now, err := p.Service.Proofs.Latest(ctx); err != nil || now.Size >= old {
				return errors.Join(err, errors.New("it has signed a later checkpoint"))
			}
			return fmt.Errorf("%w: it signed size %d, and the ledger ends at %d", witness.ErrRefused, old, c.Size)
		}
		if err != nil {
			return err
		}
		if _, err := keep(ctx, p.Service.Pool, signed{Public: o.Key.Public(), Name: o.Key.Name(), Origin: c.Origin, Size: c.Size, Root: c.Root[:], Signature: signature}, p.Service.Now()); err != nil {
			return err
		}
		st.signed = checkpoint{c.Origin, c.Size}
		return nil
	}
}
