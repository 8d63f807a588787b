package pacer

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Moving implements Tracker.
func (p *paced) Moving(within time.Duration) (least int64, some bool) {
	for _, m := range p.stands {
		if p.now-m.at < within && (!some || m.pos < least) {
			least, some = m.pos, true
		}
	}
	return least, some
}

// paced is an appender with models that take a given number of events each second.
type paced struct {
	*Pacer
	stands map[string]mark // The models' positions.
	pos    int64
	now    time.Duration
	took   map[string]float64 // How many events each model has taken.
}

func newPaced(models ...string) *paced {
	p := &paced{stands: map[string]mark{}, took: map[string]float64{}}
	p.Pacer = New(p)
	for _, m := range models {
		p.stands[m] = mark{0, p.now}
	}
	return p
}

// runs appends a batch every so often, unless it must wait, while each model takes its number of events each second,
// for some time. It answers how many events were appended, and how far behind the models were at most in the second
// half.
func (p *paced) runs(batch int64, every, d time.Duration, models map[string]float64) (events int64, behind time.Duration) {
	began, from := p.now, p.pos
	var written []mark
	for p.now-began < d {
		p.pos += batch
		written = append(written, mark{p.pos, p.now})
		wait := p.wait(p.pos, p.now)
		p.last = mark{p.pos, p.now + wait}
		passed := every + wait
		p.now += passed
		for model, rate := range models {
			p.took[model] = min(p.took[model]+rate*passed.Seconds(), float64(p.pos))
			stands := int64(p.took[model])
			if stands > p.stands[model].pos {
				p.stands[model] = mark{stands, p.now}
			}
			for len(written) > 0 && written[0].pos <= stands && len(models) == 1 {
				written = written[1:]
			}
		}
		if len(written) > 0 && p.now-began > d/2 {
			behind = max(behind, p.now-written[0].at)
		}
	}
	return p.pos - from, behind
}

func TestAppendsKeepThePaceOfModelsThatFallBehind(t *testing.T) {
	t.Parallel()
	for _, batch := range []int64{1, 20, 64, 1600} {
		p := newPaced("slow")
		offered := 8000.0
		events, behind := p.runs(batch, time.Duration(float64(batch)/offered*float64(time.Second)), time.Minute, map[string]float64{"slow": 5000})
		require.Less(t, behind, time.Second, "batches of %d", batch)
		require.Greater(t, float64(events)/60, 0.95*5000, "batches of %d", batch)
		require.LessOrEqual(t, len(p.written)+len(p.stood), 2*marksMost)
	}
}

func TestAppendsDoNotWaitForModelsThatKeepUp(t *testing.T) {
	t.Parallel()
	p := newPaced("quick")
	events, _ := p.runs(20, 10*time.Millisecond, 10*time.Second, map[string]float64{"quick": 2100})
	require.EqualValues(t, 20*1000, events)
}

func TestAppendsDoNotWaitForAModelThatDoesNotMove(t *testing.T) {
	t.Parallel()
	p := newPaced("quick", "paused")
	p.runs(20, 10*time.Millisecond, 2*stillFrom, map[string]float64{"quick": 1e6}) // A second passes before it is known.
	events, _ := p.runs(20, 10*time.Millisecond, 10*time.Second, map[string]float64{"quick": 1e6})
	require.EqualValues(t, 20*1000, events)
	p.runs(20, 10*time.Millisecond, 2*stillFrom, nil) // Nor when all of them are away.
	events, _ = p.runs(20, 10*time.Millisecond, 10*time.Second, nil)
	require.EqualValues(t, 20*1000, events)
}

func TestAppendsDoNotWaitForModelsThatCatchUpWithALongTime(t *testing.T) {
	t.Parallel()
	p := newPaced("away")
	p.pos = 1_000_000 // From before the process began.
	events, _ := p.runs(20, 10*time.Millisecond, 10*time.Second, map[string]float64{"away": 3000})
	require.EqualValues(t, 20*1000, events)
	p.took["away"] = float64(p.pos)
	p.runs(20, 10*time.Millisecond, time.Minute, nil)
	events, _ = p.runs(20, 10*time.Millisecond, 10*time.Second, map[string]float64{"away": 3000})
	require.EqualValues(t, 20*1000, events)
}
