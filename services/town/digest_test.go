package town

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"regexp"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protopath"
	"google.golang.org/protobuf/reflect/protorange"
	"google.golang.org/protobuf/reflect/protoreflect"

	"adashi.ng/ledger/event"
)

// made is what comes from chance that no seed decides: ids, references and keys.
var made = regexp.MustCompile(`AD-[0-9A-Z]{4}-[0-9A-Z]{4}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[A-Za-z0-9_+/=-]{20,}|\b[0-9a-f]{16}\b|\b[0-9]{10,}\b`)

// Digest is a hash of all that the ledger holds: the events, when they count from and what they post. In place of each
// made-up word it has the number of its first appearance, so that two plays of a year have the same digest if the same
// happened. The order of the events of one moment does not count: some jobs draw by lot whose turn it is.
func (t *Town) Digest(ctx context.Context) (string, error) {
	d := digest{sum: sha256.New(), names: map[string]string{}, trace: t.Trace}
	err := t.each(ctx, func(r event.Record) error {
		line, err := lineOf(r)
		if err != nil {
			return err
		}
		if !r.RecordedAt.Equal(d.when) {
			d.ends()
			d.when = r.RecordedAt
		}
		d.moment = append(d.moment, line)
		return nil
	})
	d.ends()
	return hex.EncodeToString(d.sum.Sum(nil)), err
}

// digest is a hash in the making.
type digest struct {
	sum    hash.Hash
	names  map[string]string // Of made-up words, their numbers.
	when   time.Time
	moment []string // The lines of that moment.
	trace  func(line string)
}

// ends takes in the lines of a moment.
func (d *digest) ends() {
	slices.SortFunc(d.moment, func(a, b string) int { return strings.Compare(d.named(a, false), d.named(b, false)) })
	for _, line := range d.moment {
		line = d.named(line, true)
		fmt.Fprintln(d.sum, line)
		if d.trace != nil {
			d.trace(line)
		}
	}
	d.moment = d.moment[:0]
}

// named is a line with numbers in place of made-up words. A word without one gets the next, or # alone.
func (d *digest) named(line string, next bool) string {
	return made.ReplaceAllStringFunc(line, func(word string) string {
		if !strings.ContainsAny(word, "0123456789") && !strings.HasPrefix(word, "AD-") { // A case's number may have none.
			return word
		}
		if d.names[word] == "" && next {
			d.names[word] = fmt.Sprintf("#%d", len(d.names)+1)
		}
		return cmp.Or(d.names[word], "#")
	})
}

// lineOf is an event in one line: its type, stream, time, actor, fields and postings.
func lineOf(r event.Record) (string, error) {
	m, err := event.DecodeRecorded(r.Type, r.Body)
	if err != nil {
		return "", err
	}
	if err := withoutKeys(m); err != nil {
		return "", err
	}
	// The text form has spaces that change from build to build.
	said := strings.Join(strings.Fields(prototext.MarshalOptions{Multiline: true}.Format(m)), " ")
	line := fmt.Sprintf("%s %s %s %s %s", r.Type, r.Stream, r.EffectiveAt, r.Actor, said)
	for _, l := range r.Lines {
		line += fmt.Sprintf(" %s %d", l.Account, l.Amount)
	}
	return line, nil
}

// withoutKeys leaves out the bytes of an event: hashes, signatures and what is made with keys.
func withoutKeys(m proto.Message) error {
	return protorange.Range(m.ProtoReflect(), func(p protopath.Values) error {
		message, is := p.Index(-1).Value.Interface().(protoreflect.Message)
		if !is {
			return nil
		}
		fields := message.Descriptor().Fields()
		for i := range fields.Len() {
			if f := fields.Get(i); f.Kind() == protoreflect.BytesKind {
				message.Clear(f)
			}
		}
		return nil
	})
}
