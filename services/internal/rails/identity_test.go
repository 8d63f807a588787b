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
		{"OBI ADA", "Ada", "Eze", false},
		{"OBI ADA", "Ad", "Obi", false},
		{"OBI ADA", "", "", false},
		{"", "Ada", "Obi", false},
	} {
		require.Equal(t, c.same, rails.SameName(c.bank, c.first, c.last), "%q: %s %s", c.bank, c.first, c.last)
	}
}
