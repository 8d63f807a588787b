package statement

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"
)

// Names are of letters of any script, and a receipt of squares tells nobody who paid.
func TestAPaperWritesNamesInLettersThatItsFontHas(t *testing.T) {
	t.Parallel()
	for name, written := range map[string]string{
		"Ada Obi":            "Ada Obi",
		"Ọláníyì Adébọ́lá":   norm.NFC.String("Ọláníyì Adébọ́lá"),
		"محمد بلو":           "Mhmd Blw",
		"𞤀𞤣𞤤𞤢𞤥 Bello":        "Adlam Bello",
		"₦5,000.00 – “paid”": "₦5,000.00 – “paid”",
		"李 \U0001F600":       "Li ?",
	} {
		require.Equal(t, written, plain(name), "%q", name)
	}
	for _, r := range "ɓɗƙƴŋñ" {
		require.True(t, drawn(r) || plain(string(r)) != "", string(r))
	}
}
