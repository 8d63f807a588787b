package statement

import (
	"bytes"
	"compress/zlib"
	"io"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// lowest is how far from the foot of its page the lowest text of a PDF begins, in points: below zero it is off the
// page.
func lowest(t *testing.T, pdf []byte) (low float64, texts int) {
	t.Helper()
	place := regexp.MustCompile(`(-?\d+\.\d+) (-?\d+\.\d+) T[dD]`)
	low = 1000
	for at := 0; ; {
		found := bytes.Index(pdf[at:], []byte("stream\n"))
		if found < 0 {
			return low, texts
		}
		at += found + len("stream\n")
		z, err := zlib.NewReader(bytes.NewReader(pdf[at:]))
		if err != nil {
			continue
		}
		plain, _ := io.ReadAll(z)
		for _, m := range place.FindAllSubmatch(plain, -1) {
			y, err := strconv.ParseFloat(string(m[2]), 64)
			require.NoError(t, err)
			low, texts = min(low, y), texts+1
		}
	}
}

// Daily dues may be paid a year ahead: one payment settles 365 of them.
func TestAReceiptOfAYearOfDailyDuesHasItsCodeOnThePaper(t *testing.T) {
	t.Parallel()
	r := Receipt{
		Title: "Daily contribution", Holder: "Bisi Test", Group: "Balogun Traders", Amount: 365_000_00, At: time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC), Reference: "Ref-1", Position: 7,
		IssuedAt: time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC), Code: "ABCD-EFGH-JKMN-PQRS", Address: "https://adashi.example/verify-statement/ABCD-EFGH-JKMN-PQRS",
	}
	r.Settled = []string{"1 Jan 2026"}
	one, err := ReceiptPDF(r)
	require.NoError(t, err)
	low, texts := lowest(t, one)
	require.Greater(t, texts, 10)
	require.Positive(t, low)
	r.Settled = nil
	for n := range 365 {
		r.Settled = append(r.Settled, day(r.At.AddDate(0, 0, n)))
	}
	many, err := ReceiptPDF(r)
	require.NoError(t, err)
	low, texts = lowest(t, many)
	require.Greater(t, texts, 10)
	require.Positive(t, low, "the lowest of %d texts", texts)
	require.Equal(t, "365 dues, the first of 1 Jan 2026 and the last of 31 Dec 2026", r.settled())
}
