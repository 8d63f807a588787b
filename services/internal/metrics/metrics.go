// Package metrics says in Prometheus' words how a process fares: the ledger and its read models, the relay, HTTP by
// route, and the Go runtime. It knows positions, routes and durations, never a person.
package metrics

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"adashi.ng/projections/engine"
	"adashi.ng/services/internal/checks"
)

// Options are what there is to tell.
type Options struct {
	// Checks answers how everything stands that is looked at; nil is not told.
	Checks func() checks.Standing
	// Status answers where the read models stand.
	Status func(context.Context) (engine.Status, error)
	// RelaySequence answers the last sequence of the ledger's stream; nil when this process has no bus.
	RelaySequence func(context.Context) (uint64, error)
	// Mail answers how many letters wait and how many were given up; nil is not told.
	Mail func(context.Context) (queued, givenUp int, err error)
	// Pools are the process's pools of database connections, by name.
	Pools func() map[string]*pgxpool.Pool
	// Token opens the metrics to whoever bears it. Without one they are for this machine alone: see Handler.
	Token string
	// Loopback says that the process listens on this machine only.
	Loopback bool
}

// Metrics gathers. Make it with New; it is safe for concurrent use.
type Metrics struct {
	opt      Options
	registry *prometheus.Registry
	folds    *prometheus.HistogramVec
	folded   *prometheus.CounterVec
	requests *prometheus.HistogramVec
}

// New makes the metrics of a process.
func New(opt Options) *Metrics {
	m := &Metrics{
		opt: opt, registry: prometheus.NewRegistry(),
		folds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "adashi_fold_seconds", Help: "How long a batch of a read model took to commit.", Buckets: prometheus.ExponentialBuckets(0.0005, 2, 14),
		}, []string{"model"}),
		folded: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "adashi_folded_events_total", Help: "Events that this process folded."}, []string{"model"}),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "adashi_http_request_seconds", Help: "How long an answer took, by route template.", Buckets: prometheus.ExponentialBuckets(0.0005, 2, 15),
		}, []string{"method", "route", "status"}),
	}
	m.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), m.folds, m.folded, m.requests, standing{&m.opt})
	return m
}

// Fold observes a batch; it is an engine's Observe.
func (m *Metrics) Fold(model string, events int, took time.Duration) {
	m.folds.WithLabelValues(model).Observe(took.Seconds())
	m.folded.WithLabelValues(model).Add(float64(events))
}

// Request observes an answer. route is the template, such as /api/v1/activity/:id, never the path.
func (m *Metrics) Request(method, route string, status int, took time.Duration) {
	m.requests.WithLabelValues(method, route, strconv.Itoa(status)).Observe(took.Seconds())
}

// Handler answers GET /metrics: to whoever bears the token when there is one; else, while the process listens on this
// machine only, to callers on it that no proxy stands before. Others find nothing here.
func (m *Metrics) Handler() http.Handler {
	tell := promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError, MaxRequestsInFlight: 4, Timeout: 10 * time.Second})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		if !m.allowed(r) {
			http.NotFound(w, r)
			return
		}
		tell.ServeHTTP(w, r)
	})
}

func (m *Metrics) allowed(r *http.Request) bool {
	if m.opt.Token != "" {
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		given, want := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(m.opt.Token))
		return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(given[:], want[:]) == 1
	}
	for _, forwarded := range []string{"Forwarded", "X-Forwarded-For", "X-Real-Ip", "Via"} {
		if r.Header.Get(forwarded) != "" {
			return false
		}
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	return m.opt.Loopback && err == nil && net.ParseIP(host).IsLoopback()
}

// standing tells, when asked, where the ledger, its read models and the relay stand.
type standing struct{ opt *Options }

func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("adashi_"+name, help, labels, nil)
}

var (
	head       = desc("ledger_head", "The ledger's last position.")
	epoch      = desc("ledger_epoch", "The ledger's epoch.")
	position   = desc("projection_position", "Where a part of a read model stands.", "model", "part")
	lagEvents  = desc("projection_lag_events", "How many events a part of a read model lacks.", "model", "part")
	lagSeconds = desc("projection_lag_seconds", "How long ago the first event that a read model lacks was recorded.", "model")
	paused     = desc("projection_paused", "1 when a part of a read model met an event that it cannot take.", "model", "part")
	rebuilding = desc("projection_rebuilding", "1 while a read model is rebuilt or waits for it.", "model")
	letters    = desc("projection_dead_letters", "Dead letters that still stop a read model.", "model")
	relayed    = desc("relay_last_sequence", "The last sequence of the ledger's stream.")
	wells      = desc("check_ok", "1 while what a check looks at is well; the names are those of /readyz.", "name")
	inUse      = desc("pool_connections_in_use", "Connections of a pool that are in use.", "pool")
	most       = desc("pool_connections_max", "How many connections a pool may have.", "pool")
	waited     = desc("pool_waits_total", "How often a caller found no free connection in a pool and waited for one.", "pool")
	waitedFor  = desc("pool_wait_seconds_total", "How long callers waited for a free connection of a pool, together.", "pool")
	gaveUp     = desc("pool_waits_given_up_total", "How often a caller gave up before a pool had a connection for it.", "pool")
	mails      = desc("mail_letters", "Letters that wait, and letters that no server took for a day.", "state")
)

func (standing) Describe(all chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{head, epoch, position, lagEvents, lagSeconds, paused, rebuilding, letters, relayed, mails, wells, inUse, most, waited, waitedFor, gaveUp} {
		all <- d
	}
}

// askMax is how long a scrape waits for Postgres or the bus.
const askMax = 3 * time.Second

func (s standing) Collect(all chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), askMax)
	defer cancel()
	if s.opt.RelaySequence != nil {
		if last, err := s.opt.RelaySequence(ctx); err == nil { // A bus that is away is seen by its absence.
			all <- gauge(relayed, float64(last))
		}
	}
	if s.opt.Mail != nil {
		if queued, givenUp, err := s.opt.Mail(ctx); err == nil { // As above.
			all <- gauge(mails, float64(queued), "queued")
			all <- gauge(mails, float64(givenUp), "given up")
		}
	}
	if s.opt.Pools != nil {
		for name, pool := range s.opt.Pools() {
			collectPool(all, name, pool.Stat())
		}
	}
	if s.opt.Checks != nil {
		for _, c := range s.opt.Checks().Checks {
			all <- gauge(wells, flag(c.OK), c.Name)
		}
	}
	status, err := s.opt.Status(ctx)
	if err != nil {
		slog.Warn("metrics: where the read models stand is not known", "error", err)
		return
	}
	all <- gauge(head, float64(status.Head))
	all <- gauge(epoch, float64(status.Epoch))
	for _, m := range status.Models {
		all <- gauge(lagSeconds, m.Lag.Seconds(), m.Name)
		all <- gauge(letters, float64(m.DeadLetters), m.Name)
		all <- gauge(rebuilding, flag(m.State == engine.Rebuilding), m.Name)
		for _, p := range m.Parts {
			part := strconv.Itoa(p.Part)
			all <- gauge(position, float64(p.Pos), m.Name, part)
			all <- gauge(lagEvents, float64(max(0, status.Head-p.Pos)), m.Name, part)
			all <- gauge(paused, flag(p.Paused != ""), m.Name, part)
		}
	}
}

// collectPool reports the connections and waits of a pool. Waits mean that the pool is too small, or that something
// holds its connections.
func collectPool(all chan<- prometheus.Metric, name string, stat *pgxpool.Stat) {
	all <- gauge(inUse, float64(stat.AcquiredConns()), name)
	all <- gauge(most, float64(stat.MaxConns()), name)
	all <- counter(waited, float64(stat.EmptyAcquireCount()), name)
	all <- counter(waitedFor, stat.EmptyAcquireWaitTime().Seconds(), name)
	all <- counter(gaveUp, float64(stat.CanceledAcquireCount()), name)
}

func counter(d *prometheus.Desc, value float64, labels ...string) prometheus.Metric {
	return prometheus.MustNewConstMetric(d, prometheus.CounterValue, value, labels...)
}

func gauge(d *prometheus.Desc, value float64, labels ...string) prometheus.Metric {
	return prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
}

func flag(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
