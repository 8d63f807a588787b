// Package sampling closes months: a month's list of payments is sealed, a round of a public beacon that has not come
// yet is named, and once it came the sample follows from both. Neither the validator nor staff can choose it.
//
//	OPEN ──MonthSampleNamed──▶ NAMED ──SampleDrawn──▶ DRAWN ──PeriodAttestedV2──▶ CLOSED
//
// There is one stream a group or ajo. Its months are closed one after the other, the oldest first, after the first.
package sampling

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
)

// The first bytes of what is hashed, so that no digest can stand for one of another kind.
const (
	listDomain = "adashi.ng/month-list/v1\n"
	seedDomain = "adashi.ng/month-sample/v1\n"
)

// doubt is how often a sample may mislead: once in twenty.
const doubt = 0.05

// Margins are the parts of the payments, in basis points, of which a sample can say that fewer are wrong.
var Margins = []int{500, 200}

// Needed is how many payments a sample needs so that, with none of them wrong, fewer than a margin are wrong with 95%
// confidence: the least n with (1−p)^n ≤ 0.05, which is ⌈ln 0.05 / ln(1−p)⌉; 59 for 5%, 149 for 2%. It is the "rule of
// three" (3/p; Hanley and Lippman-Hand, JAMA 249, 1983) without its approximation. It holds for draws with replacement;
// a sample without, as here, shows what is wrong more often (it is hypergeometric), so that it holds for it too.
func Needed(marginBasisPoints int) int {
	return int(math.Ceil(math.Log(doubt) / math.Log1p(-float64(marginBasisPoints)/10_000)))
}

// UpperBound is the part of which, with 95% confidence, fewer are wrong when wrong of n drawn ones are: the exact bound
// of Clopper and Pearson (Biometrika 26, 1934), one-sided. It is the p at which so few would be drawn once in twenty.
// For draws without replacement it is on the safe side.
func UpperBound(wrong, n int) float64 {
	if wrong >= n {
		return 1
	}
	low, high := 0.0, 1.0
	for range 60 {
		p := (low + high) / 2
		if atMost(wrong, n, p) > doubt {
			low = p
		} else {
			high = p
		}
	}
	return high
}

// atMost is how likely at most k of n are, each with the likelihood p.
func atMost(k, n int, p float64) float64 {
	sum, term := 0.0, math.Pow(1-p, float64(n))
	for i := range k + 1 {
		sum += term
		term *= float64(n-i) / float64(i+1) * p / (1 - p)
	}
	return sum
}

// Item is a payment of a list.
type Item struct {
	Pos    int64
	At     time.Time // From when it counts.
	Always bool      // It is looked at in any case: a payout, or unusual.
}

// List is the payments of a month as the ledger stands at a position.
type List struct {
	Month         string // YYYY-MM in Lagos.
	Position      int64
	Since         time.Time // What counts from before belongs to it only where it was told after ToldLateAfter.
	ToldLateAfter int64
	Items         []Item // By position.
}

// Sealed is what is recorded of a list.
type Sealed struct {
	Month                   string
	Position, ToldLateAfter int64
	Since                   time.Time
	Population              int
	Always                  []int64
	Digest                  [32]byte
}

// Span is a month of Lagos: its first moment and the first one after it.
func Span(month string) (begin, end time.Time, err error) {
	begin, err = time.ParseInLocation("2006-01", month, lagos.Zone)
	if err != nil || begin.Year() < 2000 {
		return begin, begin, fault.Field("month", "Name a month by its year and number, such as 2026-10.")
	}
	return begin, begin.AddDate(0, 1, 0), nil
}

// Named is a month as people read it: October 2026.
func Named(month string) string {
	begin, _, err := Span(month)
	if err != nil {
		return month
	}
	return begin.Format("January 2006")
}

// Holds reports whether a payment belongs to the list.
func (l List) Holds(pos int64, at time.Time) bool {
	_, end, err := Span(l.Month)
	return err == nil && pos <= l.Position && at.Before(end) && (!at.Before(l.Since) || pos > l.ToldLateAfter)
}

// Seal seals the list of a group or ajo. It refuses a list that has payments of a month before, which nobody closed.
func (l List) Seal(place string) (Sealed, error) {
	begin, _, err := Span(l.Month)
	if err != nil {
		return Sealed{}, err
	}
	digest, err := l.digest(place)
	if err != nil {
		return Sealed{}, err
	}
	s := Sealed{Month: l.Month, Position: l.Position, Since: l.Since, ToldLateAfter: l.ToldLateAfter, Population: len(l.Items), Digest: digest, Always: []int64{}}
	for _, item := range l.Items {
		switch {
		case !l.Holds(item.Pos, item.At):
			return Sealed{}, fmt.Errorf("the payment at %d does not belong to the list of %s", item.Pos, l.Month)
		case !item.At.Before(l.Since) && item.At.Before(begin):
			return Sealed{}, fault.New(fault.Conflict, "%s has payments too. Close it first.", Named(lagos.Month(item.At)))
		case item.Always:
			s.Always = append(s.Always, item.Pos)
		}
	}
	return s, nil
}

// digest seals which payments there are, and which of them are looked at in any case:
//
//	SHA256("adashi.ng/month-list/v1\n" ‖ group or ajo 16 ‖ month, seven letters ‖ position u64 ‖ n u32 ‖
//	       for each payment in order of its position: position u64 ‖ 1 if it is looked at in any case, or else 0, u8)
//
// Numbers are big-endian.
func (l List) digest(place string) (digest [32]byte, err error) {
	id, err := uuid.Parse(place)
	if err != nil {
		return digest, fault.Field("id", "A group or an ajo has a UUID, and %q is none.", place)
	}
	raw := append([]byte(listDomain), id[:]...)
	raw = append(raw, l.Month...)
	raw = binary.BigEndian.AppendUint64(raw, uint64(l.Position))
	raw = binary.BigEndian.AppendUint32(raw, uint32(len(l.Items)))
	for i, item := range l.Items {
		if i > 0 && item.Pos <= l.Items[i-1].Pos {
			return digest, fmt.Errorf("the list of %s is not in order at %d", l.Month, item.Pos)
		}
		raw = binary.BigEndian.AppendUint64(raw, uint64(item.Pos))
		raw = append(raw, map[bool]byte{true: 1}[item.Always])
	}
	return sha256.Sum256(raw), nil
}

// Seed is SHA256("adashi.ng/month-sample/v1\n" ‖ digest ‖ SHA256(signature)).
func Seed(digest [32]byte, signature []byte) [32]byte {
	randomness := sha256.Sum256(signature)
	raw := append([]byte(seedDomain), digest[:]...)
	return sha256.Sum256(append(raw, randomness[:]...))
}

// Sample answers the positions of a list's sample: those always looked at, and those of some ranks of the rest.
func (l List) Sample(ranks []int) []int64 {
	sample, rank := []int64{}, 0
	for _, item := range l.Items {
		if item.Always {
			sample = append(sample, item.Pos)
			continue
		}
		if _, drawn := slices.BinarySearch(ranks, rank); drawn {
			sample = append(sample, item.Pos)
		}
		rank++
	}
	return sample
}

// Findings are what a sample came to.
type Findings struct {
	Rest                  int // How many were not looked at in any case; of these the sample is drawn.
	Drawn, DrawnQueried   int
	Always, AlwaysQueried int
	MarginBasisPoints     int
}

// Sentence says what follows from a sample, and no more: what was queried counts as wrong, also once it is resolved.
func (f Findings) Sentence() string {
	if f.Drawn >= f.Rest {
		all := f.Drawn + f.Always
		return fmt.Sprintf("All %s looked at, %s.", grouped(all), queried(f.DrawnQueried+f.AlwaysQueried))
	}
	margin := float64(f.MarginBasisPoints) / 100
	if bound := UpperBound(f.DrawnQueried, f.Drawn) * 100; bound > margin {
		margin = min(100, math.Ceil(bound*10)/10)
	}
	said := fmt.Sprintf("%s of %s, %s: 95%% sure that fewer than %s%% are", grouped(f.Drawn), grouped(f.Rest), queried(f.DrawnQueried), strconv.FormatFloat(margin, 'f', -1, 64))
	if f.DrawnQueried > 0 {
		said += " wrong"
	}
	if f.Always > 0 {
		said += fmt.Sprintf(". The other %s were all looked at, %s", grouped(f.Always), queried(f.AlwaysQueried))
	}
	return said + "."
}

func queried(n int) string {
	if n == 0 {
		return "none wrong"
	}
	return grouped(n) + " queried"
}

// grouped writes a number as 1,204.
func grouped(n int) string {
	digits := strconv.Itoa(n)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}
