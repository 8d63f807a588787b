package main

import (
	"context"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// sample is the callers' measurement.
type sample struct {
	rate      float64         // A second.
	latencies []time.Duration // Sorted.
	rss       float64         // The maximum in megabytes.
}

func (s sample) percentile(p int) float64 {
	if len(s.latencies) == 0 {
		return 0
	}
	return float64(s.latencies[min(len(s.latencies)-1, len(s.latencies)*p/100)].Microseconds()) / 1000
}

// row is the sample against a limit; 0 when there is none.
func (s sample) row(name string, limit float64) row {
	r := row{Name: name, Ours: s.rate, Limit: limit, P50: s.percentile(50), P99: s.percentile(99), RSS: s.rss}
	if limit > 0 {
		r.Ratio = s.rate / limit
	}
	return r
}

// times converts a sample of things that are counted in batches, such as bulks of payments.
func (s sample) times(n float64) sample {
	s.rate *= n
	return s
}

// seconds is a row that compares two durations, ours and the limit's.
func seconds(name string, ours, limit time.Duration, rss float64) row {
	r := row{Name: name, Ours: ours.Seconds(), Limit: limit.Seconds(), RSS: rss}
	if limit > 0 {
		r.Ratio = limit.Seconds() / ours.Seconds()
	}
	return r
}

const (
	warmUp   = time.Second
	measured = 4 * time.Second
)

// hammer makes callers call f without pause; calls in the warm-up do not count. f gets a number that never repeats.
func hammer(callers int, f func(caller, n int) error) (sample, error) {
	return hammerFor(callers, warmUp, measured, f)
}

// hammerFor is hammer for so long.
func hammerFor(callers int, warmUp, measured time.Duration, f func(caller, n int) error) (sample, error) {
	forgetPeak()
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex
		out   sample
		first error
		from  = time.Now().Add(warmUp)
		until = from.Add(measured)
	)
	for caller := range callers {
		wg.Go(func() {
			var seen []time.Duration
			for n := caller; ; n += callers {
				start := time.Now()
				if start.After(until) {
					break
				}
				if err := f(caller, n); err != nil {
					mu.Lock()
					first = err
					mu.Unlock()
					break
				}
				if start.After(from) {
					seen = append(seen, time.Since(start))
				}
			}
			mu.Lock()
			out.latencies = append(out.latencies, seen...)
			mu.Unlock()
		})
	}
	wg.Wait()
	out.rate, out.rss = float64(len(out.latencies))/measured.Seconds(), peakMB()
	slices.Sort(out.latencies)
	return out, first
}

// pacedMax limits how many calls of paced may be in progress. Above it the next ones start late, and their lateness
// counts.
const pacedMax = 4096

// paced calls f so many times a second for a while or until the context ends, whether or not the earlier calls have
// ended. A call's latency runs from when it was due, so that a stall counts for every call that it would have delayed.
// The warm-up does not count.
func paced(ctx context.Context, rate int, d time.Duration, f func(n int) error) (sample, error) {
	forgetPeak()
	var (
		wg        sync.WaitGroup
		failure   atomic.Pointer[error]
		made      int
		latencies = make([]time.Duration, int(float64(rate)*(warmUp+d).Seconds()))
		room      = make(chan struct{}, pacedMax)
		start     = time.Now()
	)
	for n := range latencies {
		due := start.Add(time.Duration(n) * time.Second / time.Duration(rate))
		if wait := time.Until(due); wait > 0 {
			time.Sleep(wait)
		}
		room <- struct{}{}
		if failure.Load() != nil || ctx.Err() != nil {
			break
		}
		made++
		wg.Go(func() {
			defer func() { <-room }()
			if err := f(n); err != nil {
				failure.CompareAndSwap(nil, &err)
			}
			latencies[n] = time.Since(due)
		})
	}
	wg.Wait()
	out := sample{rate: float64(made) / time.Since(start).Seconds(), rss: peakMB()}
	out.latencies = latencies[min(made, int(float64(rate)*warmUp.Seconds())):made]
	slices.Sort(out.latencies)
	if err := failure.Load(); err != nil {
		return out, *err
	}
	return out, nil
}

// each runs f(0..n-1) with so many at once.
func each(n, atOnce int, f func(int) error) error {
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex
		first error
	)
	for worker := range atOnce {
		wg.Go(func() {
			for i := worker; i < n; i += atOnce {
				if err := f(i); err != nil {
					mu.Lock()
					first = err
					mu.Unlock()
					return
				}
			}
		})
	}
	wg.Wait()
	return first
}

// forgetPeak frees unused memory and makes peakMB count from now on.
func forgetPeak() {
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0o200)
}

// peakMB is the maximum memory of this process since forgetPeak, without Postgres.
func peakMB() float64 {
	kb, err := field("/proc/self/status", "VmHWM:")
	if err != nil {
		return 0
	}
	return kb / 1024
}
