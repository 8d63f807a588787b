package recent_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/recent"
)

// backing is what a cache is in front of.
type backing struct {
	*recent.Cache[string]
	now    time.Time
	values map[string]string
	asked  [][]uuid.UUID
	during func() // Happens while it is read.
}

func newBacking() *backing {
	s := &backing{now: time.Now(), values: map[string]string{}, during: func() {}}
	s.Cache = recent.New[string](func() time.Time { return s.now }, time.Minute)
	return s
}

func (s *backing) get(t *testing.T, ids ...string) map[string]string {
	t.Helper()
	found, err := s.Get(ids, func(missing []uuid.UUID) (map[string]string, error) {
		s.asked = append(s.asked, missing)
		read := map[string]string{}
		for _, id := range missing {
			if value, ok := s.values[id.String()]; ok {
				read[id.String()] = value
			}
		}
		s.during()
		return read, nil
	})
	require.NoError(t, err)
	return found
}

func TestWhatWasReadIsKeptForAWhile(t *testing.T) {
	s, ada, efe := newBacking(), uuid.NewString(), uuid.NewString()
	s.values[ada], s.values[efe] = "Ada", "Efe"
	require.Equal(t, map[string]string{ada: "Ada"}, s.get(t, ada, "junk"))
	require.Equal(t, map[string]string{ada: "Ada", efe: "Efe"}, s.get(t, ada, efe))
	require.Equal(t, [][]uuid.UUID{{uuid.MustParse(ada)}, {uuid.MustParse(efe)}}, s.asked, "what is kept is not read again")

	s.values[ada] = "Adaora"
	require.Equal(t, "Ada", s.get(t, ada)[ada])
	s.now = s.now.Add(time.Minute)
	require.Equal(t, "Adaora", s.get(t, ada)[ada])
}

func TestWhatIsForgottenIsReadAnew(t *testing.T) {
	s, ada := newBacking(), uuid.NewString()
	s.values[ada] = "Ada"
	s.get(t, ada)
	s.values[ada] = "Adaora"
	s.Forget(ada)
	require.Equal(t, "Adaora", s.get(t, ada)[ada])
}

func TestWhatWasReadBeforeItChangedIsNotKept(t *testing.T) {
	s, ada := newBacking(), uuid.NewString()
	s.values[ada] = "Ada"
	s.during = func() { s.values[ada] = "Adaora"; s.Forget(ada) }
	s.get(t, ada)
	s.during = func() {}
	require.Equal(t, "Adaora", s.get(t, ada)[ada])
}

func TestWhatCannotBeReadIsNotKept(t *testing.T) {
	s, ada := newBacking(), uuid.NewString()
	_, err := s.Get([]string{ada}, func([]uuid.UUID) (map[string]string, error) { return nil, errors.New("out of order") })
	require.EqualError(t, err, "out of order")
	s.values[ada] = "Ada"
	require.Equal(t, "Ada", s.get(t, ada)[ada])
}

func TestAClockThatGoesBackKeepsNothing(t *testing.T) {
	s, ada := newBacking(), uuid.NewString()
	s.values[ada] = "Ada"
	s.get(t, ada)
	s.values[ada] = "Adaora"
	s.now = s.now.AddDate(0, 0, -3)
	require.Equal(t, "Adaora", s.get(t, ada)[ada])
}
