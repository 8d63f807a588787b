// Package config reads what the environment says about this process, and keeps the secrets that the embedded
// default makes for itself. Nothing else reads the environment.
package config

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/remedy"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/services/internal/vault"
)

// Rail says where money really moves.
type Rail string

// The rails: our own bank that behaves like the real ones, or the real ones.
const (
	RailSandbox Rail = "sandbox"
	RailLive    Rail = "live"
)

// IdentityRail says who is asked whether a BVN is somebody's.
type IdentityRail string

// The rails for that: the bank, which answers at once, or the card gateway, which tells by webhook.
const (
	IdentityVfd      IdentityRail = "vfd"
	IdentityPaystack IdentityRail = "paystack"
)

// PayoutRail is who pays out.
type PayoutRail string

// The rails for that.
const (
	PayoutVfd      PayoutRail = "vfd"
	PayoutPaystack PayoutRail = "paystack"
)

// Dial connects to a server.
type Dial = func(ctx context.Context, network, address string) (net.Conn, error)

// Config is the process's settings. The zero value is not usable: Load makes one.
type Config struct {
	Port           int            `env:"ADASHI_PORT" envDefault:"8080"`      // 0 is any free one.
	Host           string         `env:"ADASHI_HOST" envDefault:"127.0.0.1"` // The address to listen on.
	PortGiven      bool           // Whether ADASHI_PORT was set: only an unset default may move to the next free port.
	Data           string         `env:"ADASHI_DATA" envDefault:".data"`
	DatabaseURL    Secret         `env:"DATABASE_URL"`      // Empty is a private Postgres in Data.
	NATSURL        Secret         `env:"NATS_URL"`          // Empty is an embedded server in Data.
	PublicURL      string         `env:"ADASHI_PUBLIC_URL"` // Without a trailing slash. Empty is http://127.0.0.1:<port>.
	Rail           Rail           `env:"ADASHI_RAIL" envDefault:"sandbox"`
	SandboxURL     string         `env:"ADASHI_SANDBOX_URL"`   // Where the sandbox is served, when not by this process.
	SandboxOpen    bool           `env:"ADASHI_SANDBOX_OPEN"`  // Lets others than this machine reach the sandbox.
	SandboxClock   time.Duration  `env:"ADASHI_SANDBOX_CLOCK"` // How far from the present the product and the sandbox live: nil or negative.
	Clock          clock.Clock    `env:"-" json:"-"`           // Answers the present; not from the environment. Nil is clock.System.
	ByHand         bool           `env:"-" json:"-"`           // Jobs, the bank and the read models go on only when somebody asks them to.
	WatchClock     bool           `env:"-" json:"-"`           // For tests only: watch Clock for jumps, as the machine's clock is watched.
	DialDatabase   Dial           `env:"-" json:"-"`           // For tests only: how the database is reached. Nil is by the network.
	FastHashing    bool           `env:"-" json:"-"`           // For tests only: passwords are hashed at almost no cost. The live rail ignores it.
	NATSReplicas   int            `env:"ADASHI_NATS_REPLICAS" envDefault:"1"`
	LedgerKey      Secret         `env:"ADASHI_LEDGER_KEY"`           // Signs checkpoints. Empty is the one in Generated.
	PreviousKeys   Secret         `env:"ADASHI_LEDGER_PREVIOUS_KEYS"` // Retired ledger keys between commas, private ones to walk over.
	VaultKey       Secret         `env:"ADASHI_VAULT_KEY"`            // Locks what says who members are. Empty is the one in Generated.
	VaultPrevious  Secret         `env:"ADASHI_VAULT_PREVIOUS_KEYS"`  // Earlier vault keys between commas, until all is locked with the new one.
	IdentityRail   IdentityRail   `env:"ADASHI_IDENTITY_RAIL" envDefault:"vfd"`
	PayoutRail     PayoutRail     `env:"ADASHI_PAYOUT_RAIL" envDefault:"vfd"` // Empty is vfd.
	Tiers          account.Tiers  // From ADASHI_TIER_LIMITS; the zero value is account.DefaultTiers.
	CardHold       time.Duration  `env:"ADASHI_CARD_HOLD" envDefault:"72h"`   // How long the money of a card stays before it may go to a bank.
	RemedyHold     time.Duration  `env:"ADASHI_REMEDY_HOLD" envDefault:"72h"` // How long no withdrawal is asked for after two of staff gave an account back, or let another BVN in.
	Checkpoints    string         `env:"ADASHI_CHECKPOINTS"`                  // The file of signed checkpoints. Empty is <Data>/checkpoints.
	IdentityKey    Secret         `env:"ADASHI_IDENTITY_KEY"`                 // Seals second factors. Empty is the one in Generated.
	SMTPURL        Secret         `env:"ADASHI_SMTP_URL"`                     // smtp:// or smtps://. Empty keeps letters in the dev inbox.
	MailFrom       string         `env:"ADASHI_MAIL_FROM"`                    // Adashi <hello@adashi.ng>; required with SMTPURL.
	MetricsToken   Secret         `env:"ADASHI_METRICS_TOKEN"`                // Who bears it may read /metrics; empty is this machine alone.
	BeaconMirrors  []string       `env:"ADASHI_BEACON_MIRRORS" envDefault:"https://api.drand.sh,https://api2.drand.sh,https://api3.drand.sh,https://drand.cloudflare.com"`
	Witnesses      string         `env:"ADASHI_WITNESSES"` // Who signs what the ledger sealed: address and key, between commas.
	TrustedProxies []netip.Prefix // From ADASHI_TRUSTED_PROXIES, addresses or prefixes between commas.
	Vfd            Vfd            `envPrefix:"VFD_"`
	Paystack       Paystack       `envPrefix:"PAYSTACK_"`
}

// Vfd is how to reach the bank. Under the sandbox rail it stays empty and boot fills it from Secrets.
type Vfd struct {
	Host           string `env:"HOST"`
	ConsumerKey    Secret `env:"CONSUMER_KEY"`
	ConsumerSecret Secret `env:"CONSUMER_SECRET"`
	WalletName     string `env:"WALLET_NAME"`
	MerchantID     string `env:"MERCHANT_ID"`
	WebhookSecret  Secret `env:"WEBHOOK_SECRET"` // The part of the webhook's path that only the bank knows.
}

// Paystack is how to reach the card gateway. Under the sandbox rail it stays empty and boot fills it from Secrets.
type Paystack struct {
	Host      string `env:"HOST"`
	SecretKey Secret `env:"SECRET_KEY"`
}

// Load reads and checks the environment. Its error is one sentence that names the variable to mend.
func Load() (Config, error) {
	return load(env.ToMap(os.Environ()))
}

func load(environment map[string]string) (Config, error) {
	var cfg Config
	if err := env.ParseWithOptions(&cfg, env.Options{Environment: environment}); err != nil {
		return Config{}, sentence(err)
	}
	cfg.PortGiven = environment["ADASHI_PORT"] != ""
	proxies, err := parseProxies(environment["ADASHI_TRUSTED_PROXIES"])
	if err != nil {
		return Config{}, err
	}
	cfg.TrustedProxies = proxies
	if cfg.Tiers, err = parseTiers(environment["ADASHI_TIER_LIMITS"]); err != nil {
		return Config{}, err
	}
	if cfg.CardHold <= 0 || cfg.CardHold > wallet.CardHoldMost {
		return Config{}, fmt.Errorf("ADASHI_CARD_HOLD must be a time such as 72h, of up to %d days", int(wallet.CardHoldMost.Hours()/24))
	}
	if cfg.RemedyHold <= 0 || cfg.RemedyHold > remedy.HoldMost {
		return Config{}, fmt.Errorf("ADASHI_REMEDY_HOLD must be a time such as 72h, of up to %d days", int(remedy.HoldMost.Hours()/24))
	}
	if err := cfg.check(); err != nil {
		return Config{}, err
	}
	cfg.PublicURL = strings.TrimRight(cfg.PublicURL, "/")
	return cfg, nil
}

// sentence turns the parser's error into ours: env.ParseError says the field, we say the variable.
func sentence(err error) error {
	var parse env.ParseError
	if errors.As(err, &parse) && parse.Name == "Port" {
		return errors.New("ADASHI_PORT must be a whole number from 0 to 65535")
	}
	if errors.As(err, &parse) && parse.Name == "SandboxClock" {
		return errors.New("ADASHI_SANDBOX_CLOCK must be a time such as -720h for thirty days ago")
	}
	if errors.As(err, &parse) && parse.Name == "CardHold" {
		return errors.New("ADASHI_CARD_HOLD must be a time such as 72h for three days")
	}
	if errors.As(err, &parse) && parse.Name == "RemedyHold" {
		return errors.New("ADASHI_REMEDY_HOLD must be a time such as 72h for three days")
	}
	if errors.As(err, &parse) && parse.Name == "SandboxOpen" {
		return errors.New("ADASHI_SANDBOX_OPEN must be 1 or 0")
	}
	return fmt.Errorf("the environment cannot be read: %w", err)
}

// Present is the time now, also where the sandbox lives in the past.
func (c Config) Present() time.Time {
	if c.Clock != nil {
		return c.Clock()
	}
	return clock.System()
}

// Now is the time that the product goes by: the present, or where the sandbox lives.
func (c Config) Now() time.Time { return c.Present().Add(c.SandboxClock) }

func (c Config) check() error {
	if c.Port < 0 || c.Port > 65535 {
		return fmt.Errorf("ADASHI_PORT must be a whole number from 0 to 65535, not %d", c.Port)
	}
	if strings.TrimSpace(c.Data) == "" {
		return errors.New("ADASHI_DATA must name a folder")
	}
	if err := checkURL("DATABASE_URL", c.DatabaseURL.Reveal(), "postgres", "postgresql"); err != nil {
		return err
	}
	for server := range strings.SplitSeq(c.NATSURL.Reveal(), ",") {
		if err := checkURL("NATS_URL", server, "nats", "tls"); err != nil {
			return err
		}
	}
	if err := checkURL("ADASHI_PUBLIC_URL", c.PublicURL, "http", "https"); err != nil {
		return err
	}
	if err := checkURL("ADASHI_SANDBOX_URL", c.SandboxURL, "http", "https"); err != nil {
		return err
	}
	for _, mirror := range c.BeaconMirrors {
		if err := checkURL("ADASHI_BEACON_MIRRORS", mirror, "https"); err != nil {
			return err
		}
	}
	if c.NATSReplicas < 1 || c.NATSReplicas > 5 {
		return fmt.Errorf("ADASHI_NATS_REPLICAS must be from 1 to 5, not %d", c.NATSReplicas)
	}
	if err := c.checkKeys(); err != nil {
		return err
	}
	if c.IdentityKey != "" && len(c.IdentityKey) < identityKeyCharsMin {
		return fmt.Errorf("ADASHI_IDENTITY_KEY must have at least %d characters", identityKeyCharsMin)
	}
	if err := c.checkMail(); err != nil {
		return err
	}
	if _, err := c.VaultKeys(Generated{VaultKey: strings.Repeat("x", vault.KeyCharsMin)}); err != nil {
		return err
	}
	if c.IdentityRail != IdentityVfd && c.IdentityRail != IdentityPaystack {
		return fmt.Errorf("ADASHI_IDENTITY_RAIL must be vfd or paystack, not %q", c.IdentityRail)
	}
	if c.PayoutRail != PayoutVfd && c.PayoutRail != PayoutPaystack && c.PayoutRail != "" {
		return fmt.Errorf("ADASHI_PAYOUT_RAIL must be vfd or paystack, not %q", c.PayoutRail)
	}
	if c.MetricsToken != "" && len(c.MetricsToken) < 16 {
		return errors.New("ADASHI_METRICS_TOKEN must have at least 16 characters")
	}
	if c.SandboxClock > 0 {
		return fmt.Errorf("ADASHI_SANDBOX_CLOCK must not be ahead of the present, such as -720h for thirty days ago, not %s", c.SandboxClock)
	}
	switch c.Rail {
	case RailSandbox:
		if !c.Loopback() && !c.SandboxOpen {
			return fmt.Errorf("ADASHI_HOST is %s, and whoever reaches it could read every letter in the sandbox's inbox and move its bank's money: set ADASHI_SANDBOX_OPEN=1 if they may, or ADASHI_HOST to 127.0.0.1", c.Host)
		}
		return nil
	case RailLive:
		if c.SandboxClock != 0 {
			return errors.New("ADASHI_SANDBOX_CLOCK is for the sandbox alone: real banks live in the present")
		}
		return c.checkLive()
	default:
		return fmt.Errorf("ADASHI_RAIL must be sandbox or live, not %q", c.Rail)
	}
}

// Loopback reports whether the process listens on this machine only.
func (c Config) Loopback() bool {
	address, err := netip.ParseAddr(c.Host)
	return c.Host == "localhost" || err == nil && address.IsLoopback()
}

// checkMail judges the mail server and the sender together.
func (c Config) checkMail() error {
	if err := checkURL("ADASHI_SMTP_URL", c.SMTPURL.Reveal(), "smtp", "smtps"); err != nil {
		return err
	}
	if c.SMTPURL == "" && c.MailFrom == "" {
		return nil
	}
	if _, err := mail.ParseAddress(c.MailFrom); err != nil || c.SMTPURL == "" {
		return errors.New("ADASHI_SMTP_URL and ADASHI_MAIL_FROM must be set together, the latter to an address such as Adashi <hello@adashi.ng>")
	}
	return nil
}

// checkLive demands everything that moving real money needs.
func (c Config) checkLive() error {
	if err := checkURL("VFD_HOST", c.Vfd.Host, "https"); err != nil {
		return err
	}
	if err := checkURL("PAYSTACK_HOST", c.Paystack.Host, "https"); err != nil {
		return err
	}
	required := []struct{ name, value string }{
		{"ADASHI_PUBLIC_URL", c.PublicURL},
		{"ADASHI_SMTP_URL", c.SMTPURL.Reveal()},
		{"VFD_HOST", c.Vfd.Host},
		{"VFD_CONSUMER_KEY", c.Vfd.ConsumerKey.Reveal()},
		{"VFD_CONSUMER_SECRET", c.Vfd.ConsumerSecret.Reveal()},
		{"VFD_WALLET_NAME", c.Vfd.WalletName},
		{"VFD_WEBHOOK_SECRET", c.Vfd.WebhookSecret.Reveal()},
		{"PAYSTACK_HOST", c.Paystack.Host},
		{"PAYSTACK_SECRET_KEY", c.Paystack.SecretKey.Reveal()},
	}
	for _, setting := range required {
		if setting.value == "" {
			return fmt.Errorf("%s must be set when ADASHI_RAIL is live", setting.name)
		}
	}
	if len(c.Vfd.WebhookSecret) < 24 {
		return errors.New("VFD_WEBHOOK_SECRET must have at least 24 characters")
	}
	return nil
}

// checkURL accepts an empty value. It never repeats the value: it may hold a password.
func checkURL(name, value string, schemes ...string) error {
	if value == "" {
		return nil
	}
	parsed, err := url.Parse(strings.TrimSpace(value))
	if err != nil || parsed.Host == "" && !parsed.Query().Has("host") { // Postgres may be on a socket: ?host=/folder
		return fmt.Errorf("%s must be a whole address such as %s://host", name, schemes[0])
	}
	for _, scheme := range schemes {
		if parsed.Scheme == scheme {
			return nil
		}
	}
	return fmt.Errorf("%s must start with %s://", name, strings.Join(schemes, ":// or "))
}

func parseProxies(list string) ([]netip.Prefix, error) {
	var proxies []netip.Prefix
	for part := range strings.SplitSeq(list, ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		if address, err := netip.ParseAddr(part); err == nil {
			proxies = append(proxies, netip.PrefixFrom(address, address.BitLen()))
			continue
		}
		prefix, err := netip.ParsePrefix(part)
		if err != nil {
			return nil, fmt.Errorf("ADASHI_TRUSTED_PROXIES must be addresses such as 10.0.0.1 or 10.0.0.0/8 between commas, not %q", part)
		}
		proxies = append(proxies, prefix)
	}
	return proxies, nil
}
