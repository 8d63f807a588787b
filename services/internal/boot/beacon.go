package boot

import (
	"fmt"

	"adashi.ng/ledger/domain/draw"
	"adashi.ng/services/internal/beacon"
	beaconsandbox "adashi.ng/services/internal/beacon/sandbox"
	"adashi.ng/services/internal/config"
)

// beaconPath is where the sandbox's beacon is served.
const beaconPath = "/sandbox/beacon"

// openBeacon says what ajo are drawn from: drand's quicknet, or a beacon of the sandbox's own over HTTP too.
func (i *Instance) openBeacon() error {
	if i.Config.Rail != config.RailSandbox {
		i.Beacon = beacon.New(beacon.Options{Beacon: draw.Quicknet, Mirrors: i.Config.BeaconMirrors})
		return nil
	}
	server, err := beaconsandbox.New(i.secrets.SandboxConsumerSecret, i.Now)
	if err != nil {
		return fmt.Errorf("the sandbox's beacon: %w", err)
	}
	if i.roles.API {
		i.TestBeacon = server
	}
	i.Beacon = beacon.New(beacon.Options{Beacon: server.Beacon(), Mirrors: []string{i.sandboxURL() + beaconPath}})
	return nil
}
