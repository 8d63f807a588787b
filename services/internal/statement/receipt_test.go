package statement_test

import (
	"bytes"
	"image"
	"image/png"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/statement"
)

// longest is a receipt with the largest sum and the longest names, in words and in one word.
func longest() statement.Receipt {
	return statement.Receipt{
		Title: strings.Repeat("W", 60) + " contribution", Holder: strings.Repeat("Ọlá ", 30), Group: strings.Repeat("Ụ", 60), Amount: 999_999_999_999_99,
		At: time.Date(2026, 11, 2, 9, 30, 0, 0, time.UTC), Settled: []string{"October 2026", "November 2026"}, Reference: strings.Repeat("0198a0", 6), Position: 4711,
		IssuedAt: time.Date(2026, 11, 2, 9, 30, 0, 0, time.UTC), Code: "ABCD-EFGH-JKMN-PQRS", Address: "https://adashi.example/verify-statement/ABCD-EFGH-JKMN-PQRS",
	}
}

func TestAReceiptLosesNothingOfWhatIsLong(t *testing.T) {
	t.Parallel()
	r := longest()
	file, err := statement.ReceiptPDF(r)
	require.NoError(t, err)
	pages := read(t, file)
	require.Len(t, pages, 1)
	text := strings.ReplaceAll(pages[0], "\n", "")
	for _, want := range []string{r.Amount.String(), strings.Repeat("W", 60), strings.Repeat("Ụ", 60), "October 2026, November 2026", r.Reference, "Verification code " + r.Code, r.Address} {
		require.Contains(t, text, want)
	}
}

func TestAReceiptsPictureKeepsItsEdgesFree(t *testing.T) {
	t.Parallel()
	file, err := statement.ReceiptPNG(longest())
	require.NoError(t, err)
	picture, err := png.Decode(bytes.NewReader(file))
	require.NoError(t, err)
	size := picture.Bounds()
	require.Equal(t, 1080, size.Dx())
	require.Greater(t, size.Dy(), 1200)
	drawn := func(area image.Rectangle) (dots int) {
		for y := area.Min.Y; y < area.Max.Y; y++ {
			for x := area.Min.X; x < area.Max.X; x++ {
				if r, g, b, _ := picture.At(x, y).RGBA(); r+g+b < 3*0xffff {
					dots++
				}
			}
		}
		return dots
	}
	for name, area := range map[string]image.Rectangle{
		"left": image.Rect(0, 20, 70, size.Dy()), "right": image.Rect(1012, 20, 1080, size.Dy()), "foot": image.Rect(0, size.Dy()-60, 1080, size.Dy()),
	} {
		require.Zero(t, drawn(area), name)
	}
	require.Positive(t, drawn(image.Rect(72, 20, 1008, size.Dy())))
}
