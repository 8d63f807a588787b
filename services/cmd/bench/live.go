package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"adashi.ng/projections"
	"adashi.ng/services/internal/boot"
)

const (
	streamsEach      = 5 // Open pages for each session.
	contributionRate = 500
	seenMax          = 5 * time.Second // After that a figure counts as lost.
)

var livePages = benchmark{name: "live", once: true, run: live, rows: []spec{
	{"live", "posts/s", bar{least: 0.95 * contributionRate, p99: 150}},
}}

// live measures the time from a contribution in one browser until its figure is on another's screen: 200 members in
// groups of ten post 500 contributions a second over HTTP, while each member has five open streams. A contribution's
// time runs from when its post was due, through the event's arrival on another member's stream of that group, to the
// reply of that member's read of the group, which must include that position. There is no limit.
func live(ctx context.Context, w *world) ([]row, error) {
	if err := w.populate(ctx, sessions); err != nil {
		return nil, err
	}
	d, err := w.open(ctx, boot.All)
	if err != nil {
		return nil, err
	}
	defer d.Stop()
	var names []string
	for _, m := range projections.All() {
		names = append(names, m.Name)
	}
	head, err := w.head(ctx)
	if err != nil {
		return nil, err
	}
	if err := d.caughtUp(ctx, head, names); err != nil {
		return nil, err
	}
	pages, closePages, err := d.openPages(ctx)
	if err != nil {
		return nil, err
	}
	defer closePages()
	lines, closeLines, err := d.lines(256)
	if err != nil {
		return nil, err
	}
	defer closeLines()
	// As after some time of running: connections are open, and each has prepared its statements.
	err = each(5*sessions, 64, func(n int) error {
		position, err := lines.ask(d.contribute(n % sessions))
		if err == nil {
			_, err = lines.ask(d.readGroup(n%sessions, position))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	ours, err := paced(ctx, contributionRate, 2*measured, func(n int) error {
		payer := n % sessions
		// The next member of the same group: groups are by number.
		other := (payer + groups) % sessions
		position, err := lines.ask(d.contribute(payer))
		if err != nil {
			return err
		}
		if err := pages[other].await(ctx, position); err != nil {
			return fmt.Errorf("member %d's page: %w (the read models are at %d)", other, err, d.App.Tracker.Position(names...))
		}
		shown, err := lines.ask(d.readGroup(other, position))
		if err == nil && shown < position {
			err = fmt.Errorf("member %d read the group at position %d, before %d", other, shown, position)
		}
		return err
	})
	return []row{ours.row("live", 0)}, err
}

// lineSet is a set of connections that callers take in turn.
type lineSet chan line

func (d *door) lines(n int) (lineSet, func(), error) {
	set := make(lineSet, n)
	shut := func() {
		for range len(set) {
			_ = (<-set).conn.Close()
		}
	}
	for range n {
		l, err := dial(d.address())
		if err != nil {
			shut()
			return nil, nil, err
		}
		set <- l
	}
	return set, shut, nil
}

func (s lineSet) ask(request string) (int64, error) {
	l := <-s
	defer func() { s <- l }()
	return l.ask(request)
}

// page is a member's open stream.
type page struct {
	line
	topic string // group:{id}, of the member's group.
	mu    sync.Mutex
	seen  int64         // The newest position that the stream announced for the group.
	moved chan struct{} // Closed and replaced whenever seen changes.
	err   error
}

// openPages opens every member's streams, waits until each is live, and returns the first one of each.
func (d *door) openPages(ctx context.Context) ([]*page, func(), error) {
	first := make([]*page, sessions)
	all := make([]*page, 0, sessions*streamsEach)
	shut := func() {
		for _, p := range all {
			_ = p.conn.Close()
		}
	}
	for n := range sessions * streamsEach {
		l, err := dial(d.address())
		if err != nil {
			shut()
			return nil, nil, err
		}
		user := n % sessions
		p := &page{line: l, topic: "group:" + groupID(user%groups), moved: make(chan struct{})}
		all = append(all, p)
		if first[user] == nil {
			first[user] = p
		}
		reply, err := p.send(d.get("/api/live", user, 0))
		if err != nil {
			shut()
			return nil, nil, fmt.Errorf("stream %d: %w", n+1, err)
		}
		body := bufio.NewScanner(reply.Body)
		if !body.Scan() { // The server says at once that it is connected.
			shut()
			return nil, nil, errors.Join(fmt.Errorf("stream %d said nothing", n+1), body.Err())
		}
		go p.read(body)
	}
	return first, shut, ctx.Err()
}

// read follows the stream to its end.
func (p *page) read(body *bufio.Scanner) {
	var id int64
	for body.Scan() {
		text := body.Text()
		if at, ok := strings.CutPrefix(text, "id: "); ok {
			id, _ = strconv.ParseInt(at, 10, 64)
		}
		// A reset makes the page read everything again, including the group.
		if text == "event: reset" || strings.HasPrefix(text, "data: ") && strings.Contains(text, p.topic) {
			p.tell(id, nil)
		}
	}
	p.tell(0, errors.Join(errors.New("the stream ended"), body.Err()))
}

func (p *page) tell(pos int64, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seen, p.err = max(p.seen, pos), err
	close(p.moved)
	p.moved = make(chan struct{})
}

// await waits until the stream announces a position of the group, or a later one.
func (p *page) await(ctx context.Context, pos int64) error {
	ctx, cancel := context.WithTimeout(ctx, seenMax)
	defer cancel()
	for {
		p.mu.Lock()
		seen, moved, err := p.seen, p.moved, p.err
		p.mu.Unlock()
		if seen >= pos || err != nil {
			return err
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return fmt.Errorf("position %d was not told, only %d: %w", pos, seen, ctx.Err())
		}
	}
}
