package letters_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"adashi.ng/ledger/base/letters"
)

func TestWhatPeopleWriteIsComparedHoweverTheyWriteIt(t *testing.T) {
	t.Parallel()
	for plain, written := range map[string][]string{
		"egbe":       {"ẸGBẸ́", "egbẹ́", "Egbe", norm.NFD.String("ẸGBẸ́"), "ＥＧＢＥ"},
		"dankano":    {"Ɗankano", "ɗanƙano", "DANKANO"},
		"yar adua":   {"ʼYar Adua", "’Yar Adu'a", "Ƴar Aduʼa"},
		"bappa":      {"Ɓappa"},
		"strom lodz": {"Strøm Łódź"},
		"strasse":    {"Straße", "STRASSE"},
		"محمد":       {"مُحَمَّد"},
		"":           {"", "́", "'"},
	} {
		for _, text := range written {
			require.Equal(t, plain, letters.Folded(text), "%q", text)
		}
	}
	require.NotEqual(t, letters.Folded("Ada"), letters.Folded("Eda"))
}
