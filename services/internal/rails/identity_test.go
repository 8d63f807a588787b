package rails_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/rails"
)

func TestNamesAreComparedAsPeopleWriteThem(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		bank, first, last string
		same              bool
	}{
		{"OBI ADA NGOZI", "Ada", "Obi", true},
		{"Ọláníyì, Adébọ́lá", "Adebola", "Olaniyi", true},
		{"ADEBOLA OLANIYI", "Adébọ́lá", "Ọláníyì", true},
		{"ADA-NGOZI O'NEILL", "Ada Ngozi", "O’Neill", true},
		{"O BRIEN CHIDI", "Chidi", "O'Brien", true},
		{"CHIDI OBRIEN", "Chidi", "OʼBrien", true},
		{"BELLOOSAGIE TEMI", "Temi", "Bello-Osagie", true},
		{"TEMI BELLO-OSAGIE", "Temi", "Bello Osagie", true},
		{"TEMI BELLO-OSAGIE", "Temi", "Belloosagie", true},
		{"ABDUL RAHMAN MUSA", "Abdulrahman", "Musa", true},
		{"DANJUMA KANO BAPPA YAR", "Ɗanjuma", "Ƙano", true},
		{"YARO MUSA", "Ƴaro", "Musa", true},
		{"YAR ADUA UMARU", "Umaru", "ʼYar Aduʼa", true},
		{"STROM LODZ", "Łódź", "Strøm", true},
		{"بلو عائشة", "عائشة", "بلو", true},
		{"BELLO AISHA", "عائشة", "بلو", false},
		{"ADA OBI", "Аda", "Obi", false}, // With a Cyrillic letter.
		{"OBI ADA", "Ada", "Eze", false},
		{"ADAOBI EZE", "Ada", "Obi", false},
		{"ADA OBI", "Adaobi", "Eze", false},
		{"O BRIEN", "Chidi", "O'Brien", false},
		{"OBI ADA", "Ad", "Obi", false},
		{"OBI ADA", "", "", false},
		{"", "Ada", "Obi", false},
	} {
		require.Equal(t, c.same, rails.SameName(c.bank, c.first, c.last), "%q: %s %s", c.bank, c.first, c.last)
	}
}

func TestANameWithoutLettersIsTheSameHolderWhereItIsWrittenTheSame(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"360", "360", true},
		{" 24 / 7", "24 / 7 ", true},
		{"360", "365", false},
		{"", "", false},
		{"", "ADA OBI", false},
		{"ADA OBI", "Obi Ada", true},
		{"ADA OBI", "ADA OBI EZE", false},
	} {
		require.Equal(t, c.same, rails.SameHolder(c.a, c.b), "%q and %q", c.a, c.b)
	}
}
